// Merges duplicate records into one: the changes of each record, as rows of a change file. `leads merge` carries the rows out, and `leads
// duplicates --plan` writes the rows to a file.

import { UsageError } from '../base/errors.ts';
import { Problems } from '../base/files/problems.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, parseId, storedId } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { howMany, listed } from '../base/values/text/wording.ts';
import { recordsOf } from '../client/envelope.ts';
import { listPages } from '../client/paging.ts';
import { readRecord } from '../client/read-record.ts';
import { attachedQuery } from '../model/attached.ts';
import { elementsOf } from '../model/bodies/replaced-set.ts';
import { archivedState, pluralOf, type Resource } from '../model/define.ts';
import type { Difference } from '../model/records/difference.ts';
import { idText } from '../model/records/display.ts';
import { familyNamed } from '../model/resources/index.ts';
import { type FamilyValue, listText, valueNamed, valuesOf } from '../model/values.ts';
import { subjectOf } from '../output/effect-of.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { duplicatesCommand } from '../reading/duplicates.ts';
import { outcomesResult } from '../reading/each-record.ts';
import { isLookedAt } from '../reading/list/list-facts.ts';
import { selectionOf } from '../reading/selection.ts';
import { confirm, requireNamed } from '../session/ask/confirm.ts';
import { canAsk } from '../session/ask/prompt.ts';
import type { Context } from '../session/context.ts';
import { namesById } from '../session/names/run-names.ts';
import { cellDifference, setText } from './file/change-cells.ts';
import { applyCommand, type ChangeRow, checkPlanName, writeChangeFile } from './file/change-file.ts';
import { agreeTo, type ChangeOfRow, changesOfRows, noLongerOpen, outcomesOfChanges } from './file/rows.ts';
import { type FileRow, mergedInto, type TargetChange, targetOf } from './file/target.ts';
import { shownValue } from './question.ts';

/** Merges leads, or other records that can be archived. Throws UsageError, UnconfirmedError; ConflictError for a closed record. */
export async function mergeRecords(resource: Resource, context: Context, ids: readonly string[], typedInto: string): Promise<Result> {
  const { singular } = resource;
  const selection = selectionOf(resource, { args: ids, flags: {} });
  if (selection.kind !== 'one' && selection.kind !== 'listed')
    throw new UsageError(`Name the ${resource.name} to merge by their ids, such as 87,88.`);
  const into = parseId(typedInto, '--into');
  const others = selection.kind === 'one' ? [selection.id] : selection.ids;
  if (others.includes(into)) throw new UsageError(`${subjectOf(singular, into)} can't be merged into itself.`);
  const api = await context.api();
  const readLead = (id: Id): Promise<unknown> => readRecord(api, `${resource.path}/${id}`);
  const kept = await readLead(into);
  const refused = noLongerOpen(resource, into, kept);
  if (refused !== undefined) throw refused;
  const rest: unknown[] = [];
  for (const id of others) rest.push(await readLead(id));
  for (const [index, id] of others.entries()) {
    const customer = noLongerOpen(resource, id, rest[index], ({ isCustomer }) => isCustomer === true);
    if (customer !== undefined) throw customer;
  }
  const { rows, differing } = mergedRows(resource, kept, rest);
  for (const id of others) await tellStaying(resource, context, { into, id, differing: differing.get(String(id)) ?? [] });
  const problems = new Problems();
  const records = [kept, ...rest];
  const fileRows = rows.map((row, index) => fileRow(resource, row, records[index], index === 0 ? undefined : into));
  const changes = await changesOfRows(context, resource, fileRows, { problems });
  problems.throwIfAny(`The merge into ${singular} ${into}`);
  const question = `Merge ${howMany(others.length, singular, pluralOf(resource))} (${listed(others.map(String))}) into ${singular} ${into}?`;
  if (changes.length > 0) await agreeToMerge(resource, context, changes, question);
  const run = outcomesOfChanges(resource, context, changes, { verb: 'merge' });
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: 'Merged already: there is nothing to change.' });
}

/** A value of another record that is not taken, since the kept record differs there or in another field of the group. */
interface RefusedValue {
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
function mergedRows(
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

function fileRow(resource: Resource, { id, changes, guards = new Map() }: ChangeRow, record: unknown, into: Id | undefined): FileRow {
  const different = changes.flatMap((one): TargetChange[] => {
    const target = targetOf(resource, one.field, false);
    return target === undefined || one.old === one.new ? [] : [{ ...one, target }];
  });
  const others = [...guards].filter(([name]) => !different.some(({ field }) => field === name));
  return {
    id,
    place: (name) => `${resource.singular} ${id}${name === undefined ? '' : `, ${name}`}`,
    changes: different,
    guards: new Map(others),
    record,
    // A row without changes is merged already, so it needs no `into`.
    ...(into === undefined || different.length === 0 ? {} : { into }),
  };
}

async function tellStaying(
  resource: Resource,
  context: Context,
  { into, id, differing }: { readonly into: Id; readonly id: Id; readonly differing: readonly RefusedValue[] },
): Promise<void> {
  const { io, flags } = context;
  const texts = await Promise.all(
    differing.map(async ({ flag, text, own }) => `${flag} ${await shownValue(own)}, not ${await shownValue(text)}`),
  );
  if (texts.length > 0)
    await notice(
      io,
      flags,
      `Where ${resource.singular} ${id} differs, ${resource.singular} ${into} keeps its own values: ${texts.join('; ')}`,
    );
  const stays = await staying(resource, context, id);
  if (stays !== '') await notice(io, flags, `Can't be moved, and stay with ${resource.singular} ${id}: ${stays}.`);
}

/** `2 comments and 1 proposal`: the records attached to a record. */
async function staying(resource: Resource, context: Context, id: Id): Promise<string> {
  const api = await context.api();
  const counts = await Promise.all(
    (resource.attached ?? []).map(async (attached) => {
      const family = 'filter' in attached ? familyNamed(attached.name) : undefined;
      if (family === undefined) {
        const request = { method: 'GET' as const, path: `${resource.path}/${id}/${'path' in attached ? attached.path : attached.name}` };
        return howManyOf(recordsOf(await api.read(request), request).length, 'comment', 'comments');
      }
      const request = { method: 'GET' as const, path: family.path, query: attachedQuery(family, attached, id) };
      for await (const { data, meta } of listPages(api, request, { kind: 'page', page: 1, size: 1 }, context.signal))
        return howManyOf(meta?.total ?? (data as readonly unknown[]).length, family.singular, pluralOf(family));
      return '';
    }),
  );
  return listed(counts.filter((text) => text !== ''));
}

const howManyOf = (count: number, one: string, several: string): string => (count === 0 ? '' : howMany(count, one, several));

/** On a terminal the differences are shown first. */
async function agreeToMerge(resource: Resource, context: Context, changes: readonly ChangeOfRow[], question: string): Promise<void> {
  await requireNamed(context, { asks: true });
  const { yes, dryRun } = context.flags;
  return yes || dryRun || !canAsk(context) ? confirm(context, question) : agreeTo(resource, context, changes, question);
}

/** Rows with the same columns. Where another row changes a field, a guard of the field becomes a change with equal old and new values. */
function aligned(rows: readonly ChangeRow[]): ChangeRow[] {
  const changedNames = ({ changes }: ChangeRow): string[] => changes.map(({ field }) => field);
  const columns = new Set(rows.flatMap(changedNames));
  return rows.map((row) => {
    const isAlike = (name: string): boolean => columns.has(name) && !changedNames(row).includes(name);
    const alike = [...(row.guards ?? [])].flatMap(([field, was]) => (isAlike(field) ? [{ field, old: was, new: was }] : []));
    return { ...row, changes: [...row.changes, ...alike] };
  });
}

/** The most values that stay behind and are named on a terminal. */
const mostLeftBehind = 20;

/** The row with the record's own values in the columns that only other rows change: blank cells would say that the record has no value. */
function inWhole(resource: Resource, row: ChangeRow, all: readonly ChangeRow[], record: unknown): ChangeRow {
  const own = new Set(row.changes.map(({ field }) => field));
  const columns = new Set(all.flatMap(({ changes }) => changes.map(({ field }) => field)));
  return {
    ...row,
    changes: [...row.changes, ...[...columns].filter((name) => !own.has(name)).map((name) => cellDifference(resource, name, record))],
  };
}

/** Writes a change file that merges groups of records, each group's kept record first. Throws UsageError for an existing file. */
export async function writeMerges(
  resource: Resource,
  context: Context,
  groups: AsyncIterable<readonly unknown[]>,
  { path, by }: { readonly path: string; readonly by: readonly string[] | undefined },
): Promise<void> {
  await checkPlanName(context, path);
  const nameOf = namesById(await context.names());
  const rows: ChangeRow[] = [];
  const leftBehind: (RefusedValue & { readonly into: string; readonly id: string })[] = [];
  const records = new Map<string, unknown>();
  let staying = 0;
  for await (const [kept, ...others] of groups) {
    const merged = mergedRows(resource, kept, others, nameOf);
    // A kept record without changes needs a row, too: `crm apply` reads the kept record again before the others are archived.
    rows.push(...merged.rows);
    for (const record of [kept, ...others]) records.set(String(idText(record)), record);
    if (merged.differing.size > 0) staying += 1;
    for (const [id, values] of merged.differing) leftBehind.push(...values.map((value) => ({ ...value, id, into: idText(kept) })));
  }
  await writeChangeFile(
    context,
    path,
    resource.name,
    aligned(rows).map((row, _index, all) => inWhole(resource, row, all, records.get(String(row.id)))),
  );
  const all = `${duplicatesCommand(resource, context, by)} --csv`;
  const stays =
    staying === 0
      ? ''
      : ` In ${howMany(staying, 'group')} values differ: the kept ${resource.singular} keeps its own, and the others' go to the archive with them.`;
  const shown = isLookedAt(context) ? leftBehind.slice(0, mostLeftBehind) : [];
  const widest = Math.max(...shown.map(({ flag }) => flag.length), 0);
  for (const { flag, own, text, into, id } of shown) {
    const values = `${into}: ${await shownValue(own)} stays ${context.io.symbols.between} ${id}: ${await shownValue(text)} goes to the archive`;
    context.afterwards.push(`${flag.padEnd(widest)}  ${values}`);
  }
  if (leftBehind.length > 0) {
    const more = shown.length < leftBehind.length ? `${howMany(leftBehind.length, 'value')} in all. ` : '';
    context.afterwards.push(`${more}All values of the groups: ${all}`);
  }
  context.afterwards.push(
    `${path} has ${howMany(rows.length, 'row')}.${stays} Nothing was sent. To carry it out: ${applyCommand(context, path)}`,
  );
}
