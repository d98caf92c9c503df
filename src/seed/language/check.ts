// What can be told of records before anything is sent: their values, their actions, and what must be there only once.

import { createShape } from '../../bodies/shape.ts';
import { UsageError } from '../../errors.ts';
import { type Problems, placeText } from '../../files/problems.ts';
import type { Resource } from '../../resources/define.ts';
import type { Body, BodyValue } from '../../values/body.ts';
import { suggestion } from '../../values/text/suggest.ts';
import type { SeedAction } from '../actions.ts';
import type { Tree } from './file.ts';
import { familyOf } from './find.ts';
import { type PlannedRecord, type PlannedValue, type PlanPart, recordName } from './planned.ts';
import { fill, type ResolvedValue, type Target, targetsIn, targetText } from './scope.ts';
import { createBodyOf, readPath, valueEntries, wireValueEntries } from './values.ts';

/** Checks the records of a name, of counted ones up to the first with problems; `isFaulty`: it has others already. */
export function checkPart(part: PlanPart, isFaulty: boolean, problems: Problems): void {
  if (part.kind === 'find') return;
  const before = problems.count;
  for (const made of part.made) {
    const entries = checkedEntries(made, problems);
    const isSound = (): boolean => !isFaulty && problems.count === before;
    if (isSound()) checkKey(made, problems);
    checkActs(made, problems);
    // What is missing is said only when nothing else is wrong: it may be what was misspelt.
    if (isSound()) problems.try(made.where, () => createBodyOf(made.resource, entries));
    if (problems.count > before) return;
  }
}

/** Stands for a value that is not known yet: it is there, and is no date that could be compared. */
const toCome: BodyValue = 0;

/** The body entries of everything that can be checked before the records are there that it refers to; their ids will be ids. */
function checkedEntries({ resource, values, wires, words }: PlannedRecord, problems: Problems): [string, BodyValue][] {
  const shape = createShape(resource);
  const checked = (
    { resolved, where }: PlannedValue,
    wire: string,
    entries: (value: Tree, where: string) => [string, BodyValue][],
  ): [string, BodyValue][] => {
    const value = filled(resolved);
    return value === undefined ? [[wire, toCome]] : (problems.try(where, (text) => entries(value, text)) ?? []);
  };
  return [
    ...values.flatMap((one) =>
      checked(one, one.field.wire, (value, where) => valueEntries(shape, one.field, words.settled(one.field.type, value, where), where)),
    ),
    ...wires.flatMap((one) => checked(one, one.wire, (value, where) => wireValueEntries(shape, one.wire, value, where))),
  ];
}

/** Refuses an empty key: it would be found in every record that has nothing there. */
function checkKey({ key, values }: PlannedRecord, problems: Problems): void {
  for (const { field, resolved, where } of values) {
    const isEmpty = resolved === null || (typeof resolved === 'string' && resolved.trim() === '');
    if (key.includes(field) && isEmpty) problems.add(where, "It is the record's key and can't be empty.");
  }
}

/** Checks what actions are given, and that their records set what they need. */
function checkActs(made: PlannedRecord, problems: Problems): void {
  for (const { action, value } of made.acts) {
    const tree = filled(value.resolved);
    if (tree === undefined) continue;
    const checked = problems.try(value.where, (where) => ({ body: action.bodyOf(tree, where) }));
    if (checked !== undefined) problems.try(value.where, () => checkNeeds(made, action, checked.body));
  }
}

/** A value with ids of some kind in place of references to ids; undefined where anything else is referred to, which is known later. */
const filled = (resolved: ResolvedValue): Tree | undefined => (hasIdsOnly(resolved) ? fill(resolved, () => '1') : undefined);

/** A text that is the same for values that will be the same; undefined for what is no text. */
function comparable(resolved: ResolvedValue): string | undefined {
  const value = fill(resolved, targetText);
  return typeof value === 'string' ? value : undefined;
}

/** Whether a value's references are all ids: what they will be is known well enough. */
export const hasIdsOnly = (resolved: ResolvedValue): boolean => targetsIn(resolved).every(({ member }) => member === 'id');

function checkNeeds(made: PlannedRecord, { verb, needs }: SeedAction, given: Body | undefined): void {
  const has = (flag: string): boolean => made.values.some(({ field, resolved: one }) => field.flag === flag && one !== null && one !== '');
  const missing = (needs?.(given) ?? []).filter((flag) => !has(flag));
  if (missing.length === 0) return;
  throw new UsageError(`To ${verb}, give ${missing.join(', ')} here or in the record's set.`);
}

/** Refuses references to members that families don't have, and to those that are no single value (interface: Resources and their fields). */
export function checkMembers(parts: readonly PlanPart[], problems: Problems): void {
  const families = new Map(parts.map((part) => [part.name, part.kind === 'find' ? familyOf(part.found.type) : part.made[0]?.resource]));
  const told = new Set<string>();
  for (const { resolved, where } of parts.flatMap(valuesIn)) {
    for (const target of targetsIn(resolved)) {
      const message = told.has(placeText(where)) ? undefined : memberProblem(target, families.get(target.name));
      if (message === undefined) continue;
      problems.add(where, message);
      told.add(placeText(where));
    }
  }
}

function valuesIn(part: PlanPart): readonly PlannedValue[] {
  if (part.kind === 'find') return part.found.by;
  return part.made.flatMap(({ values, wires, acts }) => [...values, ...wires, ...acts.map(({ value }) => value)]);
}

function memberProblem({ name, member }: Target, resource: Resource | undefined): string | undefined {
  if (resource === undefined) return undefined;
  const path = readPath(resource, member) ?? member;
  const what = `(\${${name}.${member}})`;
  if (listsOf(resource).some((list) => path === list || path.startsWith(`${list}.`))) return `"${member}" is not a single value ${what}.`;
  if (resource.record.includes(path)) return undefined;
  const within = resource.record.filter((one) => one.startsWith(`${path}.`));
  if (within.length > 0) return `"${member}" is not a single value ${what}: there are ${within.join(', ')}.`;
  return `${resource.name} have no "${member}" ${what}.${suggestion(member, resource.record)}`;
}

/** Members that hold any number of values. */
function listsOf({ sets = [], fields }: Resource): string[] {
  const numbered = fields.filter(({ type }) => type.kind === 'numbered').flatMap(({ read }) => read ?? []);
  return [...sets.map(({ read }) => read), ...numbered];
}

/** Values that the service takes only once, and keys, must differ within the file already. */
export function checkDuplicates(parts: readonly PlanPart[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const made of parts.flatMap((part) => (part.kind === 'find' ? [] : part.made))) {
    const { resource, where, values } = made;
    const name = recordName(made);
    const uniques = values.filter(({ field }) => field.unique).map((value) => [value]);
    const keyed = values.filter(({ field }) => made.key.includes(field));
    for (const some of keyed.length > 0 ? [...uniques, keyed] : uniques) {
      const texts = some.map(({ field, resolved }) => [field.wire, textOf(resolved)] as const);
      if (texts.some(([, text]) => text === undefined || text === '')) continue;
      const key = JSON.stringify([resource.name, ...texts]);
      const before = seen.get(key);
      if (before === undefined) seen.set(key, name);
      else if (before !== name)
        problems.add(some[0]?.where ?? where, `${name} and ${before} have the same ${some.map(({ field }) => field.flag).join(' and ')}.`);
    }
  }
}

const textOf = (resolved: ResolvedValue): string | undefined => (resolved === null ? undefined : comparable(resolved)?.toLowerCase());
