// The results that commands return, with shapes, effects and outcomes. Only render.ts turns a result into text, so all formats agree.

import type { Failure } from '../base/errors.ts';
import type { Format } from '../base/global-flags.ts';
import type { Id } from '../base/values/parse.ts';
import type { Members } from '../base/values/paths.ts';
import type { Answer, UnsentRequest } from '../client/types.ts';
import type { Column, Meaning, Standing, View } from '../model/define.ts';
import type { Documented } from '../model/members.ts';
import type { Difference } from '../model/records/difference.ts';
import type { HelpPage } from './help-page.ts';

/** How records of one family are shown. */
export interface Shape extends Documented {
  /** The plural that names a list: `leads`. */
  readonly name?: string;
  /** The word for one record in messages. Default: `record`. */
  readonly singular?: string;
  /** A workbook has the headers of the screen in place of paths. */
  readonly hasHeaders?: true;
  /** The path of a record's title. */
  readonly title?: string;
  /** The layout of a single record on a terminal. */
  readonly view?: View;
  /** The way to find a record's standing (`converted`, `active`), which a terminal shows. */
  readonly standing?: Standing;
  /** Further records read with each record, in array members of these names. */
  readonly sections?: readonly Section[];
  /** The meaning of values, which decides their colour, by path and value. */
  readonly meanings?: Readonly<Record<string, Readonly<Record<string, Meaning>>>>;
  /** The columns of a table. Empty: taken from the records. */
  readonly columns: readonly Column[];
  /** The dotted paths of all documented members, in order. Empty: taken from the records. */
  readonly record: readonly string[];
}

/** Records that belong to each of the records shown, such as the notes of a lead. */
export interface Section {
  readonly name: string;
  readonly shape: Shape;
  /** For an incomplete array: says which records it holds and how to list the others. */
  readonly cut: (records: unknown) => string | undefined;
}

/** The result of a command. `unsent` and `preview` are the results of --dry-run. */
export type Result = ResultEnding &
  /** One record, or any other object that the service answered. */
  (
    | {
        readonly kind: 'record';
        readonly answer: Answer;
        readonly shape: Shape;
        /** The effect of a write. A terminal shows it in place of the record. */
        readonly effect?: Effect;
        /** The user asked for the record of a write: a terminal shows both record and effect. */
        readonly isAsked?: true;
      }
    /** Records that arrive page by page. */
    | {
        readonly kind: 'records';
        readonly pages: AsyncIterable<Answer>;
        readonly shape: Shape;
        /** The message for no records. Called after the last page. */
        readonly empty: () => string;
        /** Lines below a table on a terminal: the total, how to see more. Called after the last page. */
        readonly facts?: (shown: number) => readonly string[];
        /** See WriterOptions. A table drops these columns first. */
        readonly askedFor?: readonly string[];
      }
    /** Data that is complete at once: profiles, runs, checks, a report. */
    | {
        readonly kind: 'rows';
        /** An array, or one object. */
        readonly data: unknown;
        readonly shape: Shape;
        /** Replaces the table of the data on a terminal. */
        readonly drawn?: Drawing;
        /** Written to standard error after the rows. */
        readonly notice?: string;
        /** Several lines in place of the notice. */
        readonly lines?: readonly string[];
        /** The total of the rows. */
        readonly sum?: Sum;
        /** See WriterOptions. A table drops these columns first. */
        readonly askedFor?: readonly string[];
      }
    /** One outcome for each record of a selection. Printed as an array, even for one record. */
    | {
        readonly kind: 'outcomes';
        /** The records of the selection, in order. */
        readonly ids: readonly Id[];
        readonly outcomes: AsyncIterable<Outcome>;
        readonly shape: Shape;
        /** The message for an empty selection. */
        readonly empty: string;
        /** The run of the writes, for `crm history show`. Undefined without a run in the journal. */
        readonly run?: () => string | undefined;
        /** Printed in place of the records: for a program an outcome a record, or the counts of the outcomes. */
        readonly prints?: 'outcomes' | 'counts';
      }
    /** Text printed unchanged: a completion script, a count. Without text: a write that prints only a notice. */
    | { readonly kind: 'text'; readonly text?: string; readonly notice?: string }
    /** Requests that --dry-run held back. `several`: the outcome of each selected record. `effect`: the effect on a single record. */
    | {
        readonly kind: 'unsent';
        readonly requests: readonly UnsentRequest[];
        readonly several?: readonly Outcome[];
        readonly effect?: Effect;
      }
    /** The rows of a file with their outcomes, as they arrive. */
    | {
        readonly kind: 'preview';
        readonly rows: AsyncIterable<readonly PreviewRow[]>;
        /** No row has a record: each would create one. */
        readonly onlyCreates: boolean;
        /** Called behind the last row; prints notices. `problem`: an error for rows that would not be written; sets the exit status. */
        readonly end: () => Promise<{
          readonly counts: Readonly<Record<string, number>>;
          readonly sentence: string;
          readonly problem?: unknown;
        }>;
      }
  );

/** The members that any result may have. */
interface ResultEnding {
  /** An error reported after the result; sets the exit status. */
  readonly problem?: unknown;
  /** The exit status, if another program's ended the command. */
  readonly status?: number;
  /** Nothing was changed, although the command can make changes. */
  readonly isRead?: true;
  /** The command used --fields itself, so the records are shown whole. */
  readonly isWhole?: true;
  /** The format if the user named no format. */
  readonly format?: Format;
}

/** Replaces a table on a terminal. */
export type Drawing =
  | { readonly sentence: string }
  | { readonly page: HelpPage }
  /** One record with the colours of its values. `closing`: a sentence shown if there is no problem. */
  | { readonly record: Members; readonly meanings: NonNullable<Shape['meanings']>; readonly closing: string }
  | { readonly chart: Chart }
  /** A line for each row: words in columns, then a text that is wrapped, never cut. The second word is a number. */
  | { readonly lines: readonly { readonly lead: readonly string[]; readonly text: string }[] };

/** The total of a report's rows. */
export interface Sum {
  /** The member `total` in JSON and YAML. */
  readonly total: Members;
  /** The rows of a sheet. A missing name is replaced by a word such as `nobody`, and the last row is the total. */
  readonly sheet: readonly Members[];
}

/** The outcome of a row of a file. */
export interface PreviewRow {
  /** The line on which the row begins, from 1. 0 for a record that comes from no file. */
  readonly line: number;
  /** Null if the row would create a record, or if it has no record. */
  readonly id: Id | null;
  readonly title: string | null;
  readonly outcome: 'would_create' | 'would_change' | 'unchanged' | 'conflict' | 'invalid';
  /** The fields that differ: `old` from the service, `new` from the file. */
  readonly changes: readonly Difference[];
  /** The reason why the row would not be sent. */
  readonly error: string | null;
}

/** A report drawn with bars. */
export interface Chart {
  /** The first word of two: stands before the label, once for neighbouring lines with the same. */
  readonly group?: { readonly name: string; readonly path: string };
  /** The names of the columns: label, count, sum if there is one, extra counts (`beside`). */
  readonly columns: readonly string[];
  /** The path of the label in a sample. `shape`: the shape of the samples. */
  readonly label: string;
  readonly shape: Shape;
  readonly lines: readonly ChartLine[];
  readonly total: Omit<ChartLine, 'label'>;
  /** Lines below the total. */
  readonly notes: readonly string[];
  /** A suggestion of another command. */
  readonly hint?: string;
}

/** A record that holds the label, with an id if another line has the same label. Or a word for no value: `nobody`. */
export type ChartLabel = { readonly sample: unknown; readonly id?: string } | { readonly none: string };

export interface ChartLine {
  readonly group?: ChartLabel;
  readonly label: ChartLabel;
  readonly count: number;
  /** A decimal; all lines have the same number of decimals. */
  readonly sum?: string;
  readonly beside: readonly number[];
}

/** The outcome of one record of several. */
export type Outcome = Failure | Done;

/** A record whose write went through. `name`: the record in messages, `lead 12`. */
export interface Done {
  readonly id: Id;
  readonly name: string;
  readonly answer: Answer;
  readonly effect?: Effect;
  /** An error of a read beside the write. The error is reported, and the record counts as failed. */
  readonly problem?: Error;
}

/** The shape of what is no record: one object for a program, beside a sentence. */
export const shapeless: Shape = { columns: [], record: [] };

/** The `done` of an effect that changed nothing. */
export const asItWas = 'is as it was';

/** The effect of a write, in words. Texts may hold control characters of a record: make them safe before drawing. */
export interface Effect {
  /** The record: `Lead 33`. */
  readonly subject: string;
  /** The change: `changed`, `archived`. Empty if the state before is unknown. */
  readonly done: string;
  /** ` (profile work)`, of a single write, where there are several profiles. */
  readonly place?: string;
  /** The title of the record. */
  readonly title?: string;
  readonly changes?: readonly Difference[];
  /** The next command to type, without `crm`, and its purpose. Shown on a terminal. */
  readonly next?: { readonly what: string; readonly command: string };
}
