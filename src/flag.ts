// What a command line is made of: flags and positional arguments as they are declared, and the values that were typed.

import type { ValueType } from './values/value-type.ts';

/** What explain says of a value beside its type; the code that reads the value checks it. */
interface Said {
  /** The command, without crm, that lists what may be given, and the member of its records that is: `id`, unless it says otherwise. */
  readonly listedBy?: string;
  readonly listedMember?: string;
  /** Where it may come from: `@file` reads it from a file, `-` from standard input. */
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
  /** It says what is read: the beginning of a name is enough. */
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
  /** Given twice it is refused. Default: the last one counts. */
  readonly once?: true;
  /** Its name in the request, when it has one. */
  readonly wire?: string;
  readonly type?: ValueType;
  readonly required?: true;
  /** It narrows what is read: the beginning of a name is enough. */
  readonly isFilter?: true;
  /** The word `none` is no name. */
  readonly takesNone?: true;
  /** The heading under which help lists it. */
  readonly group?: string;
  /** What holds when it isn't given, where that is a value of its own. */
  readonly standard?: string | number;
  /** Its bounds; of N=VALUE those of N. */
  readonly least?: number;
  readonly most?: number;
  /** It is greater than this. */
  readonly above?: number;
}

/** What the user typed for a command: positional values and flags, as strings. */
export interface Input {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** The same before names became ids and words days, for messages. */
  readonly typed?: Omit<Input, 'typed'>;
}
