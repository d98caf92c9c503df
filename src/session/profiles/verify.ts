// Checks a key with one cheap read.

import { NotFoundError, withHints } from '../../base/errors.ts';
import { recordsOf } from '../../client/envelope.ts';
import { otherServiceHint } from '../../client/problem.ts';
import type { Answer } from '../../client/types.ts';
import type { Context } from '../context.ts';
import { openClient, warnOfNoProxy } from '../open-client.ts';
import type { Settings } from './settings.ts';

/** Checks the settings' key with a request. Throws UnauthorizedError if the key is refused, UnavailableError for another service. */
export type VerifyKey = (context: Context, settings: Settings) => Promise<void>;

/** One record of the first documented family. */
const request = { method: 'GET', path: '/api/contacts', query: [['limit', '1']] } as const;

/** Reads one contact with the settings' key. Throws the errors of VerifyKey. */
export async function readOnce(context: Context, settings: Settings): Promise<Answer> {
  const api = await openClient(context, settings);
  try {
    const answer = await api.read(request);
    recordsOf(answer, request);
    return answer;
  } catch (error) {
    // A 404 means another kind of service: a service of this kind always has contacts.
    throw error instanceof NotFoundError ? withHints(error, [otherServiceHint]) : error;
  } finally {
    await api.close();
  }
}

export const verifyByRequest: VerifyKey = async (context, settings) => {
  await warnOfNoProxy(context, settings.baseUrl);
  await readOnce(context, settings);
};

/** Checks the key, then remembers the names of the newest records, so that the first command can already use them. */
export const verifyAndGather: VerifyKey = async (context, settings) => {
  await verifyByRequest(context, settings);
  if (context.flags.dryRun) return;
  const { gatherNames } = await import('../names/gather.ts');
  await gatherNames(context, settings);
};
