// Takes answers apart, tolerantly: the documented envelope, a bare array or object, or nothing at all.

import { UnavailableError } from '../errors.ts';
import { parseJson, scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import type { Answer, ApiRequest, Meta } from './types.ts';

const metaMembers = ['current_page', 'per_page', 'total', 'last_page'] as const;

/** No answer is nested deeper: whatever follows it into its depth would fill the stack. */
const deepest = 500;

export class NestedTooDeeply extends Error {}

function checkDepth(value: unknown, left = deepest): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new NestedTooDeeply();
  for (const member of Object.values(value)) checkDepth(member, left - 1);
}

/** Reads an answer's text. Throws SyntaxError when it is not one JSON document, and NestedTooDeeply. */
export function readEnvelope(status: number, text: string): Answer {
  if (text.trim() === '') return { status, data: undefined, envelope: undefined };
  const envelope = parseDocument(text);
  if (!isMembers(envelope)) return { status, data: envelope, envelope };
  const said = [envelope.message, envelope.error].find((one) => typeof one === 'string');
  const message = typeof said === 'string' ? { message: said } : {};
  if (Object.hasOwn(envelope, 'data')) {
    return { status, data: envelope.data, ...message, ...readMeta(envelope), envelope };
  }
  const onlyMessage = Object.keys(envelope).every((name) => name === 'message');
  return { status, data: onlyMessage ? undefined : envelope, ...message, envelope };
}

/**
 * The record of an answer to a read of `path`, which ends in its id. Throws UnavailableError when the answer holds none, or one with
 * another id: merging with either would erase what is there. A record without an id is taken at its word.
 */
export function recordOf(answer: Answer, path: string): unknown {
  const { record, other } = recordIn(answer, path.slice(path.lastIndexOf('/') + 1));
  if (record === undefined) throw new UnavailableError('The service answered without a record; nothing was changed.');
  if (other !== undefined) throw new UnavailableError(`Asked for ${path}, the service answered with record ${other}; nothing was changed.`);
  return record;
}

/** The record in an answer, also in an array of one; `other`: its id, where it is not the one that was asked for. */
export function recordIn({ data }: Answer, asked: string): { readonly record: unknown; readonly other?: string } {
  const record = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (!isMembers(record)) return { record: undefined };
  const answered = digits(scalarText(record.id));
  return answered === '' || answered === digits(asked) ? { record } : { record, other: cut(answered) };
}

const digits = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** An id as a message can hold it. */
const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * The records of a list's answer: the array in `data`, or a bare one. Throws UnavailableError for anything else: an answer without a
 * list doesn't say that there are no records.
 */
export function recordsOf(answer: Answer, { method, path }: ApiRequest): readonly unknown[] {
  if (Array.isArray(answer.data)) return answer.data;
  const said = answer.message ? `; it said: "${answer.message}"` : '';
  throw new UnavailableError(`The service answered without a list of records${said}.`, {
    httpStatus: answer.status,
    hint: 'Is the base URL that of the service itself?',
    request: { method, path },
  });
}

function parseDocument(text: string): unknown {
  try {
    const document = parseJson(text);
    checkDepth(document);
    return document;
  } catch (error) {
    // The parser's own stack is full.
    throw error instanceof RangeError ? new NestedTooDeeply() : error;
  }
}

function readMeta(envelope: Members): { meta: Meta } | Record<never, never> {
  // Some list answers of this kind of service carry the position beside `data` instead of in `meta`.
  const source = isMembers(envelope.meta) ? envelope.meta : envelope;
  const meta: { -readonly [K in keyof Meta]: Meta[K] } = {};
  for (const name of metaMembers) {
    const value = wholeNumber(source[name]);
    if (value !== undefined) meta[name] = value;
  }
  return Object.keys(meta).length > 0 ? { meta } : {};
}

/** A position may come as text; anything but a whole number counts as absent. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}
