// The interface of every list format: takes records page by page and writes text. In most formats the first page decides the columns.

import type { GlobalFlags } from '../../base/global-flags.ts';
import type { Chart, Shape } from '../result.ts';
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
  /** Paths at which all records have a value that the reader knows, such as a filter's. */
  readonly askedFor?: readonly string[];
  /** The chart of a report. In a format for people the last record is then the total. */
  readonly chart?: Chart;
}

/** The parts of a writer whose first page decides the columns, or what else stands for all pages. */
interface ColumnParts<Columns> {
  /** Writes what stands above the records, and returns the columns. `records`: of the first page; none in an empty result. */
  begin(records: readonly unknown[]): Promise<Columns>;
  page(records: readonly unknown[], columns: Columns): Promise<void>;
  end?(columns: Columns, isEmpty: boolean): Promise<void>;
  drop?(columns: Columns): Promise<void>;
}

/** A writer that begins with the first page that has records, or at the end of an empty result. */
export function columnWriter<Columns>({ begin, page, end, drop }: ColumnParts<Columns>): RecordWriter {
  let columns: Columns | undefined;
  return {
    page: async (records) => {
      if (records.length === 0) return;
      columns ??= await begin(records);
      await page(records, columns);
    },
    end: async () => {
      const isEmpty = columns === undefined;
      columns ??= await begin([]);
      await end?.(columns, isEmpty);
    },
    drop: async () => {
      if (columns !== undefined) await drop?.(columns);
    },
  };
}
