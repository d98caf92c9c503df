// The interface of every list format: takes records page by page and writes text.

import type { GlobalFlags } from '../../base/global-flags.ts';
import type { Shape } from '../result.ts';
import type { Io } from '../streams/io.ts';

/** Writes the records of one result. */
export interface RecordWriter {
  /** Writes some records. `document`: the whole answer that held the records. */
  page(records: readonly unknown[], document?: unknown): Promise<void>;
  /** Completes the output. If there were no records, writes an empty list. `facts`: lines below a table on a terminal. */
  end(facts?: readonly string[]): Promise<void>;
  /** Frees its resources when `end` will not be called. */
  drop?(): Promise<void>;
}

export interface WriterOptions {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'fields' | 'csvRaw'> & Partial<Pick<GlobalFlags, 'allFields' | 'quiet'>>;
  readonly shape: Shape;
  /** The time that ages are counted from. */
  readonly now: Date;
  /** The paths at which all records have the same value, because the list was filtered by this value. */
  readonly askedFor?: readonly string[];
}
