// Which ids demo records may refer to: what flags say, what the service lists, or what its records refer to already.

import type { Api } from '../api/client.ts';
import { NotFoundError, RefusedError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { contacts } from '../resources/contacts.ts';
import { items } from '../resources/items.ts';
import { leads } from '../resources/leads.ts';
import { proposals } from '../resources/proposals.ts';
import { scalarText } from '../values/json.ts';
import { parseId } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import type { DemoCounts, DemoIds } from './demo.ts';
import { collectionOf } from './language/find.ts';

/** Where ids of one kind come from. */
interface Source {
  readonly flag: string;
  readonly noun: string;
  /** Listed by the service (vendor facts: other families). */
  readonly type: string;
  readonly category?: string;
  /** Where the records of a family refer to such ids. */
  readonly inRecords: { readonly path: string; readonly member: string };
  /** Whether records are asked for that need it. */
  readonly isNeeded: (counts: DemoCounts) => boolean;
}

const categorySource = (family: typeof leads, isNeeded: Source['isNeeded']): Source => ({
  flag: `${family.singular}-category`,
  noun: `${family.singular} category`,
  type: 'category',
  category: family.singular,
  inRecords: { path: family.path, member: 'category.id' },
  isNeeded,
});

const sources: Readonly<Record<keyof DemoIds, Source>> = {
  clients: {
    flag: 'client',
    noun: 'client',
    type: 'client',
    inRecords: { path: contacts.path, member: 'client.id' },
    isNeeded: (counts) => counts.contacts > 0 || counts.proposals > (counts.leads > 0 ? 1 : 0),
  },
  leadStatuses: {
    flag: 'lead-status',
    noun: 'lead status',
    type: 'lead-status',
    inRecords: { path: leads.path, member: 'status.id' },
    isNeeded: (counts) => counts.leads > 0,
  },
  leadCategories: categorySource(leads, (counts) => counts.leads > 0),
  proposalCategories: categorySource(proposals, (counts) => counts.proposals > 0),
  itemCategories: categorySource(items, (counts) => counts.items > 0),
  taxRates: {
    flag: 'default-tax',
    noun: 'tax rate',
    type: 'tax-rate',
    inRecords: { path: items.path, member: 'default_tax.id' },
    isNeeded: (counts) => counts.items > 0,
  },
  units: {
    flag: 'unit',
    noun: 'unit',
    type: 'unit',
    inRecords: { path: items.path, member: 'unit.id' },
    isNeeded: (counts) => counts.items > 0,
  },
  team: {
    flag: 'team',
    noun: 'team member',
    type: 'team',
    inRecords: { path: leads.path, member: 'assigned.id' },
    isNeeded: (counts) => counts.leads > 0,
  },
};

/** The flags that name ids. */
export const idFlags: readonly { readonly flag: string; readonly noun: string }[] = Object.values(sources);

const kinds = Object.keys(sources) as (keyof DemoIds)[];

/** No more of each kind: enough for variety. */
const most = 12;

/** The ids that some records need. Throws UsageError naming the flags of what can't be found out. */
export async function demoIds(api: Api, counts: DemoCounts, flags: Input['flags']): Promise<DemoIds> {
  const ids: Partial<Record<keyof DemoIds, readonly string[]>> = {};
  const missing: Source[] = [];
  for (const name of kinds) {
    const source = sources[name];
    const found = source.isNeeded(counts) ? await idsOf(api, source, flags) : [];
    ids[name] = found;
    if (found.length === 0 && source.isNeeded(counts) && name !== 'team') missing.push(source);
  }
  if (missing.length > 0) {
    const needed = missing.map(({ flag }) => `--${flag} ID`).join(' ');
    throw new UsageError(`The service doesn't tell its ${missing.map(({ noun }) => noun).join(', ')} ids.`, {
      hint: `Give them: ${needed}`,
    });
  }
  return ids as DemoIds;
}

async function idsOf(api: Api, source: Source, flags: Input['flags']): Promise<readonly string[]> {
  const given = flags[source.flag];
  if (Array.isArray(given)) return given.map((id) => String(parseId(id, `--${source.flag}`)));
  const query: [string, string][] = source.category === undefined ? [] : [['type', source.category]];
  const listed = await recordsAt(api, collectionOf(source.type).path, query);
  const fitting = listed.filter((one) => source.category === undefined || [undefined, source.category].includes(textAt(one, 'type')));
  const ids = unique(fitting.map((one) => textAt(one, 'id')));
  if (ids.length > 0) return ids;
  const { path, member } = source.inRecords;
  return unique((await recordsAt(api, path, [])).flatMap((record) => [valueAt(record, member)].flat().map(scalarText)));
}

const textAt = (record: unknown, member: string): string | undefined => {
  const value = valueAt(record, member);
  return value === undefined || value === null ? undefined : scalarText(value);
};

const unique = (ids: readonly (string | undefined)[]): string[] =>
  [...new Set(ids.filter((id) => id !== undefined && /^[1-9]\d*$/.test(id)) as string[])].slice(0, most);

/** A page of records; none where the service has no such list. */
async function recordsAt(api: Api, path: string, query: [string, string][]): Promise<readonly unknown[]> {
  try {
    const { data } = await api.read({ method: 'GET', path, query: [...query, ['limit', '100']] });
    return Array.isArray(data) ? data.filter(isMembers) : [];
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof RefusedError) return [];
    throw error;
  }
}
