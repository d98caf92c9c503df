// Which ids demo records may refer to: what flags say, what the service lists, or what its records refer to already. Lead
// statuses, tax rates and units have no list (vendor facts): only records tell them.

import type { Api } from '../api/client.ts';
import { largestPage } from '../api/paging.ts';
import { NotFoundError, RefusedError, UsageError } from '../errors.ts';
import type { Input } from '../flag.ts';
import { contacts } from '../resources/contacts.ts';
import type { Resource } from '../resources/define.ts';
import { items } from '../resources/items.ts';
import { leads } from '../resources/leads.ts';
import { proposals } from '../resources/proposals.ts';
import { creationOrder } from '../runs/newest.ts';
import { scalarText } from '../values/json.ts';
import { parseId } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';
import type { DemoCounts, DemoIds } from './demo.ts';

/** Where ids of one kind come from. */
interface IdSource {
  readonly flag: string;
  readonly noun: string;
  /** The service's list of them, where it has one (vendor facts: reference records). */
  readonly list?: { readonly path: string; readonly category?: string };
  /** Where the records of a family refer to such ids. */
  readonly inRecords: { readonly family: Resource; readonly member: string };
  /** Whether records are asked for that need it. */
  readonly isNeeded: (counts: DemoCounts) => boolean;
}

const categorySource = (family: Resource, isNeeded: IdSource['isNeeded']): IdSource => ({
  flag: `${family.singular}-category`,
  noun: `${family.singular} category`,
  list: { path: '/api/categories', category: family.singular },
  inRecords: { family, member: 'category.id' },
  isNeeded,
});

const sources: Readonly<Record<keyof DemoIds, IdSource>> = {
  clients: {
    flag: 'client',
    noun: 'client',
    list: { path: '/api/clients' },
    inRecords: { family: contacts, member: 'client.id' },
    isNeeded: (counts) => counts.contacts > 0 || counts.proposals > (counts.leads > 0 ? 1 : 0),
  },
  leadStatuses: {
    flag: 'lead-status',
    noun: 'lead status',
    inRecords: { family: leads, member: 'status.id' },
    isNeeded: (counts) => counts.leads > 0,
  },
  leadCategories: categorySource(leads, (counts) => counts.leads > 0),
  proposalCategories: categorySource(proposals, (counts) => counts.proposals > 0),
  itemCategories: categorySource(items, (counts) => counts.items > 0),
  taxRates: {
    flag: 'default-tax',
    noun: 'tax rate',
    inRecords: { family: items, member: 'default_tax.id' },
    isNeeded: (counts) => counts.items > 0,
  },
  units: {
    flag: 'unit',
    noun: 'unit',
    inRecords: { family: items, member: 'unit.id' },
    isNeeded: (counts) => counts.items > 0,
  },
  team: {
    flag: 'team',
    noun: 'team member',
    list: { path: '/api/team' },
    inRecords: { family: leads, member: 'assigned.id' },
    isNeeded: (counts) => counts.leads > 0,
  },
};

const kinds = Object.keys(sources) as (keyof DemoIds)[];

/** No more of each kind: enough for variety. */
const most = 12;

/** The ids that some records need. Throws UsageError naming the flags of what can't be found out. */
export async function demoIds(api: Api, counts: DemoCounts, flags: Input['flags']): Promise<DemoIds> {
  const ids: Partial<Record<keyof DemoIds, readonly string[]>> = {};
  const missing: IdSource[] = [];
  for (const name of kinds) {
    const source = sources[name];
    const found = source.isNeeded(counts) ? await idsOf(api, source, flags) : [];
    ids[name] = found;
    if (found.length === 0 && source.isNeeded(counts) && name !== 'team') missing.push(source);
  }
  if (missing.length > 0) {
    const needed = missing.map(({ flag }) => `--${flag} ID`).join(' ');
    throw new UsageError(`The service doesn't tell which ${missing.map(({ noun }) => noun).join(', ')} ids it has.`, {
      hint: `Looked at: ${[...new Set(missing.flatMap(placesOf))].join(', ')}. Give the ids: ${needed}`,
    });
  }
  return ids as DemoIds;
}

/** What was looked at, for a message. */
const placesOf = ({ list, inRecords: { family, member } }: IdSource): string[] => [
  ...(list === undefined ? [] : [list.path]),
  `${member} in the newest ${family.name}`,
];

async function idsOf(api: Api, source: IdSource, flags: Input['flags']): Promise<readonly string[]> {
  const given = flags[source.flag];
  if (Array.isArray(given)) return given.map((id) => String(parseId(id, `--${source.flag}`)));
  const listed = source.list === undefined ? [] : await listedIds(api, source.list);
  if (listed.length > 0) return listed;
  const { family, member } = source.inRecords;
  const records = await recordsAt(api, family.path, creationOrder(family, 'desc'));
  return unique(records.flatMap((record) => [valueAt(record, member)].flat().map(scalarText)));
}

async function listedIds(api: Api, { path, category }: NonNullable<IdSource['list']>): Promise<readonly string[]> {
  const listed = await recordsAt(api, path, category === undefined ? [] : [['type', category]]);
  const fitting = listed.filter((one) => category === undefined || [undefined, category].includes(textAt(one, 'type')));
  return unique(fitting.map((one) => textAt(one, 'id')));
}

const textAt = (record: unknown, member: string): string | undefined => {
  const value = valueAt(record, member);
  return value === undefined || value === null ? undefined : scalarText(value);
};

const unique = (ids: readonly (string | undefined)[]): string[] =>
  [...new Set(ids.filter((id) => id !== undefined && /^[1-9]\d*$/.test(id)) as string[])]
    .toSorted((a, b) => Number(a) - Number(b))
    .slice(0, most);

/** A page of records; none where the service has no such list. */
async function recordsAt(api: Api, path: string, query: [string, string][]): Promise<readonly unknown[]> {
  try {
    const { data } = await api.read({ method: 'GET', path, query: [...query, ['limit', String(largestPage)]] });
    return Array.isArray(data) ? data.filter(isMembers) : [];
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof RefusedError) return [];
    throw error;
  }
}
