// Reads answers: the documented envelope, a bare array or object, or an empty body.

import { UnavailableError } from '../base/errors.ts';
import { parseJson, scalarText } from '../base/values/json.ts';
import { isMembers, type Members } from '../base/values/paths.ts';
import { otherServiceHint } from './problem.ts';
import type { Answer, ApiRequest, Meta } from './types.ts';

const metaMembers = ['current_page', 'per_page', 'total', 'last_page'] as const;

/** The deepest nesting of an answer. Records are walked recursively, and a deeper record would overflow the stack. */
const deepest = 500;

export class NestedTooDeeply extends Error {}

/** Every answer is walked, so no array of members, no texts of indexes and no function a record are made. */
function checkDepth(value: unknown, left = deepest): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new NestedTooDeeply();
  if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) checkDepth(value[index], left - 1);
  // No member is inherited: an answer has no other prototypes.
  else for (const name in value) checkDepth((value as Members)[name], left - 1);
}

/** Parses an answer's text. Throws SyntaxError for text that is not JSON, and NestedTooDeeply. */
export function readEnvelope(status: number, text: string): Answer {
  if (text.trim() === '') return { status, data: undefined, envelope: undefined };
  const envelope = parseAnswer(text);
  if (!isMembers(envelope)) return { status, data: envelope, envelope };
  const said = [envelope.message, envelope.error].find((one) => typeof one === 'string');
  const message = typeof said === 'string' ? { message: said } : {};
  if (Object.hasOwn(envelope, 'data')) {
    return { status, data: envelope.data, envelope, ...message, ...readMeta(envelope) };
  }
  const onlyMessage = Object.keys(envelope).every((name) => name === 'message');
  return { status, data: onlyMessage ? undefined : envelope, envelope, ...message };
}

/**
 * The record in the answer to a read of `path`, which ends in the id. Throws UnavailableError for an answer that denies success, has no
 * record or another id: merging such an answer would erase values. A record without an id is accepted.
 */
export function recordOf(answer: Answer, path: string): unknown {
  refuseDenied(answer, path);
  const { record, other } = recordIn(answer, path.slice(path.lastIndexOf('/') + 1));
  if (record === undefined) throw new UnavailableError('The service answered without a record; nothing was changed.');
  if (other !== undefined) throw new UnavailableError(`Asked for ${path}, the service answered with record ${other}; nothing was changed.`);
  return record;
}

/** The record in an answer: the object, or the only element of an array. `other`: the record's id for a message, when it differs from `asked`. */
export function recordIn({ data }: Answer, asked: string): { readonly record: unknown; readonly other?: string } {
  const record = Array.isArray(data) && data.length === 1 ? data[0] : data;
  if (!isMembers(record)) return { record: undefined };
  const answered = withoutZerosInFront(scalarText(record.id));
  return answered === '' || answered === withoutZerosInFront(asked)
    ? { record }
    : { record, other: answered.length > 40 ? `${answered.slice(0, 40)}…` : answered };
}

const withoutZerosInFront = (id: string): string => id.replace(/^0+(?=\d)/, '');

/** The records in a list's answer. Throws UnavailableError for an answer without a list, and for a list of anything but objects. */
export function recordsOf(answer: Answer, request: ApiRequest): readonly unknown[] {
  const records = listIn(answer, request);
  if (records.every(isMembers)) return records;
  const { method, path } = request;
  throw new UnavailableError('The service answered with a list of something else than records.', {
    httpStatus: answer.status,
    hint: otherServiceHint,
    request: { method, path },
  });
}

/**
 * The elements in a list's answer: the array in `data`, or the bare array. Throws UnavailableError for anything else, because
 * such an answer doesn't mean an empty list.
 */
export function listIn(answer: Answer, { method, path }: ApiRequest): readonly unknown[] {
  refuseDenied(answer, path);
  if (Array.isArray(answer.data)) return answer.data;
  const said = answer.message ? `; it said: "${answer.message}"` : '';
  throw new UnavailableError(`The service answered without a list of records${said}.`, {
    httpStatus: answer.status,
    hint: otherServiceHint,
    request: { method, path },
  });
}

/** The words with which an answer of 2xx denies success, behind `The service answered 200, but`. Undefined without a denial. */
export function denialIn({ status, envelope, message = '' }: Answer): string | undefined {
  const { success, error, errors }: Members = isMembers(envelope) ? envelope : {};
  if (success === false || success === 'false' || isSaid(error) || isSaid(errors)) {
    return message.trim() === ''
      ? 'says that it failed'
      : `says that it failed: "${message.trim().slice(0, longestSaid).replace(/\.$/, '')}"`;
  }
  return status === 202 ? 'has only accepted the request' : undefined;
}

/** The most characters of the service's message that are repeated. */
const longestSaid = 200;

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMembers(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

/** Throws UnavailableError for a read whose answer denies success: such an answer doesn't mean that records are missing. */
function refuseDenied(answer: Answer, path: string): void {
  const why = denialIn(answer);
  if (why === undefined) return;
  const { status } = answer;
  throw new UnavailableError(`The service answered ${status}, but ${why}.`, { httpStatus: status, request: { method: 'GET', path } });
}

function parseAnswer(text: string): unknown {
  try {
    const document = parseJson(text);
    checkDepth(document);
    return document;
  } catch (error) {
    // The JSON parser overflows its stack with a RangeError.
    throw error instanceof RangeError ? new NestedTooDeeply() : error;
  }
}

function readMeta(envelope: Members): { meta: Meta } | Record<never, never> {
  // Some services of this kind put the position beside `data` instead of in `meta`.
  const source = isMembers(envelope.meta) ? envelope.meta : envelope;
  const meta: { -readonly [K in keyof Meta]: Meta[K] } = {};
  for (const name of metaMembers) {
    const text = source[name];
    const number = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text;
    if (Number.isSafeInteger(number)) meta[name] = Number(number);
  }
  return Object.keys(meta).length > 0 ? { meta } : {};
}
