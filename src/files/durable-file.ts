// A whole file that survives a power cut: it gets its name only when it is complete and on the disk.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that has no name of its own yet. */
export interface Draft {
  readonly file: FileHandle;
  /** Gives it its name, replacing any file that has it, once all of it is on the disk. */
  keep(): Promise<void>;
  /** Leaves nothing behind. */
  drop(): Promise<void>;
}

/** Opens a file (0600) that gets its name when it is kept. */
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

/** Makes a new file's name durable, where the system can. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
