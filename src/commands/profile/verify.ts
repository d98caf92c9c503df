// One cheap read that shows whether a key works. The client is loaded only when a command makes the read.

import type { Context } from '../../context.ts';
import type { Settings } from '../../profiles/settings.ts';

/** One request that needs the key. Throws UnauthorizedError when the service refuses it, UnavailableError when what answers is no such service. */
export type VerifyKey = (context: Context, settings: Settings) => Promise<void>;

/** Reads one contact with the settings' key. */
export const verifyByRequest: VerifyKey = async (context, settings) => {
  const [{ openClient }, { recordsOf }] = await Promise.all([import('../../open-client.ts'), import('../../api/envelope.ts')]);
  const api = await openClient(context, settings);
  try {
    const request = { method: 'GET' as const, path: '/api/contacts', query: [['limit', '1']] as const };
    recordsOf(await api.read(request), request);
  } finally {
    await api.close();
  }
};

/** Checks the key, then remembers the names of the newest records: they can be typed from the first command on. */
export const verifyAndGather: VerifyKey = async (context, settings) => {
  await verifyByRequest(context, settings);
  if (context.flags.dryRun) return;
  const { gatherNames } = await import('../../names/gather.ts');
  await gatherNames(context, settings);
};
