// RecordChange: a verb's change of one record, alone or in a selection.

import type { CrmError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import type { Api } from '../client/client.ts';
import type { PlainChange } from '../client/plain-change.ts';
import { readRecord } from '../client/read-record.ts';
import type { RecordWrite } from '../client/write-record.ts';
import type { Resource } from '../model/define.ts';
import type { Difference } from '../model/records/difference.ts';
import type { Guard } from '../model/records/guard.ts';
import type { Done, Effect, Outcome } from '../output/result.ts';
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
  /**
   * Further changes of each record in a selection, in order. `both`: joins the outcome so far with the outcome of the next change, whose
   * number is `part`, from 1.
   */
  readonly further?: { readonly changes: readonly RecordChange[]; both(before: Done, own: Outcome, part: number): Outcome };
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

/** Reads the record right before its write. */
export const lookAt = ({ path }: Resource, api: Api, one: Chosen, change: RecordChange, asking?: Asking): Promise<unknown> =>
  change.read?.(api, one, asking) ?? readRecord(api, `${path}/${one.id}`);
