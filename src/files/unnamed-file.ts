// A temporary file that nobody else sees: it has no name while it is used, and is gone as soon as it is closed or the process ends.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Opens an empty file (0600) in the system's temporary folder, for writing and reading. Throws what the system says. */
export async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `crm-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** So much is held at once, as rows perhaps: more is hardly read faster. */
const chunkBytes = 32 * 1024;

/** What stands in a file, from its beginning. */
export async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
