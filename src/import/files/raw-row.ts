// A row as it stands in a file, before its columns have meanings.

import { UnreadableError } from '../../base/files/problems.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Members } from '../../base/values/paths.ts';
import { mostColumns } from '../../base/values/text/spreadsheet.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { amountIn } from '../columns/notation.ts';

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
  /** True for an object in the `data` of an envelope. */
  readonly isOfEnvelope?: true;
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

/** A number whose format shows it with other digits or texts. */
export class ShownNumber {
  readonly number: string;
  /** What the sheet shows, in a format of digits and literal texts. */
  readonly shown: string | undefined;
  /** The number with a currency, a percent sign or letters beside it. */
  readonly amount: string | undefined;

  constructor(number: string, shown: string | undefined, amount: string | undefined) {
    this.number = number;
    this.shown = shown;
    this.amount = amount;
  }

  /** The value in a column of decimals: the number, also beside a currency; else what stands beside the number belongs to it, as in CSV. */
  get decimal(): string {
    return this.amount === undefined || amountIn(this.amount).currency !== undefined ? this.number : this.amount;
  }
}

/** The text of a cell, as a spreadsheet shows it. */
export function textIn(value: unknown): string {
  if (value instanceof ShownNumber) return value.shown ?? value.decimal;
  return value instanceof BadCell ? value.text : scalarText(value);
}

/** The column names, before the first row. */
export interface Header {
  /** The line on which the header begins. */
  readonly line: number;
  /** The column names, trimmed. */
  readonly header: readonly string[];
  /** The column names, untrimmed. */
  readonly asInFile: readonly string[];
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

/** A column's name for comparison: as messages print the name, trimmed, in lower case. */
export const headerKey = (name: string): string => safeLine(withoutUnseen(name).trim()).trim().toLowerCase();

/** The columns by which a rejects file is recognised. */
export const rejectColumns = ['_line', '_status', '_error'] as const;

/** The column of a rejects file with the id of the record that a row changed, or may have made. Only a rejects file has it left out. */
export const rejectId = '_id';

/** True for a name that a rejects file adds. `names`: of all columns. */
export const isOfRejects = (name: string, names: Iterable<string>): boolean =>
  rejectColumns.some((added) => added === name) || (name === rejectId && [...names].some((one) => one.trim() === rejectColumns[0]));

/** True for a name that a file of results adds, but for `id`, by which rows may find their records. `names`: of all columns. */
export function isOfResults(name: string, names: Iterable<string>): boolean {
  const all = Array.from(names, headerKey);
  const at = all.indexOf(headerKey(name));
  const [, mark = '', own = ''] = /^(_*)(id|outcome|error)$/.exec(headerKey(name)) ?? [];
  const first = at - ['id', 'outcome', 'error'].indexOf(own);
  // A file of results that was imported has the columns twice, and may have `id` of its own: `_id`.
  const isTriple = /^_*id$/.test(all[first] ?? '') && /^_*outcome$/.test(all[first + 1] ?? '') && /^_*error$/.test(all[first + 2] ?? '');
  return own !== '' && isTriple && (own !== 'id' || mark !== '');
}

/** Where the table of a file stands, as far as flags and mapping say it. */
export interface Layout {
  /** The line with the header, from 1. Absent: the first line with text. */
  readonly headerLine?: number;
  /** The separator of CSV. Absent: guessed. */
  readonly separator?: string;
}

/**
 * The names of a header, trimmed. A name that stands again, in any case, gets a number: `Phone (2)`. Throws UnreadableError for more
 * columns than a spreadsheet has.
 */
export function headerNames(cells: readonly string[], line: number): string[] {
  if (cells.length > mostColumns)
    throw new UnreadableError(line, `the header has ${cells.length} columns, and no more than ${mostColumns} are read.`);
  const taken = new Set(cells.map(headerKey));
  const seen = new Set<string>();
  return cells.map((cell) => {
    const name = withoutUnseen(cell).trim();
    const isAgain = name !== '' && seen.has(headerKey(name));
    seen.add(headerKey(name));
    if (!isAgain) return name;
    let number = 2;
    while (taken.has(headerKey(`${name} (${number})`))) number += 1;
    taken.add(headerKey(`${name} (${number})`));
    return `${name} (${number})`;
  });
}

/** The name that stands before `name` in the header: `Phone` for `Phone (2)`; undefined for a name that stands once. */
export function nameBefore(name: string, header: readonly string[]): string | undefined {
  const [, first] = /^(.+) \(\d+\)$/s.exec(name) ?? [];
  return first === undefined ? undefined : header.find((one) => headerKey(one) === headerKey(first));
}
