// `duplicates --plan`: a change file that merges groups of records.

import { crmWith } from '../../base/values/text/shell-word.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { idText } from '../../model/records/display.ts';
import { duplicatesCommand } from '../../reading/duplicates.ts';
import { isLookedAt } from '../../reading/list/list-facts.ts';
import type { Context } from '../../session/context.ts';
import { namesById } from '../../session/names/run-names.ts';
import { cellDifference } from '../file/change-cells.ts';
import { applyCommand, type ChangeRow, checkPlanName, writeChangeFile } from '../file/change-file.ts';
import { shownValue } from '../question.ts';
import { mergedRows, type RefusedValue } from './merged-rows.ts';

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
  if (rows.length === 0) {
    const others = `${crmWith(context.flags.profile)} ${resource.name} merge IDS --into ID`;
    const kinds = `a plan merges ${pluralOf(resource)} that share an email, and there are none`;
    return void context.afterwards.push(`${path} has no rows: ${kinds}. Nothing was sent. To merge others: ${others}`);
  }
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
