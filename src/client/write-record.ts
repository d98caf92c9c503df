// Writes to one record, with proof that the write took effect: the answer, or the record read afterwards.

import { CrmError, InterruptedError, NotFoundError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import type { Naming } from '../model/bodies/names.ts';
import { isWhole, wholeBody } from '../model/bodies/operations.ts';
import type { Operation, Resource } from '../model/define.ts';
import type { Api } from './client.ts';
import { evidenceOf, madeIn } from './evidence.ts';
import { unreadableAnswer, withCommand } from './problem.ts';
import { readRecord } from './read-record.ts';
import type { Answer, ApiRequest, Sending } from './types.ts';

type Writing = Pick<Api, 'read' | 'write' | 'command'>;

/** A write to a record. `below`: the path after the record's own. */
export type RecordWrite = Pick<ApiRequest, 'method' | 'body' | 'repeatable' | 'check' | 'conflict'> & { readonly below?: string };

interface Written {
  /** The answer. For an answer without a record, `data` is the record read afterwards. */
  readonly answer: Answer;
  /** The record after the write. Undefined under --dry-run. */
  readonly after: unknown;
}

/**
 * Sends a write to a record. A function `write` makes the write from a fresh read, before each repetition. `tells`: true when a record
 * shows the write, false when not, undefined when the record lacks the written members. After an answer without these members, the record
 * is read. Throws UnavailableError for an answer outside 2xx, and when the record doesn't show the write.
 */
export async function writeRecord(
  api: Writing,
  { name, path }: Pick<Resource, 'name' | 'path'>,
  id: Id,
  write: RecordWrite | (() => Promise<RecordWrite>),
  tells: (record: unknown) => boolean | undefined,
): Promise<Written> {
  const own = `${path}/${id}`;
  const sent = await sendNoted(api, write, ({ below, check = `${name} get ${id}`, ...request }) => ({
    ...request,
    path: below === undefined ? own : `${own}/${below}`,
    check,
  }));
  const { answer, unshown } = sent;
  if (answer.status === 0) return { answer, after: undefined };
  const evidence = evidenceOf(answer, String(id));
  if (evidence.kind === 'none') throw unshown(evidence.why);
  if (evidence.kind === 'record' && tells(evidence.record) !== undefined) return { answer, after: evidence.record };
  const after = await readRecord(api, own).catch((error: unknown) => {
    if (evidence.kind === 'record' && error instanceof CrmError && !(error instanceof InterruptedError)) return evidence.record;
    throw unread(error, unshown);
  });
  if (evidence.kind === 'record') return { answer, after };
  if (tells(after) === false) throw unshown('without the record, and a read does not show the write');
  return { answer: { ...answer, data: after }, after };
}

/** Deletes the record at a path. Throws UnavailableError for an answer outside 2xx, and when a read still finds the record. */
export async function deleteAt(
  api: Writing,
  path: string,
  write: { readonly check: string } | (() => Promise<{ readonly check: string }>),
  isThere = async (): Promise<boolean> => {
    await readRecord(api, path);
    return true;
  },
): Promise<Answer> {
  const { answer, unshown } = await sendNoted(api, write, ({ check }) => ({ method: 'DELETE' as const, path, check }));
  if (answer.status === 0) return answer;
  const evidence = evidenceOf(answer, path.slice(path.lastIndexOf('/') + 1));
  if (evidence.kind === 'none') throw unshown(evidence.why);
  if (evidence.kind === 'record') return answer;
  const isStill = await isThere().catch((error: unknown) => {
    if (error instanceof NotFoundError) return false;
    throw unread(error, unshown);
  });
  if (isStill) throw unshown('without confirming the deletion, and the record is still there');
  return answer;
}

/** Sends a create. Throws UnavailableError for an answer without the new record's id. */
export async function makeRecord(api: Writing, sending: Sending): Promise<Answer> {
  const { answer, unshown } = await sendNoted(api, sending, (request) => request);
  if (answer.status === 0) return answer;
  const made = madeIn(answer);
  if (made.kind !== 'record') throw unshown(made.kind === 'none' ? made.why : 'without the id of the new record');
  return answer;
}

/**
 * Creates something from a record: a clone, a conversion. Reads the record for the values that are not given, before each repetition.
 * `seen`: called with the record, which is then always read; may throw. Returns the answer and the body.
 */
export async function makeFrom(
  api: Writing,
  { path, singular }: Pick<Resource, 'path' | 'singular'>,
  id: Id,
  operation: Operation,
  given: Body,
  { named, check, seen }: { readonly named: Naming; readonly check: string; readonly seen?: ((record: unknown) => void) | undefined },
): Promise<{ readonly answer: Answer; readonly body: Body }> {
  const { conflict } = operation;
  const own = `${path}/${id}`;
  let body: Body = new Map();
  const answer = await makeRecord(api, async () => {
    const record = isWhole(operation, given) && seen === undefined ? undefined : await readRecord(api, own);
    seen?.(record);
    body = wholeBody(operation, record, given, named, singular);
    return {
      method: 'POST',
      path: `${own}/${operation.path}`,
      body,
      check,
      ...(conflict === undefined ? {} : { conflict: conflict.code }),
    };
  });
  return { answer, body };
}

/** Sends a write. `unshown` makes the error for a write with an unknown outcome; `why` completes `The service answered 200, but …`. */
async function sendNoted<T>(
  api: Writing,
  write: T | (() => Promise<T>),
  requestOf: (write: T) => ApiRequest,
): Promise<{ answer: Answer; unshown: (why: string, cause?: unknown) => Error }> {
  const sent: { request?: ApiRequest } = {};
  const noted = (one: T): ApiRequest => {
    sent.request = requestOf(one);
    return sent.request;
  };
  const answer = await api.write(isMaker(write) ? async () => noted(await write()) : noted(write));
  const unshown = (why: string, cause?: unknown): Error => {
    return unreadableAnswer(withCommand(api.command, sent.request ?? { method: 'PUT', path: '' }), answer.status, why, cause);
  };
  return { answer, unshown };
}

const isMaker = <T>(write: T | (() => Promise<T>)): write is () => Promise<T> => typeof write === 'function';

/** The error for a record that could not be read after its write. */
function unread(error: unknown, unshown: (why: string, cause?: unknown) => Error): unknown {
  if (!(error instanceof CrmError) || error instanceof InterruptedError) return error;
  return unshown(`without the record, and a read failed: ${error.message.replace(/(; nothing was changed)?\.$/, '')}`, error);
}
