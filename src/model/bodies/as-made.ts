// Tells whether a record is still as a run left it: with the sent values, as the service writes them, and no other values. Pure.

import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { headOf } from '../../base/values/paths.ts';
import { heldReader } from '../../model/records/columns.ts';
import type { Resource } from '../define.ts';
import { type FamilyValue, type HeldText, valuesOf } from '../values.ts';
import { actionPath } from './held.ts';
import { isSigned } from './signed.ts';

/** Values by their paths in the record. */
type HeldTexts = ReadonlyMap<string, HeldText>;

/** What the records of a family are compared by. */
interface Compared {
  /** The values that a person can edit or set. Left out: references, which no update takes. */
  readonly editable: readonly FamilyValue[];
  /** Each value, by its path. */
  readonly values: ReadonlyMap<string, FamilyValue>;
  /**
   * The paths of the other documented members: what a colleague or the service fills, and no write of crm. Left out: dates, and members
   * beside a written one, such as the name of a relation or the colour of a status.
   */
  readonly readOnly: readonly { readonly path: string; readonly heldIn: (record: unknown) => unknown }[];
}

/** By family: every record of an import is compared, so the paths are found once. */
const found = new WeakMap<Resource, Compared>();

function comparedIn(resource: Resource): Compared {
  const known = found.get(resource);
  if (known !== undefined) return known;
  const values = valuesOf(resource);
  const ofWrites = [
    'id',
    'dates',
    ...resource.fields.flatMap(({ read = [] }) => read),
    ...(resource.sets ?? []).map(({ read }) => read),
    ...statePaths(resource),
  ];
  const heads = new Set(ofWrites.map(headOf));
  const compared = {
    editable: values.filter(({ type }) => type?.kind !== 'reference'),
    values: new Map(values.map((value) => [value.path, value])),
    readOnly: resource.record.flatMap((path) => (heads.has(headOf(path)) ? [] : [{ path, heldIn: heldReader(path) }])),
  };
  found.set(resource, compared);
  return compared;
}

function editableIn(resource: Resource, record: unknown): HeldTexts {
  const held = new Map<string, HeldText>();
  for (const { path, keyOf } of comparedIn(resource).editable) {
    const key = keyOf(record);
    if (key !== undefined) held.set(path, key);
  }
  return held;
}

function readOnlyIn(resource: Resource, record: unknown): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (const { path, heldIn } of comparedIn(resource).readOnly) {
    const value = heldIn(record);
    if (value === undefined) continue;
    held.set(path, typeof value === 'object' && value !== null ? JSON.stringify(value) : scalarText(value));
  }
  return held;
}

/** The paths that actions and conversions set. */
export function statePaths(resource: Resource): string[] {
  const { actions = [], guarded = [], standing } = resource;
  const set = [...actions, ...guarded].flatMap((action) => actionPath(resource, action) ?? []);
  return [...new Set([...set, ...(standing?.words ?? []).flatMap(({ path }) => path ?? [])])];
}

function sentIn({ fields }: Resource, body: Body): HeldTexts {
  const sent = new Map<string, HeldText>();
  for (const { read, type, wire } of fields) {
    if (read === undefined || type.kind === 'reference') continue;
    if (type.kind === 'numbered') {
      for (const [name, value] of body)
        if (/^\d+$/.test(name.slice(wire.length)) && name.startsWith(wire)) sent.set(name, valueText(value));
    } else if (body.has(wire)) sent.set(read, valueText(body.get(wire) ?? ''));
  }
  return sent;
}

/**
 * The values of a new record that differ from the sent values, by path: the service changed or added these values. Beside them the
 * read-only members that are empty in the new record, as empty texts. Undefined when the record lacks a sent value.
 */
export function madeOf(resource: Resource, body: Body, record: unknown): Record<string, HeldText> | undefined {
  const { values } = comparedIn(resource);
  const [sent, held] = [sentIn(resource, body), editableIn(resource, record)];
  for (const path of sent.keys()) if (!held.has(path)) return undefined;
  const made: Record<string, HeldText> = {};
  for (const [path, text] of held) if (!values.get(path)?.isSame(sent.get(path) ?? '', text)) made[path] = text;
  for (const [path, text] of readOnlyIn(resource, record)) if (isBlank(text)) made[path] = '';
  return made;
}

/** The writes that a record is compared with. */
interface MadeBy {
  readonly body: Body;
  /** The values that the service changed or added in this create (`madeOf`). */
  readonly made?: Readonly<Record<string, HeldText>> | undefined;
  /** If `made` is unknown: the values that the service changed or added when the run made another record. */
  readonly alike?: Readonly<Record<string, HeldText>> | undefined;
  /** The values that the run's later writes set, by path. An undefined value: a write may have set any value. */
  readonly later: ReadonlyMap<string, HeldText | undefined>;
}

/** True when a record holds only the values that a run's writes left, nobody filled another member, and the record is not signed. */
export function isAsMade(resource: Resource, record: unknown, by: MadeBy): boolean {
  if (isSigned(record)) return false;
  const { made, alike = {} } = by;
  // A member that was empty when the record was made was filled by somebody else.
  const isFilled = readOnlyIn(resource, record)
    .entries()
    .some(([path, text]) => (made ?? alike)[path] === '' && !isBlank(text));
  if (isFilled) return false;
  const [{ values }, leftAt] = [comparedIn(resource), leftBy(resource, by)];
  return editableIn(resource, record)
    .entries()
    .every(([path, held]) => {
      const left = leftAt(path);
      if (left === anything) return true;
      if (left !== undefined) return values.get(path)?.isSame(left, held) === true;
      return isBlank(held) || (made === undefined && isInitial(resource, path, held));
    });
}

const anything = Symbol('anything');

/**
 * Gives the value that the run left at a path. The first row that fits decides:
 *
 * | the value                                          | was left as                                            |
 * | -------------------------------------------------- | ------------------------------------------------------ |
 * | set by a later write                               | the value set; `anything` if the write may set any     |
 * | changed by the service in this create (`made`)     | the service's value                                    |
 * | sent, but changed by the service in another create | `anything`: the service may have changed this one, too |
 * | added by the service in another create (`alike`)   | the value added there                                  |
 * | sent in the create                                 | the sent value                                         |
 * | none of these                                      | undefined                                              |
 */
function leftBy(resource: Resource, { body, made, alike = {}, later }: MadeBy) {
  const sent = sentIn(resource, body);
  return (path: string): HeldText | typeof anything | undefined => {
    if (later.has(path)) return later.get(path) ?? anything;
    if (made !== undefined) return made[path] ?? sent.get(path);
    return path in alike && sent.has(path) ? anything : (alike[path] ?? sent.get(path));
  };
}

const isBlank = (held: HeldText): boolean => held.length === 0 || held === 'false';

/** True for a state that new records have, as far as the declaration says. */
function isInitial(resource: Resource, path: string, held: HeldText): boolean {
  const own = [...(resource.actions ?? []), ...(resource.guarded ?? [])].filter((action) => actionPath(resource, action) === path);
  const [initial] = own.flatMap((action) => action.starts ?? (action.initial ? (action.reads?.value ?? []) : []));
  if (own.length === 0) return false;
  return initial === undefined ? own.every(({ reads }) => reads !== undefined && held !== reads.value) : held === initial;
}

/** A record's editable values, and which read-only members are filled, as one text. Equal texts: nobody changed the record between two reads. */
export function editableText(resource: Resource, record: unknown): string {
  const filled = [...readOnlyIn(resource, record)].flatMap(([path, text]) => (isBlank(text) ? [] : [path]));
  return JSON.stringify([isSigned(record), filled, ...[...editableIn(resource, record)].sort(([a], [b]) => (a < b ? -1 : 1))]);
}
