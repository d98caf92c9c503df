// A row as it stands in a file, before anybody knows what its columns mean.

import { UnreadableError } from '../../files/problems.ts';
import { scalarText } from '../../values/json.ts';
import { limits } from '../../values/limits.ts';
import type { Members } from '../../values/paths.ts';
import { mostColumns } from '../../values/text/spreadsheet.ts';

export const importFormats = ['csv', 'ndjson', 'json', 'xlsx'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** Whether a file of this format names its columns once, above its rows. */
export const hasHeader = (format: ImportFormat): boolean => format === 'csv' || format === 'xlsx';

/** A row as it stands in the file. */
export interface RawRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The names of its cells: the CSV header (the same array for every row), or the dotted paths of its members. */
  readonly names: readonly string[];
  /** CSV: the texts as they stand in the file. Else what the members or cells hold; null for nothing. */
  readonly values: readonly unknown[];
  /** JSON: the object itself. */
  readonly object?: Members;
}

/** A cell that doesn't hold what somebody put there. */
export class BadCell {
  /** What stands in it now. */
  readonly text: string;
  readonly problem: string;

  constructor(text: string, problem: string) {
    this.text = text;
    this.problem = problem;
  }
}

/** The text of what a cell holds. */
export const textIn = (value: unknown): string => (value instanceof BadCell ? value.text : scalarText(value));

/** The names of the columns, before the first row. */
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

/** A part of a file: the header, where there is one, stands before the first row. */
export type RawRows = readonly (Header | RawRow | BadRow)[];

/** No row is longer than this many bytes or characters. */
export const longestRow = limits.row;

/** Throws UnreadableError for more columns than a spreadsheet has, and for a name that two of them have. */
export function checkHeader(names: readonly string[], line: number): void {
  if (names.length > mostColumns)
    throw new UnreadableError(line, `the header has ${names.length} columns, and no more than ${mostColumns} are read.`);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new UnreadableError(line, `the column ${name} is there twice.`);
    if (name !== '') seen.add(name);
  }
}
