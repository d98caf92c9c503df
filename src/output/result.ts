// What a command yields. One layer, render.ts, turns it into text, so that formats can't tell different stories.

import type { Answer, PlannedRequest } from '../api/types.ts';
import type { Failure } from '../errors.ts';
import type { Format } from '../global-flags.ts';
import type { Difference } from '../records/difference.ts';
import type { Column, Meaning, Standing, View } from '../resources/define.ts';
import type { Documented } from '../resources/members.ts';
import type { Id } from '../values/parse.ts';
import type { Members } from '../values/paths.ts';
import type { HelpPage } from './help-page.ts';

/** How records of one kind are shown. */
export interface Shape extends Documented {
  /** What a list of them is called. */
  readonly name?: string;
  /** What messages call one of them. Default: record. */
  readonly singular?: string;
  /** Where a record holds what it is called. */
  readonly title?: string;
  /** How one of them is shown by itself on a terminal. */
  readonly view?: View;
  /** What one is for a reader: a terminal says it beside the record. */
  readonly standing?: Standing;
  /** What else was read of each record: arrays of records, in members of these names. */
  readonly sections?: readonly Section[];
  /** How the values of some members stand, by path and value. */
  readonly meanings?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>;
  /** The table's columns; empty: taken from the records themselves. */
  readonly columns: readonly Column[];
  /** Every documented member, dotted, in order; empty: taken from the records themselves. */
  readonly record: readonly string[];
}

/** Records that hang on each of the records that are shown. */
export interface Section {
  readonly name: string;
  readonly shape: Shape;
  /** Of an array that doesn't hold them all: which ones it holds, and how to see the rest. */
  readonly cut: (records: unknown) => string | undefined;
}

/** What a command yields, by what is printed: a record, records, rows, outcomes, a text; and two ways to tell what would be done. */
export type Result = ResultEnding &
  /** One record, or whatever object the service answered. */
  (
    | {
        readonly kind: 'record';
        readonly answer: Answer;
        readonly shape: Shape;
        /** Of a write that a command means something by: on a terminal it is told in place of the record. */
        readonly effect?: Effect;
        /** Of a write: the record was asked for, so a terminal shows it, too. */
        readonly isAsked?: true;
      }
    /** Records that arrive page by page. */
    | {
        readonly kind: 'records';
        readonly pages: AsyncIterable<Answer>;
        readonly shape: Shape;
        /** The message when there were no records; called once the pages are read. */
        readonly empty: () => string;
        /** What a terminal tells under the table: of how many these are, how to see more. Called once the pages are read. */
        readonly facts?: (shown: number) => readonly string[];
        /** The paths at which all of them hold what the list was asked for: a table has better things to show. */
        readonly askedFor?: readonly string[];
      }
    /** What is there as a whole: profiles, runs, checks, a report. */
    | {
        readonly kind: 'rows';
        /** An array, or one object. */
        readonly data: unknown;
        readonly shape: Shape;
        /** What a terminal shows in place of a table of the data. */
        readonly drawn?: Drawing;
        /** What is told once they are out. */
        readonly notice?: string;
        /** What they come to. */
        readonly sum?: Sum;
      }
    /** One answer per record of a selection: an array, also of one. */
    | {
        readonly kind: 'outcomes';
        /** The records of the selection, in order. */
        readonly ids: readonly Id[];
        readonly outcomes: AsyncIterable<Outcome>;
        readonly shape: Shape;
        /** The message when the selection holds nothing. */
        readonly empty: string;
        /** The run that wrote them, for `crm history show`; undefined where the journal keeps none. */
        readonly run?: () => string | undefined;
      }
    /** Text that is printed as it stands: a completion script, a count. Without it: what was done, where there is nothing to show of it. */
    | { readonly kind: 'text'; readonly text?: string; readonly notice?: string }
    /** The writes that --dry-run held back. `several`: an array also of one, with what would become of each record; `effect`: that of one. */
    | {
        readonly kind: 'plan';
        readonly requests: readonly PlannedRequest[];
        readonly several?: readonly Outcome[];
        readonly effect?: Effect;
      }
    /** What a file of rows would do, as it is found out. */
    | {
        readonly kind: 'preview';
        readonly rows: AsyncIterable<readonly PreviewRow[]>;
        /** Called once the rows are read. `problem`: why it would not all be done; it sets the exit status. */
        readonly end: () => { readonly counts: Readonly<Record<string, number>>; readonly sentence: string; readonly problem?: unknown };
      }
  );

/** What may be said beside any result. */
interface ResultEnding {
  /** What could not be done or read beside it: it is reported after the result, and sets the exit status. */
  readonly problem?: unknown;
  /** Nothing was changed, by a command that may. */
  readonly isRead?: true;
  /** --fields was about something else: all of the records is shown. */
  readonly isWhole?: true;
  /** The format when the user named none. */
  readonly format?: Format;
}

/** What a terminal shows in place of a table. */
export type Drawing =
  | { readonly sentence: string }
  | { readonly page: HelpPage }
  /** One record, with the colours of its values and what they come to where nothing is wrong. */
  | { readonly record: Members; readonly meanings: NonNullable<Shape['meanings']>; readonly closing: string }
  | { readonly chart: Chart };

/** What the rows of a report come to. */
export interface Sum {
  /** Beside the rows, in JSON. */
  readonly total: Members;
  /** The rows as a sheet has them: those without a name have a word for it, and the last one is the total. */
  readonly sheet: readonly Members[];
}

/** What a row of a file would do. */
export interface PreviewRow {
  /** The line on which it begins. */
  readonly line: number;
  /** Null for what would be created, and for a row that has no record. */
  readonly id: Id | null;
  readonly title: string | null;
  readonly outcome: 'would_create' | 'would_change' | 'unchanged' | 'conflict' | 'invalid';
  /** What the service has and what the file has, of each field that differs. */
  readonly changes: readonly NamedDifference[];
  /** Why it would not be sent. */
  readonly error: string | null;
}

/** A difference of ids. */
export interface NamedDifference extends Difference {
  /** What both ids are called; a person is shown these instead. */
  readonly names?: { readonly old: string; readonly new: string };
}

/** A report as a terminal shows it. */
export interface Chart {
  /** What the columns are called: the label, the count, the sum where there is one, and what is counted beside. */
  readonly columns: readonly string[];
  /** Where a sample holds the label of its line, and the records that samples are of. */
  readonly label: string;
  readonly shape: Shape;
  readonly lines: readonly ChartLine[];
  readonly total: Omit<ChartLine, 'label'>;
  /** What stands below the total, each a line. */
  readonly notes: readonly string[];
  /** What else could be typed. */
  readonly hint?: string;
}

export interface ChartLine {
  /** A record that holds the label, with the id where others are called the same; or a word for where there is none: nobody. */
  readonly label: { readonly sample: unknown; readonly id?: string } | { readonly none: string };
  readonly count: number;
  /** A decimal, with as many decimals as on the other lines. */
  readonly sum?: string;
  readonly beside: readonly number[];
}

/** What became of one record of several. `name` is how messages call it: `lead 12`. `error` is what main prints for it. */
export type Outcome =
  | Failure
  | {
      readonly id: Id;
      readonly name: string;
      readonly answer: Answer;
      readonly effect?: Effect;
      /** What could not be read beside it: the record counts as failed, and is told. */
      readonly problem?: Error;
    };

/** What became of a record that a write found as it was to be, or left so. */
export const asItWas = 'is as it was';

/** What a write made different, in words. They may hold anything that a record holds: what draws them makes them safe. */
export interface Effect {
  /** What it is about: `Lead 33`. */
  readonly subject: string;
  /** What became of it: `changed`, `archived`; empty where nobody knows what was there before. */
  readonly done: string;
  /** What the record is called. */
  readonly title?: string;
  readonly changes?: readonly Difference[];
  /** For somebody at a terminal: the command to type next, without `crm`, and what for. */
  readonly next?: { readonly what: string; readonly command: string };
}
