// What a command yields. One layer, render.ts, turns it into text, so that formats can't tell different stories.

import type { Answer, PlannedRequest } from '../api/types.ts';
import type { Failure } from '../errors.ts';
import type { Format } from '../global-flags.ts';
import type { Column, Meaning } from '../resources/define.ts';
import type { Documented } from '../resources/members.ts';
import type { Id } from '../values/parse.ts';

/** How records of one kind are shown. */
export interface Shape extends Documented {
  /** What messages call one of them. Default: record. */
  readonly singular?: string;
  /** How the values of some members stand, by path and value. */
  readonly meanings?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>;
  /** The table's columns; empty: taken from the records themselves. */
  readonly columns: readonly Column[];
  /** Every documented member, dotted, in order; empty: taken from the records themselves. */
  readonly record: readonly string[];
}

export type Result =
  /** One record, or whatever object the service answered. */
  | {
      readonly kind: 'record';
      readonly answer: Answer;
      readonly shape: Shape;
      readonly notice?: string;
      /** The format when the user named none. */
      readonly format?: Format;
    }
  /** Records that arrive page by page. */
  | {
      readonly kind: 'records';
      readonly pages: AsyncIterable<Answer>;
      readonly shape: Shape;
      /** The message when there were no records; called once the pages are read. */
      readonly empty: () => string;
      readonly format?: Format;
    }
  /** One answer per record of a selection: an array, also of one. */
  | {
      readonly kind: 'outcomes';
      readonly outcomes: AsyncIterable<Outcome>;
      readonly shape: Shape;
      /** The message when the selection holds nothing. */
      readonly empty: string;
    }
  /** The writes that --dry-run held back. `several`: an array also of one, with the records for which there is none. */
  | { readonly kind: 'plan'; readonly requests: readonly PlannedRequest[]; readonly several?: { readonly failures: readonly Failure[] } }
  /** Local data, not from the service: profiles, settings. */
  | {
      readonly kind: 'local';
      readonly data: unknown;
      readonly shape: Shape;
      readonly notice?: string;
      /** What a terminal shows in place of a table of the data. */
      readonly sentence?: string;
      /** A problem that is reported after the data; it sets the exit status. */
      readonly problem?: unknown;
    }
  /** What a file of rows would do, as it is found out. */
  | {
      readonly kind: 'preview';
      readonly rows: AsyncIterable<readonly PreviewRow[]>;
      /** Called once the rows are read. `problem`: why it would not all be done; it sets the exit status. */
      readonly end: () => { readonly counts: Readonly<Record<string, number>>; readonly sentence: string; readonly problem?: unknown };
    }
  /** Text that is printed as it stands: a completion script. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing'; readonly notice?: string };

/** What a row of a file would do. */
export interface PreviewRow {
  /** The line on which it begins. */
  readonly line: number;
  /** Null for what would be created, and for a row that has no record. */
  readonly id: Id | null;
  readonly title: string | null;
  readonly outcome: 'would_create' | 'would_change' | 'unchanged' | 'conflict' | 'invalid';
  /** What the service has (null: nothing) and what the file has, of each field that differs. */
  readonly changes: readonly {
    readonly field: string;
    readonly from: string | null;
    readonly to: string;
    /** What both ids are called; a person is shown these instead. */
    readonly names?: { readonly from: string; readonly to: string };
  }[];
  /** Why it would not be sent. */
  readonly error: string | null;
}

/** What became of one record of several. `name` is how messages call it: `lead 12`. `error` is what main prints for it. */
export type Outcome = Failure | { readonly id: Id; readonly name: string; readonly answer: Answer; readonly notice?: string };
