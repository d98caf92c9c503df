// Which records a command is about: one, several, those whose ids stand on standard input, or those that match --where.

import type { Context } from '../context.ts';
import { invalidValue, UnavailableError, UnconfirmedError, UsageError } from '../errors.ts';
import { readStdin } from '../files/read-whole.ts';
import type { Input } from '../flag.ts';
import { selectFields } from '../records/columns.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import { type Id, parseCount, parseId, togetherEach } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { howMany } from '../values/text/wording.ts';
import type { Guard } from './guard.ts';
import { selectedRecords } from './list/matching.ts';

export type Selection = (
  | /** `12`: the only way whose answer is one object. */ { readonly kind: 'one'; readonly id: Id }
  /** `12,13` */
  | { readonly kind: 'listed'; readonly ids: readonly Id[] }
  /** `-` */
  | { readonly kind: 'piped' }
  | { readonly kind: 'where'; readonly conditions: readonly string[] }
) & {
  /** Of more records than this none is written. */
  readonly atMost?: number;
};

/**
 * The selection that was typed. `areIds`: all arguments are ids; else the first is one, and values may stand behind it. `instead` says
 * how values are given where they can't: `Give the status with --to.` Throws UsageError.
 */
export function selectionOf(resource: Resource, input: Input, form: SelectionForm = {}): Selection {
  const most = input.flags['at-most'];
  const chosen = formOf(resource, input, form);
  return typeof most === 'string' ? { ...chosen, atMost: parseCount(most, '--at-most') } : chosen;
}

interface SelectionForm {
  readonly areIds?: boolean;
  readonly instead?: string;
}

function formOf(
  { singular }: Resource,
  { args, flags, typed = { args, flags } }: Input,
  { areIds = false, instead }: SelectionForm,
): Selection {
  const conditions = Array.isArray(flags.where) ? flags.where : [];
  const ids = areIds ? args : args.slice(0, 1);
  const [first, second] = args;
  const alone = (what: string, other: string): UsageError =>
    new UsageError(`"${other}" can't stand beside ${what}. ${instead ?? 'Give one or the other.'}`);
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
  if (ids.length === 1 && !first.includes(',')) return { kind: 'one', id: parseId(first, singular) };
  if (!areIds && second !== undefined) throw alone(first, typed.args[1] ?? second);
  return { kind: 'listed', ids: parseIds(ids, singular) };
}

/** Ids apart or between commas, in order. Throws InvalidValues, for one that is given twice, too. */
function parseIds(texts: readonly string[], noun: string): Id[] {
  const typed = texts.flatMap((text) => text.split(','));
  const ids = togetherEach(typed, (one) => parseId(one.trim(), noun));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidValue(noun, `${twice} is given twice.`);
  return ids;
}

/** One record that a command is about. */
export interface Chosen {
  readonly id: Id;
  /** What the selection read of it, where it had to read: what it is called, and what was asked for. */
  readonly record?: unknown;
  /** What must still be true of it when it is written: what selected it, and what somebody was shown. */
  readonly guards?: readonly Guard[];
  /** Another of the same run: nothing is sent to this one before all is done with that. */
  readonly comesAfter?: Chosen;
}

/**
 * The records of a selection, all of them before anything is done with the first. Of records that conditions select, `paths` are kept
 * beside their titles. Throws UsageError for what standard input holds or a condition says, UnconfirmedError for more than --at-most
 * allows, and what reading throws.
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
      return matching(resource, context, selection.conditions, paths);
  }
}

async function matching(resource: Resource, context: Context, conditions: readonly string[], paths: readonly string[]): Promise<Chosen[]> {
  const { records, guard } = await selectedRecords(resource, context, conditions);
  const guards = [guard];
  const standing = resource.standing?.words.flatMap(({ path }) => path ?? []) ?? [];
  const kept = [...new Set([...namingPaths(resource), ...standing, ...paths])];
  const chosen: Chosen[] = [];
  for await (const record of records) {
    chosen.push({ id: idOf(record, resource), record: selectFields(record, kept), guards });
  }
  return chosen;
}

/** Where a record tells what it is called. */
export const namingPaths = ({ title, tells = [] }: Resource): string[] => [...(title === undefined ? [] : [title]), ...tells];

function idOf(record: unknown, { singular }: Resource): Id {
  const text = scalarText(valueAt(record, 'id'));
  if (!/^[1-9]\d*$/.test(text)) throw new UnavailableError(`The service listed a ${singular} without an id; nothing was changed.`);
  return parseId(text, singular);
}

/** The ids on standard input, as `list -o ids` prints them: between blanks, commas or line breaks; each once. */
async function pipedIds({ name }: Resource, context: Context): Promise<Id[]> {
  const words = (await readStdin(context)).split(/[\s,]+/).filter((word) => word !== '');
  const ids = words.map((word) => {
    if (/^0*[1-9]\d*$/.test(word)) return parseId(word, 'id');
    const error = invalidValue('id', `standard input holds "${word.slice(0, 60)}", which is not an id, a whole number above 0.`);
    error.details.hint = `Ids alone are what this prints: crm ${name} list -o ids`;
    throw error;
  });
  return [...new Set(ids)];
}
