// One cheap read that shows whether a key works. The client is loaded only when a command makes the read.

import type { Context } from '../../context.ts';
import type { Settings } from '../../profiles/settings.ts';

/** One request that needs the key. Throws UnauthorizedError when the service refuses it. */
export type VerifyKey = (context: Context, settings: Settings) => Promise<void>;

/** Reads one contact with the settings' key. */
export const verifyByRequest: VerifyKey = async (context, settings) => {
  const { openApi } = await import('../../open-api.ts');
  const api = await openApi(context, settings);
  try {
    await api.read({ method: 'GET', path: '/api/contacts', query: [['limit', '1']] });
  } finally {
    await api.close();
  }
};
