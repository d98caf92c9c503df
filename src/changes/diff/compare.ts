// Lists the values of a family's records that `crm diff` compares. Pure.

import { scalarText } from '../../base/values/json.ts';
import { valueAt } from '../../base/values/paths.ts';
import { type Named, namedBy } from '../../base/values/value-type.ts';
import { elementKey } from '../../model/bodies/replaced-set.ts';
import { actionPath, elementTexts } from '../../model/bodies/shown.ts';
import type { Field, Resource } from '../../model/define.ts';
import { namedKinds } from '../../model/named.ts';
import type { Difference } from '../../model/records/difference.ts';
import { isSameToTheLetter } from '../../model/same.ts';
import { heldText } from '../file/change-cells.ts';

/** One value of a record that is compared. */
interface Compared {
  /** The field's name in a change file. */
  readonly field: string;
  /** The text that is compared: a relation's id, a set's elements in sorted order. */
  readonly key: (record: unknown) => string;
  readonly isSame: (one: string, other: string) => boolean;
  /** The text that is shown: a relation's name in place of its id. */
  readonly shown: (record: unknown) => string;
  /** True when a change file can put the value back. */
  readonly isWritable: boolean;
  /** The kind of the referred-to things, such as `client`. */
  readonly kind?: Named | undefined;
}

/** A value that differs between two records. */
export interface Differing extends Difference, Pick<Compared, 'isWritable' | 'kind'> {
  /** The compared text of the old value. */
  readonly oldKey: string;
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
  const all = comparedOf(resource);
  const relations = relationsOf(resource);
  return (one, other) => ({
    differences: all.flatMap(({ key, isSame, shown, ...rest }) => {
      const [oldKey, newKey] = [key(one), key(other)];
      return isSame(oldKey, newKey) ? [] : [{ ...rest, oldKey, old: shown(one), new: shown(other) }];
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
export const kindNoun = (kind: Named): string => namedKinds[kind.endsWith('-category') ? 'category' : kind].noun;

function comparedOf(resource: Resource): Compared[] {
  const { fields, sets = [], actions = [], guarded = [], standing } = resource;
  const ofFields = fields.flatMap((field) => fieldValues(resource, field));
  const ofSets = sets.map(
    (set): Compared =>
      plainValue(set.read, {
        key: (record) => JSON.stringify((elementTexts(set, record) ?? []).map(elementKey).toSorted()),
        shown: (record) => heldText(resource, set.read, record),
      }),
  );
  const reads = new Set(fields.map(({ read }) => read));
  const states = new Map<string, Compared>();
  const addState = (name: string, path: string | undefined, isWritable: boolean): void => {
    if (path === undefined || reads.has(path) || states.has(path)) return;
    const key = (record: unknown): string => scalarText(valueAt(record, path));
    states.set(path, { ...plainValue(name, { key, shown: key }), isWritable });
  };
  for (const action of [...actions, ...guarded]) {
    const path = actionPath(resource, action);
    addState(action.value?.wire ?? path ?? '', path, action.value !== undefined || action.undo !== undefined);
  }
  for (const { path } of standing?.words ?? []) addState(path ?? '', path, false);
  return [...ofFields, ...ofSets, ...states.values()];
}

const plainValue = (field: string, texts: Pick<Compared, 'key' | 'shown'>): Compared => ({
  field,
  ...texts,
  isSame: (one, other) => one === other,
  isWritable: true,
});

function fieldValues(resource: Resource, field: Field): Compared[] {
  const { flag, read, type, only } = field;
  if (read === undefined || type.kind === 'switch') return [];
  if (type.kind === 'numbered') {
    return Array.from({ length: type.max }, (_, index) => {
      const name = `${flag}-${index + 1}`;
      const key = (record: unknown): string => heldText(resource, name, record);
      return plainValue(name, { key, shown: key });
    });
  }
  const kind = namedBy(type);
  const key = (record: unknown): string => {
    if (type.kind !== 'reference') return scalarText(valueAt(record, read));
    const id = scalarText(valueAt(record, `${read}.id`));
    return id === '' ? '' : `${scalarText(valueAt(record, `${read}.type`))}:${id}`;
  };
  const isSameInField = (one: string, other: string): boolean => isSameToTheLetter(type, one, other);
  const shown = kind === undefined ? key : (record: unknown): string => heldText(resource, flag, record);
  return [{ field: flag, key, isSame: isSameInField, shown, isWritable: only !== 'create', kind }];
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
