// What a verb does with one record, by itself or among others.

import type { Api } from '../api/client.ts';
import { readRecord } from '../api/read-record.ts';
import type { RecordWrite } from '../api/write-record.ts';
import type { CrmError, Failure } from '../errors.ts';
import type { NameOf } from '../names/run-names.ts';
import type { Effect, Outcome } from '../output/result.ts';
import type { Difference } from '../records/difference.ts';
import type { PlainChange } from '../records/plain-change.ts';
import type { Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import type { Guard } from '../verbs/guard.ts';
import type { Chosen } from '../verbs/selection.ts';

/** What a verb does with one record. */
export interface RecordChange extends Omit<PlainChange, 'write'> {
  /** As a journal calls it: `update`, `archive`, `delete`. */
  readonly kind: string;
  /** What a run calls the outcome. Default: changed. */
  readonly did?: string;
  write(record: unknown, one: Chosen): RecordWrite;
  /** What is different now. `before`: undefined where it was not read; `after`: of a delete undefined. */
  effect(one: Chosen, before: unknown, after: unknown, sent: RecordWrite | undefined): Effect;
  /** What is written of a record, for the journal; absent where the whole body is. */
  readonly given?: Body;
  /** Reads a record before it is written. Default: by its path. */
  read?(api: Api, one: Chosen): Promise<unknown>;
  /** A single record is written without being read, or is read only where somebody at a terminal hears what the write makes different. */
  readonly reads?: 'never' | 'watched';
  /**
   * Of a write that adds something below a record: what it added, by what `read` gave before it, or the journal kept of that, and gives now.
   * Undefined where it is not there; `maybe` where what is alike to it came since. Of a selection it is added under the lock, and not again
   * where a run that broke off did.
   */
  added?(before: unknown, now: unknown): { readonly found: unknown } | 'maybe' | undefined;
  /**
   * Of an update by percents, called before all else with the record as it was read: works out once what is written. `earlier`: what a run
   * that broke off wrote to the record, or may have written.
   */
  settle?(record: unknown, earlier: Body | undefined): void;
  /** What is done further with each record of a selection, one after the other; `both`: what was done before, and one more, as one outcome. */
  readonly further?: { readonly changes: readonly RecordChange[]; both(before: Exclude<Outcome, Failure>, own: Outcome): Outcome };
  /** Where an earlier part of the same record wrote before it: what must still be true of the record. */
  readonly guards?: readonly Guard[];
  /** Why nothing is written to a record as it is now, whatever it holds, nor to those that come after it. */
  refuses?(record: unknown): CrmError | undefined;
  /** Why a record of a selection is left out, as far as that is known without reading it. */
  leavesOut?(one: Chosen): CrmError | undefined;
  /** What it makes different of a record, for the file of --plan; of `undefined` the columns alone. Absent: no file can hold it. */
  plans?(record: unknown, nameOf: NameOf): readonly Difference[];
  /** The error of a failed write, with what was typed beside what the service complains about. */
  explain?(error: unknown, sent: RecordWrite): unknown;
}

/** The record as it is right before it is written. */
export const lookAt = ({ path }: Resource, api: Api, one: Chosen, change: RecordChange): Promise<unknown> =>
  change.read?.(api, one) ?? readRecord(api, `${path}/${one.id}`);
