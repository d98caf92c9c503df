// RecordChange: a verb's change of one record, alone or in a selection. RecordWrites: several changes of one record, and their common end.

import type { CrmError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import { isMembers } from '../base/values/paths.ts';
import type { Api } from '../client/client.ts';
import type { PlainChange } from '../client/plain-change.ts';
import { readRecord } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import type { RecordWrite } from '../client/write-record.ts';
import type { Resource } from '../model/define.ts';
import type { Difference } from '../model/records/difference.ts';
import type { Guard } from '../model/records/guard.ts';
import type { Done, Effect } from '../output/result.ts';
import type { Chosen } from '../reading/selection.ts';
import type { NameOf } from '../session/names/run-names.ts';
import type { Asking } from '../session/record-lock.ts';

/** A verb's change of one record. */
export interface RecordChange extends Omit<PlainChange, 'write'> {
  /** The verb, as the journal keeps it: `update`, `archive`, `delete`. */
  readonly kind: string;
  /** The outcome's word in a run. Default: changed. */
  readonly did?: string;
  write(record: unknown, one: Chosen): RecordWrite;
  /**
   * The old and new values, for the message after the write. `before`: undefined when the record was not read. `after`: undefined for a
   * delete.
   */
  effect(one: Chosen, before: unknown, after: unknown, sent: RecordWrite | undefined): Effect;
  /** What the journal keeps of a record that is deleted; undefined keeps nothing. Absent for other changes. */
  keeps?(record: unknown): unknown;
  /** The written values, for the journal. Absent: the whole body is kept. */
  readonly given?: Body;
  /** Reads a record before it is written. Default: by its path. `asking`: asks a question; behind the answer the record is read again. */
  read?(api: Api, one: Chosen, asking?: Asking): Promise<unknown>;
  /**
   * When a single record without guards is read before its write. Default: always. `watched`: only when the difference is told on a
   * terminal.
   */
  readonly reads?: 'never' | 'watched';
  /**
   * For a comment, which a write adds below its record: compares the record `before` the write with the record `now`. `found`: the added
   * comment. `maybe`: there is a similar one. Undefined: nothing was added. Only what this run sent is looked for.
   */
  added?(before: unknown, now: unknown): { readonly found: unknown } | 'maybe' | undefined;
  /** Conditions on the record before this change, beside those of the chosen record. */
  readonly guards?: readonly Guard[];
  /** The error for a record that may not be written now. The records of a merge that wait for it are not written either. */
  refuses?(record: unknown): CrmError | undefined;
  /** The error for a record of a selection that is left out without being read. */
  leavesOut?(one: Chosen): CrmError | undefined;
  /** The differences for the file of --plan; for an undefined record only the columns. Absent: no change file can hold the change. */
  plans?(record: unknown, nameOf: NameOf): readonly Difference[];
  /** The error of a failed write, with the typed flag or argument beside each field that the service names. */
  explain?(error: unknown, sent: RecordWrite): unknown;
}

/** Several writes of one record, in the order in which they are sent. A write is sent once the write before went through. */
export interface RecordWrites {
  readonly writes: readonly RecordChange[];
  /** The word for all writes. Default: changed. */
  readonly done?: string;
  /**
   * The error for a record whose write number `part`, from 0, failed. `before`: the outcome of the writes before. Absent: a failed write
   * behind another is a problem of a record that was changed.
   */
  failed?(error: unknown, part: number, before: { readonly id: Id; readonly effect?: Effect }): unknown;
}

/** One change, or several, as writes of one record. */
export const writesOf = (change: RecordChange | RecordWrites): RecordWrites => ('writes' in change ? change : { writes: [change] });

/** What writes of a record left. `problem`: the service took some values, and others not. */
export type Written = Pick<Done, 'answer' | 'effect' | 'problem'>;

/**
 * The outcome of the write at `part` and the writes `before`: the record as answered last, and the changes of all. A comment becomes a
 * member of the record.
 */
export function joined({ writes, done }: RecordWrites, before: Written | undefined, own: Written, part: number): Written {
  const { kind = '', added } = writes[part] ?? {};
  const answer = added === undefined || before === undefined ? own.answer : withCommentIn(before.answer, kind, own.answer.data);
  if (own.effect === undefined) return { answer };
  const changes = [before, own].flatMap((one) => one?.effect?.changes ?? []);
  const { title = before?.effect?.title } = own.effect;
  const isTaken = changes.some(({ isUnread }) => !isUnread || done !== undefined);
  const told = changes.length === 0 ? {} : { done: isTaken ? (done ?? 'changed') : '', changes };
  return { answer, effect: { ...own.effect, ...(title === undefined ? {} : { title }), ...told } };
}

function withCommentIn(answer: Answer, name: string, value: unknown): Answer {
  const data = { ...(isMembers(answer.data) ? answer.data : {}), [name]: value ?? null };
  const { envelope } = answer;
  return { ...answer, data, envelope: isMembers(envelope) && Object.hasOwn(envelope, 'data') ? { ...envelope, data } : data };
}

/** Reads the record right before its write. */
export const lookAt = ({ path }: Resource, api: Api, one: Chosen, change: RecordChange, asking?: Asking): Promise<unknown> =>
  change.read?.(api, one, asking) ?? readRecord(api, `${path}/${one.id}`);
