// The words that a Tab offers: commands, flags and values from the prepared command line, and names from this machine's files. Compares
// words, and sends nothing. Pure.

import { flagIn } from '../../base/flag.ts';
import type { Named } from '../../base/values/value-type.ts';
import { isDangerous, safeLine } from '../../model/records/safe-text.ts';
import type { KnownName } from '../../session/names/known.ts';
import { plainName } from '../../session/names/matching.ts';
import { wordsFor } from '../../session/names/word-to-type.ts';
import { Walk } from '../walk.ts';
import type { Completes, FamilyWords, Level } from './levels.ts';
import type { PreparedLine } from './prepared-line.ts';

/** The words in this machine's files. Each file is read only when needed. */
export interface Knowledge {
  names(of: Named): readonly KnownName[];
  titles(family: string): readonly { readonly id: KnownName['id']; readonly title: string }[];
  /** The profiles, each with its description. */
  profiles(): readonly (readonly [name: string, note: string])[];
  /** The runs of the service, the newest first. */
  runs(): readonly KnownRun[];
}

/** A run in the journal. `typed`: the typed command. */
export interface KnownRun {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  readonly typed: string;
}

interface OfferedWord {
  readonly word: string;
  readonly note: string;
  /** True for a word that means nothing to a reader, such as an id. */
  readonly isCode?: true;
}

/** The words for the cursor's place, or file names: `filesAfter` is the text before the file name in the word (`@`). */
type Offer = readonly OfferedWord[] | { readonly filesAfter: string };

/** The offer for the last word. `words` are the words after `crm`. `knowledgeOf` takes a profile, or undefined for the profile in force. */
export function offerAt(line: PreparedLine, words: readonly string[], knowledgeOf: (profile: string | undefined) => Knowledge): Offer {
  const typed = words.at(-1) ?? '';
  const walk = new Walk<Level>(line.levelAt, line.flags);
  let profile: string | undefined;
  for (const word of words.slice(0, -1)) {
    const { kind, flag, value } = walk.next(word);
    if (flag?.name === 'profile') profile = kind === 'value' ? word : (value ?? profile);
  }
  const place = placeOf(walk, typed, line);
  if (typeof place !== 'string') return valueOffer(line, place, () => knowledgeOf(profile));
  if (place === 'flags')
    return walk.flags.flatMap(({ name, short, help }) =>
      [...(short === undefined ? [] : [`-${short}`]), `--${name}`].map((word) => ({ word, note: help })),
    );
  const commands = walk.level?.commands ?? [];
  const named = [...choicesMeant(walk, line), ...commands.map(({ name, summary }) => ({ word: name, note: summary }))];
  if (named.some(({ word }) => continues(word, typed))) return named;
  return commands.flatMap(({ aliases, summary }) => aliases.map((word) => ({ word, note: summary })));
}

/** The choices of the command that the next word may call without its own word: `bash`, in place of `print bash`. */
function choicesMeant(walk: Walk<Level>, line: PreparedLine): OfferedWord[] {
  const meant = walk.level?.implied?.argument;
  const value = meant === undefined ? undefined : line.levelAt(meant)?.slots[0]?.value;
  return value?.kind === 'choice' ? value.choices.map(alone) : [];
}

/** The place of the last word after a walk through the words before it. */
function placeOf(walk: Walk<Level>, typed: string, { families }: PreparedLine): TabPosition | 'commands' | 'flags' {
  const at = (value: Completes = { kind: 'any' }, lead = '', rest = typed): TabPosition => {
    const words = walk.path.split(' ');
    // In `report leads`, --where concerns leads, and --fields the rows of the report.
    const family = (value.kind === 'condition' ? words.find((word) => own(families, word) !== undefined) : words[0]) ?? '';
    return { value, lead, typed: rest, family };
  };
  if (walk.awaits !== undefined) return at(walk.awaits.value);
  if (!walk.isPastDashes && typed.startsWith('-')) {
    const { flag, value } = flagIn(typed, walk.flags) ?? {};
    return flag?.value === undefined || value === undefined ? 'flags' : at(flag.value, typed.slice(0, typed.length - value.length), value);
  }
  const { commands, slots } = walk.level ?? { commands: [], slots: [] };
  if (commands.length > 0) return walk.read === 0 ? 'commands' : at();
  const slot = slots[slots.at(-1)?.many === true ? Math.min(walk.read, slots.length - 1) : walk.read];
  return slot === undefined && typed === '' && !walk.isPastDashes ? 'flags' : at(slot?.value);
}

/** The first character of a line that stands for file names. The text before the file name follows. */
const filesMark = '\x1f';

/** The lines for a shell: each a word, a tab and the description. bash takes words without descriptions, and expects only fitting words. */
export function offerLines(shell: string, offer: Offer, typed: string): string {
  if ('filesAfter' in offer) return `${filesMark}${offer.filesAfter}\n`;
  const safe = offer.filter(({ word }) => !isDangerous(word));
  // bash shows a description as a part of the word, so there only codes get a description.
  const isTold = ({ note, isCode }: OfferedWord): boolean => note !== '' && (shell !== 'bash' || isCode === true);
  const lines = shell === 'bash' ? safe.filter(({ word }) => continues(word, typed)) : safe;
  return lines.map((one) => `${one.word}${isTold(one) ? `\t${shortened(one.note)}` : ''}\n`).join('');
}

/** True when a word begins with the typed letters. Case and accents don't count. */
function continues(word: string, typed: string): boolean {
  if (typed === '') return true;
  const letters = [...word];
  return [...typed].every((letter, index) => plainName(letter) === plainName(letters[index] ?? ''));
}

const longestNote = 80;

function shortened(note: string): string {
  const letters = [...safeLine(note)];
  return letters.length > longestNote ? `${letters.slice(0, longestNote - 1).join('')}…` : letters.join('');
}

/** A value at the cursor: the text before it in the word (`--status=`), the typed part, and the family that it belongs to. */
interface TabPosition {
  readonly value: Completes;
  readonly lead: string;
  readonly typed: string;
  readonly family: string;
}

function valueOffer(line: PreparedLine, place: TabPosition, knowledge: () => Knowledge): Offer {
  const { value, lead, typed } = place;
  if (value.kind === 'file') return { filesAfter: lead };
  if (value.kind === 'text-or-file') return typed.startsWith('@') ? { filesAfter: `${lead}@` } : [];
  return values(line, place, knowledge).map((one) => ({ ...one, word: lead + one.word }));
}

function values(line: PreparedLine, { value, typed, family }: TabPosition, knowledge: () => Knowledge): OfferedWord[] {
  switch (value.kind) {
    case 'choice':
      return value.choices.map(alone);
    case 'listed':
      return goingOn(value.choices.map(alone), typed);
    case 'names':
      return named(knowledge().names(value.of));
    case 'records':
      return goingOn(
        knowledge()
          .titles(family)
          .map(({ id, title }) => ({ word: String(id), note: title, isCode: true as const })),
        typed,
      );
    case 'profiles':
      return knowledge()
        .profiles()
        .map(([word, note]) => ({ word, note }));
    case 'seeds':
      return [
        ...new Set(
          knowledge()
            .runs()
            .filter(({ kind }) => kind === 'seed')
            .map(({ title }) => title),
        ),
      ].map(alone);
    case 'runs':
      return knowledge()
        .runs()
        .map(({ name, typed }) => ({ word: name, note: typed, isCode: true as const }));
    case 'fields':
      return goingOn(fieldsOffered(line.families[family]), typed);
    case 'condition':
      return conditions(line.families[family], typed, knowledge);
    default:
      return [];
  }
}

const alone = (word: string): OfferedWord => ({ word, note: '' });

function named(things: readonly KnownName[]): OfferedWord[] {
  const words = wordsFor(things);
  return things.map(({ id, name }, index) => {
    const word = words[index] ?? '';
    return word === String(id) ? { word, note: name, isCode: true } : { word, note: `id ${id}` };
  });
}

/** The words that can follow the last comma of `id,tit` or `12,13`. Leaves out words that were typed before. */
function goingOn(found: readonly OfferedWord[], typed: string): OfferedWord[] {
  const head = typed.slice(0, typed.lastIndexOf(',') + 1);
  const before = new Set(head.split(','));
  return found.filter(({ word }) => !before.has(word)).map((one) => ({ ...one, word: head + one.word }));
}

const fieldsOffered = (family: FamilyWords | undefined): OfferedWord[] => (family?.fields ?? []).map(([word, note]) => ({ word, note }));

/** The words for a condition: the field first, then the known values of the field. */
function conditions(family: FamilyWords | undefined, typed: string, knowledge: () => Knowledge): OfferedWord[] {
  const fields = fieldsOffered(family);
  const [, marker] = /^(no:|has:)/.exec(typed) ?? [];
  if (marker !== undefined) return fields.map(({ word, note }) => ({ word: marker + word, note }));
  const [, start, field = ''] = /^(([\w.-]+?)!?=)/.exec(typed) ?? [];
  if (start === undefined) {
    return [
      ...fields.map(({ word, note }) => ({ word: `${word}=`, note })),
      { word: 'no:', note: 'fields without a value' },
      { word: 'has:', note: 'fields with a value' },
    ];
  }
  const offered = own(family?.values, field.replaceAll('-', '_')) ?? [];
  const found = typeof offered === 'string' ? named(knowledge().names(offered)) : offered.map(alone);
  return found.map((one) => ({ ...one, word: start + one.word }));
}

/** The member of an object by a typed name, without inherited members. */
function own<T>(members: { readonly [name in string]?: T } | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
