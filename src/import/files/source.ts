// The file to import: opened once and read as often as needed. A small file is kept in memory. Standard input and pipes are first copied to
// a temporary file (0600), which is unlinked while it is open.

import { type FileHandle, open, stat } from 'node:fs/promises';
import { ConflictError, isCrmError, systemReason, UsageError } from '../../base/errors.ts';
import { interruptible } from '../../base/files/input-stream.ts';
import { pathIn } from '../../base/files/path-in.ts';
import { openToRead, pipeOf } from '../../base/files/read-whole.ts';
import { openUnnamed, throwTemporary, unnamedBytes } from '../../base/files/unnamed-file.ts';
import { limits } from '../../base/limits.ts';
import type { Context } from '../../session/context.ts';

export interface Source {
  /** The name in messages. */
  readonly name: string;
  /** The absolute path; undefined for standard input and pipes. */
  readonly path: string | undefined;
  /** The open file, for reading at any position. */
  readonly file: FileHandle;
  /** The bytes from the beginning. Throws ConflictError for a large file that has changed since it was opened. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a file by name, or standard input for `-`. Throws UsageError for a file that can't be read. */
export async function openSource(context: Context, name: string): Promise<Source> {
  const called = name === '-' ? 'standard input' : name;
  try {
    if (name !== '-') return await openFile(context, name);
    return sourceOn(await spooled(interruptible(context.io.stdin.stream, context.signal)), called);
  } catch (error) {
    if (isCrmError(error) || context.signal.aborted) throw error;
    throw new UsageError(`Can't read ${called} (${systemReason(error)}).`, { cause: error });
  }
}

async function openFile(context: Context, name: string): Promise<Source> {
  const path = pathIn(context, name);
  const facts = await stat(path);
  // A pipe ends; a device may not.
  if (facts.isCharacterDevice() || facts.isBlockDevice()) throw new UsageError(`${name} is a device, not a file.`);
  if (facts.isFIFO()) return sourceOn(await spooled(pipeOf(openToRead(path), context.signal)), name);
  if (facts.isDirectory()) throw new UsageError(`${name} is a folder, not a file.`);
  const file = await open(path, 'r');
  const { size, mtimeMs } = await file.stat();
  let inMemory: Promise<Uint8Array[]> | undefined;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    if (size <= limits.fileInMemory) {
      inMemory ??= Array.fromAsync(unnamedBytes(file));
      yield* await inMemory;
      return;
    }
    const now = await file.stat();
    if (now.size !== size || now.mtimeMs !== mtimeMs) throw fileChanged(name);
    yield* unnamedBytes(file);
  };
  return { ...sourceOn(file, name), path, bytes };
}

const sourceOn = (file: FileHandle, name: string): Source => ({
  name,
  path: undefined,
  file,
  bytes: () => unnamedBytes(file),
  close: () => file.close(),
});

/**
 * The source with other bytes in place of its own. Closing the result closes both files. Throws UsageError when the bytes can't be written.
 */
export async function replaced(source: Source, bytes: AsyncIterable<Uint8Array | string>): Promise<Source> {
  const file = await spooled(bytes);
  const close = async (): Promise<void> => {
    await file.close();
    await source.close();
  };
  return { ...source, file, bytes: () => unnamedBytes(file), close };
}

/**
 * A copy of a stream in a temporary file. The file disappears when the copy is closed or the process ends. Throws like `throwTemporary`.
 */
async function spooled(stream: AsyncIterable<Uint8Array | string>): Promise<FileHandle> {
  const file = await openUnnamed().catch(throwTemporary);
  try {
    for await (const chunk of stream) await file.appendFile(chunk).catch(throwTemporary);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The error for a file that changed between the check of its rows and their sending. */
export const fileChanged = (name: string): ConflictError =>
  new ConflictError(`${name} was changed while it was being imported, so nothing more is sent.`);
