// Where settings and data live: what the environment says, else the platform's own places.

import { isAbsolute } from 'node:path';
import { UnauthorizedError } from '../errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The folder of settings. Throws UnauthorizedError where there is no place for it. */
export const configDirOf = async (env: Env): Promise<string> => env.CRM_CONFIG_DIR || platformPath(env, 'config');

/** The folder of data. Throws UnauthorizedError where there is no place for it. */
export const dataDirOf = async (env: Env): Promise<string> => env.CRM_DATA_DIR || platformPath(env, 'data');

async function platformPath(env: Env, kind: 'config' | 'data'): Promise<string> {
  const { default: envPaths } = await import('env-paths');
  const path = envPaths('crm', { suffix: '' })[kind];
  // Below the working folder, whoever made that could choose the settings.
  if (isAbsolute(path)) return path;
  const why = env.HOME ? `${path} is no absolute path` : 'this user has no home folder';
  const instead = kind === 'config' ? 'CRM_CONFIG_DIR. With CRM_BASE_URL and CRM_API_KEY no profile is needed' : 'CRM_DATA_DIR';
  throw new UnauthorizedError(`There is no place for ${kind === 'config' ? 'profiles' : 'data'}: ${why}.`, {
    hint: `Set HOME, or ${instead}.`,
  });
}
