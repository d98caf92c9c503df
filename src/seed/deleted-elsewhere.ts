// What other runs have deleted since a run began: what an action of it replaced may have been theirs.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Ledger, type LedgerRecord, readLedger } from './ledger.ts';

/** The records that other runs of the same service deleted since this one began. */
export async function deletedElsewhere({ path, state }: Ledger): Promise<LedgerRecord[]> {
  const own = basename(path);
  // The ending stands for the service.
  const ending = own.slice(own.lastIndexOf('-'));
  const others = (await readdir(dirname(path), { withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.name !== own && entry.name.endsWith(ending),
  );
  const ledgers = await Promise.all(others.map(({ name }) => readLedger(join(dirname(path), name))));
  const later = ledgers.filter((ledger) => Date.parse(ledger?.state.at ?? '') >= Date.parse(state.began ?? ''));
  return later.flatMap((ledger) => ledger?.state.all() ?? []).filter((record) => record.state === 'deleted');
}
