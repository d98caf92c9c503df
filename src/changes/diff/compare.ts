// Lists the values of a family's records that `crm diff` compares. Pure.

import { scalarText } from '../../base/values/json.ts';
import { valueAt } from '../../base/values/paths.ts';
import { type Named, namedBy } from '../../base/values/value-type.ts';
import type { Resource } from '../../model/define.ts';
import { namedKinds } from '../../model/named.ts';
import type { Difference } from '../../model/records/difference.ts';
import { type FamilyValue, valuesOf } from '../../model/values.ts';

/** A value that differs between two records. */
export interface Differing extends Difference {
  /** The compared text of the old value. */
  readonly oldKey: string;
  /** True when a change file can put the value back. */
  readonly isWritable: boolean;
  /** The kind of the referred-to things, such as `client`. */
  readonly kind?: Named | undefined;
}

/** A thing (a category, a client) whose name has changed. */
interface Renamed {
  readonly kind: Named;
  readonly id: string;
  readonly old: string;
  readonly new: string;
}

/** Returns a function that finds the differences between two records with the same id. */
export function comparison(resource: Resource): (one: unknown, other: unknown) => { differences: Differing[]; renamed: Renamed[] } {
  const all = valuesOf(resource).map((value) => {
    const { target, type } = value;
    // The kind of the things that the field refers to.
    const kind = target !== undefined && 'flag' in target ? namedBy(type) : undefined;
    return { ...value, isWritable: isWritable(value), kind };
  });
  const relations = relationsOf(resource);
  return (one, other) => ({
    differences: all.flatMap(({ name: field, keyOf, isSame, shownOf, isWritable, kind }) => {
      const [oldKey, newKey] = [keyOf(one) ?? '', keyOf(other) ?? ''];
      if (isSame(oldKey, newKey)) return [];
      return [{ field, isWritable, kind, oldKey: String(oldKey), old: shownOf(one), new: shownOf(other) }];
    }),
    renamed: relations.flatMap((names) => {
      const now = new Map(names(other).map(({ id, name }) => [id, name]));
      return names(one).flatMap(({ kind, id, name }) => {
        const named = now.get(id);
        return named === undefined || named === name ? [] : [{ kind, id, old: name, new: named }];
      });
    }),
  });
}

/** The noun for a kind of things: `category`, `client`. All kinds of categories share one noun. */
export const kindNoun = (kind: Named): string => namedKinds[namedKinds[kind].within ?? kind].noun;

function isWritable({ target }: FamilyValue): boolean {
  if (target === undefined) return false;
  if ('flag' in target) return target.only !== 'create';
  return 'read' in target || target.value !== undefined || target.undo !== undefined;
}

/** Functions that read ids and names out of a record: of each relation, and of the record itself when other records refer to its family. */
function relationsOf({ name, namedAs, title = '' }: Resource): ((record: unknown) => { kind: Named; id: string; name: string }[])[] {
  const relations = Object.entries(namedKinds).flatMap(([kind, { seenIn }]) =>
    seenIn.filter(({ family }) => family === name).map(({ id, name: path }) => ({ kind: kind as Named, id, path })),
  );
  const own = namedAs === undefined ? [] : [{ kind: namedAs, id: 'id', path: title }];
  return [...relations, ...own].map(({ kind, id, path }) => (record) => {
    const [ids, names] = [[valueAt(record, id)].flat(), [valueAt(record, path)].flat()];
    return ids.map((one, index) => ({ kind, id: scalarText(one), name: scalarText(names[index]) })).filter((one) => one.id !== '');
  });
}
