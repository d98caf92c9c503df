// Finds the values that an undo writes to a record. If the record still holds what the run left, the old value goes back; if somebody
// changed it since, the value stays, and is named. Elements of sets go back one by one. Pure: nothing is read or sent.

import type { Body, BodyValue } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { type Id, storedId, valueText } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { isSameText } from '../../base/values/text/same-text.ts';
import { type PlainChange, plainAction, plainSet, plainUpdate } from '../../client/plain-change.ts';
import { actionPath } from '../../model/bodies/held.ts';
import { asMember } from '../../model/bodies/names.ts';
import { changedElements, type Element, elementsOf, elementText, hasAlike, without } from '../../model/bodies/replaced-set.ts';
import { isKnownSigned } from '../../model/bodies/signed.ts';
import type { Action, ReplacedSet, Resource } from '../../model/define.ts';
import { type Difference, newOnly } from '../../model/records/difference.ts';
import { displayText } from '../../model/records/display.ts';
import { valuesOf } from '../../model/values.ts';
import type { PastStep } from '../../runs/journal/run.ts';
import { setChange } from '../what-changed.ts';

/** The undo of one part of a record. */
export interface PutBack {
  /** Absent when nothing goes back. */
  readonly change?: PlainChange;
  /** The verb, as the journal keeps it. */
  readonly kind: string;
  /** The values that go back, when the body holds more than these values. */
  readonly given?: Body;
  /** The values that go back. A relation is told by name. */
  readonly changes: readonly Difference[];
  /** Names of the values that somebody changed after the run. */
  readonly changedSince: readonly string[];
  /** Names of the values that can't go back. */
  readonly lost: readonly string[];
}

/** True when an undo can take back steps of a kind (`update`, `tags`, `archive`). */
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

/** A value before the first step, and as the last step left it: as answered, else as sent. */
interface Net {
  readonly was: string;
  readonly left: string | undefined;
}

/** A held value is the `old` one from before the steps, `ours` that the steps left, or `another`. */
type Held = 'old' | 'ours' | 'another';

/**
 * A value's change over all steps of a run: from before the first step to after the last one. If somebody else changed the value between
 * two steps, only the steps after that count: 5 → 6 (run), 6 → 7 (colleague), 7 → 8 (run) is 7 → 8.
 */
function netOf(steps: readonly PastStep[], netOfStep: (step: PastStep) => Net, heldAs: (net: Net, held: string) => Held): Net {
  let net: Net | undefined;
  for (const step of steps) {
    const next = netOfStep(step);
    net = net !== undefined && heldAs(net, next.was) === 'ours' ? { ...next, was: net.was } : next;
  }
  return net ?? { was: '', left: undefined };
}

function heldAs({ was, left }: Net, held: string, isSame = isSameText): Held {
  if (isSame(held, was)) return 'old';
  return left !== undefined && isSame(held, left) ? 'ours' : 'another';
}

function fieldsBack(resource: Resource, steps: readonly PastStep[], record: unknown): PutBack {
  const updated = valuesOf(resource).filter(({ target }) => target !== undefined && 'flag' in target && target.only !== 'create');
  const values = new Map(updated.map((one) => [one.wire, one]));
  const wires = new Set(steps.flatMap(({ before, body, after = {} }) => [...Object.keys(before), ...body.keys(), ...Object.keys(after)]));
  const given: Body = new Map();
  const [changes, changedSince, lost]: [Difference[], string[], string[]] = [[], [], []];
  for (const wire of wires) {
    const value = values.get(wire);
    if (value === undefined) {
      lost.push(resource.fields.find((field) => field.wire === wire)?.flag ?? wire);
      continue;
    }
    const { name, type } = value;
    const writes = steps.filter(({ before, body, after = {} }) => wire in before || body.has(wire) || wire in after);
    const netOfField = ({ before, body, after }: PastStep): Net => ({
      was: scalarText(before[wire]),
      left: answeredIn(after, wire) ?? sentAsText(body.get(wire)),
    });
    const net = netOf(writes, netOfField, (one, now) => heldAs(one, now, value.isSame));
    const held = String(value.keyOf(record) ?? '');
    const is = heldAs(net, held, value.isSame);
    if (is === 'old') continue;
    if (is === 'another') changedSince.push(name);
    else {
      const isId = ['id', 'integer', 'id-or-name'].includes(type?.kind ?? '');
      given.set(wire, isId ? storedId(net.was) : net.was);
      const isPlain = ['text', 'email', 'decimal', 'date', 'choice', 'integer'].includes(type?.kind ?? '');
      changes.push(isPlain ? { field: name, old: displayText(held), new: displayText(net.was) } : newOnly(name, ''));
    }
  }
  return {
    kind: 'update',
    ...(given.size === 0 ? {} : { change: plainUpdate(resource, given, asMember), given }),
    changes,
    changedSince,
    lost,
  };
}

const answeredIn = (after: PastStep['after'], name: string): string | undefined =>
  after !== undefined && name in after ? scalarText(after[name]) : undefined;

const sentAsText = (sent: BodyValue | undefined): string | undefined => (sent === undefined ? undefined : valueText(sent));

/** The undo of a set: removes the elements that the steps added, and adds the elements that they removed. */
function setBack(set: ReplacedSet, steps: readonly PastStep[], record: unknown): PutBack {
  const now = elementsOf(set, record, `crm history`);
  let wanted = now;
  let isUnknown = false;
  for (const { before, body, after } of steps.toReversed()) {
    const [old, left] = [elementsIn(set, before[set.read]), elementsIn(set, after === undefined ? body.get(set.wire) : after[set.read])];
    wanted = changedElements(wanted, { add: without(old, left), remove: without(left, old) });
    isUnknown ||= after === undefined && hasAlike(left, old, now);
  }
  const changes = setChange(set, record, undefined, namedElements(set, [record, ...steps.map(({ before }) => before)], wanted));
  return {
    kind: set.verb,
    ...(changes.length === 0 ? {} : { change: plainSet(set, () => wanted) }),
    changes,
    changedSince: isUnknown ? [set.read] : [],
    lost: [],
  };
}

/** The elements of a set, from a record or a body. */
export const elementsIn = (set: ReplacedSet, held: unknown): Element[] =>
  (Array.isArray(held) ? held : []).map((one: unknown) =>
    set.value.type.kind === 'id' ? storedId(elementText(set, one)) : elementText(set, one),
  );

/** The elements as a record shows them. Ids of people become objects with the name from `records`. */
function namedElements({ read, element }: ReplacedSet, records: readonly unknown[], elements: readonly Element[]): readonly unknown[] {
  if (element === undefined) return elements;
  const all = records.flatMap((record) => valueAt(record, read)).filter(isMembers);
  return elements.map((one) => ({ ...all.find((held) => scalarText(held[element]) === String(one)), [element]: one }));
}

/**
 * The undo of actions that set one path of a record. A run archived a lead: it set `active_state` from `active` to `archived`.
 *
 * | the lead holds now | what goes back |
 * | --- | --- |
 * | `active` | nothing: the old value is there |
 * | `archived` | `active`, by the opposite action `activate`. Without such an action, the old value is lost |
 * | another value | nothing: somebody changed it since |
 *
 * A status clears a signature for good. So a signed proposal keeps its status, and a signature that the run cleared is lost.
 */
function actionBack(resource: Resource, action: Action, id: Id, steps: readonly PastStep[], record: unknown): PutBack {
  const path = actionPath(resource, action) ?? '';
  const name = path.replace(/\.id$/, '');
  const netOfAction = ({ kind, before, body, after }: PastStep): Net => {
    const { value, reads } = actionOf(resource, kind ?? '') ?? action;
    const sent = value === undefined ? (reads?.value ?? '') : body.get(value.wire);
    return {
      was: scalarText(before[path]),
      left: answeredIn(after, path) ?? sentAsText(sent),
    };
  };
  const net = netOf(steps, netOfAction, heldAs);
  const held = scalarText(valueAt(record, path));
  const lost = steps.some(({ before }) => before.signed !== undefined && before.signed !== null) ? ['signature'] : [];
  const nothing: PutBack = { kind: action.verb, changes: [], changedSince: [], lost };
  const is = heldAs(net, held);
  if (is === 'old') return nothing;
  const isSignedNow = resource.guarded?.some(({ verb }) => verb === action.verb) === true && isKnownSigned(record, id);
  if (isSignedNow) return { ...nothing, changedSince: [`${name} (it is signed)`] };
  if (is === 'another') return { ...nothing, changedSince: [name] };
  const back = actionTo(resource, action, path, net.was);
  if (back === undefined) return { ...nothing, lost: [name, ...lost] };
  const body = back.value === undefined ? undefined : new Map([[back.value.wire, storedId(net.was)]]);
  const difference = name === path ? { field: name, old: displayText(held), new: displayText(net.was) } : newOnly(name, '');
  return { ...nothing, kind: back.verb, change: plainAction(resource, back, body), changes: [difference] };
}

/**
 * The action that sets the old value: the same action for an action with a value, else the action with the opposite effect (activate,
 * archive).
 */
function actionTo({ actions = [] }: Resource, action: Action, path: string, value: string): Action | undefined {
  if (action.value !== undefined) return value === '' ? undefined : action;
  return actions.find(({ reads }) => reads?.path === path && reads.value === value);
}
