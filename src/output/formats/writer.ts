// What every format of a list has in common: records go in page by page, text comes out.

import type { GlobalFlags } from '../../global-flags.ts';
import type { Shape } from '../result.ts';
import type { Io } from '../streams/io.ts';

/** Writes the records of one result. What is written so far is always ready to be flushed. */
export interface RecordWriter {
  /** `document` is the whole answer that the records came in. */
  page(records: readonly unknown[], document?: unknown): Promise<void>;
  /** Completes what was begun; for no records at all, writes what stands for an empty list. */
  end(): Promise<void>;
}

/** What a writer needs to know. */
export interface WriterOptions {
  readonly io: Io;
  readonly flags: Pick<GlobalFlags, 'fields' | 'csvRaw'>;
  readonly shape: Shape;
}
