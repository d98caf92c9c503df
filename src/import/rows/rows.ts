// A row of a file as a checked body: each cell by what its column means, each problem by its line and column.

import { listedJson, splitAt } from '../../changes/file/change-cells.ts';
import { InvalidValues, UsageError } from '../../errors.ts';
import { NotationError, type Place, type Problems, UnreadableError } from '../../files/problems.ts';
import { nameIn } from '../../names/name-in.ts';
import type { Body } from '../../values/body.ts';
import { refuseDoubtful, valueText } from '../../values/parse.ts';
import type { TimeSpan } from '../../values/time/time-span.ts';
import { namedBy, type ValueType } from '../../values/value-type.ts';
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
  /** Takes in the columns of a file that names them once. */
  readHeader(header: Header): void;
  /** Notes the names in rows, to be looked up before another reader reads the rows and tells what is wrong with them. */
  noteNames(rows: RawRows): void;
  /** The row, or undefined once its problems are noted. */
  read(raw: RawRow, number: number): Row | undefined;
  readonly columns: ColumnTable;
  /** Words of cells that mean nothing. */
  readonly unknownWords: UnknownWords;
  /** Where records hold what cells are compared with. */
  comparedPaths(): string[];
  /** The cells with numbers that could be read in two ways, or are in another currency than the column, once all is read. */
  doubtful(): Iterable<DoubtfulCell>;
  /** What is read past in the cells of whole columns, as sentences. */
  readPast(): string[];
}

/** A reader of rows for a plan; what is wrong goes to `problems`. */
export function rowReader(plan: ImportPlan, problems: Problems): RowReader {
  const noun = hasHeader(plan.format) ? 'column' : 'member';
  const table = new ColumnTable(plan, problems);
  const check = rowCheck(plan);
  const notes: Notes = { number: 0, doubtful: new DoubtfulNumbers(), currencies: new Currencies(), unknown: new UnknownWords() };
  const constants = plan.constants.flatMap((constant) => problems.try(constant.where, () => constantEntries(plan, constant)) ?? []);
  const constantExtras = plan.constants.flatMap(({ name, value, where }) => {
    const column = meaningOf(plan.resource, name);
    if (column?.kind !== 'extra') return [];
    // What a person typed is split at no comma, as that of flags.
    const typed = 'set' in column.extra ? (listedJson(value) ?? splitAt(value, ';')) : value;
    return problems.try(where, () => extraGiven(plan, column.extra, name, typed, where, notes.unknown)) ?? [];
  });
  for (const { name } of plan.constants) {
    const column = meaningOf(plan.resource, name);
    if ((column?.kind === 'field' || column?.kind === 'wire') && column.field !== undefined) table.fields.add(column.field);
  }
  let headerLine: number | undefined;

  /** The cells whose names are noted. */
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

/** What is gathered from cells beside their values. */
interface Notes {
  /** The number of the row at hand. */
  number: number;
  readonly doubtful: DoubtfulNumbers;
  readonly currencies: Currencies;
  readonly unknown: UnknownWords;
}

/** The body entries of a value that every row has. Throws UsageError. */
function constantEntries(plan: ImportPlan, { name, value, where }: Constant) {
  const meant = meaningOf(plan.resource, name);
  const column = columnOf({ ...plan, maps: new Map() }, name);
  if (column.kind === 'extra') return [];
  if (isMatchColumn(plan, column)) throw new InvalidValues([{ where, problem: 'rows find their records by it, so each has its own.' }]);
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
  /** Names of what may be made on the fly, by wire name. */
  readonly written: ReadonlyMap<string, string>;
  readonly changed: TimeSpan | undefined;
  /** Body entries whose cells are wrong. */
  readonly faulty: ReadonlySet<string>;
  readonly compared: readonly ComparedCell[];
  readonly extras: readonly GivenExtra[];
}

/** What the cells of a row give. */
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
  columns.forEach((column, index) => {
    if (column.kind === 'read-only' || column.kind === 'left-out') return;
    const name = names[index] ?? '';
    const place: Place = name === '' ? { line } : { line, noun, column: name };
    const held = valueIn(plan, values[index]);
    const isRight = problems.tryRow(place, (where) => {
      // The same is wrong with many cells, whatever their names.
      if (held instanceof BadCell) throw new NotationError(held.problem.replace(/^\w+/, ''), held.problem);
      if (isCompared(plan, column) && (plan.clearBlanks || !isBlankCell(held)))
        compared.push(comparedCell(plan, column, name, held, where));
      if (column.kind === 'compared' || column.kind === 'name') return true;
      if (column.kind === 'extra') {
        const isWanted = !isBlankCell(held) || (plan.clearBlanks && 'set' in column.extra);
        if (isWanted) extras.push(extraGiven(plan, column.extra, name, held, where, notes.unknown));
        return true;
      }
      const isDecimal = column.kind === 'field' && column.field.type.kind === 'decimal' && !plan.notation.isPlain;
      if (isDecimal) notes.currencies.see(name, { number: notes.number, line }, held);
      const cell = saidIn(plan, column, held);
      if (isDecimal && noun === 'column' && plan.notation.decimalMark === undefined)
        notes.doubtful.see(name, { number: notes.number, line }, cell);
      const value = settledCell(plan, column, cell, where);
      const made = nameToMake(column, cell);
      if (made !== undefined) written.set(made.wire, made.name);
      for (const [wire, one] of entriesOf(plan, column, value, where)) body.set(wire, one);
      if (column.kind === 'changed') changed = changedIn(plan, value, where);
      if (isMatchColumn(plan, column)) key = keyIn(plan, column, value, where);
      return true;
    });
    if (isRight) return;
    for (const wire of wiresGiven(column)) faulty.add(wire);
    if (column.kind === 'field' && !(held instanceof BadCell) && isWord(column.field.type, held))
      notes.unknown.add(column.field.flag, held);
  });
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

/** Whether a cell holds a word, of few that there are, or a name. */
const isWord = (type: ValueType, value: unknown): boolean => type.kind === 'choice' || nameIn(type, value) !== undefined;

/** Whether a cell says something of the record that the row meets which a body doesn't. */
function isCompared({ mode }: ImportPlan, column: FileColumn): column is ComparedCell['column'] {
  if (column.kind === 'name' || column.kind === 'compared') return true;
  // Of a record that is there, what only a create body takes can't be changed.
  return mode === 'upsert' && (column.kind === 'field' || column.kind === 'wire') && column.field?.only === 'create';
}

function comparedCell(plan: ImportPlan, column: ComparedCell['column'], name: string, held: unknown, where: string): ComparedCell {
  const value = settledCell(plan, column, saidIn(plan, column, held), where);
  const of = column.kind === 'name' ? namedBy(column.field.type) : undefined;
  const isWanted =
    of !== undefined && !isBlankCell(value) && column.kind === 'name' && (column.field.only !== 'create' || plan.mode !== 'update');
  const meaning = isWanted ? plan.words.meant(of, String(value).trim()) : undefined;
  return { column, name, value, ...(meaning === undefined ? {} : { meaning }) };
}

/** The body of a row that finds no record and makes one. Throws UsageError. */
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
 * Takes a name, for a record that is made, as its id. Throws UsageError for one that disagrees with the id beside it, or alone means nothing.
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
    // Names are only noted yet.
    if (beside === undefined && namedBy(type) !== undefined) body.set(wire, 1);
    return true;
  }
  const isGiven = beside !== undefined && beside !== '';
  if ('id' in meaning) {
    if (isGiven && valueText(beside) !== String(meaning.id)) throw disagreement(name, text, String(meaning.id), valueText(beside));
    body.set(wire, meaning.id);
  } else {
    // Where nothing is known of the name, nothing says that the id is another one.
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

/** What to do about a column that an import can't take. */
export const withoutColumn = (name: string): string => `Leave the column out with --map '${name}='.`;

/** Where records hold what a column's cells are compared with. */
function pathsOf(plan: ImportPlan, column: FileColumn | undefined): string[] {
  if (column?.kind === 'extra') return [column.extra.name];
  if (column === undefined || !isCompared(plan, column)) return [];
  if (column.kind === 'name') return [column.path, column.field.read ?? column.path];
  const path = column.kind === 'compared' ? column.path : fixedPath(column);
  return path === undefined ? [] : [path];
}

/** Whether nothing stands in a row: spreadsheets end in such rows. They are not counted. */
export function isBlankRow(raw: RawRow | BadRow): boolean {
  return 'values' in raw && raw.values.every((value) => value === '' || value === null);
}
