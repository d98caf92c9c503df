// Turns on Node's compile cache, in a folder that no other user can write to.

import { enableCompileCache } from 'node:module';
import { homedir, platform } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Env } from '../base/files/own-folders.ts';

/**
 * Turns on the compile cache, below CRM_DATA_DIR if set, else in the platform's folder of caches. Does nothing if NODE_COMPILE_CACHE or
 * NODE_DISABLE_COMPILE_CACHE is set. Never throws.
 */
export function useCompileCache(env: Env): void {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  try {
    // An import of node:fs would also load streams and promises, which few commands need.
    const folder = cacheFolder(cacheFolders(env), process.getBuiltinModule('node:fs'));
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // Without a cache the program is only slower.
  }
}

/** The cache's folder and the folders above that crm may make. The last two are crm's own. Empty without a place. */
function cacheFolders(env: Env): readonly string[] {
  if (env.CRM_DATA_DIR) return [env.CRM_DATA_DIR, join(env.CRM_DATA_DIR, 'compile-cache')];
  const above = cacheHome(env);
  // In a relative folder, whoever made the working folder could choose the code.
  if (!isAbsolute(above)) return [];
  const own = platform() === 'win32' ? join(above, 'crm', 'Cache') : join(above, 'crm');
  return [above, ...(platform() === 'win32' ? [join(above, 'crm')] : []), own, join(own, 'compile-cache')];
}

/** The platform's folder of caches, as env-paths names it for conf. */
function cacheHome(env: Env): string {
  if (platform() === 'win32') return env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Caches');
  return env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** The last folder, made if missing. Undefined if others could write to one of crm's own folders, because code from the cache is run. */
function cacheFolder(folders: readonly string[], { lstatSync, mkdirSync, statSync }: typeof import('node:fs')): string | undefined {
  const uid = process.getuid?.();
  for (const [place, one] of folders.entries()) {
    if (lstatSync(one, { throwIfNoEntry: false }) === undefined) mkdirSync(one, { mode: 0o700 });
    if (place < folders.length - 2) continue;
    const isLast = place === folders.length - 1;
    // The folder above may be a link of the user's.
    const found = isLast ? lstatSync(one) : statSync(one);
    // In a sticky folder such as /tmp, others can't replace the cache.
    const isOpen = (found.mode & 0o022) !== 0 && (isLast || (found.mode & 0o1000) === 0);
    if (!found.isDirectory() || (uid !== undefined && (found.uid !== uid || isOpen))) return undefined;
  }
  return folders.at(-1);
}
