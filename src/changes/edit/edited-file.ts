// The file that an editor opens: fields of a record as YAML, below comments. Reads the edited file as a row of a change file. A complaint names its
// line, so that the file can be opened again with the complaint.

import { type InvalidValue, InvalidValues } from '../../base/errors.ts';
import { parseYaml } from '../../base/files/yaml.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { suggestion } from '../../base/values/text/suggest.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { fieldSuggestion, flagForm } from '../../model/bodies/names.ts';
import type { Field, Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { isDangerous, safeJson, safeLine } from '../../model/records/safe-text.ts';
import { updateShape } from '../../model/shape.ts';
import { numbersIn, valueNamed } from '../../model/values.ts';
import { type FieldTarget, type FileRow, fieldTarget, type TargetChange } from '../file/target.ts';

/** A complaint about the edited file. */
export interface Complaint {
  /** The line, counted from 1 below the comments. */
  readonly line?: number;
  /** The field, for a complaint without a line: `status`. */
  readonly name?: string;
  readonly text: string;
}

/** A record as it was when the editor opened. */
interface OpenRecord {
  readonly id: Id;
  readonly record: unknown;
}

interface EditedRows {
  /** The row of the record; empty when nothing was changed. */
  readonly rows: readonly FileRow[];
  readonly complaints: readonly Complaint[];
}

export interface EditedFile {
  /** The file name. Its ending tells the editor the format. */
  readonly name: string;
  /** The comment lines above the record, without `#`. */
  readonly head: readonly string[];
  readonly body: string;
  read(body: string): Promise<EditedRows>;
}

/** The text of a file: its comments, then the complaints, then the body. */
export function fileText(file: EditedFile, body: string, complaints: readonly Complaint[]): string {
  const notes =
    complaints.length === 0 ? [] : ['', `NOT SENT: ${howMany(complaints.length, 'problem')}. Mend the file, or empty it to give up.`];
  const above = linesAbove(file) + notes.length + complaints.length;
  const lines = complaints.map(({ line, name = '', text }) => {
    const where = line === undefined ? name : `line ${line + above}`;
    return `  ${where === '' ? '' : `${where}: `}${text}`;
  });
  return `${[...file.head, ...notes, ...lines].map((text) => `# ${safeLine(text)}`.trimEnd()).join('\n')}\n\n${body}`;
}

/** The number of lines above the body, for a file without complaints. */
export const linesAbove = ({ head }: EditedFile): number => head.length + 1;

/** A file's text below the comments. */
export const bodyIn = (text: string): string => text.replace(/^\uFEFF?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:#[^\n]*$)?/, '');

/** A record as YAML: field names with texts. */
export async function yamlFile(resource: Resource, open: OpenRecord, shown: readonly FieldTarget[]): Promise<EditedFile> {
  const yaml = await import('yaml');
  const { singular, title = '' } = resource;
  const called = scalarText(valueAt(open.record, title));
  const lines = shown.map((one) => {
    const held = valueNamed(resource, one.name).shownOf(open.record);
    const text = isCrlf(held) ? held.replaceAll('\r\n', '\n') : held;
    if (text === '') return `${one.name}:\n`;
    const scalar = new yaml.Scalar(text);
    if (isDangerous(text.replaceAll('\n', ''))) scalar.type = 'QUOTE_DOUBLE';
    const line = yaml.stringify({ [one.name]: scalar }, { schema: 'failsafe', lineWidth: 0, blockQuote: 'literal' });
    return scalar.type === 'QUOTE_DOUBLE' ? safeJson(line) : line;
  });
  return {
    name: `${singular}-${open.id}.yaml`,
    head: [
      `${singular} ${open.id}${called === '' ? '' : `: ${called}`}`,
      'Your changes are shown before they are sent.',
      'To clear a value, leave nothing behind its colon. To send nothing, empty the file.',
    ],
    body: lines.join(''),
    read: (body) => readYaml(body, resource, open, shown),
  };
}

const unreadFile = (complaints: readonly Complaint[]): EditedRows => ({ rows: [], complaints });

async function readYaml(body: string, resource: Resource, open: OpenRecord, shown: readonly FieldTarget[]): Promise<EditedRows> {
  const yaml = await import('yaml');
  const { document, faults, lineAt } = await parseYaml(body, { schema: 'failsafe', uniqueKeys: false });
  const { contents } = document;
  if (faults.length > 0) return unreadFile(faults);
  if (!yaml.isMap(contents)) return unreadFile([{ line: 1, text: `Give the values by name: ${shown[0]?.name ?? 'title'}: …` }]);
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
      complaints.push({ line, text: `${own}: give one text. A text that begins with [ { * & ! | or > needs quotes.` });
    else typed.set(own, yaml.isScalar(value) ? String(value.value ?? '') : '');
  }
  const changes = shown.flatMap((one): TargetChange[] => {
    const text = typed.get(one.name);
    if (text === undefined) return [];
    const was = valueNamed(resource, one.name).shownOf(open.record);
    const now = withBreaksOf(was, text);
    return now === was ? [] : [{ field: one.name, old: was, new: now, target: one }];
  });
  if (changes.length === 0) return { rows: [], complaints };
  const { id, record } = open;
  const place = (name = `${resource.singular} ${id}`): string => name;
  return { rows: [{ id, place, changes, guards: new Map(), shown: record }], complaints };
}

/** True when all line breaks of a text are CRLF. Editors show CRLF as a plain line break, so each CRLF is put back after the edit. */
const isCrlf = (text: string): boolean => text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);

function withBreaksOf(raw: string, typed: string): string {
  if (isCrlf(raw)) return typed.replaceAll(/\r?\n/g, '\r\n');
  return raw.includes('\r') ? typed : typed.replaceAll('\r\n', '\n');
}

/** The fields that the editor shows: the fields that --fields names, else all readable fields of an update. Throws InvalidValues. */
export function shownFields(resource: Resource, names: readonly string[] | undefined): FieldTarget[] {
  const all = updateShape(resource).fields.filter(isEditable);
  if (names === undefined) return all.map((field) => ({ kind: 'field', name: field.flag, field }));
  const wrong: InvalidValue[] = [];
  const chosen = new Map<string, FieldTarget>();
  for (const name of names) {
    if (flagForm(name) === 'id') continue;
    const target = shownAs(resource, all, name);
    if (target === undefined) wrong.push({ where: '--fields', problem: whyNot(resource, all, name) });
    else chosen.set(target.name, target);
  }
  if (wrong.length > 0) throw new InvalidValues(wrong);
  return [...chosen.values()];
}

/** The field of a typed name: a flag, a wire name, or the path of a relation's id. */
function shownAs(resource: Resource, all: readonly Field[], name: string): FieldTarget | undefined {
  const target = fieldTarget(resource, name);
  if (target !== undefined) return all.includes(target.field) ? target : undefined;
  const relation = name.replace(/\.(id|title|name)$/, '');
  const field = all.find(
    ({ wire, read = '' }) => wire === name || read === name || (read.endsWith('.id') && read.slice(0, -3) === relation),
  );
  return field === undefined ? undefined : { kind: 'field', name: field.flag, field };
}

function whyNot(resource: Resource, all: readonly Field[], name: string): string {
  const set = resource.sets?.find(({ read }) => read === name);
  if (set !== undefined) return `"${name}" can't be edited: crm ${resource.name} ${set.verb} changes it.`;
  const isForCreation = resource.fields.some(({ flag, only }) => only === 'create' && flag === flagForm(name));
  if (isForCreation) return `"${name}" can't be edited once the record is there.`;
  if (memberNamed(resource, name) !== undefined) return `"${name}" can't be edited.`;
  return `there is no field "${name}".${fieldSuggestion(all, name)}`;
}

const isEditable = ({ read, type }: Field): boolean => read !== undefined && type.kind !== 'reference' && type.kind !== 'switch';

/** The fields, with `custom-field` expanded to the custom fields that the record has. */
export function numberedOut(shown: readonly FieldTarget[], record: unknown): FieldTarget[] {
  return shown.flatMap((one) => {
    if (one.field.type.kind !== 'numbered' || one.number !== undefined) return [one];
    return numbersIn(one.field, record).map((number) => ({ ...one, name: `${one.field.flag}-${number}`, number }));
  });
}
