// The file that an editor opens: one record as YAML, several as CSV, with comments above; and what was changed in it, as rows that import
// takes. What can't be read is told at its line, so that the file can be opened again with it.

import { flagForm } from '../../bodies/names.ts';
import { UsageError } from '../../errors.ts';
import { UnreadableError, yamlFault } from '../../files/problems.ts';
import { unguard } from '../../output/formats/formula-guard.ts';
import { isDangerous, safeJson, safeLine } from '../../records/safe-text.ts';
import type { Resource } from '../../resources/define.ts';
import { suggestion } from '../../values/suggest.ts';
import { howMany } from '../../values/wording.ts';
import { csvLines } from '../files/csv-lines.ts';
import { csvRows } from '../files/csv-reader.ts';
import type { OpenRecord, ShownField } from './shown.ts';

/** What is wrong with a file. */
export interface Complaint {
  /** The line, from 1 and without the comments above. Absent: the text says where. */
  readonly line?: number;
  readonly text: string;
}

/** What was changed of a record, by the names of the fields. */
export interface EditedRecord {
  readonly record: OpenRecord;
  readonly texts: ReadonlyMap<string, string>;
}

export interface Reading {
  /** Records of which something is different. */
  readonly edited: readonly EditedRecord[];
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
  /** It holds one record, and no row says which. */
  readonly isAlone: boolean;
  read(body: string): Promise<Reading>;
}

/** A file with its head, and complaints where there are any. */
export function fileText(file: EditedFile, body: string, complaints: readonly Complaint[]): string {
  const told =
    complaints.length === 0
      ? []
      : ['', `NOT SENT: ${howMany(complaints.length, 'problem')}. Mend what is wrong, or empty the file to give up.`];
  const above = linesAbove(file) + told.length + complaints.length;
  const lines = complaints.map(({ line, text }) => `  ${line === undefined ? '' : `line ${line + above}: `}${text}`);
  return `${[...file.head, ...told, ...lines].map((text) => `# ${safeLine(text)}`.trimEnd()).join('\n')}\n\n${body}`;
}

/** How many lines stand above the body of a file without complaints. */
export const linesAbove = ({ head }: EditedFile): number => head.length + 1;

/** What stands under the comments of a file. */
export const bodyIn = (text: string): string => text.replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:#[^\n]*$)?/, '');

/** One record as YAML: names and texts, every scalar the text that stands there. */
export async function yamlFile({ singular }: Resource, record: OpenRecord, shown: readonly ShownField[]): Promise<EditedFile> {
  const yaml = await import('yaml');
  const lines = shown.map((one) => {
    const text = textShown(record, one);
    if (text === '') return `${one.name}:\n`;
    const scalar = new yaml.Scalar(text);
    if (isDangerous(text.replaceAll('\n', ''))) scalar.type = 'QUOTE_DOUBLE';
    const written = yaml.stringify({ [one.name]: scalar }, { schema: 'failsafe', lineWidth: 0, blockQuote: 'literal' });
    return scalar.type === 'QUOTE_DOUBLE' ? safeJson(written) : written;
  });
  return {
    name: `${singular}-${record.id}.yaml`,
    head: [
      `${singular} ${record.id}${record.title === '' ? '' : `: ${record.title}`}`,
      'What you change is shown before it is sent.',
      'Nothing behind the colon clears a value; an emptied file sends nothing.',
    ],
    body: lines.join(''),
    isAlone: true,
    read: async (body) => {
      try {
        return readYaml(yaml, body, record, shown);
      } catch (error) {
        if (error instanceof RangeError) return unread([{ text: 'It is nested too deeply.' }]);
        throw error;
      }
    },
  };
}

const unread = (complaints: readonly Complaint[]): Reading => ({ edited: [], leftOut: 0, complaints });

function readYaml(yaml: typeof import('yaml'), body: string, record: OpenRecord, shown: readonly ShownField[]): Reading {
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
      const known = shown.map((one) => one.name);
      complaints.push({ line, text: `There is no "${name}" to be edited here.${suggestion(name, known)}` });
    } else if (typed.has(own)) complaints.push({ line, text: `${own} is there twice.` });
    else if (value !== null && !yaml.isScalar(value))
      complaints.push({ line, text: `${own}: one text is wanted; what begins with a sign such as [ { * & ! | or > stands in quotes.` });
    else typed.set(own, yaml.isScalar(value) ? String(value.value ?? '') : '');
  }
  return { ...changed([{ record, typed }], shown), leftOut: 0, complaints };
}

/** Several records as CSV: the id, and a column for each value. */
export async function csvFile(
  { name, singular }: Resource,
  records: readonly OpenRecord[],
  shown: readonly ShownField[],
  isRaw: boolean,
): Promise<EditedFile> {
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
    body: [header, ...records.map((record) => [String(record.id), ...shown.map((one) => textShown(record, one))])].map(line).join(''),
    isAlone: false,
    read: (body) => readCsv(body, { singular, records, shown, isRaw }),
  };
}

interface OpenedCsv {
  readonly singular: string;
  readonly records: readonly OpenRecord[];
  readonly shown: readonly ShownField[];
  readonly isRaw: boolean;
}

async function readCsv(body: string, { singular, records, shown, isRaw }: OpenedCsv): Promise<Reading> {
  const complaints: Complaint[] = [];
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const rows = new Map<OpenRecord, ReadonlyMap<string, string>>();
  let columns: readonly (string | undefined)[] = [];
  try {
    for await (const some of csvRows(textOnce(body), isRaw)) {
      for (const raw of some) {
        const { line } = raw;
        if ('header' in raw) {
          const known = ['id', ...shown.map(({ name }) => name)];
          columns = raw.header.map((name) => known.find((one) => one === flagForm(name)));
          for (const [index, name] of raw.header.entries())
            if (columns[index] === undefined)
              complaints.push({ line, text: `There is no column "${name}" to be edited here.${suggestion(name, known)}` });
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
  const typed = [...rows].map(([record, cells]) => ({ record, typed: cells }));
  return { ...changed(typed, shown), leftOut: records.length - rows.size, complaints };
}

const notOpened = (singular: string, id: string): string =>
  id === ''
    ? `The id is missing: what was opened is changed here, and nothing is created.`
    : `There was no ${singular} ${id} in this file: what was opened is changed here, and nothing is created.`;

const cellText = (value: unknown, isRaw: boolean): string => (isRaw ? String(value ?? '') : unguard(String(value ?? '')));

async function* textOnce(text: string): AsyncGenerator<string> {
  yield text;
}

/** What is different of records. */
function changed(
  typed: readonly { readonly record: OpenRecord; readonly typed: ReadonlyMap<string, string> }[],
  shown: readonly ShownField[],
): Pick<Reading, 'edited'> {
  const edited = typed.map(({ record, typed }): EditedRecord => {
    const texts = new Map<string, string>();
    for (const one of shown) {
      const text = typed.get(one.name);
      if (text === undefined) continue;
      const [raw, now] = [record.textOf(one), withBreaksOf(record.textOf(one), text)];
      if (now !== raw) texts.set(one.name, now);
    }
    return { record, texts };
  });
  return { edited: edited.filter(({ texts }) => texts.size > 0) };
}

/** Whether all line breaks of a text are CRLF: an editor shows them as its own, and they are put back. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

function textShown(record: OpenRecord, shown: ShownField): string {
  const text = record.textOf(shown);
  return isCrlf(text) ? text.replaceAll('\r\n', '\n') : text;
}

function withBreaksOf(raw: string, typed: string): string {
  if (isCrlf(raw)) return typed.replaceAll(/\r?\n/g, '\r\n');
  return raw.includes('\r') ? typed : typed.replaceAll('\r\n', '\n');
}

/** What was changed, as a file that import reads: a record a line. `shown`: fields of which those that a change is checked with stand beside it. */
export function importText(edited: readonly EditedRecord[], shown: readonly ShownField[]): string {
  const line = ({ record, texts }: EditedRecord): string => {
    const beside = shown.flatMap((one): [string, string][] => {
      const text = texts.has(one.name) ? '' : record.textOf(one);
      return text !== '' && isCheckedWith(one, shown, texts) ? [[one.name, text]] : [];
    });
    return JSON.stringify({ id: String(record.id), ...Object.fromEntries([...texts, ...beside]) });
  };
  return edited.map((one) => `${line(one)}\n`).join('');
}

/** Whether a date has to be beside another one that was changed, so that their order can be checked. */
const isCheckedWith = ({ field }: ShownField, shown: readonly ShownField[], texts: ReadonlyMap<string, string>): boolean =>
  shown.some(({ name, field: other }) => texts.has(name) && (other.notBefore === field.flag || field.notBefore === other.flag));
