// Walks through the words of a command line by the rules of flags: for the parse of a command and for a Tab. Also the words of each level.

import { type Flag, type FlagNames, flagIn } from '../base/flag.ts';
import { capitalised } from '../base/values/text/wording.ts';
import type { Command } from './command.ts';

/** A word that leads to the next level. */
export interface CommandWord {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** The path of the next level. */
  readonly to: string;
}

/** A level of the command line: `crm`, a family, a command. The words of its path are joined by spaces. */
export interface WalkLevel<F extends FlagNames = FlagNames> {
  /** Empty for a command. */
  readonly commands: readonly Omit<CommandWord, 'summary'>[];
  /** The flags of this level only. */
  readonly flags: readonly F[];
  /** The command that runs when the next word is left out: at the end, before an argument, before ids. */
  readonly implied?: { readonly [before in 'nothing' | 'argument' | 'ids']?: string } | undefined;
}

/** How a word was read. */
export interface WordReading<F> {
  readonly kind: 'command' | 'argument' | 'flag' | 'value' | 'dashes' | 'unknown command' | 'unknown flag';
  /** The flag of a flag's word, and of its value. */
  readonly flag?: F;
  /** The value in the flag's word. */
  readonly value?: string;
}

/** Matches ids: `12`, `12,13`. */
export const idsTyped = /^\d+(,\d+)*$/;

/** A value such as -3d is no flag. */
const isFlagLike = (word: string): boolean => /^-[^\d]/.test(word);

export class Walk<L extends WalkLevel> {
  /** The level that the words lead to. */
  path = '';
  /** The flag whose value is the next word. */
  awaits: L['flags'][number] | undefined;
  /** The number of arguments so far. */
  read = 0;
  isPastDashes = false;
  readonly #levelAt: (path: string) => L | undefined;
  readonly #everywhere: L['flags'];

  /** `everywhere`: the flags that all levels have. */
  constructor(levelAt: (path: string) => L | undefined, everywhere: L['flags']) {
    this.#levelAt = levelAt;
    this.#everywhere = everywhere;
  }

  get level(): L | undefined {
    return this.#levelAt(this.path);
  }

  /** The flags of the level, and the flags that all levels have. */
  get flags(): L['flags'] {
    return [...(this.level?.flags ?? []), ...this.#everywhere];
  }

  next(word: string): WordReading<L['flags'][number]> {
    const flag = this.awaits;
    this.awaits = undefined;
    if (flag !== undefined) return { kind: 'value', flag };
    if (this.isPastDashes || !isFlagLike(word)) return { kind: this.#positional(word) };
    if (word === '--') {
      this.isPastDashes = true;
      return { kind: 'dashes' };
    }
    const found = flagIn(word, this.flags);
    if (found?.flag.value !== undefined && found.value === undefined) this.awaits = found.flag;
    return found === undefined ? { kind: 'unknown flag' } : { kind: 'flag', ...found };
  }

  #positional(word: string): WordReading<L>['kind'] {
    const { commands = [], implied } = this.level ?? {};
    const below = this.read > 0 ? undefined : commands.find(({ name, aliases }) => name === word || aliases.includes(word));
    if (below !== undefined) {
      this.path = below.to;
      return 'command';
    }
    const meant = implied?.argument ?? (idsTyped.test(word) ? implied?.ids : undefined);
    if (this.read === 0 && meant !== undefined) this.path = meant;
    this.read += 1;
    return commands.length > 0 && meant === undefined ? 'unknown command' : 'argument';
  }
}

/** The words that may follow a path, each once. */
export function wordsBelow(commands: readonly Command[], above: readonly string[]): CommandWord[] {
  const words = commandsBelow(commands, above).map(({ path, aliases = [], levelAliases = [], summary }): [string, CommandWord] => {
    const name = path[above.length] ?? '';
    const to = [...above, name].join(' ');
    const isLast = path.length === above.length + 1;
    return [
      name,
      { name, aliases: isLast ? aliases : levelAliases, summary: isLast ? summary : `${capitalised(name)} of ${above.at(-1)}`, to },
    ];
  });
  return [...new Map(words).values()];
}

/** The level of some words above commands. It reads the flags of the command that runs when no word follows. */
export function levelAbove(commands: readonly Command[], above: readonly string[]): WalkLevel<Flag> & { readonly commands: CommandWord[] } {
  const implied = impliedAt(commands, above);
  return { commands: wordsBelow(commands, above), flags: commandAt(commands, implied?.nothing)?.flags ?? [], implied };
}

/** The commands whose path goes on after some words. */
export const commandsBelow = (commands: readonly Command[], above: readonly string[]): Command[] =>
  commands.filter(({ path }) => path.length > above.length && above.every((word, index) => path[index] === word));

function impliedAt(commands: readonly Command[], above: readonly string[]): WalkLevel['implied'] {
  const here = commandsBelow(commands, above).filter(({ path }) => path.length === above.length + 1);
  const entries = here.flatMap(({ path, meantBy, takesIds }) => {
    const before = meantBy ?? (takesIds ? 'ids' : undefined);
    return before === undefined ? [] : [[before, path.join(' ')]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The command that a path calls. */
export const commandAt = (commands: readonly Command[], at: string | undefined): Command | undefined =>
  commands.find(({ path }) => path.join(' ') === at);
