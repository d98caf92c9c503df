// Sorts a list by any field of its records. The service sorts by a few fields; for all others the list is read whole, and sorted here.

import { invalidValue } from '../../base/errors.ts';
import { inThousands, limits } from '../../base/limits.ts';
import { compareDecimals, parseDecimal } from '../../base/values/decimal.ts';
import { scalarText } from '../../base/values/json.ts';
import { headOf, isMembers, valueAt } from '../../base/values/paths.ts';
import { unknownField } from '../../base/values/text/suggest.ts';
import { momentHeld } from '../../base/values/time/days.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { Answer } from '../../client/types.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { type Member, memberNamed, namesForSuggestions, underscored } from '../../model/members.ts';
import { displayText } from '../../model/records/display.ts';
import { memberValue } from '../../model/records/joined.ts';

/** An order that crm makes itself. */
export interface ListSorting {
  /** The field as typed, for messages. */
  readonly typed: string;
  readonly path: string;
  readonly member: Member;
  readonly type: ValueType | undefined;
  readonly isDescending: boolean;
}

/** The service's own sort for --sort, or the order that crm makes. Throws InvalidValues for an unknown field, a list and an object. */
export function sortingOf(resource: Resource, typed: string, isDescending: boolean): ListSorting | { readonly wire: string } {
  const { sort, sets = [] } = resource;
  const member = memberNamed(resource, typed);
  const isOwn = (name: string): boolean => {
    const own = memberNamed(resource, name);
    return name === underscored(typed) || (own?.kind === 'value' && member?.kind === 'value' && own.path === member.path);
  };
  const own = Object.keys(sort).find(isOwn);
  if (own !== undefined) return { wire: sort[own] ?? own };
  const forward = typed.startsWith('-') ? typed.slice(1) : undefined;
  if (forward !== undefined && (Object.hasOwn(sort, underscored(forward)) || memberNamed(resource, forward) !== undefined))
    throw invalidValue('--sort', `write --sort ${forward} --order desc.`);
  if (member === undefined) {
    const names = [...Object.keys(sort), ...namesForSuggestions(resource)];
    throw invalidValue('--sort', unknownField(typed, names, `. See them all: crm ${resource.name} list --fields help`));
  }
  if (member.kind === 'group' && !member.isJoined)
    throw invalidValue('--sort', `this field has several values. Name one of them: ${member.members.join(', ')}.`);
  if (sets.some(({ read }) => read === headOf(member.path))) throw invalidValue('--sort', `${typed} is a list.`);
  // A relation is sorted by its name.
  if (member.kind === 'relation') return { typed, isDescending, member, path: member.name, type: undefined };
  return { typed, isDescending, member, path: member.path, type: member.kind === 'value' ? member.type : undefined };
}

/**
 * All records of the pages as one page, sorted and then cut. Without `most`: as many as the first page has. `counted` gets the number of
 * sorted records. Throws InvalidValues for a value that can't be sorted, and for too many records.
 */
export async function* sortedPages(
  resource: Resource,
  pages: AsyncIterable<Answer>,
  sorting: ListSorting,
  { most, isNarrowed, counted }: SortHow,
): AsyncGenerator<Answer> {
  const sorted: { readonly record: unknown; readonly key: Key }[] = [];
  let first: Answer | undefined;
  let length = 0;
  for await (const answer of pages) {
    const records = answer.data as readonly unknown[];
    if (first === undefined) length = records.length;
    first ??= answer;
    for (const record of records) sorted.push({ record, key: sortKeyOf(resource, sorting, record) });
    const count = Math.max(sorted.length, isNarrowed ? 0 : (answer.meta?.total ?? 0));
    if (count > limits.sorted) throw tooMany(resource, sorting, count);
  }
  if (first === undefined) return;
  const collator = new Intl.Collator('en');
  sorted.sort((a, b) => compareKeys(a.key, b.key, sorting.isDescending, collator));
  counted(sorted.length);
  yield { ...first, data: sorted.slice(0, most ?? length).map(({ record }) => record) };
}

interface SortHow {
  readonly most: number | undefined;
  /** The pages hold fewer records than the service's total says. */
  readonly isNarrowed: boolean;
  readonly counted: (count: number) => void;
}

const tooMany = (resource: Resource, { typed }: ListSorting, count: number): Error =>
  invalidValue(
    '--sort',
    `crm sorts at most ${inThousands(limits.sorted)} ${pluralOf(resource)} by ${typed}, and these are ${inThousands(count)}. ` +
      `Narrow the list with --where, or let the service sort by ${Object.keys(resource.sort).join(', ')}.`,
  );

/** The compared value of a record; undefined for an empty one. */
type Key = string | NonNullable<ReturnType<typeof parseDecimal>> | undefined;

const numbers = ['decimal', 'integer', 'id'];

function sortKeyOf({ singular }: Resource, { path, member, type, typed }: ListSorting, record: unknown): Key {
  const value = memberValue(record, path, member);
  if (Array.isArray(value) || isMembers(value))
    throw invalidValue(
      '--sort',
      `${typed} of ${singular} ${displayText(valueAt(record, 'id'))} is ${Array.isArray(value) ? 'a list' : 'an object'}.`,
    );
  const text = scalarText(value).trim();
  if (text === '') return undefined;
  const isNumber = type === undefined ? typeof value === 'number' || JSON.isRawJSON(value) : numbers.includes(type.kind);
  if (isNumber) return parseDecimal(text) ?? text;
  const moment = type?.kind === 'date' ? momentHeld(text) : undefined;
  return moment === undefined ? text : (moment.time?.toISOString() ?? moment.day);
}

function compareKeys(a: Key, b: Key, isDescending: boolean, collator: Intl.Collator): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  const ascending = (): number => {
    if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
    // A text in a field of numbers stands behind the numbers.
    if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1;
    return compareDecimals(a, b);
  };
  return isDescending ? -ascending() : ascending();
}
