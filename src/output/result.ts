// What a command yields. One layer, render.ts, turns it into text, so that formats can't tell different stories.

import type { Answer, PlannedRequest } from '../api/types.ts';
import type { Format } from '../global-flags.ts';
import type { Column } from '../resources/define.ts';

/** How records of one kind are shown. */
export interface Shape {
  /** What messages call one of them. Default: record. */
  readonly singular?: string;
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
  /** One answer per id of a command that takes several. `single`: one id was given, so the result is one record or its error. */
  | { readonly kind: 'outcomes'; readonly outcomes: AsyncIterable<Outcome>; readonly shape: Shape; readonly single: boolean }
  /** The writes that --dry-run held back: one or more. */
  | { readonly kind: 'plan'; readonly requests: readonly PlannedRequest[] }
  /** Local data, not from the service: profiles, settings. */
  | {
      readonly kind: 'local';
      readonly data: unknown;
      readonly shape: Shape;
      readonly notice?: string;
      /** A problem that is reported after the data; it sets the exit status. */
      readonly problem?: unknown;
    }
  /** Text that is printed as it stands: a completion script. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing'; readonly notice?: string };

/** What became of one id. `id` is how messages name it: `lead 12`. `error` is what main prints for it. */
export type Outcome =
  | { readonly id: string; readonly answer: Answer; readonly notice?: string }
  | { readonly id: string; readonly error: Error };
