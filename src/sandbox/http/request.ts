// Reads the body and the query of a request: forms with PHP-style arrays, and JSON without loss of digits (interface:
// conventions, 4; vendor facts: other encodings).

import { parseJson } from '../../base/values/json.ts';
import { isMembers } from '../../base/values/paths.ts';
import { Refusal } from '../service/service.ts';
import type { WireValues } from '../service/values.ts';

const longestBody = 10 * 1024 * 1024;

/** The deepest nesting of JSON. SQLite reads at most 1,000 levels, and a record adds levels around the value. */
const deepestJson = 512;

/** The body's fields. Throws a Refusal: 400 for an unreadable body, 413 for too long a body, 415 for an unknown type. */
export async function parseBody(contentType: string, body: string | Uint8Array): Promise<WireValues> {
  if (body.length > longestBody) throw new Refusal(413, 'The request body is too large.');
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return multipartBody(contentType, body);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  if (text.trim() === '') return {};
  if (type === 'application/json' || type.endsWith('+json')) return jsonBody(text);
  if (type === '' || type === 'application/x-www-form-urlencoded') return nested(new URLSearchParams(text));
  throw new Refusal(415, `Unsupported content type: ${type}. Send a form or JSON.`);
}

/** The bytes of a body. Reading stops at the first chunk beyond the limit, so a long body can't fill the memory. */
export async function bodyBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > longestBody) break;
  }
  return Buffer.concat(chunks);
}

/** The query's fields. */
export const queryFields = (query: string): WireValues => (query === '' ? {} : nested(new URLSearchParams(query)));

function jsonBody(text: string): WireValues {
  if (isTooDeep(text)) throw new Refusal(400, `The request body is nested more than ${deepestJson} levels deep.`);
  try {
    const value = parseJson(text);
    return isMembers(value) ? value : {};
  } catch (error) {
    throw new Refusal(400, `The request body is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** Counts brackets, because parsing such a text would overflow the stack. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length && depth <= deepestJson; at += 1) {
    const character = text[at];
    if (isString && character === '\\') at += 1;
    else if (character === '"') isString = !isString;
    else if (!isString && (character === '[' || character === '{')) depth += 1;
    else if (!isString && (character === ']' || character === '}')) depth -= 1;
  }
  return depth > deepestJson;
}

/** Files are left out, since no request of the interface has files. */
async function multipartBody(contentType: string, body: string | Uint8Array): Promise<WireValues> {
  const whole = new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers: { 'Content-Type': contentType } });
  const form = await whole.formData().catch(() => {
    throw new Refusal(400, 'The request body is not a valid multipart form.');
  });
  return nested([...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

/** The values of a name with brackets, by the text in the brackets. `next` is the key of the next `[]`. */
interface BracketValues {
  readonly values: Map<string, string>;
  next: number;
}

/**
 * Fields from names and values, by PHP's rules: `tags[]` and `tags[0]` make an array, `tags[a]` an object. When a name occurs
 * twice, the last value counts.
 */
function nested(pairs: Iterable<[string, string]>): WireValues {
  const values = new Map<string, unknown>();
  for (const [name, value] of pairs) {
    const [, base, key] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? [];
    if (base === undefined || key === undefined) values.set(name, value);
    else values.set(base, withBracketValue(values.get(base), key, value));
  }
  const fields = [...values].map(([name, value]) => {
    if (!isGroup(value)) return [name, value];
    const isArray = [...value.values.keys()].every((key) => /^\d+$/.test(key));
    return [name, isArray ? [...value.values.values()] : Object.fromEntries(value.values)];
  });
  return Object.fromEntries(fields);
}

function withBracketValue(before: unknown, key: string, value: string): BracketValues {
  const group = isGroup(before) ? before : { values: new Map(), next: 0 };
  group.values.set(key === '' ? String(group.next) : key, value);
  if (key === '' || Number(key) >= group.next) group.next = key === '' ? group.next + 1 : Number(key) + 1;
  return group;
}

const isGroup = (value: unknown): value is BracketValues => typeof value === 'object';
