// The outcome of deleting the records that a run made.

import type { Id } from '../../base/values/parse.ts';

/** The outcome for one record of the run. */
export interface DestroyedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id | null;
  /** `gone`: somebody else had deleted the record. `left`: the record is kept. */
  readonly state: 'deleted' | 'gone' | 'left' | 'failed';
  /** The reason why the record is still there. */
  readonly why?: string;
  /** Set when keeping the record is no failure. `changed`: somebody changed it. `other`: another record has the id now. */
  readonly since?: 'changed' | 'other';
}

export interface Destroyed {
  readonly records: readonly DestroyedRecord[];
  /** Records that may be the run's: nobody can tell. */
  readonly unsure: readonly { readonly name: string; readonly why: string }[];
  /** Contacts that lost account ownership to a contact of the run. They are not made owners again. */
  readonly replaced: readonly Id[];
  /** Sentences on things of the run that can't be deleted. */
  readonly stays: readonly string[];
}
