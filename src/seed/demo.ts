// The seed file of `crm seed demo`: examples/demo.yaml with the requested counts, and ids from the command line or the service.

import type { Document } from 'yaml';
import { NotFoundError, RefusedError, UsageError } from '../base/errors.ts';
import { scalarText } from '../base/values/json.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import type { Named } from '../base/values/value-type.ts';
import type { Api } from '../client/client.ts';
import { largestPage } from '../client/paging.ts';
import { creationOrder } from '../model/identity.ts';
import { namedKinds } from '../model/named.ts';
import { familyNamed } from '../model/resources/index.ts';
import { demoText } from './demo-text.ts';

/** The number of records of each family. */
export type DemoCounts = Readonly<Record<'leads' | 'contacts' | 'proposals' | 'items' | 'notes', number>>;

/** Ids by variable. Variables are named like the flags that set them. */
export type DemoIds = Readonly<Record<string, readonly string[]>>;

/** The variables that hold ids, with the kind of the ids and the counts that need them. */
const idVariables: Readonly<Record<string, { readonly of: Named; readonly for: readonly string[] }>> = {
  client: { of: 'client', for: ['contacts', 'client-proposals'] },
  'lead-status': { of: 'lead-status', for: ['leads'] },
  'lead-category': { of: 'lead-category', for: ['leads'] },
  'proposal-category': { of: 'proposal-category', for: ['lead-proposals', 'client-proposals'] },
  'item-category': { of: 'item-category', for: ['items'] },
  'default-tax': { of: 'tax-rate', for: ['items'] },
  unit: { of: 'unit', for: ['items'] },
  team: { of: 'team', for: ['leads'] },
};

/** The demo file with these values. Without `counts`, the demo file's own numbers of records are used. */
export async function demoDocument(
  values: { readonly run: string; readonly 'random-seed': number; readonly today: string },
  counts: DemoCounts | undefined,
  idsFor: (counted: Readonly<Record<string, number>>) => Promise<DemoIds>,
): Promise<Document> {
  const { parseDocument } = await import('yaml');
  const document: Document = parseDocument(demoText(), { merge: true });
  for (const [name, value] of Object.entries(values)) document.set(name, value);
  for (const [name, count] of Object.entries(counts === undefined ? {} : variablesOf(counts))) document.setIn(['vars', name], count);
  const { vars } = document.toJS() as { readonly vars: Readonly<Record<string, number>> };
  for (const [name, ids] of Object.entries(await idsFor(vars))) document.setIn(['vars', name], document.createNode(ids, { flow: true }));
  return document;
}

/** Splits proposals between leads and clients. Puts notes on leads, where there are any. */
function variablesOf({ leads, contacts, proposals, items, notes }: DemoCounts): Record<string, number> {
  const forLeads = leads === 0 ? 0 : Math.ceil(proposals / 2);
  return {
    leads,
    contacts,
    'lead-proposals': forLeads,
    'client-proposals': proposals - forLeads,
    items,
    'lead-notes': leads === 0 ? 0 : notes,
    notes: leads === 0 ? notes : 0,
  };
}

/**
 * The ids that the counted records need: from `given`, else from the lists of the service. Throws UsageError naming the flags of missing
 * ids.
 */
export async function demoIds(api: Api, counts: Readonly<Record<string, number>>, given: DemoIds): Promise<DemoIds> {
  const ids: Record<string, readonly string[]> = {};
  for (const [name, { of, for: needing }] of Object.entries(idVariables))
    if (needing.some((count) => (counts[count] ?? 0) > 0)) ids[name] = given[name] ?? (await idsListed(api, of));
  const missing = Object.keys(ids).filter((name) => ids[name]?.length === 0);
  if (missing.length === 0) return ids;
  const nouns = missing.map((name) => namedKinds[idVariables[name]?.of ?? 'client'].noun);
  throw new UsageError(`The service doesn't tell which ${nouns.join(', ')} ids it has.`, {
    hint: `Give them: ${missing.map((name) => `--${name} ID`).join(' ')}`,
  });
}

/** The most ids of a kind: enough for variety. */
const mostIds = 12;

/** The ids in the list of a kind. When the list has no ids: the ids in the newest records that refer to the kind. */
async function idsListed(api: Api, of: Named): Promise<readonly string[]> {
  const { list, seenIn } = namedKinds[of];
  const listed = list === undefined ? [] : await firstPage(api, list.path, list.query);
  const fitting = listed.filter((one) =>
    list?.query.every(([name, value]) => [undefined, value].includes(one[name] as string | undefined)),
  );
  const ids = fitting.map(({ id }) => scalarText(id));
  const [seen] = seenIn;
  const family = familyNamed(seen?.family ?? '');
  if (ids.length === 0 && seen !== undefined && family !== undefined) {
    const records = await firstPage(api, family.path, creationOrder(family, 'desc'));
    ids.push(...records.flatMap((record) => [valueAt(record, seen.id)].flat().map(scalarText)));
  }
  const numbers = new Set(ids.filter((id) => /^[1-9]\d*$/.test(id)));
  return [...numbers].toSorted((a, b) => Number(a) - Number(b)).slice(0, mostIds);
}

/** One page of records; empty where the service refuses or lacks the list. */
async function firstPage(api: Api, path: string, query: readonly (readonly [string, string])[]) {
  try {
    const { data } = await api.read({ method: 'GET', path, query: [...query, ['limit', String(largestPage)]] });
    return Array.isArray(data) ? data.filter(isMembers) : [];
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof RefusedError) return [];
    throw error;
  }
}
