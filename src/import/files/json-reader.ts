// Reads JSON: NDJSON as a stream, an array of objects as a whole. Members of nested objects get dotted names; arrays are values.

import { UnreadableError } from '../../base/files/problems.ts';
import { limits, sizeText } from '../../base/limits.ts';
import { parseJson } from '../../base/values/json.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { mostColumns } from '../../base/values/text/spreadsheet.ts';
import type { BadRow, RawRow } from './raw-row.ts';

/** The objects of NDJSON, one a line. Skips empty lines. */
export async function* ndjsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
  let line = 0;
  for await (const lines of textLines(texts)) {
    const first = line + 1;
    line += lines.length;
    yield lines.flatMap((text, index) => (text.trim() === '' ? [] : jsonRow(text, first + index)));
  }
}

/** The lines that end in each chunk of text, and last the rest without a line end. */
export async function* textLines(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
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

/** A line gathered from chunks, of limited length. */
class Parts {
  readonly #parts: string[] = [];
  #length = 0;

  /** Throws UsageError naming the line when the text grows too long. */
  add(part: string, line: number): void {
    this.#length += part.length;
    if (this.#length > limits.row) throw tooLong(line);
    this.#parts.push(part);
  }

  text(): string {
    return this.#parts.join('');
  }
}

/** Characters of objects in one chunk of rows. */
const atOnce = 65_536;

const tooLong = (line: number): UnreadableError => new UnreadableError(line, `what begins here is longer than ${sizeText(limits.row)}.`);

/** The objects of an array, or objects in sequence. Holds the whole text. Throws UnreadableError naming the line of anything else. */
export async function* jsonRows(texts: AsyncIterable<string>): AsyncGenerator<(RawRow | BadRow)[]> {
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
  let rows: (RawRow | BadRow)[] = [];
  let characters = 0;
  for (const { text, line } of objectsOf(parts.join(''))) {
    rows.push(jsonRow(text, line));
    characters += text.length;
    if (characters < atOnce) continue;
    yield rows;
    [rows, characters] = [[], 0];
  }
  yield rows;
}

/** Drops the position: it counts within the object, and readers would look for it in the file. */
const withoutPosition = (message: string): string => message.replace(/ in JSON at position .*$/s, '');

function jsonRow(text: string, line: number): RawRow | BadRow {
  try {
    const row = rowOfJson(text, line);
    return 'problem' in row ? { ...row, text } : row;
  } catch (error) {
    if (error instanceof SyntaxError) return { line, problem: `it is not valid JSON (${withoutPosition(error.message)}).`, text };
    // Stack overflow.
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

function* objectsOf(text: string): Generator<{ text: string; line: number }> {
  let [at, line, lineEnd] = [0, 1, text.indexOf('\n')];
  const lineHere = (): number => {
    for (; lineEnd >= 0 && lineEnd < at; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1;
    return line;
  };
  const pass = (character: string): boolean => {
    const isThere = text[at] === character;
    if (isThere) at += 1;
    while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
    return isThere;
  };
  const unexpected = (expected: string): UnreadableError =>
    new UnreadableError(lineHere(), `${JSON.stringify(text[at])} where ${expected} is expected.`);
  pass('');
  const isArray = pass('[');
  for (let isFirst = true; at < text.length; isFirst = false) {
    if (isArray && pass(']')) {
      if (at < text.length) throw unexpected('the end of the file');
      return;
    }
    const isNext = !isArray || isFirst || pass(',');
    if (at === text.length) break;
    if (!isNext || text[at] !== '{') throw unexpected(isArray ? 'an object of the array' : 'an array of objects');
    const end = endOfObject(text, at);
    if (end < 0) throw new UnreadableError(lineHere(), 'the file ends within the object that begins here.');
    if (end - at > limits.row) throw tooLong(lineHere());
    yield { text: text.slice(at, end), line: lineHere() };
    at = end;
    pass('');
  }
  if (isArray) throw new UnreadableError(lineHere(), 'the file ends within its array.');
}

const [openBrace, closeBrace, quote, backslash, colon, space] = [0x7b, 0x7d, 0x22, 0x5c, 0x3a, 0x20];

/**
 * The position behind the object that begins at `start`, or -1 when the object has no end. Doesn't count brackets: JSON.parse checks them.
 */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace) depth += 1;
    else if (code === closeBrace) depth -= 1;
    if (depth === 0) return at + 1;
    if (code !== quote) continue;
    const end = endOfText(text, at);
    if (end < 0) return -1;
    at = end - 1;
  }
  return -1;
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

/** Names seen so far in one object. */
interface ObjectLevel {
  readonly path: string;
  readonly names: Set<string>;
  last: string;
}

/**
 * The dotted name of the first member that stands twice in its object: JSON.parse would silently take the last. Undefined when there is
 * none. The text must be valid JSON.
 */
function nameTwice(text: string): string | undefined {
  const levels: ObjectLevel[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace) levels.push({ path: pathAbove(levels.at(-1)), names: new Set(), last: '' });
    else if (code === closeBrace) levels.pop();
    if (code !== quote) continue;
    const end = endOfText(text, at);
    const level = levels.at(-1);
    if (level !== undefined && isMemberName(text, end)) {
      level.last = unquotedName(text.slice(at, end));
      if (level.names.has(level.last)) return level.path + level.last;
      level.names.add(level.last);
    }
    at = end - 1;
  }
  return undefined;
}

const pathAbove = (above: ObjectLevel | undefined): string => (above === undefined ? '' : `${above.path}${above.last}.`);

function isMemberName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

const unquotedName = (quoted: string): string => (quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1));
