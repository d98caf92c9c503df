// Writes to one record, with proof that the write took effect: the answer, or the record read afterwards.

import { CrmError, InterruptedError, NotFoundError, UnavailableError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import type { Id } from '../base/values/parse.ts';
import type { Naming } from '../model/bodies/names.ts';
import { isWhole, wholeBody } from '../model/bodies/operations.ts';
import { contradictionsIn, keptOtherwise } from '../model/bodies/telling.ts';
import type { Operation, Resource } from '../model/define.ts';
import type { Api } from './client.ts';
import { evidenceOf, madeIn } from './evidence.ts';
import { outcomeUnknown, unreadableAnswer, withCommand } from './problem.ts';
import { readRecord, recordAt, recordFound } from './read-record.ts';
import type { Answer, ApiRequest, Sending } from './types.ts';

type Writing = Pick<Api, 'read' | 'write' | 'command'>;

/** A write to a record. `below`: the path after the record's own. */
export type RecordWrite = Pick<ApiRequest, 'method' | 'body' | 'repeatable' | 'check' | 'conflict'> & { readonly below?: string };

interface WriteAnswer {
  /** The answer. For an answer without a record, or with a value as it was before, `data` is the record read afterwards. */
  readonly answer: Answer;
  /** The record after the write. Undefined under --dry-run. */
  readonly after: unknown;
}

/** How a record proves a write. */
interface WriteProof {
  /** Tells whether a record has the written values; undefined when the record lacks them: after such an answer the record is read. */
  tells(record: unknown): boolean | undefined;
  /** True when an answered record has a value as it was before, though another was asked for: the record is then read once. */
  keeps?(record: unknown): boolean;
  /** After a lost answer the record is read once. A record that `holds` the written values is the answer, and `found` is called. */
  readonly look?: { holds(record: unknown): boolean; found?(): void } | undefined;
}

/**
 * Sends a write to a record. A function `write` makes the write from a fresh read, before each repetition. Throws UnavailableError for an
 * answer outside 2xx, when the record doesn't have the written values, and when the read behind a kept value fails.
 */
export async function writeRecord(
  api: Writing,
  { name, path }: Pick<Resource, 'name' | 'path'>,
  id: Id,
  write: RecordWrite | ((wasLost: boolean) => Promise<RecordWrite>),
  { tells, look, keeps = () => false }: WriteProof,
): Promise<WriteAnswer> {
  const own = `${path}/${id}`;
  const lookAgain = async (): Promise<Answer | undefined> => {
    const record = await readRecord(api, own);
    if (look?.holds(record) !== true) return undefined;
    look.found?.();
    return { status: 200, data: record, envelope: { data: record } };
  };
  const sent = await sendNoted(
    api,
    write,
    ({ below, check = `${name} get ${id}`, ...request }) => ({
      ...request,
      path: below === undefined ? own : `${own}/${below}`,
      check,
    }),
    look === undefined ? undefined : lookAgain,
  );
  const { answer, isFound, unshown } = sent;
  if (isFound) return { answer, after: answer.data };
  if (answer.status === 0) return { answer, after: undefined };
  const evidence = evidenceOf(answer, String(id));
  if (evidence.kind === 'none') throw unshown(evidence.why);
  const isKept = evidence.kind === 'record' && keeps(evidence.record);
  if (evidence.kind === 'record' && !isKept && tells(evidence.record) !== undefined) return { answer, after: evidence.record };
  const after = await readRecord(api, own).catch((error: unknown) => {
    if (evidence.kind === 'record' && !isKept && error instanceof CrmError && !(error instanceof InterruptedError)) return evidence.record;
    throw unread(error, unshown, isKept ? 'with a value as it was before' : undefined);
  });
  if (evidence.kind === 'record') return { answer: isKept ? { ...answer, data: after } : answer, after };
  if (tells(after) === false) throw unshown('without the record, and a read does not show the write');
  return { answer: { ...answer, data: after }, after };
}

/**
 * Deletes the record at a path. After a lost answer, a record that is gone, by a read and by the list, counts as deleted, and `found` is
 * called. Throws UnavailableError for an answer outside 2xx, and when a read still finds the record. `isListed`: for a record that only a
 * list shows.
 */
export async function deleteAt(
  api: Writing,
  path: string,
  write: { readonly check: string } | (() => Promise<{ readonly check: string }>),
  { isListed, found }: { readonly isListed?: () => Promise<boolean>; readonly found?: () => void } = {},
): Promise<Answer> {
  const isThere = isListed ?? (async (): Promise<boolean> => (await recordFound(api, path)) !== undefined);
  const isStillThere = isListed ?? (async (): Promise<boolean> => (await recordAt(api, path)) !== undefined);
  const lookAgain = async (): Promise<Answer | undefined> => {
    if (await isStillThere()) return undefined;
    found?.();
    return { status: 204, data: undefined, envelope: undefined };
  };
  const sent = await sendNoted(api, write, ({ check }) => ({ method: 'DELETE' as const, path, check }), lookAgain);
  const { answer, isFound, unshown } = sent;
  if (isFound || answer.status === 0) return answer;
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

/** The family of a new record. */
interface MadeFamily {
  readonly resource: Resource;
  /** Prints that the service keeps values otherwise than sent. */
  tell?(sentence: string): void;
}

/**
 * Sends a create. Throws UnavailableError for an answer without the new record's id. `family`: absent for what is no record of a family,
 * such as a comment. A record that is only accepted (202), or that contradicts a telling value, is read by its id: `data` is then the
 * record as read. Throws UnavailableError, too, when that record is not there, and when the record of a 202 contradicts a telling value.
 */
export async function makeRecord(api: Writing, sending: Sending, family?: MadeFamily): Promise<Answer> {
  const { answer, unshown, request } = await sendNoted(api, sending, (request) => request);
  if (answer.status === 0) return answer;
  const made = madeIn(answer);
  if (made.kind !== 'record') throw unshown(made.kind === 'none' ? made.why : 'without the id of the new record');
  const isAccepted = answer.status === 202;
  const { body = new Map() } = request();
  if (family === undefined || (!isAccepted && contradictionsIn(family.resource, made.record, body).length === 0)) return answer;
  const { path, singular } = family.resource;
  const name = `${singular} ${scalarText(made.record.id)}`;
  const record = await readRecord(api, `${path}/${scalarText(made.record.id)}`).catch((error: unknown) => {
    throw error instanceof NotFoundError ? unshown(`there is no ${name}`, error) : unread(error, unshown, `with ${name}`);
  });
  const kept = contradictionsIn(family.resource, record, body);
  if (isAccepted && kept.length > 0) throw unshown(`has only accepted the request, and ${name} holds other values`);
  if (kept.length > 0) family.tell?.(keptOtherwise(kept));
  return { ...answer, data: record };
}

/**
 * Creates something from a record: a clone, a conversion. Reads the record for the values that are not `given`, before each repetition.
 * `seen`: called with the record, which is then always read; may throw. `family`: as for makeRecord. Returns the answer and the body.
 */
export async function makeFrom(
  api: Writing,
  { path, singular }: Pick<Resource, 'path' | 'singular'>,
  id: Id,
  operation: Operation,
  {
    given,
    named,
    check,
    seen,
    family,
  }: {
    readonly given: Body;
    readonly named: Naming;
    readonly check: string;
    readonly seen?: ((record: unknown) => void) | undefined;
    readonly family?: MadeFamily | undefined;
  },
): Promise<{ readonly answer: Answer; readonly body: Body }> {
  const { conflict } = operation;
  const own = `${path}/${id}`;
  let body: Body = new Map();
  const answer = await makeRecord(
    api,
    async () => {
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
    },
    family,
  );
  return { answer, body };
}

/**
 * Sends a write. `unshown` makes the error for a write with an unknown outcome; `why` completes `The service answered 200, but …`. `look`:
 * reads whether a write whose answer was lost took effect, and returns an answer in place of the lost one (`isFound`).
 */
async function sendNoted<T>(
  api: Writing,
  write: T | ((wasLost: boolean) => Promise<T>),
  requestOf: (write: T) => ApiRequest,
  look?: () => Promise<Answer | undefined>,
): Promise<{ answer: Answer; isFound: boolean; request: () => ApiRequest; unshown: (why: string, cause?: unknown) => Error }> {
  let request: ApiRequest = { method: 'PUT', path: '' };
  let isRepeated = false;
  const make = async (wasLost: boolean): Promise<ApiRequest> => {
    isRepeated ||= wasLost;
    request = requestOf(isMaker(write) ? await write(wasLost) : write);
    return request;
  };
  const found = async (error: unknown): Promise<Answer> => {
    if (look === undefined || !(isLost(error) || (isRepeated && mayBeOwn(error)))) throw error;
    const answer = await look().catch((failed: unknown) => {
      if (failed instanceof InterruptedError) throw InterruptedError.by(failed, { note: outcomeUnknown(request), isUnknown: true });
    });
    if (answer === undefined) throw error;
    return answer;
  };
  let isFound = false;
  const answer = await api.write(make).catch((error: unknown) => {
    isFound = true;
    return found(error);
  });
  const unshown = (why: string, cause?: unknown): Error => unreadableAnswer(withCommand(api.command, request), answer.status, why, cause);
  return { answer, isFound, request: () => request, unshown };
}

/** A redirect is an answer. */
function isLost(error: unknown): boolean {
  if (!(error instanceof UnavailableError) || error.code !== 'outcome_unknown') return false;
  const { httpStatus = 500 } = error.details;
  return httpStatus < 300 || httpStatus === 408 || httpStatus >= 500;
}

/** True for an answer (404, 409, 422) that an earlier, lost attempt of the same write may have caused. */
export const mayBeOwn = (error: unknown): boolean => error instanceof CrmError && [404, 409, 422].includes(error.details.httpStatus ?? 0);

const isMaker = <T>(write: T | ((wasLost: boolean) => Promise<T>)): write is (wasLost: boolean) => Promise<T> =>
  typeof write === 'function';

function unread(error: unknown, unshown: (why: string, cause?: unknown) => Error, answered = 'without the record'): unknown {
  if (!(error instanceof CrmError) || error instanceof InterruptedError) return error;
  return unshown(`${answered}, and a read failed: ${error.message.replace(/(; nothing was changed)?\.$/, '')}`, error);
}
