// The rows of a merge: which values the kept record takes from the others, what closes the others, and which values are not taken.

import { scalarText } from '../../base/values/json.ts';
import { storedId } from '../../base/values/parse.ts';
import { valueAt } from '../../base/values/paths.ts';
import { elementsOf } from '../../model/bodies/replaced-set.ts';
import { archivedState, type Resource } from '../../model/define.ts';
import type { Difference } from '../../model/records/difference.ts';
import { idText } from '../../model/records/display.ts';
import { type FamilyValue, listText, valueNamed, valuesOf } from '../../model/values.ts';
import { setText } from '../file/change-cells.ts';
import type { ChangeRow } from '../file/change-file.ts';
import { mergedInto } from './into.ts';

/** A value of another record that is not taken, since the kept record differs there or in another field of the group. */
export interface RefusedValue {
  readonly flag: string;
  readonly text: string;
  readonly own: string;
}

/** Fields that belong together (an address, a name). When one part differs, no part of the group is taken. */
const units = [
  ['street', 'city', 'state', 'zip', 'country'],
  ['first-name', 'last-name'],
];

/** The field whose latest date is kept. */
const latest = 'last-contacted';

/**
 * The change rows of a merge, the kept record's row first. `differing`: the values that are not taken, by the id of the other record.
 * `nameOf`: gives names in place of ids, for a file that a person reads.
 */
export function mergedRows(
  resource: Resource,
  kept: unknown,
  others: readonly unknown[],
  nameOf?: Parameters<typeof setText>[3],
): { readonly rows: ChangeRow[]; readonly differing: ReadonlyMap<string, readonly RefusedValue[]> } {
  const { changes, differing } = valuesTaken(resource, kept, others, nameOf === undefined);
  for (const set of resource.sets ?? []) {
    const [own, wanted] = [elementsOf(set, kept, 'merge'), others.flatMap((record) => elementsOf(set, record, 'merge'))];
    const all = [...new Set([...own, ...wanted.filter((one) => !String(one).startsWith(mergedInto))])];
    const named = { [set.read]: [kept, ...others].flatMap((record) => valueAt(record, set.read)) };
    const text = nameOf === undefined ? listText(all.map(String)) : setText(set, all, named, nameOf);
    const was = nameOf === undefined ? listText(own.map(String)) : valueNamed(resource, set.read).shownOf(kept);
    if (all.length > own.length) changes.push({ field: set.read, old: was, new: text });
  }
  const rows = others.map((record) => ({
    id: storedId(idText(record)),
    changes: closing(resource, kept, record),
    guards: mergeGuards(resource, record),
  }));
  return { rows: [{ id: storedId(idText(kept)), changes, guards: mergeGuards(resource, kept) }, ...rows], differing };
}

/** The kept record's changes: values of the others for its empty fields, and the latest last contact. `differing`: as in `mergedRows`. */
function valuesTaken(
  resource: Resource,
  kept: unknown,
  others: readonly unknown[],
  isById: boolean,
): { readonly changes: Difference[]; readonly differing: Map<string, RefusedValue[]> } {
  const fields = valuesOf(resource).filter(({ target }) => target !== undefined && 'flag' in target && target.only !== 'create');
  const keyText = ({ keyOf }: FamilyValue, record: unknown): string => String(keyOf(record) ?? '');
  const heldAs = (field: FamilyValue, record: unknown): string => (isById ? keyText(field, record) : field.shownOf(record));
  const values = new Map<string, Difference>();
  const differing = new Map<string, RefusedValue[]>();
  const now = new Map(fields.map((field) => [field.name, keyText(field, kept).trim()]));
  for (const record of others) {
    const own = new Map(fields.map((field) => [field.name, keyText(field, record).trim()]));
    const unlike = fields.filter(({ name: flag, isSame }) => {
      const [held, text] = [now.get(flag) ?? '', own.get(flag) ?? ''];
      return held !== '' && text !== '' && !isSame(held, text);
    });
    const differs = (flag: string): boolean => unlike.some((field) => field.name === flag);
    const apart = new Set(units.filter((unit) => unit.some(differs)).flat());
    for (const field of fields) {
      const { name: flag } = field;
      const [held, text] = [now.get(flag) ?? '', own.get(flag) ?? ''];
      if (text === '' || (held !== '' && !differs(flag))) continue;
      const isTaken = (held === '' && !apart.has(flag)) || (flag === latest && text > held);
      if (isTaken) {
        values.set(flag, { field: flag, old: heldAs(field, kept), new: heldAs(field, record) });
        now.set(flag, text);
      } else if (flag !== latest) {
        const texts = { flag, text: field.shownOf(record), own: field.shownOf(kept) || held };
        differing.set(idText(record), [...(differing.get(idText(record)) ?? []), texts]);
      }
    }
  }
  return { changes: [...values.values()], differing };
}

/** The changes of a record that is merged into `kept`: a tag that names `kept`, and archived. */
function closing(resource: Resource, kept: unknown, record: unknown): Difference[] {
  const archived = archivedState(resource);
  const tags = resource.sets?.find(({ element }) => element === undefined);
  if (archived === undefined || tags === undefined) throw new Error(`${resource.name} can't be merged: a merge needs tags and an archive`);
  const own = elementsOf(tags, record, 'merge').map(String);
  const tag = `${mergedInto}${idText(kept)}`;
  return [
    { field: tags.read, old: listText(own), new: listText([...new Set([...own, tag])]) },
    { field: archived.path, old: scalarText(valueAt(record, archived.path)), new: archived.value },
  ];
}

function mergeGuards(resource: Resource, record: unknown): Map<string, string> {
  const paths = [resource.title, ...(resource.standing?.words ?? []).map(({ path }) => path)];
  return new Map(paths.flatMap((path) => (path === undefined ? [] : [[path, valueNamed(resource, path).shownOf(record)]])));
}
