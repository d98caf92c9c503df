// Writes files that survive a power cut: a file gets its name only when complete and on the disk.

import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { draftBeside } from './make-folder.ts';

/** A file under a temporary name. */
interface Draft {
  readonly file: FileHandle;
  /** Flushes the file to the disk and moves it to its path, over any file there. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

/** Opens a new file under a temporary name beside `path`. `mode`: for other users, less the umask. */
export async function openDraft(path: string, mode = 0o600): Promise<Draft> {
  const draft = draftBeside(path);
  const file = await open(draft, 'wx', mode);
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

/** Writes a new file, whole or not at all. Throws the system's errors, EEXIST for a path that is taken. */
export async function writeNewFile(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}

/** A new name then survives a power cut. Some systems can't flush a directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
