// What other runs do in the same service: a record that this run looks for is none of theirs.

import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { type Ledger, type LedgerRecord, otherLedgers, readLedger } from './ledger.ts';
import { takeLock } from './legacy/lock.ts';

/** A record as claims name it. */
export const claimOf = (type: string, id: Id): string => `${type} ${scalarText(id)}`;

export interface OtherRun {
  readonly run: string;
  readonly claims: readonly string[];
  /** What it sent, and doesn't know yet what became of. */
  readonly doubts: readonly LedgerRecord[];
  /** Whether a process is at work on it. */
  readonly isRunning: boolean;
}

/** All runs that did anything since this one began. Older ledgers claim nothing: a service that was reset gives their ids anew. */
export async function otherRuns({ path, state }: Ledger): Promise<OtherRun[]> {
  const began = Date.parse(state.began ?? '');
  const others = (await otherLedgers(path)).filter(({ lastWrite }) => !(lastWrite < began));
  const runs = await Promise.all(others.map((other) => runAt(other.path)));
  return runs.flat();
}

async function runAt(path: string): Promise<OtherRun[]> {
  const ledger = await readLedger(path);
  if (ledger === undefined) return [];
  const all = ledger.state.all();
  const claims = all.flatMap(({ type, id }) => (id === undefined ? [] : [claimOf(type, id)]));
  const doubts = all.filter((record) => record.state === 'in doubt');
  return [{ run: ledger.header.run, claims, doubts, isRunning: doubts.length > 0 && isLocked(path) }];
}

function isLocked(path: string): boolean {
  const unlock = takeLock(`${path}.lock`);
  unlock?.();
  return unlock === undefined;
}
