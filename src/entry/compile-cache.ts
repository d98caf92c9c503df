// Turns on Node's compile cache, in a folder that no other user can write to.

import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Turns on the compile cache, below CRM_DATA_DIR if set, else in the user's own folder below the system's temporary folder. Does nothing if
 * NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE is set. Never throws.
 */
export function useCompileCache(env: Readonly<Record<string, string | undefined>>): void {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  try {
    // An import of node:fs would also load streams and promises, which few commands need.
    const folder = ownFolder(env.CRM_DATA_DIR, process.getBuiltinModule('node:fs'));
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // Without a cache the program is only slower.
  }
}

/** The cache's folder, made if missing. Undefined if other users could write to the folder, because code from the cache is run. */
function ownFolder(dataDir: string | undefined, { lstatSync, mkdirSync }: typeof import('node:fs')): string | undefined {
  const uid = process.getuid?.();
  const user = uid === undefined ? '' : `-${uid}`;
  const folders = dataDir ? [dataDir, join(dataDir, 'compile-cache')] : [join(tmpdir(), `crm-compile-cache${user}`)];
  const folder = folders.at(-1) ?? '';
  // mkdirSync with `recursive` never returns in some places, such as /proc.
  for (const one of folders) if (lstatSync(one, { throwIfNoEntry: false }) === undefined) mkdirSync(one, { mode: 0o700 });
  const found = lstatSync(folder);
  const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
  return found.isDirectory() && isOwn ? folder : undefined;
}
