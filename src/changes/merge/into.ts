// The kept record of a merge in the rows of a change file. Other rows name it by a tag; it must be open, and is written first.

import { ConflictError } from '../../base/errors.ts';
import { type Id, storedId } from '../../base/values/parse.ts';
import type { Resource, StandingWord } from '../../model/define.ts';
import { brokenGuard } from '../../model/records/guard.ts';
import { standingWord } from '../../model/records/standing.ts';
import { subjectOf } from '../../output/subject.ts';
import { elementsTyped } from '../file/change-cells.ts';
import type { ChangeOfRow, TargetChange } from '../file/target.ts';

/** The beginning of the tag that names the kept record of a merge by its id. */
export const mergedInto = 'merged-into-';

/**
 * The kept record's id, when the row archives its record with a `merged-into-` tag. `pairs`: the old and new values of the row, also equal
 * ones.
 */
export function intoOf(pairs: readonly TargetChange[]): Id | undefined {
  const isArchiving = pairs.some(
    ({ target, old, new: now }) =>
      target.kind === 'state' && old !== now && target.actions.some((one) => one.reads?.value === now && !one.initial),
  );
  const tags = pairs.flatMap(({ target, new: now }) =>
    target.kind === 'set' && target.set.element === undefined ? elementsTyped(now) : [],
  );
  const id = tags.find((tag) => tag.startsWith(mergedInto))?.slice(mergedInto.length) ?? '';
  return isArchiving && /^[1-9]\d*$/.test(id) ? storedId(id) : undefined;
}

/**
 * The ConflictError for an archived or converted record in a merge. `counts`: tells which standing words forbid the merge. Default: each.
 */
export function noLongerOpen(
  { singular, standing }: Resource,
  id: Id,
  record: unknown,
  counts = (_word: StandingWord): boolean => true,
): ConflictError | undefined {
  const word = standing === undefined ? undefined : standingWord(standing, record);
  if (word?.path === undefined || !counts(word)) return undefined;
  return new ConflictError(`${subjectOf(singular, id)} is ${word.word}: nothing is merged with it.`);
}

/** The changes in their order, but in a merge the kept record's change stands right before the changes of the other records. */
export function keptFirst(resource: Resource, changes: readonly ChangeOfRow[]): ChangeOfRow[] {
  const byId = new Map(changes.map((each) => [String(each.one.id), each]));
  const kept = new Set(changes.flatMap(({ row }) => byId.get(String(row.into)) ?? []));
  const groups = Map.groupBy(changes, (each) => (kept.has(each) ? undefined : byId.get(String(each.row.into))));
  return (groups.get(undefined) ?? []).flatMap((each) => {
    if (!kept.has(each)) return [each];
    const { one, change } = each;
    const [first, ...further] = change.writes;
    if (first === undefined) return [each];
    const refuses = (record: unknown): ConflictError | undefined =>
      brokenGuard(one.guards ?? [], record) ?? noLongerOpen(resource, one.id, record);
    const others = (groups.get(each) ?? []).map((other) => ({ ...other, one: { ...other.one, comesAfter: one } }));
    return [{ ...each, change: { ...change, writes: [{ ...first, refuses }, ...further] } }, ...others];
  });
}
