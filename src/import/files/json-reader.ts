// Reads JSON: NDJSON line by line, an array of objects as a whole. Members of nested objects get dotted names; arrays are values.

import { UsageError } from '../../base/errors.ts';
import { UnreadableError } from '../../base/files/problems.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { parseJson } from '../../base/values/json.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { mostColumns } from '../../base/values/text/spreadsheet.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import type { BadRow, RawRow } from './raw-row.ts';

/**
 * The objects of NDJSON, one a line, or of a stream of objects over several lines, if the first object has several. Skips empty lines. An
 * envelope gives the objects of its `data`.
 */
export async function* ndjsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
  let line = 0;
  let isStream: boolean | undefined;
  /** The lines of an object that has begun, and its open brackets. */
  let begun: { readonly line: number; readonly lines: string[]; depth: number; length: number } | undefined;
  for await (const lines of textLines(texts)) {
    const rows: (RawRow | BadRow)[] = [];
    for (const text of lines) {
      line += 1;
      if (begun === undefined && text.trim() === '') continue;
      const depth = isStream === false ? 0 : depthOf(text);
      isStream ??= depth > 0;
      begun ??= { line, lines: [], depth: 0, length: 0 };
      begun.lines.push(text);
      begun.depth += depth;
      begun.length += text.length;
      if (begun.length > limits.jsonArray)
        throw new UnreadableError(begun.line, `the object that begins here is longer than ${sizeText(limits.jsonArray)}.`);
      if (isStream && begun.depth > 0) continue;
      for (const row of jsonObjects(begun.lines.join('\n'), begun.line)) rows.push(row);
      begun = undefined;
    }
    yield rows;
  }
  if (begun !== undefined) yield [...jsonObjects(begun.lines.join('\n'), begun.line)];
}

/** The brackets that a line opens, less those that it closes. A JSON text has no line break, so none goes on from the line before. */
function depthOf(line: string): number {
  let depth = 0;
  for (const [sign] of line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) depth += sign === '{' || sign === '[' ? 1 : -1;
  return depth;
}

/** The row of an object, or of each object in the `data` of an envelope. */
function jsonObjects(text: string, line: number): (RawRow | BadRow)[] {
  const row = jsonRow(text, line);
  const { data, message, meta } = ('object' in row && row.object) || {};
  if (!Array.isArray(data) || !data.every(isMembers) || (typeof message !== 'string' && !isMembers(meta))) return [row];
  return data.map((one) => ({ ...rowOfObject(one, { line, start: 0, end: text.length }, text), isOfEnvelope: true as const }));
}

/**
 * The lines that end in each chunk of text. The last chunk is the text behind the last line end. Throws UnreadableError for a line that is
 * too long.
 */
export async function* textLines(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let begun = '';
  let line = 1;
  for await (const text of texts) {
    const [first = '', ...others] = text.split('\n');
    const lines = [begun + first, ...others];
    begun = lines.pop() ?? '';
    if ((lines[0] ?? begun).length > limits.row)
      throw new UnreadableError(line, `the text that begins here is longer than ${sizeText(limits.row)}.`);
    line += lines.length;
    yield lines;
  }
  yield [begun];
}

/** The most rows in one chunk. */
const mostAtOnce = 500;

/** The objects of an array. Throws UsageError for any other text, and for a text longer than the limit. */
export async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
  const text = await arrayText(texts);
  const places = objectsIn(text);
  let rows: (RawRow | BadRow)[] = [];
  for (const value of parsedArray(text)) {
    rows.push(rowOfObject(value, places.next().value as ObjectStart, text));
    if (rows.length < mostAtOnce) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

async function arrayText(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    if (length > limits.jsonArray)
      throw new UnreadableError(
        1,
        `the array that begins here is longer than ${sizeText(limits.jsonArray)}. NDJSON may have any length: jq -c '.[]' makes it.`,
      );
    parts.push(text);
  }
  return parts.join('');
}

/** The objects of an array; no objects for a blank text. Throws UsageError, naming the line where the parser tells it. */
function parsedArray(text: string): Members[] {
  if (text.trim() === '') return [];
  try {
    const values = parseJson(text);
    if (!Array.isArray(values)) throw new UsageError('Give an array of objects, or NDJSON: one object a line.');
    const other = values.findIndex((value) => !isMembers(value));
    if (other >= 0) throw new UsageError(`Element ${other + 1} of the array is no object with the values by name.`);
    return values;
  } catch (error) {
    const problem = jsonProblem(error);
    const line = error instanceof Error ? /\(line (\d+) column/.exec(error.message)?.[1] : undefined;
    throw line === undefined ? new UsageError(capitalised(problem)) : new UnreadableError(Number(line), problem);
  }
}

/** The problem of a text that JSON.parse refused. Throws any other error. */
function jsonProblem(error: unknown): string {
  // Leaves out the position: in NDJSON the parser counts from the start of the line, and a person would count from the start of the file.
  if (error instanceof SyntaxError) return `it is not valid JSON (${error.message.replace(/(?: in JSON)? at position .*$/s, '')}).`;
  // A stack overflow of JSON.parse or flatten.
  if (error instanceof RangeError) return 'it is nested too deeply.';
  throw error;
}

function jsonRow(text: string, line: number): RawRow | BadRow {
  try {
    const value = parseJson(text);
    if (!isMembers(value)) return { line, problem: 'give one JSON object, with the values by name.', text };
    const [object = { start: 0, end: text.length }] = objectsIn(text);
    return rowOfObject(value, { ...object, line }, text);
  } catch (error) {
    return { line, problem: jsonProblem(error), text };
  }
}

function rowOfObject(object: Members, { line, start, end, twice }: ObjectStart, text: string): RawRow | BadRow {
  const badRow = (problem: string): BadRow => ({ line, problem, text: text.slice(start, end) });
  if (twice !== undefined) return badRow(`the member ${twice} is there twice.`);
  const names: string[] = [];
  const values: unknown[] = [];
  try {
    flatten(object, '', names, values);
  } catch (error) {
    return badRow(jsonProblem(error));
  }
  if (names.length > mostColumns) return badRow(`it has ${names.length} members, and no more than ${mostColumns} are read.`);
  return { line, names, values, object };
}

function flatten(members: Members, path: string, names: string[], values: unknown[]): void {
  for (const [name, value] of Object.entries(members)) {
    if (isMembers(value)) {
      flatten(value, `${path}${name}.`, names, values);
    } else {
      names.push(path + name);
      values.push(value);
    }
  }
}

/** An object at the top level: its line, and where its text starts and ends. */
interface ObjectStart {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The dotted name of the first member that stands twice in its object: JSON.parse silently takes the last. */
  readonly twice?: string;
}

/** Names seen so far in one object. */
interface ObjectLevel {
  readonly path: string;
  readonly names: Set<string>;
  last: string;
}

const [openBrace, closeBrace, quote, backslash, colon, space, lineFeed] = [0x7b, 0x7d, 0x22, 0x5c, 0x3a, 0x20, 0x0a];

/** The objects at the top level of a JSON text. Ignores square brackets: JSON.parse checks them. */
function* objectsIn(text: string): Generator<ObjectStart, undefined> {
  const levels: ObjectLevel[] = [];
  let [line, start, first] = [1, 0, 1];
  let twice: string | undefined;
  const place = (end: number): ObjectStart => ({ line: first, start, end, ...(twice === undefined ? {} : { twice }) });
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) line += 1;
    else if (code === openBrace) {
      if (levels.length === 0) [start, first, twice] = [at, line, undefined];
      const above = levels.at(-1);
      levels.push({ path: above === undefined ? '' : `${above.path}${above.last}.`, names: new Set(), last: '' });
    } else if (code === closeBrace) {
      if (levels.pop() !== undefined && levels.length === 0) yield place(at + 1);
    } else if (code === quote) {
      const end = endOfText(text, at);
      if (end < 0) break;
      const level = levels.at(-1);
      if (level !== undefined && isMemberName(text, end)) {
        const quoted = text.slice(at, end);
        level.last = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
        if (level.names.has(level.last)) twice ??= level.path + level.last;
        level.names.add(level.last);
      }
      at = end - 1;
    }
  }
  if (levels.length > 0) yield place(text.length);
}

/** The position behind the closing quote of the text that begins at `start`, or -1 when there is none. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}
