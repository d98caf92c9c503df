// A whole file that survives a power cut: it gets its name only when it is complete and on the disk.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file (0600), replacing any that is there. Nothing is left behind when `write` or the disk fails. */
export async function writeDurably(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.draft`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await write(file);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Makes a new file's name durable, where the system can. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}
