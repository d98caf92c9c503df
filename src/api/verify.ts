// One cheap read that tells whether a key works.

import type { Context } from '../context.ts';
import type { Settings } from '../profiles/settings.ts';
import { openApi } from './open.ts';

/** Reads one contact with the settings' key. Throws UnauthorizedError when the service refuses it. */
export async function verifyKey(context: Context, settings: Settings): Promise<void> {
  const api = await openApi(context, settings);
  try {
    await api.read({ method: 'GET', path: '/api/contacts', query: [['limit', '1']] });
  } finally {
    await api.close();
  }
}
