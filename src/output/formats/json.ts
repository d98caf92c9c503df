// JSON: one complete document for --json, one record a line for ndjson. Numbers are printed digit for digit, and no
// character that a terminal would act upon is left unescaped.

import { selectFields } from '../../records/columns.ts';
import { safeJson } from '../../records/safe-text.ts';
import { isMembers } from '../../values/paths.ts';
import type { Io } from '../streams/io.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A value as a document of its own, indented by two; undefined is `null`. */
export function jsonDocument(value: unknown): string {
  return `${safeJson(jsonText(value, 2))}\n`;
}

/** A value as one line; undefined is `null`. */
export function jsonLine(value: unknown): string {
  return `${safeJson(jsonText(value, 0))}\n`;
}

function jsonText(value: unknown, spaces: number): string {
  // V8 is faster without further arguments.
  return spaces === 0 ? JSON.stringify(value ?? null) : JSON.stringify(value ?? null, null, spaces);
}

/**
 * How many characters of a document are held back before it is streamed. If a list up to this size fails, standard output
 * stays empty; a larger list takes no more memory than this.
 */
const heldBack = 256 * 1024;

/** Collects text; writes it once it is complete, or too long to hold back. */
export function holdBack(io: Pick<Io, 'out'>): { write(text: string): Promise<void>; end(text: string): Promise<void> } {
  let held = '';
  let length = 0;
  const release = (text: string): Promise<void> => {
    const all = held + text;
    held = '';
    return io.out(all);
  };
  return {
    write: async (text) => {
      length += text.length;
      if (length > heldBack) return release(text);
      held += text;
    },
    end: release,
  };
}

/** One array of all records. `compact`: without blanks inside a record, for a reader that needs none. */
export function jsonWriter({ io, flags }: WriterOptions, compact = false): RecordWriter {
  const array = openArray('', compact ? 0 : 2);
  const document = holdBack(io);
  return {
    page: (records) => document.write(records.map((record) => array.element(selected(record, flags.fields))).join('')),
    end: () => document.end(`${array.close()}\n`),
  };
}

/** One record a line. */
export function ndjsonWriter({ io, flags }: WriterOptions): RecordWriter {
  return {
    page: (records) => io.out(records.map((record) => jsonLine(selected(record, flags.fields))).join('')),
    end: async () => {},
  };
}

/**
 * The service's whole answer: an object whose `data` holds the records of all pages, then the other members of the last
 * page's. An answer without members (a bare array) is written as its records.
 */
export function envelopeWriter(options: WriterOptions): RecordWriter {
  const { io, flags } = options;
  const bare = jsonWriter(options);
  const whole = holdBack(io);
  const array = openArray('  ');
  let last: unknown;
  let begun = false;
  let isArray: boolean | undefined;
  const begin = (): string => {
    const text = begun ? '' : '{\n  "data": ';
    begun = true;
    return text;
  };
  return {
    page: async (records, document) => {
      isArray ??= !isMembers(document);
      if (isArray) return bare.page(records);
      last = document;
      if (records.length === 0) return;
      await whole.write(begin() + records.map((record) => array.element(selected(record, flags.fields))).join(''));
    },
    end: async () => {
      if (isArray !== false) return bare.end();
      await whole.end(`${begin()}${array.close()}${otherMembers(last)}\n}\n`);
    },
  };
}

/** An object whose `rows` are written as they come, then the other members. */
export function rowsDocument(io: Pick<Io, 'out'>): { page(rows: readonly unknown[]): Promise<void>; end(others: object): Promise<void> } {
  const array = openArray('  ');
  const document = holdBack(io);
  let begin = '{\n  "rows": ';
  const begun = (): string => {
    const text = begin;
    begin = '';
    return text;
  };
  return {
    page: (rows) => document.write(begun() + rows.map((row) => array.element(row)).join('')),
    end: (others) => document.end(`${begun()}${array.close()}${otherMembers(others)}\n}\n`),
  };
}

/** The envelope of a single record, --fields applied to its `data`. */
export function envelopeDocument(document: unknown, fields: readonly string[] | undefined): string {
  if (fields === undefined || document === undefined || document === null) return jsonDocument(document);
  const hasData = isMembers(document) && Object.hasOwn(document, 'data');
  return jsonDocument(hasData ? { ...document, data: selectFields(document.data, fields) } : selectFields(document, fields));
}

/** The record, or what --fields leaves of it. */
export function selected(record: unknown, fields: readonly string[] | undefined): unknown {
  return fields === undefined ? record : selectFields(record, fields);
}

/** The text of an indented array, element by element, as JSON.stringify would write the whole of it. */
function openArray(indent: string, spaces = 2): { element(value: unknown): string; close(): string } {
  let empty = true;
  return {
    element: (value) => {
      const text = safeJson(jsonText(value, spaces)).replaceAll('\n', `\n${indent}  `);
      const lead = empty ? '[\n' : ',\n';
      empty = false;
      return `${lead}${indent}  ${text}`;
    },
    close: () => (empty ? '[]' : `\n${indent}]`),
  };
}

function otherMembers(document: unknown): string {
  if (!isMembers(document)) return '';
  const members = Object.entries(document).filter(([name]) => name !== 'data');
  return members.map(([name, value]) => safeJson(`,\n  ${JSON.stringify(name)}: ${jsonText(value, 2).replaceAll('\n', '\n  ')}`)).join('');
}
