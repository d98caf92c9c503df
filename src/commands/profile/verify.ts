// One cheap read that shows whether a key works. The client is loaded only when a command makes the read.

import { recordsOf } from '../../api/envelope.ts';
import { otherServiceHint } from '../../api/problem.ts';
import type { Answer } from '../../api/types.ts';
import type { Context } from '../../context.ts';
import { NotFoundError, withHints } from '../../errors.ts';
import { openClient } from '../../open-client.ts';
import type { Settings } from '../../profiles/settings.ts';

/** One request that needs the key. Throws UnauthorizedError when the service refuses it, UnavailableError when what answers is no such service. */
export type VerifyKey = (context: Context, settings: Settings) => Promise<void>;

/** The first page of the first documented family, and as little of it as there can be. */
const request = { method: 'GET', path: '/api/contacts', query: [['limit', '1']] } as const;

/** Reads one contact with the settings' key. Throws like a VerifyKey. */
export async function readOnce(context: Context, settings: Settings): Promise<Answer> {
  const api = await openClient(context, settings);
  try {
    const answer = await api.read(request);
    recordsOf(answer, request);
    return answer;
  } catch (error) {
    // Every service of this kind has contacts.
    throw error instanceof NotFoundError ? withHints(error, [otherServiceHint]) : error;
  } finally {
    await api.close();
  }
}

export const verifyByRequest: VerifyKey = async (context, settings) => {
  await readOnce(context, settings);
};

/** Checks the key, then remembers the names of the newest records: they can be typed from the first command on. */
export const verifyAndGather: VerifyKey = async (context, settings) => {
  await verifyByRequest(context, settings);
  if (context.flags.dryRun) return;
  const { gatherNames } = await import('../../names/gather.ts');
  await gatherNames(context, settings);
};
