// What a write changed in its record: the record as it was before the write, compared with the answer, for the requested values only. If the
// record was not read before, the requested values are shown. Pure.

import type { Body } from '../base/values/body.ts';
import { isSameDecimal } from '../base/values/decimal.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { withLineFeeds } from '../base/values/text/same-text.ts';
import { quotedWord } from '../base/values/text/wording.ts';
import { isSameTime } from '../base/values/time/time-span.ts';
import { elementText, without } from '../model/bodies/replaced-set.ts';
import type { Field, ReplacedSet, Resource } from '../model/define.ts';
import { valueHeld } from '../model/records/columns.ts';
import { type Difference, orEmpty } from '../model/records/difference.ts';
import { displayText } from '../model/records/display.ts';
import { wiresOf } from '../model/shape.ts';
import { type FamilyValue, valueNamed } from '../model/values.ts';
import { asItWas, type Effect } from '../output/result.ts';
import { subjectOf, titleIn } from '../output/subject.ts';

interface RequestedValue {
  /** The user's name for the value. */
  readonly name: string;
  /** The value as sent, and as typed. */
  readonly value: string;
  readonly typed: string;
  /** The value of the record. Undefined for a value that records don't show. */
  readonly shown?: FamilyValue;
}

interface HeldValue {
  readonly key: string;
  readonly shown: string;
}

/** The requested value of a record's member. `name`: as the user typed it. */
export const requestedMember = (resource: Resource, name: string, value: string, typed = value): RequestedValue => ({
  name,
  value,
  typed,
  shown: valueNamed(resource, name),
});

/** The requested values of a body, by wire names. `typed` gives the user's text for a field. */
export function requestedOf(
  resource: Resource,
  fields: readonly Field[],
  given: Body,
  typed: (field: Field) => string | undefined = () => undefined,
): RequestedValue[] {
  return [...given].map(([wire, value]) => {
    const field = fields.find((one) => wiresOf(one).includes(wire));
    const sent = valueText(value);
    if (field === undefined) return { name: wire, value: sent, typed: sent };
    if (field.type.kind === 'reference') return { name: `${field.flag}.${wire.slice(field.wire.length + 1)}`, value: sent, typed: sent };
    if (field.type.kind === 'numbered') return requestedMember(resource, `${field.flag}-${wire.slice(field.wire.length)}`, sent);
    return requestedMember(resource, field.flag, sent, typed(field) ?? sent);
  });
}

function heldValueOf(value: FamilyValue | undefined, record: unknown): HeldValue | undefined {
  const key = value?.keyOf(record);
  return value === undefined || key === undefined ? undefined : { key: String(key), shown: displayText(value.shownOf(record)) };
}

/**
 * The changes after a write, without unchanged values. `before` is undefined if the record was not read before the write. If the answer
 * lacks a value, the sent value counts as the new value.
 */
export function changesOf(requested: readonly RequestedValue[], before: unknown, after: unknown): Difference[] {
  return requested.flatMap((one): Difference[] => {
    const { name: field } = one;
    const [from, answered] = [heldValueOf(one.shown, before), heldValueOf(one.shown, after)];
    const sent = { key: one.value, shown: displayText(one.typed) };
    const to = answered ?? sent;
    if (from === undefined) return [{ field, old: '', new: to.shown, isUnread: true }];
    if (isSameHeldValue(one.shown, from, to) || (answered === undefined && isSameHeldValue(one.shown, { ...from, key: from.shown }, to)))
      return [];
    const isAmbiguous = from.shown === to.shown && from.key !== to.key;
    const text = ({ key, shown }: HeldValue): string => (isAmbiguous ? displayText(key) : shown);
    return [{ field, old: text(from), new: text(to) }];
  });
}

/**
 * The values that changed although the update did not give them. HTML entities count as a change: a service may escape a text sent back.
 */
export function changesBeside(fields: readonly Field[], given: Body, before: unknown, after: unknown): Difference[] {
  return fields.flatMap(({ flag, read = '', wire, type }): Difference[] => {
    if (given.has(wire) || type.kind === 'numbered') return [];
    const [from, to] = [before, after].map((record) => valueHeld(record, read));
    if (from === undefined || to === undefined) return [];
    const [old, now] = [scalarText(from), scalarText(to)];
    const isSameNumber = type.kind === 'decimal' && isSameDecimal(old, now);
    const isSameDay = type.kind === 'date' && isSameTime(old, now);
    const texts = [old, now].map((text) => withLineFeeds(text).trim());
    return isSameNumber || isSameDay || texts[0] === texts[1] ? [] : [{ field: flag, old: displayText(from), new: displayText(to) }];
  });
}

const isSameHeldValue = (value: FamilyValue | undefined, from: HeldValue, to: HeldValue): boolean =>
  value === undefined ? from.key === to.key : value.isSame(from.key, to.key);

/**
 * The effect of a write to a record. The first of `records` with a title gives the name. Without changes, the effect says that the
 * record is unchanged.
 */
export function effectOfChange(resource: Resource, id: Id, changes: readonly Difference[], records: readonly unknown[]): Effect {
  const subject = subjectOf(resource.singular, id);
  const title = titleIn(resource, ...records);
  if (changes.length === 0) return { subject, done: asItWas, ...title };
  const isChanged = changes.some(({ isUnread }) => !isUnread);
  return { subject, done: isChanged ? 'changed' : '', ...title, changes };
}

/** The changes of a replaced set: `tags +hot -cold`. If the old set is unknown, the whole new set. */
export function setChange(set: ReplacedSet, before: unknown, after: unknown, sent: readonly unknown[]): Difference[] {
  const [held, answered] = [elementsAt(set, before), elementsAt(set, after)];
  const now = answered ?? sent;
  // Names of people need no quotes.
  const shown = (one: unknown): string => (set.element === undefined ? quotedWord(elementShown(set, one)) : elementShown(set, one));
  const listed = (all: readonly unknown[]): string => all.map((one) => elementShown(set, one)).join('; ');
  const change = { field: set.read, old: listed(held ?? []), new: listed(now) };
  if (held === undefined) return [{ ...change, told: `set to ${orEmpty(now.map(shown).join(', '))}`, isUnread: true }];
  const textOf = (one: unknown): string => elementText(set, one);
  const added = without(now, held, textOf).map((one) => `+${shown(one)}`);
  const removed = without(held, now, textOf).map((one) => `-${shown(one)}`);
  const told = [...added, ...removed].join(' ');
  return told === '' ? [] : [{ ...change, told }];
}

function elementsAt({ read }: ReplacedSet, record: unknown): readonly unknown[] | undefined {
  const held = valueAt(record, read);
  if (held === null) return [];
  return Array.isArray(held) ? held : undefined;
}

const elementShown = (set: ReplacedSet, one: unknown): string =>
  (isMembers(one) && displayText(one.name)) || displayText(elementText(set, one));
