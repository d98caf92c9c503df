// What other runs have deleted since a run began: what an action of it replaced may have been theirs.

import { type Ledger, type LedgerRecord, otherLedgers, readLedger } from './ledger.ts';

/** The records that other runs of the same service deleted since this one began. */
export async function deletedElsewhere({ path, state }: Ledger): Promise<LedgerRecord[]> {
  const ledgers = await Promise.all((await otherLedgers(path)).map((other) => readLedger(other.path)));
  const later = ledgers.filter((ledger) => Date.parse(ledger?.state.at ?? '') >= Date.parse(state.began ?? ''));
  return later.flatMap((ledger) => ledger?.state.all() ?? []).filter((record) => record.state === 'deleted');
}
