// Reads and changes the elements of a set that the service replaces as a whole. Pure.

import { UnavailableError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { parseId } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { areAlike } from '../../base/values/text/alike.ts';
import { textKey } from '../../base/values/text/same-text.ts';
import { withoutUnseen } from '../../base/values/text/unseen.ts';
import type { ReplacedSet } from '../define.ts';

export type Element = string | number;

/** The largest set that is changed. Sending a million elements back takes hundreds of megabytes. */
const mostElements = 100_000;

/**
 * The elements of a record's set; an empty list for null. Throws UnavailableError when an element couldn't be sent back unchanged.
 * `wholeSet` is the flag that gives the whole set, which needs no read.
 */
export function elementsOf(set: ReplacedSet, record: unknown, wholeSet: string): Element[] {
  const held = valueAt(record, set.read);
  if (held === null) return [];
  if (Array.isArray(held) && held.length > mostElements) {
    throw new UnavailableError(`The record holds ${held.length} ${set.read}, and a set of more than ${mostElements} is not changed.`, {
      hint: `Give the whole new set, which needs no read: ${wholeSet}`,
    });
  }
  const elements = Array.isArray(held) ? held.map((one) => elementOf(set, one)) : [undefined];
  if (elements.every((element) => element !== undefined)) return elements;
  const how = held === undefined ? 'without' : 'with an unknown form of';
  throw new UnavailableError(`The service answered ${how} the record's ${set.read}; nothing was changed.`, {
    hint: `Give the whole new set, which needs no read: ${wholeSet}`,
  });
}

/** The elements with `add` at the end and without `remove`. The record's own order and spelling stay. */
export function changedElements(
  elements: readonly Element[],
  { add, remove }: { readonly add: readonly Element[]; readonly remove: readonly Element[] },
): Element[] {
  return without([...new Set([...elements, ...without(add, elements)])], remove);
}

const elementKey = (one: Element): string => textKey(withoutUnseen(String(one)));
const elementKeys = (elements: readonly Element[]): Set<string> => new Set(elements.map(elementKey));

/** The text of an element of a record or a body: a tag, or the id of a person. */
export const elementText = ({ element }: ReplacedSet, one: unknown): string =>
  scalarText(element !== undefined && isMembers(one) ? one[element] : one);

/** The elements of a record's set as texts; an empty list for null, undefined when the record has no such array. */
export function elementTexts(set: ReplacedSet, record: unknown): string[] | undefined {
  const held = valueAt(record, set.read);
  if (held === null) return [];
  if (!Array.isArray(held)) return undefined;
  return held.map((one: unknown) => elementText(set, one));
}

/** The elements of a held set for people: the names of people, the texts of tags. */
export const elementsShown = (set: ReplacedSet, held: unknown): string[] =>
  Array.isArray(held) ? held.map((one: unknown) => (isMembers(one) && scalarText(one.name)) || elementText(set, one)) : [];

/** Undefined for an unknown shape. */
function elementOf({ element, value }: ReplacedSet, one: unknown): Element | undefined {
  const held = element === undefined ? one : isMembers(one) ? one[element] : undefined;
  if (typeof held !== 'string' && typeof held !== 'number' && !JSON.isRawJSON(held)) return undefined;
  const text = scalarText(held);
  if (value.type.kind !== 'id') return text;
  return /^0*[1-9]\d*$/.test(text) ? parseId(text, value.name) : undefined;
}

/** The elements that `others` doesn't have. `textOf`: the text of an element that is an object. */
export function without<T>(some: readonly T[], others: readonly T[], textOf: (one: T) => string = String): T[] {
  const keys = elementKeys(others.map(textOf));
  return some.filter((one) => !keys.has(elementKey(textOf(one))));
}

/** True when a set lacks a sent element and has gained a similar element: the service may have rewritten the sent element. */
export function hasAlike(sent: readonly Element[], before: readonly Element[], now: readonly Element[]): boolean {
  const came = without(now, before).map(String);
  return without(sent, now).some((one) => came.some((other) => areAlike(String(one), other)));
}

/** True when two sets have the same elements, in any order. */
export const isSameSet = (one: readonly Element[], other: readonly Element[]): boolean =>
  elementKeys(one).symmetricDifference(elementKeys(other)).size === 0;
