// Node's compile cache for the bundle's chunks: where it lies, and that nobody else can have put anything into it.

import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Turns the compile cache on: in CRM_DATA_DIR where that is set, else in a folder of the user's own below the system's
 * temporary one. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE win, as Node has it. Never fails: it is only a cache.
 */
export function useCompileCache(env: Readonly<Record<string, string | undefined>>): void {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_COMPILE_CACHE) return;
  try {
    const folder = env.CRM_DATA_DIR ? join(env.CRM_DATA_DIR, 'compile-cache') : ownFolder();
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // Without a cache everything works the same, a little slower.
  }
}

/** A folder that only this user can write to; undefined when someone else was there first. */
function ownFolder(): string | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return join(tmpdir(), 'crm-compile-cache');
  const folder = join(tmpdir(), `crm-compile-cache-${uid}`);
  // Importing node:fs would load its streams and promises too, before anything needs them.
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? folder : undefined;
}
