// What a Tab offers where the declarations alone don't know: the words are only compared, and nothing is asked for. Pure.

import { plainName } from '../names/matching.ts';
import { type Thing, wordsFor } from '../names/word.ts';
import { isDangerous, safeLine } from '../records/safe-text.ts';
import type { Named } from '../values/value-type.ts';
import type { Live } from './levels.ts';
import type { LiveFamily, LiveLine } from './live-line.ts';

/** Where the cursor is. */
export interface Place {
  readonly live: Live;
  /** What is typed of the value. */
  readonly typed: string;
  /** The family that it is about. */
  readonly family: string;
  /** The profile that the words name. */
  readonly profile?: string;
}

/** What files of this machine know; each is read when it is asked for. */
export interface Knowledge {
  names(of: Named): readonly Thing[];
  titles(family: string): readonly { readonly id: Thing['id']; readonly title: string }[];
  /** Their names, and what each is for. */
  profiles(): readonly (readonly [name: string, about: string])[];
  runs(): readonly string[];
}

/** What may stand at the cursor, and what is said of it. */
export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** Where the cursor is in some words, after `crm`, of which the last is being typed; undefined where nothing is live. */
export function placeOf(line: LiveLine, words: readonly string[]): Place | undefined {
  const walk = new Walk(line);
  for (const word of words.slice(0, -1)) walk.read(word);
  return walk.placeOf(words.at(-1) ?? '');
}

/** What may stand at a place. */
export function candidates(line: LiveLine, { live, typed, family }: Place, known: Knowledge): Candidate[] {
  switch (live.kind) {
    case 'names':
      return named(known.names(live.of));
    case 'records':
      return goingOn(
        known.titles(family).map(({ id, title }) => [String(id), title]),
        typed,
      );
    case 'profiles':
      return known.profiles().map(([word, about]) => ({ word, about }));
    case 'runs':
      return known.runs().map((word) => ({ word, about: '' }));
    case 'fields':
      return goingOn(line.families[family]?.fields ?? [], typed);
    case 'listed':
      return goingOn(
        live.words.map((word) => [word, '']),
        typed,
      );
    case 'condition':
      return conditions(line.families[family], typed, known);
  }
}

/** The lines that a shell reads: a word each, and after a tab what is said of it. bash shows words alone, and leaves it to us which fit. */
export function candidateLines(shell: string, found: readonly Candidate[], typed: string): string {
  const safe = found.filter(({ word }) => !isDangerous(word));
  // In bash's lists what stands beside a word is a part of it, so only ids have it, which say nothing by themselves.
  const isTold = ({ word, about }: Candidate): boolean => about !== '' && (shell !== 'bash' || /(^|,)\d+$/.test(word));
  const lines = shell === 'bash' ? safe.filter(({ word }) => continues(word, typed)) : safe;
  return lines.map((one) => `${one.word}${isTold(one) ? `\t${shortened(one.about)}` : ''}\n`).join('');
}

/** Whether a word goes on from what is typed, whatever the case and the accents, letter by letter. */
function continues(word: string, typed: string): boolean {
  if (typed === '') return true;
  const letters = [...word];
  return [...typed].every((letter, index) => plainName(letter) === plainName(letters[index] ?? ''));
}

const longest = 60;

function shortened(about: string): string {
  const letters = [...safeLine(about)];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : letters.join('');
}

function named(things: readonly Thing[]): Candidate[] {
  const words = wordsFor(things);
  return things.map(({ id, name }, index) => {
    const word = words[index] ?? '';
    return { word, about: word === String(id) ? name : `id ${id}` };
  });
}

/** What goes on from the last comma of `id,tit` or `12,13`, but for what stands before it. */
function goingOn(words: readonly (readonly [word: string, about: string])[], typed: string): Candidate[] {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1);
  const given = new Set(head.split(','));
  return words.filter(([word]) => !given.has(word)).map(([word, about]) => ({ word: head + word, about }));
}

/** `status=Nego`, `no:email`: the field first, then the values that are known of it. */
function conditions({ fields, values }: LiveFamily = { fields: [], values: {} }, typed: string, known: Knowledge): Candidate[] {
  const [, marker] = /^(no:|has:)/.exec(typed) ?? [];
  if (marker !== undefined) return fields.map(([name, about]) => ({ word: marker + name, about }));
  const [, start, field = ''] = /^(([\w.-]+?)!?=)/.exec(typed) ?? [];
  if (start === undefined) {
    return [
      ...fields.map(([name, about]) => ({ word: `${name}=`, about })),
      { word: 'no:', about: 'fields without a value' },
      { word: 'has:', about: 'fields with a value' },
    ];
  }
  const offered = own(values, field.replaceAll('-', '_')) ?? [];
  const found = typeof offered === 'string' ? named(known.names(offered)) : offered.map((word) => ({ word, about: '' }));
  return found.map(({ word, about }) => ({ word: start + word, about }));
}

/** A member by a name that somebody typed. */
function own<T>(members: { readonly [name in string]?: T } | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Goes through the words of a command line as the shells' scripts do. */
class Walk {
  readonly #line: LiveLine;
  #path = '';
  /** How many positional values were read. */
  #read = 0;
  #hasEnded = false;
  /** The flag whose value comes next. */
  #expected: string | undefined;
  #profile: string | undefined;

  constructor(line: LiveLine) {
    this.#line = line;
  }

  read(word: string): void {
    if (this.#expected !== undefined) {
      this.#take(this.#expected, word);
      this.#expected = undefined;
    } else if (this.#hasEnded || !/^-./.test(word)) this.#readPositional(word);
    else if (word === '--') this.#hasEnded = true;
    else {
      const { flag, value } = this.#flagIn(word);
      if (flag !== undefined && value !== undefined) this.#take(flag, value);
      else this.#expected = flag;
    }
  }

  placeOf(typed: string): Place | undefined {
    if (this.#expected !== undefined) return this.#place(this.#liveFlag(this.#expected), typed);
    if (!this.#hasEnded && /^-./.test(typed)) {
      const { flag, value } = this.#flagIn(typed);
      return flag === undefined || value === undefined ? undefined : this.#place(this.#liveFlag(flag), value);
    }
    const { slots = [], many = false } = this.#line.levels[this.#path] ?? {};
    return this.#place(slots[many ? Math.min(this.#read, slots.length - 1) : this.#read], typed);
  }

  #place(live: Live | null | undefined, typed: string): Place | undefined {
    if (live === undefined || live === null) return undefined;
    const words = this.#path.split(' ');
    // `report leads --where` is about leads, and `report leads --fields` about rows.
    const family = (live.kind === 'condition' ? words.find((word) => own(this.#line.families, word) !== undefined) : words[0]) ?? '';
    return { live, typed, family, ...(this.#profile === undefined ? {} : { profile: this.#profile }) };
  }

  #take(flag: string, value: string): void {
    if (flag === '-p' || flag === '--profile') this.#profile = value;
  }

  #readPositional(word: string): void {
    const path = this.#read === 0 ? own(this.#line.levels[this.#path]?.below, word) : undefined;
    if (path === undefined) this.#read += 1;
    else this.#path = path;
  }

  /** The flag that takes a value in a word, if there is one, and the value where it is attached: `--status=3`, `-p=x`, `-qpx`. */
  #flagIn(word: string): { flag?: string; value?: string } {
    if (word.startsWith('--')) {
      const [flag = '', ...rest] = word.split('=');
      if (this.#liveFlag(flag) === undefined) return {};
      return rest.length === 0 ? { flag } : { flag, value: rest.join('=') };
    }
    for (let index = 1; index < word.length; index += 1) {
      const flag = `-${word[index]}`;
      if (this.#liveFlag(flag) === undefined) continue;
      return index === word.length - 1 ? { flag } : { flag, value: word.slice(index + 1) };
    }
    return {};
  }

  /** Undefined for a flag without a value. */
  #liveFlag(flag: string): Live | null | undefined {
    const found = own(this.#line.levels[this.#path]?.flags, flag);
    return found === undefined ? own(this.#line.flags, flag) : found;
  }
}
