// The notes of a list: the line under its table on a terminal (how many of how many, and how to see more), and the notice that the list
// changed during the reading. Totals are the service's own.

import type { Input } from '../../base/flag.ts';
import { isDrawing } from '../../base/global-flags.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { type Condition, parseCondition } from '../../base/values/where.ts';
import type { Extent, ListNotices } from '../../client/paging.ts';
import type { Meta } from '../../client/types.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { filterPlace, memberNamed } from '../../model/members.ts';
import { notice } from '../../output/streams/notice.ts';
import type { Context } from '../../session/context.ts';

/** True for a table on a terminal, which by default shows one page, with notes below. */
export const isLookedAt = ({ io, flags }: Pick<Context, 'io' | 'flags'>): boolean => io.stdout.isTTY && isDrawing(flags.output);

/** Notices for the person who reads a list that changes during the reading. */
export function listNotices(context: Pick<Context, 'io' | 'flags'>): Pick<ListNotices, 'moved' | 'grew' | 'again'> {
  const tell = (text: string): void => void notice(context.io, context.flags, `The list changed while it was being read${text}`);
  return {
    moved: (repeated) => {
      const twice = repeated === 0 ? '' : ` ${howMany(repeated, 'record')} came twice and ${repeated === 1 ? 'was' : 'were'} used once;`;
      tell(`:${twice} some records may be missing. Run the command again for a steady picture.`);
    },
    grew: () => tell(': the newest records may be missing.'),
    again: (missed) =>
      tell(
        `, so it was read again: ${missed === 0 ? 'nothing was missing' : `${howMany(missed, 'missed record')} ${missed === 1 ? 'stands' : 'stand'} at the end`}.`,
      ),
  };
}

/**
 * The notes of a list that crm doesn't filter itself. `shown`: the number of records shown. `meta`: the position from the last page's
 * answer. `upTo`: the sign for a range.
 */
export function plainFacts(resource: Resource, extent: Extent, meta: Meta, shown: number, upTo: string): string[] {
  const total = meta.total !== undefined && meta.total >= shown ? meta.total : undefined;
  return [position(resource, extent, { ...meta, total }, shown, upTo), ...more(extent, { ...meta, total }, shown)];
}

type ListMeta = { readonly [name in keyof Meta]: Meta[name] | undefined };

function position(resource: Resource, extent: Extent, { total, per_page: size }: ListMeta, shown: number, upTo: string): string {
  const isLater = extent.kind === 'page' && extent.page > 1;
  const page = isLater ? `page ${extent.page}: ` : '';
  if (total === undefined) return `${page}${recordsInWords(resource, shown)}`;
  const all = recordsInWords(resource, total);
  if (!isLater) return `${shown} of ${all}`;
  if (size === undefined) return `${page}${shown} of ${all}`;
  const before = (extent.page - 1) * size;
  return `${before + 1}${upTo}${before + shown} of ${all}`;
}

function more(extent: Extent, { total, last_page: last, current_page: current }: ListMeta, shown: number): string[] {
  if (extent.kind === 'all') return [];
  if (extent.kind === 'count') {
    if (total === undefined || shown >= total) return [];
    const twice = 2 * extent.count;
    return [`More: ${twice < total ? `--limit ${twice}, ` : ''}--all`];
  }
  const page = extent.kind === 'page' ? extent.page : (current ?? 1);
  const isLast = last === undefined ? extent.kind === 'page' || shown >= (total ?? 0) : page >= last;
  return isLast ? [] : [`More: --page ${page + 1}, --all`];
}

/** The records read for --where, and the matches. `isCut`: enough were found, so the rest was not read. */
export interface ReadCounts {
  readonly read: number;
  readonly matched: number;
  readonly isCut: boolean;
}

/** `None of 44 leads match.` */
export function countsInWords(resource: Resource, { read, matched, isCut }: ReadCounts): string {
  const all = recordsInWords(resource, read);
  const matches = matched === 1 ? 'matches' : 'match';
  if (isCut) return `${matched} of the first ${all} ${matches}; the others were not read.`;
  return `${matched === 0 ? 'None' : matched} of ${all} ${matches}.`;
}

/**
 * The notes of a selection by --where or by several values of a filter. `isFirstPages`: only the first page of each value was read, and
 * there are more.
 */
export function selectionFacts(
  resource: Resource,
  extent: Extent,
  { counts, isFirstPages }: { readonly counts: ReadCounts | undefined; readonly isFirstPages: boolean },
  shown: number,
): string[] {
  if (isFirstPages) return [`${recordsInWords(resource, shown)}, the first page for each value`, `More: --limit ${2 * shown}, --all`];
  const isStopped = extent.kind === 'count' && shown >= extent.count;
  return [
    counts === undefined ? recordsInWords(resource, shown) : matchesInWords(resource, shown, isStopped),
    ...(counts === undefined ? [] : [`${counts.read} read`]),
    ...(isStopped ? [`stopped at --limit ${extent.count}`] : []),
  ];
}

/** The notes of a list that crm sorted. `sorted`: the number of sorted records. `read`: the number of records read for --where. */
export function sortedFacts(
  resource: Resource,
  { shown, sorted, read }: { readonly shown: number; readonly sorted: number; readonly read: number | undefined },
): string[] {
  const more = shown < sorted ? [`More: ${2 * shown < sorted ? `--limit ${2 * shown}, ` : ''}--all`] : [];
  return [`${shown} of ${recordsInWords(resource, sorted)}`, ...(read === undefined ? [] : [`${read} read`]), ...more];
}

/** The number of matches in words. When the reading stopped early, the total is unknown. */
function matchesInWords(resource: Resource, shown: number, isStopped: boolean): string {
  if (!isStopped) return `${recordsInWords(resource, shown)} ${shown === 1 ? 'matches' : 'match'}`;
  return shown === 1 ? `the first ${resource.singular} that matches` : `the first ${recordsInWords(resource, shown)} that match`;
}

const recordsInWords = (resource: Resource, count: number): string => howMany(count, resource.singular, pluralOf(resource));

/**
 * The paths at which all listed records have the same value, because a filter or --where asks for a single value, or for an empty value.
 */
export function pathsAskedFor(resource: Resource, flags: Input['flags'], conditions: readonly string[]): string[] {
  const filters = resource.filters.filter(({ flag }) => new Set([flags[flag]].flat()).size === 1 && flags[flag] !== undefined);
  const isSingle = ({ operator, value }: Condition): boolean => operator === 'no' || (operator === '=' && !value.includes('..'));
  const singles = conditions.map(parseCondition).filter(isSingle);
  const hasStanding = singles.some(({ field }) => field === resource.standing?.name);
  const standing = hasStanding ? resource.columns.flatMap((column) => (column.standing ? [column.path] : [])) : [];
  const members = singles.flatMap(({ field }) => (field === resource.standing?.name ? [] : (memberNamed(resource, field) ?? [])));
  return [...filters.map(filterPlace), ...standing, ...members.map(({ path }) => path)];
}
