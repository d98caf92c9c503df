// Writes files that survive a power cut: a file gets its name only when complete and on the disk.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file under a temporary name. */
interface Draft {
  readonly file: FileHandle;
  /** Flushes the file to the disk and moves it to its path, over any file there. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

/** Opens a new file (0600) under a temporary name beside `path`. */
export async function openDraft(path: string): Promise<Draft> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`;
  const file = await open(draft, 'wx', 0o600);
  return {
    file,
    keep: async () => {
      await file.sync();
      await file.close();
      await rename(draft, path);
      await syncDirectory(dirname(path));
    },
    drop: async () => {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

/** Flushes a directory, so that a new name survives a power cut. Some systems can't flush a directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
