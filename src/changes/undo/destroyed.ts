// What became of the records that a run made, once they were to be deleted.

import type { Id } from '../../values/parse.ts';

/** What became of a record of the run. */
export interface DestroyedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id | null;
  /** `gone`: somebody else had deleted it. `left`: it stays. */
  readonly state: 'deleted' | 'gone' | 'left' | 'failed';
  /** Why it is still there. */
  readonly why?: string;
  /** Where that is no failure: somebody had changed it, or it has the id of what the run made, and is another record. */
  readonly since?: 'changed' | 'other';
}

export interface Destroyed {
  readonly records: readonly DestroyedRecord[];
  /** What may be the run's, and nobody can tell. */
  readonly unsure: readonly { readonly name: string; readonly why: string }[];
  /** Contacts that were account owners before contacts of the run took that over, and are not made owners again. */
  readonly replaced: readonly Id[];
  /** What the run made and can't be deleted, in words. */
  readonly stays: readonly string[];
}
