// The records that a command was asked to read or change: one, several, the records whose ids are on standard input, or the records that match --where.

import { invalidValue, isCrmError, UnavailableError, UnconfirmedError, UsageError } from '../base/errors.ts';
import { readStdin } from '../base/files/read-whole.ts';
import type { Input } from '../base/flag.ts';
import { type Id, parseCount, parseId, togetherEach } from '../base/values/parse.ts';
import { quoteWord } from '../base/values/text/shell-word.ts';
import { howMany } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import { selectFields } from '../model/records/columns.ts';
import { idText } from '../model/records/display.ts';
import type { Guard } from '../model/records/guard.ts';
import type { Context } from '../session/context.ts';
import type { SelectionFlags } from './flags.ts';
import { selectedRecords } from './list/matching.ts';

export type Selection = (
  | /** `12`: the only form whose result is one object. */ { readonly kind: 'one'; readonly id: Id }
  /** `12,13` */
  | { readonly kind: 'listed'; readonly ids: readonly Id[] }
  /** `-` */
  | { readonly kind: 'piped' }
  | { readonly kind: 'where'; readonly conditions: readonly string[] }
) & {
  /** With more records than this, nothing is written. */
  readonly atMost?: number;
};

/**
 * The typed selection. `areIds`: all arguments are ids; otherwise only the first argument is an id. `instead`: a sentence on how to give a
 * value beside several ids, such as `Give the status with --to.` Throws UsageError.
 */
export function selectionOf(resource: Resource, input: Input<SelectionFlags>, form: SelectionForm = {}): Selection {
  const most = input.flags['at-most'];
  const chosen = formOf(resource, input, form);
  return most === undefined ? chosen : { ...chosen, atMost: parseCount(most, '--at-most') };
}

interface SelectionForm {
  readonly areIds?: boolean;
  readonly instead?: string;
}

function formOf(
  { singular, readOnly }: Resource,
  { args, flags, typed = { args, flags } }: Input<SelectionFlags>,
  { areIds = false, instead }: SelectionForm,
): Selection {
  const { where: conditions = [] } = flags;
  const ids = areIds ? args : args.slice(0, 1);
  const [first, second] = args;
  const alone = (what: string, other: string): UsageError =>
    new UsageError(`"${other}" can't be combined with ${what}. ${instead ?? 'Give one or the other.'}`);
  if (conditions.length > 0) {
    if (first !== undefined) throw alone('--where', typed.args[0] ?? first);
    return { kind: 'where', conditions };
  }
  if (first === undefined)
    throw new UsageError(`Say which ${singular}: an id, ids as in 12,13, - for ids from standard input, or --where.`, {
      code: 'missing_value',
    });
  if (ids.includes('-')) {
    if (second !== undefined) throw alone('-', typed.args[first === '-' ? 1 : 0] ?? second);
    return { kind: 'piped' };
  }
  if (ids.length === 1 && !first.includes(',')) return { kind: 'one', id: typedId(first, singular, !readOnly) };
  if (!areIds && second !== undefined) throw alone(first, typed.args[1] ?? second);
  return { kind: 'listed', ids: parseIds(ids, singular) };
}

/** The id in an argument. Throws InvalidValues, with the command that finds a record by its name. */
function typedId(text: string, noun: string, isSearched: boolean): Id {
  try {
    return parseId(text, noun);
  } catch (error) {
    if (isSearched && isCrmError(error) && /\p{L}{2}/u.test(text)) error.details.hint = `To find it by name: crm search ${quoteWord(text)}`;
    throw error;
  }
}

/** The ids in arguments, apart or with commas, in order. Throws InvalidValues, also for a repeated id. */
function parseIds(texts: readonly string[], noun: string): Id[] {
  const typed = texts.flatMap((text) => text.split(','));
  const ids = togetherEach(typed, (one) => parseId(one.trim(), noun));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidValue(noun, `${twice} is given twice.`);
  return ids;
}

export interface Chosen {
  readonly id: Id;
  /** The parts of the record that the selection has read: title and requested paths. Absent without a read. */
  readonly record?: unknown;
  /** The guards for the write: the conditions that selected the record, and the values that the user was shown. */
  readonly guards?: readonly Guard[];
  /** A record of the same run that must be done first. */
  readonly comesAfter?: Chosen;
}

/**
 * The records of a selection, all chosen before the first write. Of records selected by conditions, the titles and `paths` are kept.
 * Throws UsageError for wrong ids or conditions, UnconfirmedError for more records than --at-most allows, and the errors of reading.
 */
export async function choose(
  resource: Resource,
  context: Context,
  selection: Selection,
  paths: readonly string[] = [],
): Promise<readonly Chosen[]> {
  const { atMost = Number.POSITIVE_INFINITY } = selection;
  const chosen = await chosenBy(resource, context, selection, paths);
  if (chosen.length <= atMost) return chosen;
  throw new UnconfirmedError(
    `${howMany(chosen.length, `${resource.singular} is`, `${resource.name} are`)} selected, and --at-most is ${atMost}: nothing was sent.`,
  );
}

async function chosenBy(resource: Resource, context: Context, selection: Selection, paths: readonly string[]): Promise<readonly Chosen[]> {
  switch (selection.kind) {
    case 'one':
      return [{ id: selection.id }];
    case 'listed':
      return selection.ids.map((id) => ({ id }));
    case 'piped':
      return (await pipedIds(resource, context)).map((id) => ({ id }));
    case 'where':
      return chosenByConditions(resource, context, selection.conditions, paths);
  }
}

async function chosenByConditions(
  resource: Resource,
  context: Context,
  conditions: readonly string[],
  paths: readonly string[],
): Promise<Chosen[]> {
  const { records, guard } = await selectedRecords(resource, context, conditions);
  const guards = [guard];
  const standing = resource.standing?.words.flatMap(({ path }) => path ?? []) ?? [];
  const stored = [...new Set([...namingPaths(resource), ...standing, ...paths])];
  const { singular } = resource;
  const chosen: Chosen[] = [];
  for await (const record of records) {
    const text = idText(record);
    if (!/^[1-9]\d*$/.test(text)) throw new UnavailableError(`The service listed a ${singular} without an id; nothing was changed.`);
    chosen.push({ id: parseId(text, singular), record: selectFields(record, stored), guards });
  }
  return chosen;
}

/** The paths of a record's title and the members that tell it apart. */
export const namingPaths = ({ title, tellApart = [] }: Resource): string[] => [...(title === undefined ? [] : [title]), ...tellApart];

/** The ids on standard input, as `list -o ids` prints them: with blanks, commas or line breaks between, each once. */
async function pipedIds(resource: Resource, context: Context): Promise<Id[]> {
  const { name, emailIn } = resource;
  const words = (await readStdin(context)).split(/[\s,]+/).filter((word) => word !== '');
  const ids = await Array.fromAsync(words, async (word) => {
    if (emailIn !== undefined && word.includes('@'))
      return (await import('../session/names/email.ts')).idOfEmail(context, resource, word, 'id');
    if (/^0*[1-9]\d*$/.test(word)) return parseId(word, 'id');
    const error = invalidValue('id', `standard input holds "${word.slice(0, 60)}", which is not an id, a whole number above 0.`);
    error.details.hint = `This prints only the ids: crm ${name} list -o ids`;
    throw error;
  });
  return [...new Set(ids)];
}
