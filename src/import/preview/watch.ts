// The rows that are under way: what is known of each until it has its outcome, for whoever lists them.

import type { Outcome } from '../../runs/runner.ts';
import type { Body } from '../../values/body.ts';
import type { Id } from '../../values/parse.ts';
import type { ExtraWrite } from '../columns/extras.ts';
import type { Row } from '../rows/row.ts';

/** Who is told of each row on its way. */
export interface RowWatch {
  /** A row is taken up, or taken up anew before it has its outcome. Resolves once there is room for it; rejects to end the run. */
  begins(row: Row): Promise<void> | void;
  /** What a row is about is known, and nothing of it is sent yet. */
  isAbout(row: Row, found: FoundRow): void;
  /** A record can't be compared with the file's time: it doesn't tell when it was changed. */
  isTimeless(): void;
  /** A row has its outcome. */
  ends(number: number, outcome: Outcome): void;
}

/** What is known of a row before it is sent. */
export interface FoundRow {
  /** The record that it changes or leaves alone; absent for one that it creates. */
  readonly id?: Id;
  /** What the record is called, where the list told. */
  readonly title?: string;
  /** The record as it was read just now; absent where the list told enough. */
  readonly record?: unknown;
  /** What the row gives of the body. */
  readonly given: Body;
  /** What is written beside the body. */
  readonly extras?: readonly ExtraWrite[];
}

/** Where rows go that have their outcome. */
export interface RowSink {
  /** Told once of each row. */
  begins?(row: Row): Promise<void> | void;
  takes(row: Row, found: FoundRow, outcome: Outcome): void;
}

/** A watch that keeps what is known of rows until they go to `sink`; without one it keeps nothing. */
export function watchFor(sink: RowSink | undefined, isTimeless: () => void): RowWatch {
  const underWay = new Map<number, { readonly row: Row; readonly found: FoundRow }>();
  const begun = new Set<number>();
  return {
    begins: (row) => {
      if (sink === undefined) return;
      underWay.set(row.number, { row, found: { given: row.body } });
      if (begun.has(row.number)) return;
      begun.add(row.number);
      return sink.begins?.(row);
    },
    isAbout: (row, found) => {
      if (sink !== undefined) underWay.set(row.number, { row, found });
    },
    isTimeless,
    ends: (number, outcome) => {
      const about = underWay.get(number);
      underWay.delete(number);
      begun.delete(number);
      if (about !== undefined) sink?.takes(about.row, about.found, outcome);
    },
  };
}
