// A row of a file as a checked body: each cell by what its column means, each problem by its line and column.

import type { Body, BodyValue } from '../body.ts';
import { UsageError } from '../errors.ts';
import { parseJson, scalarText } from '../json.ts';
import { unguard } from '../output/formula-guard.ts';
import { isMembers } from '../paths.ts';
import type { Field } from '../resources/define.ts';
import { parseId, parseValue } from '../values.ts';
import { fieldEntries } from '../verbs/body.ts';
import { type Column, columnOf, isMatchColumn, wiresOf } from './columns.ts';
import type { ImportPlan } from './plan.ts';
import type { Problems } from './problems.ts';
import type { Header, RawRow } from './readers.ts';
import { rowCheck } from './row-checks.ts';

export interface Row {
  /** Its place among the file's rows, from 1. */
  readonly number: number;
  /** The line on which it begins. */
  readonly line: number;
  /** The value by which it finds its record, as `matchKey` makes it; absent in mode `create` and for a blank id. */
  readonly key?: string;
  /** What it gives, by wire name. In mode `create` the whole body. */
  readonly body: Body;
}

export interface RowReader {
  /** Takes in the columns of a file that names them once. */
  readHeader(header: Header): void;
  /** The row, or undefined once its problems are noted. */
  read(raw: RawRow, number: number): Row | undefined;
  /** The columns that were passed over, because they can only be read. */
  readonly passedOver: ReadonlySet<string>;
  /** The fields that some column gives. */
  readonly fields: ReadonlySet<Field>;
  /** Some column gives a value that doesn't read back, so that nobody can tell whether it changes anything. */
  readonly writesUnread: boolean;
  /** The columns of --map that were not there; none before some column was. */
  unmapped(): string[];
  /** The column that gives a body field, for messages. */
  columnName(wire: string): string | undefined;
}

/** What the names of a row's cells mean. */
interface Shape {
  readonly names: readonly string[];
  readonly columns: readonly Column[];
  /** The body entries that the columns can make. */
  readonly wires: ReadonlySet<string>;
}

type Entry = [wire: string, value: BodyValue];

/** A reader of rows for a plan; what is wrong goes to `problems`. */
export function rowReader(plan: ImportPlan, problems: Problems): RowReader {
  const noun = plan.format === 'csv' ? 'column' : 'member';
  const known = new Map<string, Column>();
  const passedOver = new Set<string>();
  const fields = new Set<Field>();
  const names = new Map<string, string>();
  const told = new Set<string>();
  const check = rowCheck(plan);
  const seen = { writesUnread: false };
  let shape: Shape | undefined;
  let headerLine: number | undefined;

  const tellOnce = (where: string, message: string): void => {
    if (!told.has(message)) problems.add(where, message);
    told.add(message);
  };

  const meaning = (name: string, line: number): Column => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const where = plan.format === 'csv' ? `line ${line}` : `line ${line}, member ${name}`;
    const column = problems.try(where, () => columnOf(plan, name)) ?? { kind: 'left-out' };
    known.set(name, column);
    if (column.kind === 'read-only') passedOver.add(name);
    if ('field' in column && column.field !== undefined) fields.add(column.field);
    if (column.kind === 'wire' && column.field === undefined) seen.writesUnread = true;
    for (const wire of wiresOf(column)) names.set(wire, name);
    return column;
  };

  const shapeOf = (all: readonly string[], line: number): Shape => {
    if (shape !== undefined && sameNames(shape.names, all)) return shape;
    const columns = all.map((name) => (name.trim() === '' ? nameless : meaning(name, line)));
    for (const [one, other] of twice(all, columns)) tellOnce(`line ${line}`, `${one} and ${other} mean the same field.`);
    shape = { names: all, columns, wires: new Set(columns.flatMap(wiresOf)) };
    return shape;
  };

  const read = (raw: RawRow, number: number): Row | undefined => {
    const before = problems.count;
    const { columns, wires: given } = shapeOf(raw.names, raw.line);
    const body: Body = new Map();
    const faulty = new Set<string>();
    let key: string | undefined;
    columns.forEach((column, index) => {
      if (column.kind === 'read-only' || column.kind === 'left-out') return;
      const name = raw.names[index] ?? '';
      const where = name === '' ? `line ${raw.line}` : `line ${raw.line}, ${noun} ${name}`;
      const value = valueIn(plan, raw.values[index]);
      const isRight = problems.try(where, () => {
        for (const [wire, one] of entriesOf(plan, column, value, where)) body.set(wire, one);
        if (isMatchColumn(plan, column)) key = keyIn(plan, column, value, where);
        return true;
      });
      if (!isRight) for (const wire of wiresOf(column)) faulty.add(wire);
    });
    const hasKey = plan.match === undefined || columns.some((column) => isMatchColumn(plan, column));
    return check({ number, line: raw.line, ...(key === undefined ? {} : { key }), body }, hasKey, {
      problems,
      header: `line ${headerLine ?? raw.line}`,
      place: (wire) => `line ${raw.line}${given.has(wire) ? `, ${noun} ${names.get(wire)}` : ''}`,
      isGiven: (wire) => given.has(wire),
      isFaulty: (wire) => faulty.has(wire),
      once: tellOnce,
      isFlawed: () => problems.count > before || (plan.format === 'csv' && told.size > 0),
    });
  };

  return {
    readHeader: ({ header, line }) => {
      headerLine = line;
      shapeOf(header, line);
    },
    read,
    passedOver,
    fields,
    get writesUnread() {
      return seen.writesUnread;
    },
    unmapped: () => [...plan.maps.keys()].filter((name) => plan.maps.get(name) !== '' && known.size > 0 && !known.has(name)),
    columnName: (wire) => names.get(wire),
  };
}

/** Whether nothing stands in a row: spreadsheets end in such rows. They are not counted. */
export function isBlankRow(raw: RawRow): boolean {
  return raw.values.every((value) => value === '' || value === null);
}

/** A column without a name: nothing may stand in it. */
const nameless: Column = { kind: 'wire', wire: '', type: { kind: 'text' } };

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Pairs of columns that give the same field, or both the id. */
function twice(names: readonly string[], columns: readonly Column[]): [string, string][] {
  const first = new Map<string, string>();
  return columns.flatMap((column, index) => {
    const name = names[index] ?? '';
    const wires = column === nameless ? [] : column.kind === 'id' ? [' id'] : wiresOf(column);
    const before = wires.map((wire) => first.get(wire)).find((one) => one !== undefined);
    for (const wire of wires) first.set(wire, name);
    return before === undefined ? [] : [[before, name] as [string, string]];
  });
}

/** What a cell holds: a text without its guard, or what JSON says. */
function valueIn(plan: ImportPlan, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '';
  return plan.format !== 'csv' || plan.csvRaw ? value : unguard(value);
}

/** The body entries of one cell. Throws UsageError naming `where`. */
function entriesOf(plan: ImportPlan, column: Column, value: unknown, where: string): Entry[] {
  if (column === nameless && value !== '') throw new UsageError(`${where}: there is a value under a header without a name.`);
  if (column === nameless || column.kind === 'id') return [];
  if (column.kind === 'wire') {
    const text = textIn(value, where);
    if (text === '') return plan.clearBlanks && column.field?.type.kind !== 'reference' ? [[column.wire, '']] : [];
    return [[column.wire, parseValue(column.type, column.type.kind === 'text' ? text : text.trim(), where)]];
  }
  return column.kind === 'field' ? fieldValue(plan, column.field, value, where) : [];
}

function fieldValue(plan: ImportPlan, field: Field, value: unknown, where: string): Entry[] {
  const { type } = field;
  if (type.kind === 'switch') return isOn(value, type.sends, where) ? [[field.wire, type.sends]] : [];
  if (type.kind === 'numbered') return numberedValues(plan, field, value, where);
  const text = textIn(value, where);
  const plain = type.kind === 'text' ? text : text.trim();
  if (plain !== '') return fieldEntries(field, plain, where);
  if (!plan.clearBlanks || type.kind === 'reference' || plan.resource.oneOf?.flags.includes(field.flag)) return [];
  if (field.required) throw new UsageError(`${where}: it is blank, and can't be cleared.`);
  return [[field.wire, '']];
}

/** The text of a cell or of a JSON scalar. */
function textIn(value: unknown, where: string): string {
  if (typeof value === 'string') return wholeText(value, where);
  if (typeof value === 'boolean' || (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))) {
    throw new UsageError(`${where}: give a text or a number.`);
  }
  return scalarText(value);
}

/** The text. Throws UsageError where half of a surrogate pair stands alone: UTF-8 has no bytes for it. */
function wholeText(text: string, where: string): string {
  if (text.isWellFormed()) return text;
  const [half = ''] = /\p{Surrogate}/u.exec(text) ?? [];
  throw new UsageError(`${where}: it holds half of a character (\\u${half.charCodeAt(0).toString(16)}), which can't be sent.`);
}

const onWords = new Set(['true', 'yes', '1', 'on']);
const offWords = new Set(['false', 'no', '0', 'off', '']);

function isOn(value: unknown, sends: string, where: string): boolean {
  const word = scalarText(value).trim().toLowerCase();
  if (word === sends || onWords.has(word)) return true;
  if (offWords.has(word)) return false;
  throw new UsageError(`${where}: "${word}" is not yes or no.`);
}

/** Custom fields: `N=VALUE`, or `[{ id, name, value }, …]` as they read back, in JSON or as its text. */
function numberedValues(plan: ImportPlan, field: Field, value: unknown, where: string): Entry[] {
  if (value === '') return [];
  const list = typeof value === 'string' && value.trimStart().startsWith('[') ? parsedList(value, where) : value;
  if (!Array.isArray(list)) return fieldEntries(field, textIn(list, where), where);
  return list.flatMap((element): Entry[] => {
    if (!isMembers(element)) throw new UsageError(`${where}: give [{"id": N, "value": …}, …].`);
    const text = wholeText(scalarText(element.value), where);
    if (text === '' && !plan.clearBlanks) return [];
    return fieldEntries(field, `${scalarText(element.id)}=${text}`, where);
  });
}

function parsedList(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`${where}: it is not valid JSON.`);
  }
}

/** The value by which a row finds its record. */
function keyIn(plan: ImportPlan, column: Column, value: unknown, where: string): string | undefined {
  const text = textIn(value, where);
  if (text.trim() !== '') return column.kind === 'id' ? String(parseId(text.trim(), where)) : matchKey(column, text);
  if (column.kind === 'id' && plan.mode === 'upsert') return undefined;
  throw new UsageError(`${where}: it is blank, and rows find their records by it.`);
}

function matchKey(column: Column, text: string): string | undefined {
  return column.kind === 'field' ? fieldKey(column.field, text) : undefined;
}

/** A value as matching and uniqueness compare it: emails whatever their case. */
export function fieldKey(field: Field, text: string): string {
  const plain = field.type.kind === 'text' ? text : text.trim();
  return field.type.kind === 'email' || field.unique ? plain.toLowerCase() : plain;
}
