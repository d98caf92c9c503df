// JSON: one object a line, or one array of objects, read without holding the file. Members of objects within objects
// become dotted names; arrays are values.

import { UnreadableError } from '../../files/problems.ts';
import { parseJson } from '../../values/json.ts';
import { isMembers, type Members } from '../../values/paths.ts';
import { mostColumns } from '../../values/spreadsheet.ts';
import { nameTwice } from './json-names.ts';
import { type BadRow, longestRow, type RawRow } from './raw-row.ts';

/** One object a line; empty lines are passed over. */
export async function* ndjsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
  let line = 0;
  for await (const lines of linesOf(texts)) {
    const first = line + 1;
    line += lines.length;
    yield lines.flatMap((text, index) => (text.trim() === '' ? [] : rowOf(text, first + index)));
  }
}

/** The lines that end in each text, and at last the one that doesn't end. */
export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  let parts = new Parts();
  let line = 1;
  for await (const text of texts) {
    const lines: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      parts.add(text.slice(start, end), line);
      lines.push(parts.text());
      parts = new Parts();
      start = end + 1;
      line += 1;
    }
    parts.add(text.slice(start), line);
    yield lines;
  }
  yield [parts.text()];
}

/** A text that comes in parts, of a limited length. */
class Parts {
  readonly #parts: string[] = [];
  #length = 0;

  /** Throws UsageError naming the line when it grows too long. */
  add(part: string, line: number): void {
    this.#length += part.length;
    if (this.#length > longestRow) throw new UnreadableError(line, 'what begins here is longer than 16 MiB.');
    this.#parts.push(part);
  }

  text(): string {
    return this.#parts.join('');
  }
}

/** The objects of one array, or objects one after the other. Throws UsageError where neither goes on. */
export async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
  for await (const objects of objectsOf(texts)) yield objects.map(({ text, line }) => rowOf(text, line));
}

function rowOf(text: string, line: number): RawRow | BadRow {
  try {
    const row = rowOfJson(text, line);
    return 'problem' in row ? { ...row, text } : row;
  } catch (error) {
    if (error instanceof SyntaxError) return { line, problem: `it is not valid JSON (${error.message}).`, text };
    // The stack is full.
    if (error instanceof RangeError) return { line, problem: 'it is nested too deeply.', text };
    throw error;
  }
}

function rowOfJson(text: string, line: number): RawRow | BadRow {
  const value = parseJson(text);
  if (!isMembers(value)) return { line, problem: 'give one JSON object, with the values by name.' };
  const twice = nameTwice(text);
  if (twice !== undefined) return { line, problem: `the member ${twice} is there twice.` };
  const names: string[] = [];
  const values: unknown[] = [];
  flatten(value, '', names, values);
  if (names.length > mostColumns) return { line, problem: `it has ${names.length} members, and no more than ${mostColumns} are read.` };
  return { line, names, values, object: value };
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

/** Where the splitting of a JSON text into objects stands. */
interface Splitter {
  /** Before the first character that counts; in an array; behind it; or objects without an array. */
  place: 'start' | 'array' | 'behind' | 'bare';
  /** A comma must come before the next object, or must not be followed by the end. */
  needsComma: boolean;
  afterComma: boolean;
  /** Within an object: how deep, and whether in a string, and behind a backslash. */
  depth: number;
  isText: boolean;
  isEscaped: boolean;
  line: number;
  /** The line on which the object began. */
  begun: number;
}

/** The objects that end in each text. */
async function* objectsOf(texts: AsyncIterable<string>): AsyncGenerator<{ text: string; line: number }[]> {
  const at: Splitter = {
    place: 'start',
    needsComma: false,
    afterComma: false,
    depth: 0,
    isText: false,
    isEscaped: false,
    line: 1,
    begun: 1,
  };
  let parts = new Parts();
  for await (const text of texts) {
    const objects: { text: string; line: number }[] = [];
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (at.depth > 0) {
        within(at, code);
        if (at.depth > 0) continue;
        parts.add(text.slice(start, index + 1), at.begun);
        objects.push({ text: parts.text(), line: at.begun });
        parts = new Parts();
      } else if (between(at, code)) {
        start = index;
      }
    }
    if (at.depth > 0) parts.add(text.slice(start), at.begun);
    yield objects;
  }
  if (at.depth > 0) throw new UnreadableError(at.begun, 'the file ends within the object that begins here.');
  if (at.place === 'array') throw new UnreadableError(at.line, 'the file ends within its array.');
}

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** One character within an object. Brackets need no count of their own: JSON.parse sees to them. */
function within(at: Splitter, code: number): void {
  if (code === lineFeed) at.line += 1;
  if (at.isEscaped) at.isEscaped = false;
  else if (at.isText && code === backslash) at.isEscaped = true;
  else if (code === quote) at.isText = !at.isText;
  else if (!at.isText && code === openBrace) at.depth += 1;
  else if (!at.isText && code === closeBrace) at.depth -= 1;
}

/** One character between objects; true when an object begins with it. Throws UsageError for what can't stand there. */
function between(at: Splitter, code: number): boolean {
  if (code === lineFeed) at.line += 1;
  if (code === 0x20 || code === 0x09 || code === 0x0d || code === lineFeed) return false;
  if (code === openBrace && !(at.place === 'array' && at.needsComma) && at.place !== 'behind') {
    Object.assign(at, { place: at.place === 'start' ? 'bare' : at.place, depth: 1, begun: at.line, needsComma: true, afterComma: false });
    return true;
  }
  if (code === openBracket && at.place === 'start') at.place = 'array';
  else if (code === closeBracket && at.place === 'array' && !at.afterComma) at.place = 'behind';
  else if (code === comma && at.place === 'array' && at.needsComma) Object.assign(at, { needsComma: false, afterComma: true });
  else throw unexpected(at, code);
  return false;
}

function unexpected(at: Splitter, code: number): UnreadableError {
  const character = JSON.stringify(String.fromCharCode(code));
  const expected = at.place === 'behind' ? 'the end of the file' : at.place === 'array' ? 'an object of the array' : 'an array of objects';
  return new UnreadableError(at.line, `${character} where ${expected} is expected.`);
}
