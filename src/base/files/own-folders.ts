// Finds the folders of settings and data: from the environment, else the platform's folders. Checks that other users can't change them.

import { type Stats, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { UnauthorizedError } from '../errors.ts';
import { quoteWord } from '../values/text/shell-word.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The folder of settings. Throws UnauthorizedError when the user has no home folder. */
export const configDirOf = async (env: Env): Promise<string> => env.CRM_CONFIG_DIR || platformPath(env, 'config');

/** The error for a data folder that others can change. */
export class ForeignFolderError extends UnauthorizedError {}

/** The folder of data. Throws UnauthorizedError when the user has no home folder, ForeignFolderError when others can change the folder. */
export async function dataDirOf(env: Env): Promise<string> {
  const path = env.CRM_DATA_DIR || (await platformPath(env, 'data'));
  const problem = foreignAt(path);
  if (problem === undefined) return path;
  throw new ForeignFolderError(`${problem.found}, so its data are not used.`, {
    hint: `${problem.advice}, or set CRM_DATA_DIR to a folder of your own.`,
  });
}

/**
 * The reason why others can change a file or folder, and advice for the user. Undefined when only this user and the administrator can
 * change the file or folder.
 */
export function foreign(facts: Stats, path: string): { readonly found: string; readonly advice: string } | undefined {
  const uid = process.getuid?.();
  // Windows has no Unix owners and modes.
  if (uid === undefined) return undefined;
  if (facts.uid !== uid && facts.uid !== 0)
    return { found: `${path} belongs to another user (${facts.uid})`, advice: `Make it yours (chown ${uid} ${quoteWord(path, 'FILE')})` };
  // In a sticky folder such as /tmp, others can add files, but not replace this user's files.
  const isSticky = facts.isDirectory() && (facts.mode & 0o1000) !== 0;
  if ((facts.mode & 0o022) === 0 || isSticky) return undefined;
  const advice = `See that nobody changed it, then close it to others (chmod go-w ${quoteWord(path, 'FILE')})`;
  return { found: `Other users can write to ${path}`, advice };
}

/** `foreign` for a path. Undefined also for a missing or unreadable path: opening the path gives the error. */
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
  // A relative path is refused: whoever made the working folder could choose the settings.
  if (isAbsolute(path)) return path;
  const why = env.HOME ? `${path} is no absolute path` : 'this user has no home folder';
  const instead = kind === 'config' ? 'CRM_CONFIG_DIR. With CRM_BASE_URL and CRM_API_KEY no profile is needed' : 'CRM_DATA_DIR';
  throw new UnauthorizedError(`There is no place for ${kind === 'config' ? 'profiles' : 'data'}: ${why}.`, {
    hint: `Set HOME, or ${instead}.`,
  });
}
