// What every format of a list has in common: records go in page by page, text comes out.

import type { GlobalFlags } from '../../global-flags.ts';
import type { Shape } from '../result.ts';
import type { Io } from '../streams/io.ts';

/** Writes the records of one result. It may be flushed at any time. */
export interface RecordWriter {
  /** `document` is the whole answer that the records came in. */
  page(records: readonly unknown[], document?: unknown): Promise<void>;
  /** Completes the output; writes an empty list when there were no records. A table on a terminal has `facts` under it. */
  end(facts?: readonly string[]): Promise<void>;
  /** Gives up what it holds, when there is no end. */
  drop?(): Promise<void>;
}

/** What a writer needs to know. */
export interface WriterOptions {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'fields' | 'csvRaw'> & Partial<Pick<GlobalFlags, 'color' | 'allFields' | 'quiet'>>;
  readonly shape: Shape;
  /** What ages are counted from. */
  readonly now: Date;
  /** The paths of columns that hold nothing but what was asked for. */
  readonly askedFor?: readonly string[];
}
