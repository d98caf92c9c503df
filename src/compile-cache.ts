// Node's compile cache for the bundle's chunks: where it lies, and that nobody else can have put anything into it.

import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Turns the compile cache on: in CRM_DATA_DIR where that is set, else in a folder of the user's own below the system's
 * temporary one. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE win, as Node has it. Never fails: it is only a cache.
 */
export function useCompileCache(env: Readonly<Record<string, string | undefined>>): void {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  try {
    const uid = process.getuid?.();
    const folder = env.CRM_DATA_DIR
      ? join(env.CRM_DATA_DIR, 'compile-cache')
      : join(tmpdir(), `crm-compile-cache${uid === undefined ? '' : `-${uid}`}`);
    makeFolder(folder);
    if (uid === undefined || isOwn(folder, uid)) enableCompileCache(folder);
  } catch {
    // Without a cache everything works the same, a little slower.
  }
}

/** Whether only this user can write to it: code in it would be run. */
function isOwn(folder: string, uid: number): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
}
