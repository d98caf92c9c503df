// Where settings and data live: what the environment says, else the platform's own places. Nobody else may be able to change them.

import { type Stats, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { UnauthorizedError } from '../errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The folder of settings. Throws UnauthorizedError where there is no place for it. */
export const configDirOf = async (env: Env): Promise<string> => env.CRM_CONFIG_DIR || platformPath(env, 'config');

/** The folder of data. Throws UnauthorizedError where there is no place for it, and where others could have changed what it holds. */
export async function dataDirOf(env: Env): Promise<string> {
  const path = env.CRM_DATA_DIR || (await platformPath(env, 'data'));
  const problem = foreignAt(path);
  if (problem === undefined) return path;
  throw new UnauthorizedError(`${problem.found}, so its data are not used.`, {
    hint: `${problem.advice}, or set CRM_DATA_DIR to a folder of your own.`,
  });
}

/** Why others could have changed a file or folder, and how to end that. Undefined where only this user and the system's administrator can. */
export function foreign(facts: Stats, path: string): { readonly found: string; readonly advice: string } | undefined {
  const uid = process.getuid?.();
  // Windows has no such owners and modes.
  if (uid === undefined) return undefined;
  if (facts.uid !== uid && facts.uid !== 0)
    return { found: `${path} belongs to another user (${facts.uid})`, advice: `Make it yours (chown ${uid} ${path})` };
  // In a folder such as /tmp, others can add files, but not replace those of this user.
  const isSticky = facts.isDirectory() && (facts.mode & 0o1000) !== 0;
  if ((facts.mode & 0o022) === 0 || isSticky) return undefined;
  const advice = `See that nobody changed it, then close it to others (chmod go-w ${path})`;
  return { found: `Other users can write to ${path}`, advice };
}

/** The same of what stands at a path; undefined, too, where nothing can be looked at: whoever uses it is told why. */
export function foreignAt(path: string): ReturnType<typeof foreign> {
  try {
    return foreign(statSync(path), path);
  } catch {
    return undefined;
  }
}

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
