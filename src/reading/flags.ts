// The flags that choose records: those of a list, of get, and of a selection. Pure and small, because help loads this file.

import type { Flag, FlagValues } from '../base/flag.ts';
import { placeholder } from '../base/values/parse.ts';
import { type Filter, pluralOf, type Resource } from '../model/define.ts';

/** The flags that narrow a list. */
function filterFlags(filters: readonly Filter[]): Flag[] {
  return filters.map((filter) => ({
    name: filter.flag,
    value: filter.type.kind === 'reference' ? 'type[:id]' : (placeholder(filter.type) ?? 'value'),
    help: filter.takesNone ? `${filter.help}; none: nobody` : filter.help,
    ...(filter.type.kind === 'choice' ? { choices: filter.type.values } : {}),
    wire: filter.wire,
    type: filter.type,
    ...(filter.takesNone ? { takesNone: true } : {}),
    ...(filter.listedBy === undefined ? {} : { listedBy: filter.listedBy }),
    isFilter: true,
    repeatable: true,
    group: 'Filters',
  }));
}

/** The flag that filters by standing, such as --state. */
function standingFlags({ standing }: Resource): Flag[] {
  if (standing === undefined) return [];
  const words = standing.words.map(({ word }) => word);
  const choices = [...words.slice(-1), ...words.slice(0, -1)];
  return [{ name: standing.name, value: choices.join('|'), help: standing.help, choices, group: 'Filters' }];
}

const whereFlag = {
  name: 'where',
  value: 'condition',
  help: 'Only records with field=value, field!=value, field~text, field=1..5, no:field or has:field; repeatable: all must hold',
  repeatable: true,
  group: 'Filters',
} as const satisfies Flag;

const extentFlags = [
  {
    name: 'limit',
    value: 'n',
    help: 'At most n records, over all pages; with --page, the size of the page (at most 100)',
    least: 1,
    group: 'Extent',
  },
  { name: 'page', value: 'n', help: 'Only this page, from 1', least: 1, group: 'Extent' },
  { name: 'all', help: 'Every record, over all pages', group: 'Extent' },
  { name: 'count', help: 'Print only the number of records', group: 'Extent' },
] as const satisfies readonly Flag[];

/** The flags --at-most and --at-least. `counted`: the word for what is counted. */
export const gateFlags = (counted: string, group = 'Gate') =>
  [
    { name: 'at-most', value: 'n', help: `End with status 11 when there are more ${counted}`, least: 0, group },
    { name: 'at-least', value: 'n', help: `End with status 11 when there are fewer ${counted}`, least: 0, group },
  ] as const satisfies readonly Flag[];
export type GateFlags = FlagValues<ReturnType<typeof gateFlags>>;

/** The flags that narrow a list, without the filters named in `but`. */
export const narrowingFlags = (resource: Resource, but: readonly string[] = []) =>
  [
    ...[...filterFlags(resource.filters), ...standingFlags(resource)].filter(({ name }) => !but.includes(name)),
    whereFlag,
  ] as const satisfies readonly Flag[];
export type NarrowingFlags = FlagValues<ReturnType<typeof narrowingFlags>>;

const wasFlag = {
  name: 'was',
  help: 'Write a change file (csv or xlsx): edit the values beside their was. columns, then crm apply',
  group: 'Extent',
} as const satisfies Flag;

/** The flags of a family's list. */
export function listFlags(resource: Resource) {
  const sorts = Object.keys(resource.sort);
  const standard = resource.defaultOrder === undefined ? '' : ` (default ${resource.defaultOrder})`;
  return [
    ...narrowingFlags(resource),
    { name: 'sort', value: 'field', help: `What to sort by: ${sorts.join(', ')}, or any other field`, group: 'Order', wire: 'sort' },
    {
      name: 'order',
      value: 'asc|desc',
      help: `Direction${standard}`,
      choices: ['asc', 'desc'],
      ...(resource.defaultOrder === undefined ? {} : { standard: resource.defaultOrder }),
      group: 'Order',
      wire: 'order',
    },
    ...extentFlags,
    ...(resource.readOnly ? [] : [wasFlag]),
    ...gateFlags(`${pluralOf(resource)}, with --count`, 'Extent'),
  ] as const satisfies readonly Flag[];
}
export type ListFlags = FlagValues<ReturnType<typeof listFlags>>;

/** The flag --where of commands that otherwise take ids. */
const selectionFlag = ({ name, title = 'title' }: Resource) =>
  ({
    name: 'where',
    value: 'condition',
    help: `In place of ids: a condition on the ${name}, such as ${title}~harbour; repeatable`,
    repeatable: true,
    group: 'Selection',
  }) as const satisfies Flag;

/** Wants exactly one record of --where. */
const oneFlag = {
  name: 'one',
  help: 'With --where: exactly one record, as an object; none is status 3, several are 2',
  group: 'Selection',
} as const satisfies Flag;

/** The flags that select the records of a write. */
export const writeSelectionFlags = (resource: Resource) =>
  [
    selectionFlag(resource),
    { name: 'at-most', value: 'n', help: 'Send nothing when more records than this are selected', least: 1, group: 'Selection' },
  ] as const satisfies readonly Flag[];
export type SelectionFlags = FlagValues<ReturnType<typeof writeSelectionFlags>>;

/** The flag --with, which also reads attached records. Empty for a family without such records. */
function withFlags({ attached = [], singular }: Resource) {
  if (attached.length === 0) return [];
  const choices = attached.map(({ name }) => name);
  const help = `Also show these lists of the ${singular}, separated by commas`;
  return [
    { name: 'with', value: 'lists', help, choices, isListed: true, repeatable: true, group: 'Also read' },
  ] as const satisfies readonly Flag[];
}

/** The flags of a family's get. */
export const getFlags = (resource: Resource) =>
  [selectionFlag(resource), oneFlag, ...withFlags(resource)] as const satisfies readonly Flag[];
export type GetFlags = FlagValues<ReturnType<typeof getFlags>>;
