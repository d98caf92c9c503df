// The types of declared flags and arguments, and of the values typed for them.

import type { ValueType } from './values/value-type.ts';

/** Facts about a value for `crm explain`. The code that reads the value checks it. */
interface Said {
  /** The command, without crm, that lists possible values, and the member of its records that holds them (default `id`). */
  readonly listedBy?: string;
  readonly listedMember?: string;
  /** Other sources of the value: `@file` for a file, `-` for standard input. */
  readonly from?: readonly ('@file' | '-')[];
}

export interface Argument extends Said {
  readonly name: string;
  readonly help: string;
  readonly optional?: true;
  readonly many?: true;
  readonly choices?: readonly string[];
  /** Its name in the request, when it has one. */
  readonly wire?: string;
  readonly type?: ValueType;
  /** The argument selects records to read, so part of a name is enough. */
  readonly isFilter?: true;
  /** It names a family or a command, such as leads.create. */
  readonly isCommand?: true;
  /** It takes several values, separated by commas. */
  readonly isListed?: true;
}

export interface Flag extends Said {
  /** Without the two hyphens. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value; absent for a flag without one. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** It takes several of its choices, separated by commas. */
  readonly isListed?: true;
  readonly repeatable?: true;
  /** A second one is refused. Default: the last counts. */
  readonly once?: true;
  /** Its name in the request, when it has one. */
  readonly wire?: string;
  readonly type?: ValueType;
  readonly required?: true;
  /** The flag narrows a list, so part of a name is enough. */
  readonly isFilter?: true;
  /** The word `none` is no name. */
  readonly takesNone?: true;
  /** The heading under which help lists it. */
  readonly group?: string;
  /** The default value. */
  readonly standard?: string | number;
  /** Its bounds; of N=VALUE those of N. */
  readonly least?: number;
  readonly most?: number;
  /** It is greater than this. */
  readonly above?: number;
}

/** The typed arguments and flags of a command, as strings. */
export interface Input {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** The input before it was settled (names to ids, words to dates), for messages. */
  readonly typed?: Omit<Input, 'typed'>;
}
