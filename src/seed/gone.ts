// What somebody has deleted of what a run created or found: an apply has it again.

import type { Api } from '../api/client.ts';
import { allRecords } from '../api/paging.ts';
import { NotFoundError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { eachAtOnce } from './each-at-once.ts';
import { familyOf } from './language/find.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { idOf } from './legacy/readback.ts';

interface Kept {
  readonly name: string;
  readonly type: string;
  readonly id: Id;
}

/** So many records of a family are looked at one by one; for more, its list is read first. */
const mostSingle = 100;

export interface LookOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Notes what is gone as deleted, and gives the names. Throws what Api.read throws. */
export async function noteGone(api: Api, ledger: Pick<Ledger, 'state' | 'note'>, options: LookOptions): Promise<string[]> {
  const { state } = ledger;
  const created = state.all().filter((record) => record.state === 'created' && canBeReplaced(record));
  const found = [...state.found].map(([name, { type, id }]) => ({ name, type, id }));
  const kept = [...created, ...found].flatMap(({ name, type, id }) => (id === undefined ? [] : [{ name, type, id }]));
  const gone: string[] = [];
  for (const [type, all] of Map.groupBy(kept, ({ type }) => type)) {
    const resource = familyOf(type);
    if (resource !== undefined) gone.push(...(await goneOf(api, resource, all, options)));
  }
  for (const name of gone) ledger.note({ did: 'deleted', name });
  return gone;
}

/** A lead that was converted is not made and converted a second time: what came of it is there. */
const canBeReplaced = ({ acts }: LedgerRecord): boolean =>
  [...acts.values()].every(({ effect }) => effect?.made === undefined && effect?.stays === undefined);

async function goneOf(api: Api, resource: Resource, all: readonly Kept[], options: LookOptions): Promise<string[]> {
  const listed = all.length > mostSingle ? await listedIds(api, resource, options.signal) : new Set<string>();
  const gone: string[] = [];
  // A list may leave out what is there, such as what is archived.
  await eachAtOnce(
    all.filter(({ id }) => !listed.has(scalarText(id))),
    options,
    async ({ name, id }) => {
      if (!(await isThere(api, `${resource.path}/${id}`))) gone.push(name);
    },
  );
  return gone;
}

async function listedIds(api: Api, { path }: Resource, signal: AbortSignal): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const record of allRecords(api, { method: 'GET', path }, signal)) ids.add(scalarText(idOf(record)));
  return ids;
}

async function isThere(api: Api, path: string): Promise<boolean> {
  try {
    await api.read({ method: 'GET', path });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
