// Turns one cell of a file into the entries of a request body.

import { invalidValue, UsageError } from '../../base/errors.ts';
import { NotationError } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { parseId } from '../../base/values/parse.ts';
import { type TimeSpan, timeSpanOf } from '../../base/values/time/time-span.ts';
import { type Blanks, bodyEntries, type Entry, partValue, textGiven } from '../../model/bodies/entries.ts';
import type { Field } from '../../model/define.ts';
import { fieldKey } from '../../model/field-key.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { plainName } from '../../session/names/matching.ts';
import { nameIn } from '../../session/names/name-in.ts';
import { BadCell } from '../files/raw-row.ts';
import type { ImportPlan } from '../plan.ts';
import { nameless } from './column-table.ts';
import type { FileColumn } from './columns.ts';
import { plainText, refuseFailedFormula, refuseShortened } from './notation.ts';

/** The value of a cell: CSV text without its formula guard, else as the JSON or workbook has it. Throws NotationError for a lost value. */
export function cellValue(plan: ImportPlan, value: unknown): unknown {
  // The reason is the problem without the cell's name, so that equal problems are grouped.
  if (value instanceof BadCell) throw new NotationError(value.problem.replace(/^\w+/, ''), value.problem);
  if (typeof value !== 'string') return value ?? '';
  return plan.format !== 'csv' || plan.csvRaw ? value : unguard(value);
}

/** Flags of fields whose values are never numbers, even with digits alone. */
const digitFlags: ReadonlySet<string> = new Set(['phone', 'zip']);

/**
 * Returns a function that gives the value of a column's cell, with mapped words replaced, and numbers and days as requests write them. The
 * function throws NotationError.
 */
export function plainCell({ meanings, notation, csvRaw, format }: ImportPlan, column: FileColumn): (cell: unknown) => unknown {
  if (!('field' in column) || column.field === undefined) return (cell) => cell;
  const { flag, type } = column.field;
  const words = meanings.get(flag);
  const isDigits = digitFlags.has(flag);
  return (cell) => {
    if (typeof cell !== 'string') return cell;
    const said = words?.get(plainName(cell))?.to ?? cell;
    if (format === 'csv' && !csvRaw) refuseFailedFormula(said);
    if (isDigits && !csvRaw) refuseShortened(said);
    return column.kind === 'field' ? plainText(type, said, notation) : said;
  };
}

/** The value of a cell with names replaced by ids. Throws InvalidValues naming `where` for an unknown name. */
export function settledCell({ words }: ImportPlan, column: FileColumn, value: unknown, where: string): unknown {
  if (column.kind === 'field') return words.settled(column.field.type, value, where);
  return column.kind === 'wire' ? words.settled(column.type, value, where) : value;
}

/** The name in a cell of a unit, which the import may create; undefined for other cells. `wire`: the body field. */
export function nameToMake(column: FileColumn, value: unknown): { readonly wire: string; readonly name: string } | undefined {
  if (column.kind !== 'field' || column.field.type.kind !== 'id-or-name') return undefined;
  const name = nameIn(column.field.type, value)?.name;
  return name === undefined ? undefined : { wire: column.field.wire, name };
}

/** Returns a function that puts the value of a column's cell into a body. The function throws UsageError naming `where`. */
export function bodyPut(plan: ImportPlan, column: FileColumn): (value: unknown, where: string, body: Body) => void {
  if (column === nameless)
    return (value, where) => {
      if (value !== '') throw new UsageError(`${where}: there is a value under a header without a name.`);
    };
  if (column.kind === 'full-name')
    return (value, where, body) => {
      const parts = nameParts(textGiven(value, where));
      for (const [place, field] of column.fields.entries()) putAll(body, bodyEntries(field, parts[place], where, blanksOf(plan, field)));
    };
  if (column.kind !== 'field' && column.kind !== 'wire') return () => {};
  const blanks = blanksOf(plan, column.field);
  const { wire, type } = column.kind === 'wire' ? column : column.field;
  if (column.kind === 'wire' || !['switch', 'numbered', 'reference'].includes(type.kind))
    return (value, where, body) => {
      const part = partValue(type, value, where);
      if (part !== '' || blanks === 'send') body.set(wire, part);
    };
  return (value, where, body) => {
    if (type.kind !== 'numbered' || value !== '') putAll(body, bodyEntries(column.field, value, where, blanks));
    else if (plan.clearBlanks && plan.mode !== 'create') {
      const { flag } = column.field;
      throw invalidValue(
        where,
        `a blank cell doesn't say which numbers to clear: give each a column such as ${flag}-1, or leave this column out.`,
      );
    }
  };
}

function putAll(body: Body, entries: readonly Entry[]): void {
  for (const [wire, value] of entries) body.set(wire, value);
}

/** Splits `Ursula von der Leyen` or `Leyen, Ursula`. Words in small letters before the last word belong to the last name. */
function nameParts(text: string): [first: string, last: string] {
  const [, last, first] = /^([^,]+),(.+)$/s.exec(text) ?? [];
  if (last !== undefined && first !== undefined) return [first.trim(), last.trim()];
  const [, before = '', behind = ''] = /^(?:(.+?)\s+)?((?:\p{Ll}\S*\s+)*\S+)$/su.exec(text.trim()) ?? [];
  return [before, behind];
}

/** Says how a blank cell is sent: left out, or empty under --blank clear. References and fields of `oneOf` are always left out. */
function blanksOf({ clearBlanks, resource }: ImportPlan, field: Field | undefined): Blanks {
  if (!clearBlanks || field?.type.kind === 'reference') return 'skip';
  return field !== undefined && resource.oneOf?.flags.includes(field.flag) ? 'skip' : 'send';
}

/** The time of the record's last change in a cell; undefined for a blank cell. Throws InvalidValues naming `where`. */
export function changedIn({ notation }: ImportPlan, value: unknown, where: string): TimeSpan | undefined {
  const text = textGiven(value, where).trim();
  if (text === '') return undefined;
  const span = timeSpanOf(text, notation.dateOrder);
  if (span !== undefined) return span;
  const isUnclear = notation.dateOrder === undefined && timeSpanOf(text, 'dmy') !== undefined;
  const wayOut = isUnclear ? 'Say with --date-order dmy or mdy how days are written, or leave' : 'Leave';
  throw invalidValue(where, `"${text}" is no time such as 2026-11-18T09:12:44Z. ${wayOut} the column out with --map dates.updated=`);
}

/** The key by which a row finds its record; undefined for a blank id in mode upsert. Throws UsageError for another blank key. */
export function rowKey(plan: ImportPlan, column: FileColumn, value: unknown, where: string): string | undefined {
  const text = textGiven(value, where);
  if (text.trim() !== '') return column.kind === 'field' ? fieldKey(column.field, text) : String(parseId(text.trim(), where));
  if (column.kind === 'id' && plan.mode === 'upsert') return undefined;
  throw new UsageError(`${where}: it is blank, and rows find their records by it.`);
}
