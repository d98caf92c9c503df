// Records and actions whose answer was lost: looked for in the service, before anything is sent again.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../api/client.ts';
import { ConflictError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import { claimOf, type OtherRun, otherRuns } from './claims.ts';
import { familyOf } from './language/find.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { findDoubts, highestId } from './legacy/in-doubt.ts';
import { bodyText } from './steps.ts';

/** Waits until a request that was sent just now has arrived or never will. Throws the signal's reason. */
export async function quiet(signal: AbortSignal, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Looks for every record in doubt and notes what became of it; durable afterwards. Throws what Api.read throws. */
export async function settleRecords(api: Api, ledger: Ledger, signal: AbortSignal): Promise<void> {
  const doubtful = ledger.state.all().filter(({ state }) => state === 'in doubt');
  if (doubtful.length === 0) return ledger.flush();
  const others = new Set((await quietOthers(ledger, doubtful, signal)).flatMap(({ claims }) => claims));
  for (const [type, records] of Map.groupBy(doubtful, ({ type }) => type)) {
    const resource = familyOf(type);
    if (resource !== undefined) await settleFamily(api, resource, records, ledger, others, signal);
  }
  await ledger.flush();
}

/** How often other runs are looked at, half a second apart, before this one gives up waiting for them. */
const mostLooks = 30;

/** The other runs, once none of them is at work on what this one looks for: either could take the other's for its own. */
async function quietOthers(ledger: Ledger, doubtful: readonly LedgerRecord[], signal: AbortSignal): Promise<OtherRun[]> {
  const wanted = new Set(doubtful.map(sentText));
  for (let look = 1; ; look += 1) {
    const others = await otherRuns(ledger);
    const rival = others.find(({ isRunning, doubts }) => isRunning && doubts.some((record) => wanted.has(sentText(record))));
    if (rival === undefined) return others;
    if (look === mostLooks) {
      throw new ConflictError(`Run "${rival.run}" is creating the same records just now.`, { hint: 'Go on when it has ended.' });
    }
    await quiet(signal, 500);
  }
}

const sentText = ({ type, body }: LedgerRecord): string => `${type} ${bodyText(body)}`;

async function settleFamily(
  api: Api,
  resource: Resource,
  records: readonly LedgerRecord[],
  ledger: Ledger,
  others: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { state } = ledger;
  const claimed = new Set(state.all().flatMap(({ type, id }) => (id === undefined ? [] : [claimOf(type, id)])));
  const isClaimed = (claim: string): boolean => claimed.has(claim) || others.has(claim);
  const found = await findDoubts(
    api,
    resource,
    records.map(({ body }, row) => ({ row, body })),
    {
      before: Number(state.before.get(resource.singular) ?? 0),
      floor: Math.min(...records.map(({ above }) => above)),
      isClaimed: (id) => isClaimed(claimOf(resource.singular, id)),
      signal,
    },
  );
  records.forEach(({ name }, row) => {
    const id = found.get(row);
    ledger.note(id === undefined ? { did: 'not created', name } : { did: 'created', name, id });
  });
}

/** Notes the highest id of a family before the run creates any of it; what is made later is above. */
export async function lookBefore(api: Api, resource: Resource, ledger: Ledger): Promise<void> {
  const type = resource.singular;
  if (ledger.state.before.has(type)) return;
  ledger.note({ did: 'looked', type, highest: await highestId(api, resource) });
}
