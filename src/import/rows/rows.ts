// Turns a row of a file into a checked body: each cell by the meaning of its column, each problem by line and column.

import { InvalidValues, UsageError } from '../../base/errors.ts';
import { here, type Problems, UnreadableError } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { refuseDoubtful, valueText } from '../../base/values/parse.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { googleMark, listedJson, splitAt } from '../../changes/file/change-cells.ts';
import { createBody } from '../../model/bodies/create-body.ts';
import { isBlankGiven } from '../../model/bodies/entries.ts';
import { asMember } from '../../model/bodies/names.ts';
import { createShape } from '../../model/shape.ts';
import { plainName } from '../../session/names/matching.ts';
import { nameIn } from '../../session/names/name-in.ts';
import { type ColumnProblem, Currencies, DecimalMarks } from '../columns/amounts.ts';
import { bodyPut, changedIn, nameToMake, plainCell, resolvedCell, rowKey, textType, valueOfCell } from '../columns/cells.ts';
import { ColumnTable, type RowShape } from '../columns/column-table.ts';
import { columnMeaning, type FileColumn, fileColumn, isMatchColumn, mayName, otherColumn, wiresGiven } from '../columns/columns.ts';
import { extraGiven, extraWrites, type GivenExtra } from '../columns/extras.ts';
import { amountIn, isNoDay } from '../columns/notation.ts';
import { blankWordProblem, caredText, careSentences, isBlankWord, type Spelling, type TextCounts } from '../columns/text-care.ts';
import { mapFlag } from '../command-line.ts';
import { type BadRow, type Header, hasHeader, type RawRow, type RawRows, ShownNumber } from '../files/raw-row.ts';
import type { Constant, ImportJob } from '../job.ts';
import type { ComparedCell, Row } from './row.ts';
import { rowCheck } from './row-checks.ts';
import { noteUnknown, type UnknownWords } from './unknown-words.ts';

export type RowReader = ReturnType<typeof rowReader>;

/** A reader of rows for a job. Problems go to `problems`. */
export function rowReader(job: ImportJob, problems: Problems) {
  const noun = nounOf(job);
  const table = new ColumnTable(job, problems);
  const notes: Notes = {
    marks: new DecimalMarks(),
    currencies: new Currencies(),
    unknown: new Map(),
    counts: { trimmed: 0, quoted: 0, unguarded: 0, shown: 0, unseen: 0, marked: 0, floats: 0 },
    leads: new Map(),
    isOfEnvelope: false,
    isOwnExport: false,
    digits: new Map(),
  };
  const check = rowCheck(job, problems, table, notes.unknown);
  const constants: Body = new Map();
  const constantExtras: GivenExtra[] = [];
  for (const constant of job.constants) {
    const { name, value, where } = constant;
    const column = columnMeaning(job.resource, name);
    if (column?.kind === 'extra') {
      // As in flags, commas don't split a typed value.
      const typed = 'set' in column.extra ? (listedJson(value) ?? splitAt(value, ';')) : value;
      const given = problems.try(where, () => extraGiven(job, column.extra, { name, cell: typed, where }, notes.unknown));
      if (given !== undefined) constantExtras.push(given);
      continue;
    }
    problems.try(where, () => putConstant(job, constant, constants));
    if ((column?.kind === 'field' || column?.kind === 'wire') && column.field !== undefined) table.fields.add(column.field);
  }
  let headerLine: number | undefined;

  /** The readers of columns, by name: a name has the same meaning in every row. */
  const readers = new Map<string, CellReader>();
  const readerOf = (column: FileColumn, name: string): CellReader => {
    const reader = readers.get(name) ?? readerOfCell(job, column, name, notes);
    readers.set(name, reader);
    return reader;
  };
  let last: { readonly shape: RowShape; readonly cells: readonly CellReader[]; readonly hasKey: boolean } | undefined;
  const readersOf = (shape: RowShape) => {
    if (last?.shape === shape) return last;
    const hasKey = job.match === undefined || shape.columns.some((column) => isMatchColumn(job, column));
    last = { shape, cells: shape.columns.map((column, index) => readerOf(column, shape.names[index] ?? '')), hasKey };
    return last;
  };

  const rowOfCells = (raw: RawRow, number: number): Row | undefined => {
    const before = problems.count;
    const { line } = raw;
    notes.isOfEnvelope ||= raw.isOfEnvelope === true;
    const shape = table.shapeOf(raw.names, line);
    const { cells, hasKey } = readersOf(shape);
    const row: RowDraft = { number, line, body: new Map() };
    const faulty = readCells(job, { columns: shape.columns, cells }, raw, row, { problems, notes });
    for (const [wire, value] of constants) row.body.set(wire, value);
    if (constantExtras.length > 0) row.extras = [...(row.extras ?? []), ...constantExtras];
    row.body = check(row.body, { line, header: { line: headerLine ?? line }, wires: shape.wires, faulty, hasKey });
    const isFlawed = problems.count > before || (hasHeader(job.format) && table.isFlawed);
    return isFlawed ? undefined : row;
  };

  return {
    /** Notes the names in rows, so that they can be looked up before the rows are read. */
    noteNames: (rows: RawRows): void => {
      for (const raw of rows) {
        if (!('values' in raw)) continue;
        const { names, line, values } = raw;
        const { columns, naming } = table.shapeOf(names, line);
        for (const index of naming) {
          const [column, name, value] = [columns[index] as FileColumn, names[index] ?? '', values[index]];
          const cell = { line, names: [name], values: [value] };
          const readers = { columns: [column], cells: [readerOf(column, name)] };
          readCells(job, readers, cell, { number: 0, line, body: new Map() }, { problems, notes });
        }
      }
      problems.takeRow();
    },
    /** Takes the columns of a file with a header. */
    readHeader: ({ header, line }: Header): void => {
      const was = header.find((name) => name.startsWith('was.'));
      if (was !== undefined)
        throw new UnreadableError(line, `the column ${was} holds old values, so this is a change file: crm apply FILE carries it out.`);
      headerLine = line;
      notes.isOwnExport = header.some((name) => name.includes('.') && job.resource.record.includes(name));
      table.shapeOf(header, line);
    },
    /** The row, or undefined when it has problems. */
    read: rowOfCells,
    columns: table,
    unknownWords: notes.unknown,
    /** The columns, and the meanings of constants. */
    given: (): FileColumn[] =>
      [...table.byName.values(), ...job.constants.map(({ name }) => columnMeaning(job.resource, name))].filter((one) => one !== undefined),
    /** Columns with ambiguous numbers or several currencies, once all rows are read. */
    doubtful: (): ColumnProblem[] => [...notes.marks.problems(noun), ...notes.currencies.problems(noun)],
    /** The decimal marks that columns show themselves, once all rows are read. */
    shownMarks: () => notes.marks.shown(),
    /** The signs with which another program begins each value of a column, once all rows are read. */
    shownLeads: (): ReadonlyMap<string, string> => new Map([...notes.leads].filter(([, lead]) => lead !== '')),
    /** For each body entry with texts, whether a cell begins with a zero or a plus sign, once all rows are read. */
    leadingSigns: (): ReadonlyMap<string, boolean> => notes.digits,
    /** Notices about values that are ignored or changed in whole columns. */
    readPast: (): string[] => [
      ...(notes.isOfEnvelope ? ['The file holds a whole answer, as --envelope prints it. Its data are read.'] : []),
      ...[...(job.shownMarks ?? [])].map(([name, { mark, example }]) => `${name}: ${mark} is the decimal mark, as "${example}" shows.`),
      ...[...(job.shownLeads ?? [])].map(([name, lead]) => `${name}: each value begins with "${lead}", which is left out.`),
      ...notes.currencies.sentences(noun),
      ...careSentences(notes.counts),
    ],
  };
}

const nounOf = ({ format }: ImportJob): 'column' | 'member' => (hasHeader(format) ? 'column' : 'member');

/** Things that are noted about cells while their values are read. */
interface Notes {
  readonly marks: DecimalMarks;
  readonly currencies: Currencies;
  readonly unknown: UnknownWords;
  readonly counts: TextCounts;
  /** For each body entry with texts, whether a cell begins with a zero or a plus sign. */
  readonly digits: Map<string, boolean>;
  /** By column, the sign with which another program begins values, while every cell has it; else ''. */
  readonly leads: Map<string, string>;
  /** True when the rows come from the `data` of an envelope. */
  isOfEnvelope: boolean;
  /** True for a file that crm wrote, by a header such as `dates.created`: its texts are what records held. */
  isOwnExport: boolean;
}

function putConstant(job: ImportJob, { name, value, where }: Constant, body: Body): void {
  const meant = columnMeaning(job.resource, name);
  const column = fileColumn({ ...job, maps: new Map() }, name) ?? otherColumn;
  if (isMatchColumn(job, column))
    throw new InvalidValues([{ where, problem: 'rows find their records by it, so one value for all rows is wrong.' }]);
  if (column.kind !== 'field' && column.kind !== 'wire') {
    const other = meant?.kind === 'name' ? ` Use ${meant.field.flag}.` : '';
    throw new InvalidValues([{ where, problem: `an import can't write it.${other}` }]);
  }
  if (column.kind === 'field' && column.field.type.kind === 'numbered')
    throw new InvalidValues([{ where, problem: `give each number a constant of its own, such as ${column.field.flag}-1.` }]);
  if (job.notation.decimalMark !== 'point' && column.kind === 'field') refuseDoubtful(column.field.type, value, where);
  bodyPut({ ...job, clearBlanks: true }, column)(resolvedCell(job, column, value, where), where, body);
}

/** A row while its cells are read. */
type RowDraft = { -readonly [K in keyof Row]: Row[K] } & {
  extras?: GivenExtra[];
  compared?: ComparedCell[];
  unitNames?: Map<string, string>;
  spellings?: Map<string, Spelling>;
};

/** Puts the value of a cell into its row. `raw`: the cell as the file has it. Throws UsageError for a wrong cell. */
type CellReader = (cell: unknown, row: RowDraft, raw: unknown) => void;

const passOver: CellReader = () => {};

/** The reader of a column's cells. Where each value of the column begins with the sign of another program, the sign is left out. */
function readerOfCell(job: ImportJob, column: FileColumn, name: string, notes: Notes): CellReader {
  const read = columnReader(job, column, name, notes);
  const lead = hasHeader(job.format) ? leadOf(column) : undefined;
  if (lead === undefined) return read;
  const isTold = job.shownLeads?.has(name) === true;
  const parts = (cell: string): string[] => (column.kind === 'extra' ? cell.split(googleMark) : [cell]);
  return (cell, row, raw) => {
    if (typeof cell !== 'string' || cell.trim() === '') return read(cell, row, raw);
    const hasLead = parts(cell).every((one) => one.startsWith(lead));
    if (!isTold) notes.leads.set(name, hasLead && notes.leads.get(name) !== '' ? lead : '');
    const meant =
      isTold && hasLead
        ? parts(cell)
            .map((one) => one.slice(lead.length))
            .join(googleMark)
        : cell;
    read(meant, row, meant === cell ? raw : meant);
  };
}

/** The sign with which another program begins the values of such a column: Facebook a phone and a postal code, Google a group. */
function leadOf(column: FileColumn): string | undefined {
  if (column.kind === 'extra') return 'set' in column.extra && column.extra.set.element === undefined ? '* ' : undefined;
  const type = textType(column);
  if (type?.kind !== 'text') return undefined;
  return type.form === 'phone' ? 'p:' : type.form === 'postal code' ? 'z:' : undefined;
}

/** The reader of a column's cells. Everything that is equal for the whole column is decided once, here. */
function columnReader(job: ImportJob, column: FileColumn, name: string, notes: Notes): CellReader {
  if (column.kind === 'read-only' || column.kind === 'left-out') return passOver;
  const plain = plainCell(job, column, name);
  const isBeside = isCompared(job, column);
  const compare: CellReader = (cell, row) => {
    if (!isBeside) return;
    const said = plain(cell);
    if (!job.clearBlanks && isBlankGiven(said)) return;
    row.compared ??= [];
    row.compared.push(comparedCell(job, column, name, said));
  };
  if (column.kind === 'compared' || column.kind === 'name') return compare;
  if (column.kind === 'extra')
    return (cell, row) => {
      if (isBlankGiven(cell) && !(job.clearBlanks && 'set' in column.extra)) return;
      const isNew = job.mode === 'create' && hasHeader(job.format) && !notes.isOwnExport;
      if (isNew && isBlankWord(cell) && job.meanings.get(column.extra.name)?.has(plainName(String(cell))) !== true)
        throw blankWordProblem(String(cell));
      const given = extraGiven(job, column.extra, { name, cell, where: here }, notes.unknown);
      if (given === undefined) return;
      row.extras ??= [];
      row.extras.push(given);
    };
  const isDecimal = column.kind === 'field' && column.field.type.kind === 'decimal';
  const isUnmarked = hasHeader(job.format) && job.notation.decimalMark === undefined && job.shownMarks?.has(name) !== true;
  const care = hasHeader(job.format) ? textCareOf(job, column, name, notes) : undefined;
  const isMatch = isMatchColumn(job, column);
  const isNaming = mayName(column);
  const put = bodyPut(job, column);
  return (cell, row, raw) => {
    if (isBeside) compare(cell, row, raw);
    const amount = raw instanceof ShownNumber ? raw.amount : cell;
    if (isDecimal && typeof amount === 'string') {
      const { number, currency } = amountIn(amount);
      if (currency !== undefined) notes.currencies.see(name, row.line, currency, amount);
      if (isUnmarked && amount === cell) notes.marks.see(name, row.line, number);
    }
    const plainValue = plain(cell);
    const said =
      care !== undefined && typeof plainValue === 'string' ? care(plainValue, row, plainValue === cell ? raw : plainValue) : plainValue;
    const value = isNaming ? resolvedCell(job, column, said, here) : said;
    const made = isNaming ? nameToMake(column, said) : undefined;
    if (made !== undefined) {
      row.unitNames ??= new Map();
      row.unitNames.set(made.wire, made.name);
    }
    put(value, here, row.body);
    const changed = column.kind === 'changed' ? changedIn(job, value, here) : undefined;
    if (changed !== undefined) row.changed = changed;
    const key = isMatch ? rowKey(job, column, value, here) : undefined;
    if (key !== undefined) row.key = key;
  };
}

function textCareOf(job: ImportJob, column: FileColumn, name: string, notes: Notes) {
  const { counts, digits } = notes;
  const type = textType(column);
  if (type === undefined || (column.kind !== 'field' && column.kind !== 'wire')) return undefined;
  const wire = column.kind === 'field' ? column.field.wire : column.wire;
  const words = job.meanings.get(column.field?.flag ?? wire);
  const isCompared = job.mode !== 'create';
  if (isCompared && !digits.has(wire)) digits.set(wire, false);
  return (text: string, row: RowDraft, raw: unknown): string => {
    const isMeant = notes.isOwnExport || words?.has(plainName(text)) === true;
    const cared = caredText(job, { name, type, counts, isMeant }, text, raw, (spelling) => {
      row.spellings ??= new Map();
      row.spellings.set(wire, spelling);
    });
    if (isCompared && /^(?:\+|0.)/s.test(cared)) digits.set(wire, true);
    return cared;
  };
}

/** Reads the cells of a row, by the columns and their readers. Returns the body entries of cells with problems. */
function readCells(
  job: ImportJob,
  { columns, cells }: { readonly columns: readonly FileColumn[]; readonly cells: readonly CellReader[] },
  { names, values, line }: RawRow,
  row: RowDraft,
  { problems, notes }: { readonly problems: Problems; readonly notes: Notes },
): ReadonlySet<string> {
  const wrong = new Set<string>();
  const noteFailed = (column: FileColumn, name: string, error: unknown): void => {
    problems.addFailed(name === '' ? { line } : { line, noun: nounOf(job), column: name }, error);
    for (const wire of wiresGiven(column)) wrong.add(wire);
  };
  for (let index = 0; index < cells.length; index += 1) {
    const takeCell = cells[index];
    if (takeCell === undefined || takeCell === passOver) continue;
    let cell: unknown;
    try {
      cell = valueOfCell(job, columns[index], values[index], notes.counts);
      takeCell(cell, row, values[index]);
    } catch (error) {
      const column = columns[index];
      if (column === undefined) throw error;
      noteFailed(column, names[index] ?? '', error);
      if (column.kind === 'field' && isWord(column.field.type, cell)) noteUnknown(notes.unknown, column.field.flag, cell);
    }
  }
  for (const { column, value, meaning } of row.compared ?? [])
    if (column.kind === 'name' && !row.body.has(column.field.wire) && meaning !== undefined && 'problem' in meaning)
      noteUnknown(notes.unknown, column.field.flag, value);
  if (job.mode === 'create' && (row.compared ?? row.extras) !== undefined) completeNew(job, row, noteFailed, problems);
  return wrong;
}

/** Puts the ids of names into the body of a new record, and checks its extras. */
function completeNew(
  job: ImportJob,
  row: RowDraft,
  noteFailed: (column: FileColumn, name: string, error: unknown) => void,
  problems: Problems,
): void {
  const unitNames = row.unitNames ?? new Map();
  for (const cell of row.compared ?? []) {
    const { column, name } = cell;
    try {
      putIdOfName(job, cell, row.body, unitNames);
    } catch (error) {
      noteFailed(column, name, error);
    }
  }
  if (unitNames.size > 0) row.unitNames = unitNames;
  delete row.compared;
  const { line, extras = [] } = row;
  if (extras.length > 0) problems.tryRow({ line }, () => extraWrites(job, extras, undefined));
}

/** True when a mapping may give the cell a meaning: for a name, a word of a choice, yes or no, and a word in place of a day or number. */
function isWord(type: ValueType, value: unknown): boolean {
  if (isBlankWord(value) || (type.kind === 'date' && isNoDay(value))) return true;
  if (type.kind === 'choice' || type.kind === 'switch') return true;
  const isOther = (type.kind === 'date' || type.kind === 'decimal') && typeof value === 'string' && !/\d/.test(value);
  return isOther || (type.kind === 'email' && !scalarText(value).includes('@')) || nameIn(type, value) !== undefined;
}

function isCompared({ mode }: ImportJob, column: FileColumn): column is ComparedCell['column'] {
  if (column.kind === 'name' || column.kind === 'compared') return true;
  // Fields of a create body are fixed in an existing record.
  return mode === 'upsert' && (column.kind === 'field' || column.kind === 'wire') && column.field?.only === 'create';
}

function comparedCell(job: ImportJob, column: ComparedCell['column'], name: string, cell: unknown): ComparedCell {
  const value = resolvedCell(job, column, cell, here);
  const of = column.kind === 'name' ? namedBy(column.field.type) : undefined;
  const isWanted =
    of !== undefined && !isBlankGiven(value) && column.kind === 'name' && (column.field.only !== 'create' || job.mode !== 'update');
  const meaning = isWanted ? job.words.meant(of, String(value).trim()) : undefined;
  return { column, name, value, ...(meaning === undefined ? {} : { meaning }) };
}

/** The body of a row that makes a new record. Throws UsageError. */
export function resolvedForCreation(job: ImportJob, row: Row): Body {
  const body = new Map(row.body);
  for (const { name, doubt } of row.spellings?.values() ?? []) if (doubt !== undefined) throw new UsageError(`${name}: ${doubt.message}`);
  for (const cell of row.compared ?? []) {
    try {
      putIdOfName(job, cell, body, new Map());
    } catch (error) {
      if (error instanceof InvalidValues) throw new UsageError(`${cell.name}: ${error.message}`);
      throw error;
    }
  }
  return createBody(createShape(job.resource), body, asMember);
}

/**
 * Puts the id of a name into the body of a new record. Throws UsageError for a name that contradicts the id beside it, and for an unknown
 * name alone.
 */
function putIdOfName(
  { words }: ImportJob,
  { column, name, value, meaning }: ComparedCell,
  body: Body,
  unitNames: Map<string, string>,
): void {
  if (column.kind !== 'name' || isBlankGiven(value)) return;
  const { wire, type } = column.field;
  const beside = body.get(wire);
  const text = String(value).trim();
  if (meaning === undefined) {
    // The name is noted and not yet looked up, so 1 stands for its id.
    if (beside === undefined && namedBy(type) !== undefined) body.set(wire, 1);
    return;
  }
  const isGiven = beside !== undefined && beside !== '';
  if ('id' in meaning) {
    if (isGiven && valueText(beside) !== String(meaning.id)) {
      const problem = `"${text}" is ${meaning.id}, and the id beside it is ${valueText(beside)}: which one is meant?`;
      throw new InvalidValues([{ where: name, problem }], problem);
    }
    body.set(wire, meaning.id);
  } else {
    // An unknown name can't contradict the id beside it.
    if (isGiven) return;
    if (!words.makes(type)) throw new InvalidValues([{ where: name, problem: meaning.problem, code: 'name_unknown' }], meaning.problem);
    body.set(wire, meaning.name);
  }
  if (type.kind === 'id-or-name' && !isGiven) unitNames.set(wire, text);
}

/** The advice to leave out a column. */
export const withoutColumn = (name: string): string => `Leave the column out with ${mapFlag(name)}.`;

/** True for a row without values. Spreadsheets end in such rows; they are not counted. */
export function isBlankRow(raw: RawRow | BadRow): boolean {
  return 'values' in raw && raw.values.every((value) => value === '' || value === null);
}
