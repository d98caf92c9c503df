// The job of an import: everything that its command line and mapping file decide.

import type { Field, Resource } from '../model/define.ts';
import type { FileWords } from '../session/names/file-words.ts';
import type { ShownMark } from './columns/amounts.ts';
import type { Notation } from './columns/notation.ts';
import type { Dialect } from './files/dialect.ts';
import type { ImportFormat, Layout } from './files/raw-row.ts';

export const importModes = ['create', 'update', 'upsert'] as const;
export type ImportMode = (typeof importModes)[number];

/** `add` keeps the elements of an existing record, and adds the row's. `replace` keeps only the row's. */
export const setModes = ['add', 'replace'] as const;

/** A record's value at a path; undefined when the record doesn't have the path. */
export type HeldAt = (path: string) => unknown;

/** How rows find their records: by id, or by a field that records return. */
export type MatchBy = { readonly kind: 'id' } | { readonly kind: 'field'; readonly field: Field; readonly read: string };

/** The meaning of a column, given by --map or a mapping file. */
export interface Mapped {
  /** The column's name as typed. */
  readonly name: string;
  /** Any name of a field; empty leaves the column out. */
  readonly to: string;
  /** The source: `--map`, `mapping.yaml, column Firma`. */
  readonly where: string;
}

/** A word in the cells of a field, and the value of the word. */
export interface MeantWord {
  readonly word: string;
  readonly to: string;
}

/** A value for every row. */
export interface Constant {
  /** Any name of the field: its flag, for example. */
  readonly name: string;
  readonly value: string;
  /** The source: `--constant status`, `mapping.yaml, constant status`. */
  readonly where: string;
}

/** The meaning of a word in the cells of a field. */
export interface MappedWord {
  /** Any name of the field. */
  readonly field: string;
  readonly word: string;
  readonly to: string;
  /** `mapping.yaml, words of status`. */
  readonly where: string;
}

/** What a mapping file says. */
export interface Mapping {
  /** By `headerKey` of the column's name. */
  readonly columns: ReadonlyMap<string, Mapped>;
  readonly constants: readonly Constant[];
  readonly notation: Notation;
  readonly encoding?: string;
  readonly layout: Layout;
  readonly leavesOthers: boolean;
  readonly words: readonly MappedWord[];
}

/** The mapping of a command without a mapping file. */
export const noMapping: Mapping = {
  columns: new Map(),
  constants: [],
  notation: {},
  layout: {},
  leavesOthers: false,
  words: [],
};

export interface ImportJob {
  readonly resource: Resource;
  readonly format: ImportFormat;
  /** Encoding and separator of the file; absent for crm's own. */
  readonly dialect?: Dialect;
  readonly layout?: Layout;
  readonly mode: ImportMode;
  /** Absent in mode `create`. */
  readonly match?: MatchBy;
  /** Meanings of columns, by `headerKey`. */
  readonly maps: ReadonlyMap<string, Mapped>;
  /** Leaves out columns without a meaning, as a mapping says. */
  readonly leavesOthers?: boolean;
  readonly constants: readonly Constant[];
  /** Meanings of words, by the flag of the field, then by `plainName` of the word. */
  readonly meanings: ReadonlyMap<string, ReadonlyMap<string, MeantWord>>;
  /** The notation of numbers and days. */
  readonly notation: Notation;
  /** Decimal marks that columns show themselves, by column name. Known after the first check of the file. */
  readonly shownMarks?: ReadonlyMap<string, ShownMark>;
  /** By column, the sign with which another program begins each value. Known after the first check of the file. */
  readonly shownLeads?: ReadonlyMap<string, string>;
  /**
   * For each body entry with texts, whether a cell of its column begins with a zero or a plus sign. If none does, a spreadsheet took them.
   * Known after the check.
   */
  readonly leadingSigns?: ReadonlyMap<string, boolean>;
  /** Leaves invalid rows out and sends the others. */
  readonly skipInvalid: boolean;
  /** Sends blank cells as empty values. */
  readonly clearBlanks: boolean;
  /** Keeps formula guards in cells. */
  readonly csvRaw: boolean;
  /** Overwrites records changed after the file was written. */
  readonly overwritesNewer: boolean;
  /** How the set of a row changes a record's set. Absent: a differing set of an existing record is an error. */
  readonly sets?: (typeof setModes)[number];
  /** Changes the status of signed proposals, too, which clears their signatures. */
  readonly clearsSignatures?: boolean;
  /** Looks up names in place of ids. */
  readonly words: FileWords;
}
