// A row as it stands in a file, before its columns have meanings.

import { UnreadableError } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Members } from '../../base/values/paths.ts';
import { mostColumns } from '../../base/values/text/spreadsheet.ts';

export const importFormats = ['csv', 'ndjson', 'json', 'xlsx'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** True when a file of this format names its columns once, above the rows. */
export const hasHeader = (format: ImportFormat): boolean => format === 'csv' || format === 'xlsx';

export interface RawRow {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The names of the cells: the CSV header (the same array for every row), or dotted paths of JSON members. */
  readonly names: readonly string[];
  /** CSV: the texts as in the file. Else the values of members or cells; null for an empty cell. */
  readonly values: readonly unknown[];
  /** JSON: the object itself. */
  readonly object?: Members;
}

/** A cell whose value was lost, such as a failed formula. */
export class BadCell {
  /** The text that stands in the cell now. */
  readonly text: string;
  readonly problem: string;

  constructor(text: string, problem: string) {
    this.text = text;
    this.problem = problem;
  }
}

/** A whole number, and its look in a format with leading zeros. */
export class ShownNumber {
  readonly number: string;
  readonly text: string;

  constructor(number: string, shown: string) {
    this.number = number;
    this.text = shown;
  }
}

/** The text of a cell, as a spreadsheet shows it. */
export const textIn = (value: unknown): string =>
  value instanceof BadCell || value instanceof ShownNumber ? value.text : scalarText(value);

/** The column names, before the first row. */
export interface Header {
  /** The line on which the header begins. */
  readonly line: number;
  /** The column names, trimmed. */
  readonly header: readonly string[];
  /** The column names, untrimmed. */
  readonly asWritten: readonly string[];
}

/** A row that can't be read. The reading goes on behind the row. */
export interface BadRow {
  readonly line: number;
  readonly problem: string;
  /** CSV: the cells as in the file. */
  readonly cells?: readonly string[];
  /** JSON: the text as in the file. */
  readonly text?: string;
}

/** A chunk of a file. A header stands before the first row. */
export type RawRows = readonly (Header | RawRow | BadRow)[];

/** Throws UnreadableError for more columns than a spreadsheet has, and for a name that stands twice. */
export function checkHeader(names: readonly string[], line: number): void {
  if (names.length > mostColumns)
    throw new UnreadableError(line, `the header has ${names.length} columns, and no more than ${mostColumns} are read.`);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new UnreadableError(line, `the column ${name} is there twice.`);
    if (name !== '') seen.add(name);
  }
}
