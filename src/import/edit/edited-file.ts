// The file that an editor opens: one record as YAML, several as CSV, with comments above; and what was changed in it, as rows of a change
// file. What can't be read is told at its line, so that the file can be opened again with it.

import { flagForm } from '../../bodies/names.ts';
import { heldText, type ValuePair } from '../../changes/file/change-cells.ts';
import type { FieldTarget, FileRow } from '../../changes/file/target.ts';
import { UsageError } from '../../errors.ts';
import { UnreadableError, yamlFault } from '../../files/problems.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { isDangerous, safeJson, safeLine } from '../../records/safe-text.ts';
import type { Resource } from '../../resources/define.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { valueAt } from '../../values/paths.ts';
import { suggestion } from '../../values/text/suggest.ts';
import { howMany } from '../../values/text/wording.ts';
import { csvLines } from '../files/csv-lines.ts';
import { csvRows } from '../files/csv-reader.ts';
import type { OpenRecord } from './shown.ts';

/** What is wrong with a file. */
export interface Complaint {
  /** The line, from 1 and without the comments above. */
  readonly line?: number;
  /** What it is about, where no line says it: `status`, `lead 12, status`. */
  readonly name?: string;
  readonly text: string;
}

export interface Reading {
  /** Records of which something is different: what was shown is what was there. */
  readonly rows: readonly FileRow[];
  /** How many records are not there any more. */
  readonly leftOut: number;
  readonly complaints: readonly Complaint[];
}

export interface EditedFile {
  /** Its name, by whose end an editor knows what it holds. */
  readonly name: string;
  /** What stands above, without the comment signs. */
  readonly head: readonly string[];
  readonly body: string;
  read(body: string): Promise<Reading>;
}

/** A file with its head, and complaints where there are any. */
export function fileText(file: EditedFile, body: string, complaints: readonly Complaint[]): string {
  const notes =
    complaints.length === 0
      ? []
      : ['', `NOT SENT: ${howMany(complaints.length, 'problem')}. Mend what is wrong, or empty the file to give up.`];
  const above = linesAbove(file) + notes.length + complaints.length;
  const lines = complaints.map(({ line, name = '', text }) => {
    const where = line === undefined ? name : `line ${line + above}`;
    return `  ${where === '' ? '' : `${where}: `}${text}`;
  });
  return `${[...file.head, ...notes, ...lines].map((text) => `# ${safeLine(text)}`.trimEnd()).join('\n')}\n\n${body}`;
}

/** How many lines stand above the body of a file without complaints. */
export const linesAbove = ({ head }: EditedFile): number => head.length + 1;

/** What stands under the comments of a file. */
export const bodyIn = (text: string): string => text.replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:#[^\n]*$)?/, '');

/** One record as YAML: names and texts, every scalar the text that stands there. */
export async function yamlFile(resource: Resource, open: OpenRecord, shown: readonly FieldTarget[]): Promise<EditedFile> {
  const yaml = await import('yaml');
  const { singular, title = '' } = resource;
  const called = scalarText(valueAt(open.record, title));
  const lines = shown.map((one) => {
    const text = textShown(resource, open, one);
    if (text === '') return `${one.name}:\n`;
    const scalar = new yaml.Scalar(text);
    if (isDangerous(text.replaceAll('\n', ''))) scalar.type = 'QUOTE_DOUBLE';
    const written = yaml.stringify({ [one.name]: scalar }, { schema: 'failsafe', lineWidth: 0, blockQuote: 'literal' });
    return scalar.type === 'QUOTE_DOUBLE' ? safeJson(written) : written;
  });
  return {
    name: `${singular}-${open.id}.yaml`,
    head: [
      `${singular} ${open.id}${called === '' ? '' : `: ${called}`}`,
      'What you change is shown before it is sent.',
      'Nothing behind the colon clears a value; an emptied file sends nothing.',
    ],
    body: lines.join(''),
    read: async (body) => {
      try {
        return readYaml(yaml, body, resource, open, shown);
      } catch (error) {
        if (error instanceof RangeError) return unread([{ text: 'It is nested too deeply.' }]);
        throw error;
      }
    },
  };
}

const unread = (complaints: readonly Complaint[]): Reading => ({ rows: [], leftOut: 0, complaints });

function readYaml(yaml: typeof import('yaml'), body: string, resource: Resource, open: OpenRecord, shown: readonly FieldTarget[]): Reading {
  const counter = new yaml.LineCounter();
  const { contents, errors } = yaml.parseDocument(body, {
    schema: 'failsafe',
    lineCounter: counter,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const lineAt = (offset = 0): number => counter.linePos(offset).line;
  if (errors.length > 0) return unread(errors.map((fault) => ({ line: lineAt(fault.pos[0]), text: yamlFault(fault) })));
  if (!yaml.isMap(contents)) return unread([{ line: 1, text: `Give the values by name: ${shown[0]?.name ?? 'title'}: …` }]);
  const complaints: Complaint[] = [];
  const typed = new Map<string, string>();
  for (const { key, value } of contents.items) {
    const name = yaml.isScalar(key) ? String(key.value) : '';
    const line = lineAt(yaml.isNode(key) ? key.range?.[0] : undefined);
    const own = shown.find((one) => one.name === flagForm(name))?.name;
    if (own === undefined) {
      const names = shown.map((one) => one.name);
      complaints.push({ line, text: `There is no "${name}" to be edited here.${suggestion(name, names)}` });
    } else if (typed.has(own)) complaints.push({ line, text: `${own} is there twice.` });
    else if (value !== null && !yaml.isScalar(value))
      complaints.push({ line, text: `${own}: one text is wanted; what begins with a sign such as [ { * & ! | or > stands in quotes.` });
    else typed.set(own, yaml.isScalar(value) ? String(value.value ?? '') : '');
  }
  const { singular } = resource;
  return { rows: changedRows(resource, [{ open, typed }], shown, (id, name = `${singular} ${id}`) => name), leftOut: 0, complaints };
}

/** Several records as CSV: the id, and a column for each value. */
export async function csvFile(
  resource: Resource,
  records: readonly OpenRecord[],
  shown: readonly FieldTarget[],
  isRaw: boolean,
): Promise<EditedFile> {
  const { name, singular } = resource;
  const lines = await csvLines({ csvRaw: isRaw, format: 'csv' });
  const line = (cells: readonly string[]): string => lines.line(cells.map(lines.own)).replace(/\r\n$/, '\n');
  const header = ['id', ...shown.map((one) => one.name)];
  return {
    name: `${name}.csv`,
    head: [
      howMany(records.length, singular, name),
      'What you change is shown before it is sent.',
      'An empty cell clears a value; an emptied file sends nothing.',
      'A row or column that is taken out changes nothing. Keep the ids.',
    ],
    body: [header, ...records.map((record) => [String(record.id), ...shown.map((one) => textShown(resource, record, one))])]
      .map(line)
      .join(''),
    read: (body) => readCsv(body, resource, records, shown, isRaw),
  };
}

async function readCsv(
  body: string,
  resource: Resource,
  records: readonly OpenRecord[],
  shown: readonly FieldTarget[],
  isRaw: boolean,
): Promise<Reading> {
  const { singular } = resource;
  const complaints: Complaint[] = [];
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const rows = new Map<OpenRecord, ReadonlyMap<string, string>>();
  let columns: readonly (string | undefined)[] = [];
  try {
    for await (const some of csvRows(textOnce(body), isRaw)) {
      for (const raw of some) {
        const { line } = raw;
        if ('header' in raw) {
          const names = ['id', ...shown.map(({ name }) => name)];
          columns = raw.header.map((name) => names.find((one) => one === flagForm(name)));
          for (const [index, name] of raw.header.entries())
            if (columns[index] === undefined)
              complaints.push({ line, text: `There is no column "${name}" to be edited here.${suggestion(name, names)}` });
          const twice = columns.find((name, index) => name !== undefined && columns.indexOf(name) !== index);
          if (twice !== undefined) complaints.push({ line, text: `The column ${twice} is there twice.` });
          if (!columns.includes('id')) return unread([{ line, text: `The column id is missing, which says which ${singular} a row is.` }]);
        } else if ('problem' in raw) complaints.push({ line, text: `In this row ${raw.problem}` });
        else {
          const cells = new Map(columns.flatMap((name, index) => (name === undefined ? [] : [[name, cellText(raw.values[index], isRaw)]])));
          if ([...cells.values()].every((text) => text.trim() === '')) continue;
          const id = (cells.get('id') ?? '').trim();
          const record = byId.get(id);
          if (record === undefined) complaints.push({ line, text: notOpened(singular, id) });
          else if (rows.has(record)) complaints.push({ line, text: `The ${singular} ${id} is there twice.` });
          else rows.set(record, cells);
        }
      }
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complaints.push(error instanceof UnreadableError ? { line: error.line, text: error.problem } : { text: error.message });
  }
  const typed = [...rows].map(([open, cells]) => ({ open, typed: cells }));
  const place = (id: Id, name?: string): string => `${singular} ${id}${name === undefined ? '' : `, ${name}`}`;
  return { rows: changedRows(resource, typed, shown, place), leftOut: records.length - rows.size, complaints };
}

const notOpened = (singular: string, id: string): string =>
  id === ''
    ? `The id is missing: what was opened is changed here, and nothing is created.`
    : `There was no ${singular} ${id} in this file: what was opened is changed here, and nothing is created.`;

const cellText = (value: unknown, isRaw: boolean): string => (isRaw ? String(value ?? '') : unguard(String(value ?? '')));

async function* textOnce(text: string): AsyncGenerator<string> {
  yield text;
}

/** The records of which something is different. `place`: what complaints about them name. */
function changedRows(
  resource: Resource,
  typed: readonly { readonly open: OpenRecord; readonly typed: ReadonlyMap<string, string> }[],
  shown: readonly FieldTarget[],
  place: (id: Id, name?: string) => string,
): FileRow[] {
  return typed.flatMap(({ open: { id, record }, typed }): FileRow[] => {
    const pairs = shown.flatMap((one): [FieldTarget, ValuePair][] => {
      const text = typed.get(one.name);
      if (text === undefined) return [];
      const was = heldText(resource, one.name, record);
      const now = withBreaksOf(was, text);
      return now === was ? [] : [[one, [now, was]]];
    });
    return pairs.length === 0 ? [] : [{ id, place: (name) => place(id, name), pairs: new Map(pairs), guards: new Map(), shown: record }];
  });
}

/** Whether all line breaks of a text are CRLF: an editor shows them as its own, and they are put back. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

function textShown(resource: Resource, { record }: OpenRecord, { name }: FieldTarget): string {
  const text = heldText(resource, name, record);
  return isCrlf(text) ? text.replaceAll('\r\n', '\n') : text;
}

function withBreaksOf(raw: string, typed: string): string {
  if (isCrlf(raw)) return typed.replaceAll(/\r?\n/g, '\r\n');
  return raw.includes('\r') ? typed : typed.replaceAll('\r\n', '\n');
}
