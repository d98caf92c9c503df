// One cheap read that tells whether a key works.

import type { Context } from '../context.ts';
import type { Settings } from '../profiles/settings.ts';
import { recordsOf } from './envelope.ts';
import { openApi } from './open.ts';

/** Reads one contact with the settings' key. Throws UnauthorizedError when the service refuses it, UnavailableError when what answers is no such service. */
export async function verifyKey(context: Context, settings: Settings): Promise<void> {
  const api = await openApi(context, settings);
  try {
    const request = { method: 'GET' as const, path: '/api/contacts', query: [['limit', '1']] as const };
    recordsOf(await api.read(request), request);
  } finally {
    await api.close();
  }
}
