// A row as it stands in a file, before anybody knows what its columns mean.

import { UsageError } from '../../errors.ts';
import type { Members } from '../../values/paths.ts';

export const importFormats = ['csv', 'ndjson', 'json'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A row as it stands in the file. */
export interface RawRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The names of its cells: the CSV header (the same array for every row), or the dotted paths of its members. */
  readonly names: readonly string[];
  /** CSV: the texts as they stand in the file. JSON: what the members hold; null for nothing. */
  readonly values: readonly unknown[];
  /** JSON: the object itself. */
  readonly object?: Members;
}

/** CSV: the names of the columns, before the first row. */
export interface Header {
  /** The line on which it begins. */
  readonly line: number;
  /** The names of the columns, without blanks around them. */
  readonly header: readonly string[];
  /** The same with them. */
  readonly asWritten: readonly string[];
}

/** A row that can't be read, where the next one still can. */
export interface BadRow {
  readonly line: number;
  readonly problem: string;
  /** CSV: its cells as they stand in the file. */
  readonly cells?: readonly string[];
  /** JSON: what stands there. */
  readonly text?: string;
}

/** No row is longer than this many bytes or characters. */
export const longestRow = 16 * 1024 * 1024;

/** The error for a place behind which nothing can be read. */
export const unreadable = (line: number, message: string): UsageError => new UsageError(`line ${line}: ${message}`);
