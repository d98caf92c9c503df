// The types of declared flags and arguments, and of the values typed for them. Also how a word names a flag.

import type { ValueType } from './values/value-type.ts';

/** Facts about a value for `crm explain`. The code that reads the value checks it. */
interface Said {
  /** The command that lists possible values, without `crm`. */
  readonly listedBy?: string;
  /** The member of the listed records that holds the value. Default `id`. */
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
  /** The argument's name in the request, if any. */
  readonly wire?: string;
  readonly type?: ValueType;
  /** The argument selects records to read, so part of a name is enough. */
  readonly isFilter?: true;
  /** The value names a family or a command, such as leads.create. */
  readonly isCommand?: true;
  /** The argument takes several values, separated by commas. */
  readonly isListed?: true;
  /** The argument is a record's id, and takes the record's unique email in its place. */
  readonly takesEmail?: true;
  /** The argument stands behind `--`, as the last words of the command line. */
  readonly isBehindDashes?: true;
}

export interface Flag extends Said {
  /** Without the two hyphens. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value; absent for a flag without a value. */
  readonly value?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  /** The flag takes several choices, separated by commas. */
  readonly isListed?: true;
  readonly repeatable?: true;
  /** The flag may be given only once. Default: the last value counts. */
  readonly once?: true;
  /** The flag's name in the request, if any. */
  readonly wire?: string;
  readonly type?: ValueType;
  readonly required?: true;
  /** The flag narrows a list, so part of a name is enough. */
  readonly isFilter?: true;
  /** The value `none` finds records without a value, and is not looked up as a name. */
  readonly takesNone?: true;
  /** The heading above the flag in help. */
  readonly group?: string;
  /** The default value. */
  readonly standard?: string | number;
  /** The bounds of the number; for N=VALUE, the bounds of N. */
  readonly least?: number;
  readonly most?: number;
  /** The number must be greater than this bound. */
  readonly above?: number;
}

/** The typed arguments and flags of a command, as strings. `Values`: the values of the flags that a command declares literally. */
export interface Input<Values = FlagValues<readonly Flag[]>> {
  readonly args: readonly string[];
  readonly flags: Values;
  /** The input as typed, before names became ids and words became dates. For messages. */
  readonly typed?: Omit<Input<Values>, 'typed'>;
}

/**
 * Input whose names are ids and whose words are dates. Only cli/resolved-input.ts makes it: a verb that sends a value takes no other, since
 * `today` and names are no values of the service.
 */
export interface ResolvedInput<Values = FlagValues<readonly Flag[]>> extends Input<Values> {
  readonly typed: Omit<Input<Values>, 'typed'>;
}

/** The values of flags by name: `{ port?: string, seed?: readonly string[], empty?: boolean }`. */
export type FlagValues<L extends readonly Flag[]> = { readonly [F in L[number] as F['name']]?: FlagValue<F> | undefined };

/** The value of a flag: all values of a repeatable flag, true for a flag without a value, else a text. */
type FlagValue<F extends Flag> = string extends F['name']
  ? string | boolean | readonly string[]
  : F extends { readonly repeatable: true }
    ? readonly string[]
    : F extends { readonly value: string }
      ? string
      : boolean;

/** The names of a flag. `value` is absent for a flag without a value. */
export interface FlagNames {
  readonly name: string;
  readonly short?: string;
  readonly value?: unknown;
}

/**
 * The flag of a word: `--status`, `--status=3`, `-p`, `-pacme`, and the last of `-qp`. `value`: the text behind = or behind the letter.
 * Undefined for a word that is no flag, and for an unknown flag.
 */
export function flagIn<F extends FlagNames>(word: string, flags: readonly F[]): { readonly flag: F; readonly value?: string } | undefined {
  if (word.startsWith('--')) {
    const [name, ...values] = word.slice(2).split('=');
    const flag = flags.find((one) => one.name === name);
    return flag && { flag, ...(values.length > 0 && { value: values.join('=') }) };
  }
  let last: F | undefined;
  for (let index = 1; word.startsWith('-') && index < word.length; index += 1) {
    last = flags.find(({ short }) => short === word[index]);
    if (last === undefined) return undefined;
    if (last.value !== undefined && index + 1 < word.length) return { flag: last, value: word.slice(index + 1) };
  }
  return last && { flag: last };
}
