// What can be told of records before anything is sent: their values, their actions, and what must be there only once.

import type { Body, BodyValue } from '../body.ts';
import type { Problems } from '../bulk/problems.ts';
import { UsageError } from '../errors.ts';
import { suggestion } from '../near.ts';
import type { Resource } from '../resources/define.ts';
import type { SeedAction } from './actions.ts';
import type { Tree } from './file.ts';
import { familyOf } from './find.ts';
import { type Given, type Made, madeName, type PlanPart } from './made.ts';
import { readPath } from './records.ts';
import { fill, type Known, type Target, targetsIn } from './scope.ts';
import { valueEntries } from './values.ts';

/** The body entries of everything that can be checked before the records are there that it refers to; their ids will be ids. */
export function checkedEntries({ values, wires }: Made, problems: Problems): [string, BodyValue][] {
  const entries = values.flatMap(({ field, known, where }): [string, BodyValue][] => {
    if (!hasIdsOnly(known)) return [[field.wire, '']];
    return problems.try(where, () => valueEntries(field, withIds(known), where)) ?? [];
  });
  return [...entries, ...wires.map(({ wire }): [string, BodyValue] => [wire, ''])];
}

/** Refuses an empty key: it would be found in every record that has nothing there. */
export function checkKey({ key, values }: Made, problems: Problems): void {
  for (const { field, known, where } of values) {
    const isEmpty = known === null || (typeof known === 'string' && known.trim() === '');
    if (key.includes(field) && isEmpty) problems.add(where, "It is the record's key and can't be empty.");
  }
}

/** Checks what actions are given, and that their records set what they need. */
export function checkActs(made: Made, problems: Problems): void {
  for (const { action, value } of made.acts) {
    if (!hasIdsOnly(value.known)) continue;
    const given = problems.try(value.where, () => ({
      body: action.given(withIds(value.known), value.where),
    }));
    if (given !== undefined) problems.try(value.where, () => checkNeeds(made, action, given.body));
  }
}

/** The value with some id in every reference's place. */
const withIds = (known: Known): Tree => fill(known, () => '1');

/** Whether a value's references are all ids: what they will be is known well enough. */
export const hasIdsOnly = (known: Known): boolean => targetsIn(known).every(({ member }) => member === 'id');

function checkNeeds(made: Made, { verb, needs }: SeedAction, given: Body | undefined): void {
  const has = (flag: string): boolean => made.values.some(({ field, known }) => field.flag === flag && known !== null && known !== '');
  const missing = (needs?.(given) ?? []).filter((flag) => !has(flag));
  if (missing.length === 0) return;
  throw new UsageError(`To ${verb}, give ${missing.join(', ')} here or in the record's set.`);
}

/** Refuses references to members that families don't have, and to those that are no single value (interface: Resources and their fields). */
export function checkMembers(parts: readonly PlanPart[], problems: Problems): void {
  const families = new Map(parts.map((part) => [part.name, part.kind === 'find' ? familyOf(part.found.type) : part.made[0]?.resource]));
  const told = new Set<string>();
  for (const { known, where } of parts.flatMap(givenIn)) {
    for (const target of targetsIn(known)) {
      const message = told.has(where) ? undefined : memberProblem(target, families.get(target.name));
      if (message === undefined) continue;
      problems.add(where, message);
      told.add(where);
    }
  }
}

function givenIn(part: PlanPart): readonly Given[] {
  if (part.kind === 'find') return part.found.by;
  return part.made.flatMap(({ values, wires, acts }) => [...values, ...wires, ...acts.map(({ value }) => value)]);
}

function memberProblem({ name, member }: Target, resource: Resource | undefined): string | undefined {
  if (resource === undefined) return undefined;
  const path = readPath(resource, member) ?? member;
  const what = `(\${${name}.${member}})`;
  if (listsOf(resource).some((list) => path === list || path.startsWith(`${list}.`))) return `"${member}" is not a single value ${what}.`;
  if (resource.record.includes(path)) return undefined;
  const within = resource.record.filter((known) => known.startsWith(`${path}.`));
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
  for (const part of parts) {
    if (part.kind === 'find') continue;
    for (const made of part.made) {
      const uniques = made.values.filter(({ field }) => field.unique).map((value) => [value]);
      const keyed = made.values.filter(({ field }) => made.key.includes(field));
      for (const values of keyed.length > 0 ? [...uniques, keyed] : uniques) checkOnce(made, values, seen, problems);
    }
  }
}

function checkOnce(made: Made, values: Made['values'], seen: Map<string, string>, problems: Problems): void {
  const texts = values.map(({ known }) => (typeof known === 'string' ? known.toLowerCase() : undefined));
  if (texts.includes(undefined)) return;
  const key = JSON.stringify([made.resource.name, ...values.map(({ field }, index) => [field.wire, texts[index]])]);
  const before = seen.get(key);
  const name = madeName(made);
  if (before === undefined) seen.set(key, name);
  else if (before !== name) {
    const what = values.map(({ field }) => field.flag).join(' and ');
    problems.add(values[0]?.where ?? made.where, `${name} and ${before} have the same ${what}.`);
  }
}
