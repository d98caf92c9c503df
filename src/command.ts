// What a command is: its place in the tree, what it takes, and the function that runs it.
// program.ts turns these into commander's tree; completions and reference pages read them too.

import type { Context } from './context.ts';
import type { Result } from './output/result.ts';
import type { ValueType } from './resources/define.ts';

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: true;
  readonly many?: true;
  readonly choices?: readonly string[];
  /** Its name in the request, when it has one. */
  readonly wire?: string;
}

export interface Flag {
  /** Without the two hyphens. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value; absent for a flag without one. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly repeatable?: true;
  /** Its name in the request, when it has one. */
  readonly wire?: string;
  readonly type?: ValueType;
  /** The heading under which help lists it. */
  readonly group?: string;
}

/** What the user typed for a command: positional values and flags, as strings. */
export interface Input {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface Command {
  /** The words that call it: `['leads', 'comments', 'add']`. */
  readonly path: readonly string[];
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** More than the summary, for its help page. */
  readonly description?: string;
  readonly args: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Flags that it doesn't have though a command like it has them, and why not. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** Two or more command lines that work against the demo data. */
  readonly examples: readonly string[];
  /** Loads what it needs and runs. */
  readonly run: (context: Context, input: Input) => Promise<Result>;
}
