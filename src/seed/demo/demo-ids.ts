// Which ids demo records may refer to: what flags say, what the service lists, or what its records refer to already.

import type { Api } from '../../api/client.ts';
import { largestPage } from '../../api/paging.ts';
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts';
import type { Input } from '../../flag.ts';
import { familyNamed } from '../../resources/index.ts';
import { type NamedKind, namedKinds } from '../../resources/named.ts';
import { creationOrder } from '../../runs/doubts/newest.ts';
import { scalarText } from '../../values/json.ts';
import { parseId } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import type { Named } from '../../values/value-type.ts';
import type { DemoCounts, DemoIds } from './demo.ts';

/** A kind of ids that records refer to. */
interface IdSource {
  readonly kind: Named;
  /** Default: as the kind is called. */
  readonly flag?: string;
  /** Whether records are asked for that need it. */
  readonly isNeeded: (counts: DemoCounts) => boolean;
}

const sources: Readonly<Record<keyof DemoIds, IdSource>> = {
  clients: { kind: 'client', isNeeded: (counts) => counts.contacts > 0 || counts.proposals > (counts.leads > 0 ? 1 : 0) },
  leadStatuses: { kind: 'lead-status', isNeeded: (counts) => counts.leads > 0 },
  leadCategories: { kind: 'lead-category', isNeeded: (counts) => counts.leads > 0 },
  proposalCategories: { kind: 'proposal-category', isNeeded: (counts) => counts.proposals > 0 },
  itemCategories: { kind: 'item-category', isNeeded: (counts) => counts.items > 0 },
  taxRates: { kind: 'tax-rate', flag: 'default-tax', isNeeded: (counts) => counts.items > 0 },
  units: { kind: 'unit', isNeeded: (counts) => counts.items > 0 },
  team: { kind: 'team', isNeeded: (counts) => counts.leads > 0 },
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
    const needed = missing.map((source) => `--${flagOf(source)} ID`).join(' ');
    throw new UsageError(`The service doesn't tell which ${missing.map(({ kind }) => namedKinds[kind].noun).join(', ')} ids it has.`, {
      hint: `Looked at: ${[...new Set(missing.flatMap(placesOf))].join(', ')}. Give the ids: ${needed}`,
    });
  }
  return ids as DemoIds;
}

const flagOf = ({ kind, flag = kind }: IdSource): string => flag;

/** What was looked at, for a message. */
function placesOf({ kind }: IdSource): string[] {
  const { list, seenIn } = namedKinds[kind];
  return [...(list === undefined ? [] : [list.path]), ...seenIn.slice(0, 1).map(({ id, family }) => `${id} in the newest ${family}`)];
}

async function idsOf(api: Api, source: IdSource, flags: Input['flags']): Promise<readonly string[]> {
  const raw = flags[flagOf(source)];
  if (Array.isArray(raw)) return raw.map((id) => String(parseId(id, `--${flagOf(source)}`)));
  const { list, seenIn } = namedKinds[source.kind];
  const listed = list === undefined ? [] : await listedIds(api, list);
  const [seen] = seenIn;
  const family = familyNamed(seen?.family ?? '');
  if (listed.length > 0 || seen === undefined || family === undefined) return listed;
  const records = await recordsAt(api, family.path, creationOrder(family, 'desc'));
  return unique(records.flatMap((record) => [valueAt(record, seen.id)].flat().map(scalarText)));
}

async function listedIds(api: Api, { path, query }: NonNullable<NamedKind['list']>): Promise<readonly string[]> {
  const listed = await recordsAt(api, path, query);
  const fitting = listed.filter((one) => query.every(([member, value]) => [undefined, value].includes(textAt(one, member))));
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
async function recordsAt(api: Api, path: string, query: readonly (readonly [string, string])[]): Promise<readonly unknown[]> {
  try {
    const { data } = await api.read({ method: 'GET', path, query: [...query, ['limit', String(largestPage)]] });
    return Array.isArray(data) ? data.filter(isMembers) : [];
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof RefusedError) return [];
    throw error;
  }
}
