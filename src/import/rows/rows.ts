// Turns a row of a file into a checked body: each cell by the meaning of its column, each problem by line and column.

import { InvalidValues, UsageError } from '../../base/errors.ts';
import { here, NotationError, type Problems, UnreadableError } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { refuseDoubtful, valueText } from '../../base/values/parse.ts';
import type { TimeSpan } from '../../base/values/time/time-span.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { listedJson, splitAt } from '../../changes/file/change-cells.ts';
import { nameIn } from '../../session/names/name-in.ts';
import { changedIn, entriesOf, keyIn, nameToMake, saidIn, settledCell, valueIn } from '../columns/cells.ts';
import { ColumnTable, type Shape } from '../columns/column-table.ts';
import { columnOf, type FileColumn, fixedPath, isMatchColumn, meaningOf, wiresGiven } from '../columns/columns.ts';
import { Currencies } from '../columns/currencies.ts';
import { type DoubtfulCell, DoubtfulNumbers } from '../columns/doubtful-numbers.ts';
import { extraGiven, extraWrites, type GivenExtra } from '../columns/extras.ts';
import { BadCell, type BadRow, type Header, hasHeader, type RawRow, type RawRows } from '../files/raw-row.ts';
import type { Constant, ImportPlan } from '../plan.ts';
import type { ComparedCell, Row } from './row.ts';
import { createBodyOf, rowCheck } from './row-checks.ts';
import { UnknownWords } from './unknown-words.ts';

export interface RowReader {
  /** Takes the columns of a file with a header. */
  readHeader(header: Header): void;
  /** Notes the names in rows for a lookup, before another reader reads and checks the rows. */
  noteNames(rows: RawRows): void;
  /** The row, or undefined when it has problems. */
  read(raw: RawRow, number: number): Row | undefined;
  readonly columns: ColumnTable;
  /** Unknown words in cells. */
  readonly unknownWords: UnknownWords;
  /** The record paths that cells are compared with. */
  comparedPaths(): string[];
  /** Cells with ambiguous numbers or deviating currencies, once all rows are read. */
  doubtful(): Iterable<DoubtfulCell>;
  /** Notices about values that are ignored in whole columns. */
  readPast(): string[];
}

/** A reader of rows for a plan. Problems go to `problems`. */
export function rowReader(plan: ImportPlan, problems: Problems): RowReader {
  const noun = hasHeader(plan.format) ? 'column' : 'member';
  const table = new ColumnTable(plan, problems);
  const check = rowCheck(plan);
  const notes: Notes = { number: 0, doubtful: new DoubtfulNumbers(), currencies: new Currencies(), unknown: new UnknownWords() };
  const constants = plan.constants.flatMap((constant) => problems.try(constant.where, () => constantEntries(plan, constant)) ?? []);
  const constantExtras = plan.constants.flatMap(({ name, value, where }) => {
    const column = meaningOf(plan.resource, name);
    if (column?.kind !== 'extra') return [];
    // As in flags, commas don't split a typed value.
    const typed = 'set' in column.extra ? (listedJson(value) ?? splitAt(value, ';')) : value;
    return problems.try(where, () => extraGiven(plan, column.extra, name, typed, where, notes.unknown)) ?? [];
  });
  for (const { name } of plan.constants) {
    const column = meaningOf(plan.resource, name);
    if ((column?.kind === 'field' || column?.kind === 'wire') && column.field !== undefined) table.fields.add(column.field);
  }
  let headerLine: number | undefined;

  /** Cells whose names were noted. */
  const noted = new Set<string>();
  const hasNewCell = ({ names, values }: RawRow, columns: readonly FileColumn[]): boolean => {
    const before = noted.size;
    for (const [index, { kind }] of columns.entries())
      if (kind !== 'left-out')
        noted.add(`${names[index]}=${typeof values[index] === 'object' ? JSON.stringify(values[index]) : values[index]}`);
    return noted.size > before;
  };

  const read = (raw: RawRow, number: number): Row | undefined => {
    const before = problems.count;
    const { line } = raw;
    const shape = table.shapeOf(raw.names, line);
    notes.number = number;
    const { key, body, written, changed, faulty, compared, extras } = cellsOf(plan, shape, raw, noun, problems, notes);
    for (const [wire, value] of constants) body.set(wire, value);
    const hasKey = plan.match === undefined || shape.columns.some((column) => isMatchColumn(plan, column));
    const rest = {
      ...(key === undefined ? {} : { key }),
      ...(changed === undefined ? {} : { changed }),
      ...(compared.length === 0 ? {} : { compared }),
      ...(extras.length + constantExtras.length === 0 ? {} : { extras: [...extras, ...constantExtras] }),
    };
    const row = check({ number, line, ...rest, body, written }, hasKey, faulty, () => ({
      problems,
      header: { line: headerLine ?? line },
      place: (wire) => ({ line, ...(shape.wires.has(wire) ? { noun, column: table.columnName(wire) ?? wire } : {}) }),
      isGiven: (wire) => shape.wires.has(wire),
      once: (where, message) => table.tellOnce(where, message),
    }));
    const isFlawed = problems.count > before || (hasHeader(plan.format) && table.isFlawed);
    return isFlawed ? undefined : row;
  };

  return {
    noteNames: (rows) => {
      for (const raw of rows) {
        const columns = 'values' in raw ? table.shapeOf(raw.names, raw.line).naming : undefined;
        if ('values' in raw && columns !== undefined && hasNewCell(raw, columns)) cellsOf(plan, { columns }, raw, noun, problems, notes);
      }
      problems.takeRow();
    },
    readHeader: ({ header, line }) => {
      const was = header.find((name) => name.startsWith('was.'));
      if (was !== undefined)
        throw new UnreadableError(line, `a column such as ${was} says what was there, as in a change file: crm apply FILE carries it out.`);
      headerLine = line;
      table.shapeOf(header, line);
    },
    read,
    columns: table,
    unknownWords: notes.unknown,
    comparedPaths: () => [...new Set([...table.byName.values()].flatMap((column) => pathsOf(plan, column)))],
    doubtful: () => [...notes.doubtful.cells(noun), ...notes.currencies.mixed(noun)],
    readPast: () => (plan.notation.isPlain ? [] : notes.currencies.sentences(noun)),
  };
}

/** Findings from cells beside their values. */
interface Notes {
  /** The number of the current row. */
  number: number;
  readonly doubtful: DoubtfulNumbers;
  readonly currencies: Currencies;
  readonly unknown: UnknownWords;
}

/** The body entries of a constant. Throws UsageError. */
function constantEntries(plan: ImportPlan, { name, value, where }: Constant) {
  const meant = meaningOf(plan.resource, name);
  const column = columnOf({ ...plan, maps: new Map() }, name);
  if (column.kind === 'extra') return [];
  if (isMatchColumn(plan, column))
    throw new InvalidValues([{ where, problem: 'rows find their records by it, so one value for all rows is wrong.' }]);
  if (column.kind !== 'field' && column.kind !== 'wire') {
    const other = meant?.kind === 'name' ? ` Use ${meant.field.flag}.` : '';
    throw new InvalidValues([{ where, problem: `an import can't write it.${other}` }]);
  }
  if (plan.notation.decimalMark !== 'point' && column.kind === 'field') refuseDoubtful(column.field.type, value, where);
  return entriesOf({ ...plan, clearBlanks: true }, column, settledCell(plan, column, value, where), where);
}

interface Cells {
  readonly key: string | undefined;
  readonly body: Body;
  /** Names that the import may create, by wire name. */
  readonly written: ReadonlyMap<string, string>;
  readonly changed: TimeSpan | undefined;
  /** Body entries whose cells have problems. */
  readonly faulty: ReadonlySet<string>;
  readonly compared: readonly ComparedCell[];
  readonly extras: readonly GivenExtra[];
}

/** The values of a row's cells. */
function cellsOf(
  plan: ImportPlan,
  { columns }: Pick<Shape, 'columns'>,
  raw: RawRow,
  noun: 'column' | 'member',
  problems: Problems,
  notes: Notes,
): Cells {
  const { names, values, line } = raw;
  const body: Body = new Map();
  const written = new Map<string, string>();
  const faulty = new Set<string>();
  const compared: ComparedCell[] = [];
  const extras: GivenExtra[] = [];
  let key: string | undefined;
  let changed: TimeSpan | undefined;
  const take = (column: FileColumn, name: string, held: unknown): void => {
    // The reason is the problem without the cell's name, so that equal problems are grouped.
    if (held instanceof BadCell) throw new NotationError(held.problem.replace(/^\w+/, ''), held.problem);
    if (isCompared(plan, column) && (plan.clearBlanks || !isBlankCell(held))) compared.push(comparedCell(plan, column, name, held));
    if (column.kind === 'compared' || column.kind === 'name') return;
    if (column.kind === 'extra') {
      const isWanted = !isBlankCell(held) || (plan.clearBlanks && 'set' in column.extra);
      if (isWanted) extras.push(extraGiven(plan, column.extra, name, held, here, notes.unknown));
      return;
    }
    const isDecimal = column.kind === 'field' && column.field.type.kind === 'decimal' && !plan.notation.isPlain;
    if (isDecimal) notes.currencies.see(name, { number: notes.number, line }, held);
    const cell = saidIn(plan, column, held);
    if (isDecimal && noun === 'column' && plan.notation.decimalMark === undefined)
      notes.doubtful.see(name, { number: notes.number, line }, cell);
    const value = settledCell(plan, column, cell, here);
    const made = nameToMake(column, cell);
    if (made !== undefined) written.set(made.wire, made.name);
    for (const [wire, one] of entriesOf(plan, column, value, here)) body.set(wire, one);
    if (column.kind === 'changed') changed = changedIn(plan, value, here);
    if (isMatchColumn(plan, column)) key = keyIn(plan, column, value, here);
  };
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index];
    if (column === undefined || column.kind === 'read-only' || column.kind === 'left-out') continue;
    const name = names[index] ?? '';
    const held = valueIn(plan, values[index]);
    try {
      take(column, name, held);
    } catch (error) {
      problems.addFailed(name === '' ? { line } : { line, noun, column: name }, error);
      for (const wire of wiresGiven(column)) faulty.add(wire);
      if (column.kind === 'field' && !(held instanceof BadCell) && isWord(column.field.type, held))
        notes.unknown.add(column.field.flag, held);
    }
  }
  for (const { column, name, value, meaning } of compared) {
    if (plan.mode === 'create' && column.kind === 'name' && !body.has(column.field.wire) && meaning !== undefined && 'problem' in meaning)
      notes.unknown.add(column.field.flag, value);
    if (plan.mode !== 'create') continue;
    const isRight = problems.tryRow({ line, noun, column: name }, () =>
      settleForCreation(plan, { column, name, value, ...(meaning === undefined ? {} : { meaning }) }, body, written),
    );
    if (isRight === undefined) for (const wire of wiresGiven(column)) faulty.add(wire);
  }
  if (plan.mode === 'create') problems.tryRow({ line }, () => extraWrites(plan, extras, undefined));
  return { key, body, written, changed, faulty, compared: plan.mode === 'create' ? [] : compared, extras };
}

const isBlankCell = (value: unknown): boolean => value === '' || value === null || (typeof value === 'string' && value.trim() === '');

/** True for a cell with a word of a choice, or a name. */
const isWord = (type: ValueType, value: unknown): boolean => type.kind === 'choice' || nameIn(type, value) !== undefined;

/** True when a cell is compared with the record. */
function isCompared({ mode }: ImportPlan, column: FileColumn): column is ComparedCell['column'] {
  if (column.kind === 'name' || column.kind === 'compared') return true;
  // Fields of a create body are fixed in an existing record.
  return mode === 'upsert' && (column.kind === 'field' || column.kind === 'wire') && column.field?.only === 'create';
}

function comparedCell(plan: ImportPlan, column: ComparedCell['column'], name: string, held: unknown): ComparedCell {
  const value = settledCell(plan, column, saidIn(plan, column, held), here);
  const of = column.kind === 'name' ? namedBy(column.field.type) : undefined;
  const isWanted =
    of !== undefined && !isBlankCell(value) && column.kind === 'name' && (column.field.only !== 'create' || plan.mode !== 'update');
  const meaning = isWanted ? plan.words.meant(of, String(value).trim()) : undefined;
  return { column, name, value, ...(meaning === undefined ? {} : { meaning }) };
}

/** The body of a row that makes a new record. Throws UsageError. */
export function settledForCreation(plan: ImportPlan, row: Row): Body {
  const body = new Map(row.body);
  for (const cell of row.compared ?? []) {
    try {
      settleForCreation(plan, cell, body, new Map());
    } catch (error) {
      if (error instanceof InvalidValues) throw new UsageError(`${cell.name}: ${error.message}`);
      throw error;
    }
  }
  return createBodyOf(plan, { ...row, body });
}

/**
 * Puts the id of a name into the body of a new record. Throws UsageError for a name that contradicts the id beside it, and for an unknown
 * name alone.
 */
function settleForCreation(
  { words }: ImportPlan,
  { column, name, value, meaning }: ComparedCell,
  body: Body,
  written: Map<string, string>,
): true {
  if (column.kind !== 'name' || isBlankCell(value)) return true;
  const { wire, type } = column.field;
  const beside = body.get(wire);
  const text = String(value).trim();
  if (meaning === undefined) {
    // The name is only noted so far, so 1 stands for its id.
    if (beside === undefined && namedBy(type) !== undefined) body.set(wire, 1);
    return true;
  }
  const isGiven = beside !== undefined && beside !== '';
  if ('id' in meaning) {
    if (isGiven && valueText(beside) !== String(meaning.id)) throw disagreement(name, text, String(meaning.id), valueText(beside));
    body.set(wire, meaning.id);
  } else {
    // An unknown name can't contradict the id beside it.
    if (isGiven) return true;
    if (!words.makes(type)) throw new InvalidValues([{ where: name, problem: meaning.problem, code: 'name_unknown' }], meaning.problem);
    body.set(wire, meaning.name);
  }
  if (type.kind === 'id-or-name' && !isGiven) written.set(wire, text);
  return true;
}

function disagreement(name: string, text: string, id: string, beside: string): InvalidValues {
  const problem = `"${text}" is ${id}, and the id beside it is ${beside}: which one is meant?`;
  return new InvalidValues([{ where: name, problem }], problem);
}

/** The advice to leave out a column. */
export const withoutColumn = (name: string): string => `Leave the column out with --map '${name}='.`;

/** The record paths that a column's cells are compared with. */
function pathsOf(plan: ImportPlan, column: FileColumn | undefined): string[] {
  if (column?.kind === 'extra') return [column.extra.name];
  if (column === undefined || !isCompared(plan, column)) return [];
  if (column.kind === 'name') return [column.path, column.field.read ?? column.path];
  const path = column.kind === 'compared' ? column.path : fixedPath(column);
  return path === undefined ? [] : [path];
}

/** True for a row without values. Spreadsheets end in such rows; they are not counted. */
export function isBlankRow(raw: RawRow | BadRow): boolean {
  return 'values' in raw && raw.values.every((value) => value === '' || value === null);
}
