// Whether an apply begins its run or goes on with it, by what is to be seen of the run in the service.

import type { Api } from '../api/client.ts';
import type { Context } from '../context.ts';
import { ConflictError } from '../errors.ts';
import { notice } from '../output/streams/notice.ts';
import { noteGone } from './gone.ts';
import { familyOf } from './language/find.ts';
import type { LedgerEntry, LedgerRecord, LedgerState } from './ledger.ts';
import { remainsOf } from './presence.ts';

export interface Beginning {
  readonly run: string;
  readonly file: string;
  /** Where the file is, absolute. */
  readonly path?: string;
  readonly randomSeed: number;
  readonly concurrency: number;
  /** The state that `note` adds to. */
  readonly state: LedgerState;
  note(entry: LedgerEntry): void;
}

/**
 * Begins a run when nothing of it is there, also when everything it created has gone: the service was reset. Otherwise
 * notes what somebody has deleted of it, and gives the names. Throws ConflictError where it can't be told whether the
 * run is there.
 */
export async function beginRun(
  context: Context,
  api: Api,
  { run, file, path, randomSeed, concurrency, state, note }: Beginning,
): Promise<readonly string[]> {
  if (state.isLive) {
    if (await goesOn(context, api, run, state)) return noteGone(api, { state, note }, { concurrency, signal: context.signal });
    await notice(context.io, context.flags, `Nothing of what run "${run}" created is there any more: it begins anew.`, 'warning');
  }
  const { profile = null } = await context.settings();
  const at = context.now().toISOString();
  note({ did: 'begin', file, ...(path === undefined ? {} : { path }), random_seed: randomSeed, profile, at });
  return [];
}

async function goesOn({ signal }: Context, api: Api, run: string, state: LedgerState): Promise<boolean> {
  const all = state.all();
  if (all.some((record) => record.state === 'in doubt') || !all.some((record) => record.state === 'created')) return true;
  const remains = await remainsOf(api, state, signal);
  if (remains.has !== 'unclear') return remains.has === 'own';
  throw new ConflictError(`What has the ids of run "${run}" now has other values: ${placesOf(remains.unclear)}.`, {
    hint:
      `It can't be told whether somebody changed them or the service was reset. Where they are the run's, undo it ` +
      `(crm seed destroy --run ${run}); where they are not, give another --run.`,
  });
}

/** So many records are told. */
const mostTold = 5;

/** Records as a person finds them: `notes 12, leads 3`. */
export function placesOf(records: readonly Pick<LedgerRecord, 'type' | 'id'>[]): string {
  const told = records.slice(0, mostTold).map(({ type, id }) => `${familyOf(type)?.name ?? type} ${id}`);
  return [...told, ...(records.length > mostTold ? ['…'] : [])].join(', ');
}
