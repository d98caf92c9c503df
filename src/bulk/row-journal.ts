// What an import's journal says of each row, in a byte of memory a row: intents before requests leave, outcomes after.
// A row with an intent and no outcome is in doubt: it may have been sent.

import { IdSet } from '../api/id-set.ts';
import { ConflictError } from '../errors.ts';
import type { Members } from '../paths.ts';
import type { Id } from '../values.ts';
import { type Journal, journalEntries, openJournal } from './journal.ts';

/** What an import is the same one by. */
export interface ImportIdentity {
  /** SHA-256 of the file. */
  readonly content: string;
  /** The base URL. */
  readonly service: string;
  readonly family: string;
  readonly mode: string;
  /** What else decides what is sent: --match, --map, --blank, the format. */
  readonly settings: string;
}

export interface ImportHeader extends ImportIdentity {
  readonly file: string;
  readonly rows: number;
  /** ISO 8601. */
  readonly began: string;
}

export type Did = 'created' | 'updated' | 'unchanged';

export interface Tally {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** A row that the service refused, or for which there is no record. */
export interface RowFailure {
  /** The answer's status; null when nothing was sent. */
  readonly status: number | null;
  readonly error: string;
}

const open = 0;
/** Its intent is durable; it may be on its way. */
const intended = 1;
/** It was sent, and nobody knows what became of it. */
const doubted = 2;
const done = 3;
const failed = 4;

export class RowJournal {
  readonly #journal: Journal;
  readonly #states: Uint8Array;
  readonly #tally: Record<Did | 'failed', number> = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  /** The records that rows made. */
  readonly #claimed = new IdSet();
  readonly #counts = { settled: 0, doubts: 0 };
  /** The highest id in the service before the first row was sent; undefined until it is known. */
  #before: number | undefined;
  /** The highest id that is known to be in the service. */
  #highest = 0;
  /** Per doubtful stretch: every record of it has a higher id than this, within reason. */
  #lowestDoubt = Number.POSITIVE_INFINITY;
  #isComplete = false;

  private constructor(journal: Journal, rows: number) {
    this.#journal = journal;
    this.#states = new Uint8Array(rows + 1);
  }

  /**
   * Opens the journal of an import, or begins it. Throws ConflictError when another process uses it, when it is another
   * import's, or when the file has changed since.
   */
  static async open(path: string, header: ImportHeader): Promise<RowJournal> {
    const entries: Members[] = [];
    let replaying: RowJournal | undefined;
    const journal = await openJournal(path, { journal: 'import', version: 1, ...header }, (entry) => {
      if (entries.length === 0) checkIdentity(path, entry, header);
      if (entries.length === 0) entries.push(entry);
      else (replaying ??= new RowJournal(placeholder, header.rows)).#replay(entry);
    });
    const opened = new RowJournal(journal, header.rows);
    if (replaying !== undefined) opened.#take(replaying);
    return opened;
  }
}
