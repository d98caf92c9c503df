// Opens temporary files without a name. The system removes such a file when it is closed or the process ends.

import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode, systemReason, UnauthorizedError } from '../errors.ts';
import { diskError } from './disk-failure.ts';

/** Opens an empty file (0600) in the system's temporary folder, for writing and reading. Throws the system's errors. */
export async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `crm-${randomBytes(8).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

/** The advice for a folder of temporary files that can't be written. */
export const temporaryHint = 'Set TMPDIR to a folder that you can write to.';

/** The error for a temporary file that can't be made or written in a folder. Errors that are not the system's stay. */
export function temporaryError(error: unknown, folder = tmpdir()): unknown {
  if (systemCode(error) === undefined) return error;
  const what = `Temporary files can't be written in ${folder}`;
  return diskError(what, error) ?? new UnauthorizedError(`${what} (${systemReason(error)}).`, { hint: temporaryHint, cause: error });
}

/** Throws the error for a temporary file of this machine that can't be written. */
export function throwTemporary(error: unknown): never {
  throw temporaryError(error);
}

/** The bytes read at a time. Larger chunks are hardly faster. */
const chunkBytes = 32 * 1024;

/** The bytes of a file from its beginning. */
export async function* unnamedBytes(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
