// What an import is asked to do, once its command line is understood.

import type { FileWords } from '../names/file-words.ts';
import type { Field, Resource } from '../resources/define.ts';
import type { Notation } from './columns/notation.ts';
import type { Dialect } from './files/dialect.ts';
import type { ImportFormat } from './files/raw-row.ts';

export const importModes = ['create', 'update', 'upsert'] as const;
export type ImportMode = (typeof importModes)[number];

/** How the set of a record that is there becomes that of its row. */
export const setModes = ['add', 'replace'] as const;

/** What a record holds at a path; undefined where it doesn't tell. */
export type HeldAt = (path: string) => unknown;

/** By what rows find their records: the id, or a field that reads back. */
export type MatchBy = { readonly kind: 'id' } | { readonly kind: 'field'; readonly field: Field; readonly read: string };

/** What --map, or a mapping file, says that a column is. */
export interface Mapped {
  /** The column's name as it was typed. */
  readonly name: string;
  /** A flag name or any other name of a field; empty: the column is left out. */
  readonly to: string;
  /** Where it was said: `--map`, `mapping.yaml, line 3`. */
  readonly where: string;
}

/** A word in the cells of a field, and what it stands for. */
export interface MeantWord {
  readonly word: string;
  readonly to: string;
}

/** A value that every row has. */
export interface Constant {
  /** The field, by any of its names. */
  readonly name: string;
  readonly value: string;
  /** Where it was said: `--constant status`, `mapping.yaml, line 3`. */
  readonly where: string;
}

export interface ImportPlan {
  readonly resource: Resource;
  readonly format: ImportFormat;
  /** How the file is written; absent: as crm writes. */
  readonly dialect?: Dialect;
  readonly mode: ImportMode;
  /** Absent in mode `create`. */
  readonly match?: MatchBy;
  /** What columns are, by their names as `headerKey` makes them. */
  readonly maps: ReadonlyMap<string, Mapped>;
  readonly constants: readonly Constant[];
  /** What words of cells stand for: by the flag of a field, then by the word as `plainName` makes it. */
  readonly meanings: ReadonlyMap<string, ReadonlyMap<string, MeantWord>>;
  /** How the file writes numbers and days. */
  readonly notation: Notation;
  /** Rows that are wrong are left out, and the others sent. */
  readonly skipInvalid: boolean;
  /** Blank cells are sent empty, instead of being left out. */
  readonly clearBlanks: boolean;
  /** Cells are taken as they stand: no guard against formulas is taken off. */
  readonly csvRaw: boolean;
  /** Records that were changed since the file was written are overwritten all the same. */
  readonly overwritesNewer: boolean;
  /** How the sets of records that are there become those of the rows; absent: they don't. */
  readonly sets?: (typeof setModes)[number];
  /** Proposals that are signed get the status of their rows, too. */
  readonly clearsSignatures?: boolean;
  /** Names in place of ids. */
  readonly words: FileWords;
}

/** The name of a column as names are compared: without regard to case and the blanks around it. */
export const headerKey = (name: string): string => name.trim().toLowerCase();
