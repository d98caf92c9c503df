// Whether a run that was begun with another profile can be gone on with: one address may keep the data of several keys apart.

import type { Api } from '../api/client.ts';
import type { Context } from '../context.ts';
import { ConflictError } from '../errors.ts';
import type { LedgerState } from './ledger.ts';
import { remainsOf } from './presence.ts';

/**
 * Lets a live run be gone on with by the profile that began it, and by another one that sees something of it. Throws
 * ConflictError otherwise: the run would seem to be gone, and what it created would never be found again.
 */
export async function refuseOtherProfile(context: Context, api: Api, run: string, state: LedgerState): Promise<void> {
  const { profile = null } = await context.settings();
  const { profile: before } = state;
  if (!state.isLive || before === undefined || before === profile) return;
  if ((await remainsOf(api, state, context.signal)).has === 'own') return;
  const began = before === null ? 'without a profile' : `with profile "${before}"`;
  throw new ConflictError(
    `Run "${run}" was applied ${began}, and ${profile === null ? 'this key' : `profile "${profile}"`} sees nothing of it.`,
    {
      hint:
        before === null
          ? 'Use the key that it was applied with, or give another --run.'
          : `Use --profile ${before}, or give another --run.`,
    },
  );
}
