// Computes what an undo writes to a record. A value goes back when the record still holds what the run left; a set goes back element by
// element. Values that stay are named. Pure.

import type { RecordWrite } from '../../api/write-record.ts';
import { heldOf, isSameValue } from '../../bodies/held.ts';
import { setBody } from '../../bodies/operations.ts';
import { mergeBody } from '../../bodies/read-back.ts';
import { changedElements, type Element, elementsOf, hasAlike, without } from '../../bodies/replaced-set.ts';
import { updateShape } from '../../bodies/shape.ts';
import { actionPath, type Left, leftOf, showsAction, showsGiven, showsSet } from '../../bodies/shown.ts';
import { isKnownSigned } from '../../bodies/signed.ts';
import { type Difference, newOnly } from '../../records/difference.ts';
import { displayText } from '../../records/display.ts';
import type { Action, Field, ReplacedSet, Resource } from '../../resources/define.ts';
import type { PastStep } from '../../runs/journal/run.ts';
import type { Body, BodyValue } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { type Id, keptId, valueText } from '../../values/parse.ts';
import { isMembers, type Members, valueAt } from '../../values/paths.ts';
import { isSameText } from '../../values/text/same-text.ts';
import { quotedWord } from '../../values/text/wording.ts';

/** The undo of one part of a record. */
export interface PutBack {
  /** Absent when nothing goes back. */
  readonly write?: RecordWrite;
  /** The verb, as the journal keeps it. */
  readonly kind: string;
  /** The overwritten values, for the journal. */
  readonly before: unknown;
  readonly body: Body | undefined;
  kept(record: unknown): Members;
  /** True when a record shows the values that were put back. */
  shows(record: unknown): boolean | undefined;
  /** The values that go back. A relation or assignee is told by name. */
  readonly changes: readonly Difference[];
  /** Names of the values that somebody changed after the run. */
  readonly changedSince: readonly string[];
  /** Names of the values that can't go back. */
  readonly lost: readonly string[];
}

/** True when a step of this kind can be undone. */
export function canPutBack(resource: Resource, kind: string): boolean {
  return kind === 'update' || setOf(resource, kind) !== undefined || actionOf(resource, kind) !== undefined;
}

/** The part of a record that a step sets. Steps of one part are undone together. */
export const partOfKind = (resource: Resource, kind: string): string => {
  const action = actionOf(resource, kind);
  return action === undefined ? kind : (actionPath(resource, action) ?? kind);
};

/** The undo of a run's steps on one part of a record; the steps in order. Throws UnavailableError for a set that can't be sent back. */
export function putBack(resource: Resource, id: Id, steps: readonly PastStep[], record: unknown): PutBack {
  const kind = steps.at(-1)?.kind ?? '';
  const set = setOf(resource, kind);
  if (set !== undefined) return setBack(set, steps, record);
  const action = actionOf(resource, kind);
  return action === undefined ? fieldsBack(resource, steps, record) : actionBack(resource, action, id, steps, record);
}

const setOf = ({ sets = [] }: Resource, kind: string): ReplacedSet | undefined => sets.find(({ verb }) => verb === kind);
const actionOf = ({ actions = [], guarded = [] }: Resource, kind: string): Action | undefined =>
  [...actions, ...guarded].find(({ verb }) => verb === kind);

/** A value before the first step, and as sent and answered in the last step. */
interface Net {
  readonly was: string;
  readonly sent: string | undefined;
  readonly answered: string | undefined;
}

/**
 * The net change of a value over all steps. When somebody else changed the value between two steps, the net change begins at the later
 * step.
 */
function netOf(steps: readonly PastStep[], read: (step: PastStep) => Net, left: (net: Net, held: string) => Left): Net {
  let net: Net | undefined;
  for (const step of steps) {
    const next = read(step);
    net = net !== undefined && left(net, next.was) === 'ours' ? { ...next, was: net.was } : next;
  }
  return net ?? { was: '', sent: undefined, answered: undefined };
}

/** Compares a held value with its forms before and after the run's steps. */
const leftAs = ({ was, sent, answered }: Net, held: string, isSame = isSameText): Left =>
  leftOf(was, [answered, sent], (form) => isSame(held, form));

function fieldsBack(resource: Resource, steps: readonly PastStep[], record: unknown): PutBack {
  const { fields } = updateShape(resource);
  const wires = new Set(steps.flatMap(({ before, body, after = {} }) => [...Object.keys(before), ...body.keys(), ...Object.keys(after)]));
  const given: Body = new Map();
  const [changes, changedSince, lost]: [Difference[], string[], string[]] = [[], [], []];
  for (const wire of wires) {
    const field = fieldByWire(fields, wire);
    const name = field === undefined || field.wire !== wire ? wire : field.flag;
    if (field?.read === undefined) {
      lost.push(name);
      continue;
    }
    const isSame = (one: string, other: string): boolean => isSameValue(fields, wire, one, other);
    const about = steps.filter(({ before, body, after = {} }) => wire in before || body.has(wire) || wire in after);
    const read = ({ before, body, after }: PastStep): Net => ({
      was: scalarText(before[wire]),
      sent: body.has(wire) ? valueText(body.get(wire) ?? '') : undefined,
      answered: after === undefined ? undefined : scalarText(after[wire]),
    });
    const net = netOf(about, read, (one, value) => leftAs(one, value, isSame));
    const held = heldOf(fields, record, new Map([[wire, '']]))[wire] ?? '';
    const left = leftAs(net, held, isSame);
    if (left === 'absent') continue;
    if (left === 'untold') changedSince.push(name);
    else {
      given.set(wire, typed(field, net.was));
      const isPlain = ['text', 'email', 'decimal', 'date', 'choice', 'integer'].includes(field.type.kind);
      changes.push(isPlain ? { field: name, old: displayText(held), new: displayText(net.was) } : newOnly(name, ''));
    }
  }
  const kept = (one: unknown): Members => heldOf(fields, one, given);
  return {
    kind: 'update',
    ...(given.size === 0 ? {} : { write: { method: 'PATCH', body: mergeBody(fields, record, given) } }),
    before: kept(record),
    body: given,
    kept,
    shows: (one) => showsGiven(fields, one, given),
    changes,
    changedSince,
    lost,
  };
}

const fieldByWire = (fields: readonly Field[], wire: string): Field | undefined =>
  fields.find((field) => field.wire === wire) ?? fields.find((field) => field.type.kind === 'numbered' && wire.startsWith(field.wire));

/** A value for the request body, from the journal's text: an id becomes a number. */
const typed = ({ type }: Field, text: string): BodyValue => (['id', 'integer', 'id-or-name'].includes(type.kind) ? keptId(text) : text);

/** The undo of a set: removes the elements that the steps added, and adds the elements that they removed. */
function setBack(set: ReplacedSet, steps: readonly PastStep[], record: unknown): PutBack {
  const now = elementsOf(set, record, `crm history`);
  let wanted = now;
  let isUntold = false;
  for (const { before, body, after } of steps.toReversed()) {
    const [old, left] = [elementsIn(set, before[set.read]), elementsIn(set, after === undefined ? body.get(set.wire) : after[set.read])];
    wanted = changedElements(wanted, { add: without(old, left), remove: without(left, old) });
    isUntold ||= after === undefined && hasAlike(left, old, now);
  }
  const [added, removed] = [without(wanted, now), without(now, wanted)];
  const named = (some: readonly Element[], sign: string): string[] =>
    some.map((one) => `${sign}${elementName(set, [record, ...steps.map(({ before }) => before)], one)}`);
  const body = setBody(set, wanted);
  const isNone = added.length + removed.length === 0;
  const kept = (one: unknown): Members => ({ [set.read]: valueAt(one, set.read) ?? null });
  return {
    kind: set.verb,
    ...(isNone ? {} : { write: { method: 'PUT', below: set.path, body, repeatable: true } }),
    before: kept(record),
    body,
    kept,
    shows: (one) => showsSet(set, wanted, one),
    changes: isNone ? [] : [newOnly(set.read, [...named(removed, '-'), ...named(added, '+')].join(' '))],
    changedSince: isUntold ? [set.read] : [],
    lost: [],
  };
}

/** The elements of a set, from a record or a body. */
function elementsIn({ element, value }: ReplacedSet, held: unknown): Element[] {
  return (Array.isArray(held) ? held : []).map((one: unknown) => {
    const text = scalarText(element !== undefined && isMembers(one) ? one[element] : one);
    return value.type.kind === 'id' ? keptId(text) : text;
  });
}

/** An element's name, from the first of the records that has it. */
function elementName({ read, element }: ReplacedSet, records: readonly unknown[], one: Element): string {
  if (element === undefined) return quotedWord(displayText(one));
  const all = records.flatMap((record) => valueAt(record, read)).filter(isMembers);
  return displayText(all.find((held) => scalarText(held[element]) === String(one))?.name) || String(one);
}

function actionBack(resource: Resource, action: Action, id: Id, steps: readonly PastStep[], record: unknown): PutBack {
  const path = actionPath(resource, action) ?? '';
  const read = ({ kind, before, body, after }: PastStep): Net => {
    const { value, reads } = actionOf(resource, kind ?? '') ?? action;
    const sent = value === undefined ? (reads?.value ?? '') : body.get(value.wire);
    return {
      was: scalarText(before[path]),
      sent: sent === undefined ? undefined : valueText(sent),
      answered: after === undefined ? undefined : scalarText(after[path]),
    };
  };
  const net = netOf(steps, read, leftAs);
  const held = scalarText(valueAt(record, path));
  const left = leftAs(net, held);
  const isBack = left === 'absent';
  const back = isBack ? undefined : actionTo(resource, action, path, net.was);
  const body = back?.value === undefined ? undefined : new Map([[back.value.wire, keptId(net.was)]]);
  const name = path.replace(/\.id$/, '');
  const isSignedNow = resource.guarded?.some(({ verb }) => verb === action.verb) === true && isKnownSigned(record, id);
  const isStaying = !isBack && (isSignedNow || left === 'untold');
  const kept = (one: unknown): Members => ({ [path]: valueAt(one, path) ?? null });
  const change = name === path ? { field: name, old: displayText(held), new: displayText(net.was) } : newOnly(name, '');
  return {
    kind: back?.verb ?? action.verb,
    ...(back === undefined || isStaying
      ? {}
      : { write: { method: 'PUT', below: back.path, ...(body === undefined ? {} : { body }), repeatable: true } }),
    before: kept(record),
    body,
    kept,
    shows: (one) => (back === undefined ? undefined : showsAction(resource, back, body, one)),
    changes: back === undefined || isStaying ? [] : [change],
    changedSince: isStaying ? [isSignedNow ? `${name} (it is signed)` : name] : [],
    lost: [
      ...(back === undefined && !isBack && !isStaying ? [name] : []),
      ...(steps.some(({ before }) => before.signed !== undefined && before.signed !== null) ? ['signature'] : []),
    ],
  };
}

/** The action that sets the old value: the same action with another value, or the action that stands for the old value. */
function actionTo({ actions = [] }: Resource, action: Action, path: string, value: string): Action | undefined {
  if (action.value !== undefined) return value === '' ? undefined : action;
  return actions.find(({ reads }) => reads?.path === path && reads.value === value);
}
