// JSON: one complete document for --json, one record a line for ndjson. Numbers keep their digits. Control characters are escaped.

import { isMembers } from '../../base/values/paths.ts';
import { selectFields } from '../../model/records/columns.ts';
import { safeStringified } from '../../model/records/safe-text.ts';
import type { Io } from '../streams/io.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A value as a document of its own, indented by two; undefined is `null`. */
export function jsonDocument(value: unknown): string {
  return `${safeStringified(jsonText(value, 2))}\n`;
}

/** A value as one line; undefined is `null`. */
export function jsonLine(value: unknown): string {
  return `${safeStringified(jsonText(value, 0))}\n`;
}

function jsonText(value: unknown, spaces: number): string {
  // V8 stringifies faster without further arguments.
  return spaces === 0 ? JSON.stringify(value ?? null) : JSON.stringify(value ?? null, null, spaces);
}

/** How many characters of a document are held back. A list that fails within this size leaves standard output empty. */
const heldBack = 256 * 1024;

/** Collects text and writes it when it ends or exceeds `heldBack` characters. */
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

/** Writes one array of all records. `compact`: without blanks inside a record. */
export function jsonWriter({ io, flags }: WriterOptions, compact = false): RecordWriter {
  const array = openArray('', compact ? 0 : 2);
  const document = holdBack(io);
  return {
    page: (records) => document.write(array.elements(records.map((record) => selected(record, flags.fields)))),
    end: () => document.end(`${array.close()}\n`),
  };
}

/** Writes one record a line. */
export function ndjsonWriter({ io, flags }: WriterOptions): RecordWriter {
  return {
    page: (records) => io.out(safeStringified(records.map((record) => `${jsonText(selected(record, flags.fields), 0)}\n`).join(''))),
    end: async () => {},
  };
}

/**
 * Writes the service's whole answer: an object with the records of all pages in `data`, then the other members of the last page. If the
 * service answers a bare array, writes an array.
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
      await whole.write(begin() + array.elements(records.map((record) => selected(record, flags.fields))));
    },
    end: async () => {
      if (isArray !== false) return bare.end();
      await whole.end(`${begin()}${array.close()}${otherMembers(last)}\n}\n`);
    },
  };
}

/** Writes an object: its `rows` as they arrive, then the other members. */
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
    page: (rows) => document.write(begun() + array.elements(rows)),
    end: (others) => document.end(`${begun()}${array.close()}${otherMembers(others)}\n}\n`),
  };
}

/** The service's answer with a single record, --fields applied to its `data`. */
export function envelopeDocument(document: unknown, fields: readonly string[] | undefined): string {
  if (fields === undefined || document === undefined || document === null) return jsonDocument(document);
  const hasData = isMembers(document) && Object.hasOwn(document, 'data');
  return jsonDocument(hasData ? { ...document, data: selectFields(document.data, fields) } : selectFields(document, fields));
}

/** The record, or only its --fields. */
export function selected(record: unknown, fields: readonly string[] | undefined): unknown {
  return fields === undefined ? record : selectFields(record, fields);
}

/** One call of JSON.stringify for a page is twice as fast as one for each element. */
function openArray(indent: string, spaces = 2): { elements(values: readonly unknown[]): string; close(): string } {
  let empty = true;
  // With blanks, JSON.stringify writes the array as it stands in the document: its brackets go. Without, each element has its line.
  const pageText =
    spaces === 0
      ? (values: readonly unknown[]) => values.map((value) => `  ${jsonText(value, 0)}`).join(',\n')
      : (values: readonly unknown[]) => jsonText(values, spaces).slice(2, -2);
  return {
    elements: (values) => {
      if (values.length === 0) return '';
      const text = safeStringified(pageText(values));
      const lead = empty ? '[\n' : ',\n';
      empty = false;
      return `${lead}${indent}${indent === '' ? text : text.replaceAll('\n', `\n${indent}`)}`;
    },
    close: () => (empty ? '[]' : `\n${indent}]`),
  };
}

function otherMembers(document: unknown): string {
  if (!isMembers(document)) return '';
  const members = Object.entries(document).filter(([name]) => name !== 'data');
  return members
    .map(([name, value]) => safeStringified(`,\n  ${JSON.stringify(name)}: ${jsonText(value, 2).replaceAll('\n', '\n  ')}`))
    .join('');
}
