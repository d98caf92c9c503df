// The request that shows whether a key works, loaded only when a command makes it.

import type { Context } from '../../context.ts';
import type { Settings } from '../../profiles/settings.ts';

/** One request that needs the key. Throws UnauthorizedError when the service refuses it. */
export type VerifyKey = (context: Context, settings: Settings) => Promise<void>;

/** Asks the service that the settings name. */
export const verifyByRequest: VerifyKey = async (context, settings) => {
  const { verifyKey } = await import('../../api/verify.ts');
  await verifyKey(context, settings);
};
