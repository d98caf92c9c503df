// Turns one cell of a file into the entries of a request body.

import { invalidValue, UsageError } from '../../base/errors.ts';
import { NotationError } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { parseId } from '../../base/values/parse.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';
import { type TimeSpan, timeSpanOf } from '../../base/values/time/time-span.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { type Blanks, bodyEntries, type Entry, partValue, textGiven } from '../../model/bodies/entries.ts';
import type { Field } from '../../model/define.ts';
import { fieldKey } from '../../model/field-key.ts';
import { plainName } from '../../session/names/matching.ts';
import { nameIn } from '../../session/names/name-in.ts';
import { BadCell, hasHeader, ShownNumber } from '../files/raw-row.ts';
import type { ImportJob } from '../job.ts';
import { rejectsName } from '../request.ts';
import { nameless } from './column-table.ts';
import type { FileColumn } from './columns.ts';
import { plainText, refuseFailedFormula, refuseShortened } from './notation.ts';
import { meantText, type TextCounts } from './text-care.ts';

/**
 * The value of a cell: a text as it is meant, a number as its format shows where the column has texts, else as the file
 * has it. Throws NotationError for a lost value, and for a truth value where the column takes none.
 */
export function valueOfCell(job: ImportJob, column: FileColumn | undefined, value: unknown, counts: TextCounts): unknown {
  if (typeof value === 'string') {
    const seen = withoutUnseen(value, typeOf(column));
    if (seen !== value) counts.unseen += 1;
    // crm itself guards the cells of CSV: in an update, they mostly equal their records.
    return job.csvRaw || !hasHeader(job.format) ? seen : meantText(seen, counts, job.format !== 'csv' || job.mode === 'create');
  }
  // The reason is the problem without the cell's name, so that equal problems are grouped.
  if (value instanceof BadCell) throw new NotationError(value.problem.replace(/^\w+/, ''), value.problem);
  if (value instanceof ShownNumber) {
    const kind = typeOf(column)?.kind;
    if (kind === 'decimal') return value.decimal === value.number ? exactNumber(value.number) : value.decimal;
    if (value.shown === undefined || !(kind === 'date' || column?.kind === 'extra' || textType(column) !== undefined)) return value.number;
    counts.shown += 1;
    return value.shown;
  }
  return typeof value === 'boolean' && hasHeader(job.format) ? truthIn(job, column, value) : (value ?? '');
}

/** The digits as a number, whatever the decimal mark of texts is; as a text where a number would lose digits. */
const exactNumber = (digits: string): number | string => (String(Number(digits)) === digits ? Number(digits) : digits);

/** The type of a column whose cells are sent as texts: texts, emails and custom fields. Else undefined. */
export function textType(column: FileColumn | undefined): ValueType | undefined {
  const type = typeOf(column);
  return type?.kind === 'text' || type?.kind === 'email' ? type : undefined;
}

const typeOf = (column: FileColumn | undefined): ValueType | undefined =>
  column?.kind === 'field' ? column.field.type : column?.kind === 'wire' ? column.type : undefined;

/** A truth value of a workbook: its meaning in a mapping, a word in a custom field. Throws NotationError elsewhere. */
function truthIn({ meanings }: ImportJob, column: FileColumn | undefined, value: boolean): unknown {
  const word = String(value);
  if (column === undefined || column.kind === 'read-only' || column.kind === 'left-out' || column.kind === 'compared') return value;
  const field = 'field' in column ? column.field : undefined;
  const name = field?.flag ?? (column.kind === 'extra' ? column.extra.name : '');
  const meant = meanings.get(name)?.get(word);
  if (meant !== undefined) return meant.to;
  if (column.kind === 'wire' && (field === undefined || field.type.kind === 'numbered')) return word;
  if (field?.type.kind === 'switch' || field?.type.kind === 'choice') return word;
  const said = word.toUpperCase();
  const wayOut = name === '' ? '' : `, or give it a meaning in a mapping: words: { ${name}: { ${said}: '' } }`;
  throw new NotationError(said, `it is ${said}, a truth value. Write a text${wayOut}.`);
}

/**
 * Returns a function that gives the value of a column's cell, with mapped words replaced, and numbers and days as requests write them. The
 * function throws NotationError.
 */
export function plainCell(job: ImportJob, column: FileColumn, name: string): (cell: unknown) => unknown {
  const { meanings, csvRaw, format } = job;
  const shown = job.shownMarks?.get(name)?.mark;
  const notation = shown === undefined ? job.notation : { ...job.notation, decimalMark: shown };
  if (!('field' in column) || column.field === undefined) return (cell) => cell;
  const { flag, type } = column.field;
  const words = meanings.get(flag);
  // Values that are never numbers, even with digits alone.
  const isDigits = type.kind === 'text' && (type.form === 'phone' || type.form === 'postal code');
  return (given) => {
    // A number in a column of days has no date format.
    const cell = type.kind === 'date' && typeof given === 'number' ? String(given) : given;
    if (typeof cell !== 'string') return cell;
    const said = words?.get(plainName(cell))?.to ?? cell;
    if (format === 'csv' && !csvRaw) refuseFailedFormula(said);
    if (isDigits && !csvRaw) refuseShortened(said);
    return column.kind === 'field' ? plainText(type, said, notation) : said;
  };
}

/** The value of a cell with names replaced by ids. Throws InvalidValues naming `where` for an unknown name. */
export function resolvedCell({ words }: ImportJob, column: FileColumn, value: unknown, where: string): unknown {
  if (column.kind === 'field') return words.resolved(column.field.type, value, where);
  return column.kind === 'wire' ? words.resolved(column.type, value, where) : value;
}

/** The name in a cell of a unit, which the import may create; undefined for other cells. `wire`: the body field. */
export function nameToMake(column: FileColumn, value: unknown): { readonly wire: string; readonly name: string } | undefined {
  if (column.kind !== 'field' || column.field.type.kind !== 'id-or-name') return undefined;
  const name = nameIn(column.field.type, value)?.name;
  return name === undefined ? undefined : { wire: column.field.wire, name };
}

/** Returns a function that puts the value of a column's cell into a body. The function throws UsageError naming `where`. */
export function bodyPut(job: ImportJob, column: FileColumn): (value: unknown, where: string, body: Body) => void {
  if (column === nameless)
    return (value, where) => {
      if (value !== '') throw new UsageError(`${where}: there is a value under a header without a name.`);
    };
  if (column.kind === 'full-name')
    return (value, where, body) => {
      const parts = nameParts(textGiven(value, where));
      for (const [index, field] of column.fields.entries()) putAll(body, bodyEntries(field, parts[index], where, blanksOf(job, field)));
    };
  if (column.kind !== 'field' && column.kind !== 'wire') return () => {};
  const blanks = blanksOf(job, column.field);
  const { wire, type } = column.kind === 'wire' ? column : column.field;
  if (column.kind === 'wire' || !['switch', 'numbered', 'reference'].includes(type.kind))
    return (value, where, body) => {
      const part = partValue(type, value, where);
      if (part !== '' || blanks === 'send') body.set(wire, part);
    };
  return (value, where, body) => {
    if (type.kind !== 'numbered' || value !== '') putAll(body, bodyEntries(column.field, value, where, blanks));
    else if (job.clearBlanks && job.mode !== 'create') {
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
  const [, before = '', after = ''] = /^(?:(.+?)\s+)?((?:\p{Ll}\S*\s+)*\S+)$/su.exec(text.trim()) ?? [];
  return [before, after];
}

/** Says how a blank cell is sent: left out, or empty under --blank clear. References and fields of `oneOf` are always left out. */
function blanksOf({ clearBlanks, resource }: ImportJob, field: Field | undefined): Blanks {
  if (!clearBlanks || field?.type.kind === 'reference') return 'skip';
  return field !== undefined && resource.oneOf?.flags.includes(field.flag) ? 'skip' : 'send';
}

/** The time of the record's last change in a cell; undefined for a blank cell. Throws InvalidValues naming `where`. */
export function changedIn({ notation }: ImportJob, value: unknown, where: string): TimeSpan | undefined {
  const text = textGiven(value, where).trim();
  if (text === '') return undefined;
  const span = timeSpanOf(text, notation.dateOrder);
  if (span !== undefined) return span;
  const isUnclear = notation.dateOrder === undefined && timeSpanOf(text, 'dmy') !== undefined;
  const wayOut = isUnclear ? 'Say with --date-order dmy or mdy how days are written, or leave' : 'Leave';
  throw invalidValue(where, `"${text}" is no time such as 2026-11-18T09:12:44Z. ${wayOut} the column out with --map dates.updated=`);
}

/** The key by which a row finds its record; undefined for a blank id in mode upsert. Throws UsageError for another blank key. */
export function rowKey(job: ImportJob, column: FileColumn, value: unknown, where: string): string | undefined {
  const text = textGiven(value, where);
  if (text.trim() !== '') return column.kind === 'field' ? fieldKey(column.field, text) : String(parseId(text.trim(), where));
  if (column.kind === 'id' && job.mode === 'upsert') return undefined;
  const wayOut =
    job.mode === 'upsert'
      ? ` Fill it in. Or send the other rows with --skip-invalid --rejects ${rejectsName({ job })}, then that file without --mode and --match: it makes new records.`
      : '';
  throw new UsageError(`${where}: it is blank, and rows find their records by it.${wayOut}`);
}
