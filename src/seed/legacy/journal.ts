// A journal: an append-only file of JSON objects, one a line, that survives kill -9 and power cuts. Each line ends with
// a checksum, so that a line torn by a crash is recognised and cut off. It knows nothing of what the entries mean.

import { existsSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ConflictError, systemCode, UnavailableError, UsageError } from '../../errors.ts';
import { writeDurably } from '../../files/durable-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { hasSqliteCode } from '../../files/sqlite.ts';
import { isMembers, type Members } from '../../values/paths.ts';
import { takeLock } from './lock.ts';

export interface Journal {
  readonly path: string;
  /** Whether this run began it. */
  readonly isNew: boolean;
  /** When an earlier run last wrote to it, in milliseconds since 1970; undefined for a new one. */
  readonly lastWrite: number | undefined;
  /** Adds an entry. It is durable once a later `flush` resolves. */
  append(entry: Members): void;
  /** Resolves when everything appended so far would survive a power cut; one fsync serves everybody who waits. Throws UnavailableError. */
  flush(): Promise<void>;
  /** Flushes, and lets go of the file and its lock. */
  close(): Promise<void>;
}

/**
 * Opens a journal for this process alone, or begins one with `header` as its first entry (0600, durable at once).
 * `replay` is given every entry of one that is there, the header first; what it throws closes the journal again. A torn
 * end is cut off. `isOver` is asked after the replay: one that is over is begun anew. Throws ConflictError when another
 * process has it open, when it is no journal or damaged before its end.
 */
export async function openJournal(
  path: string,
  header: Members,
  replay: (entry: Members) => void,
  isOver: () => boolean = () => false,
): Promise<Journal> {
  const real = await placeOf(path);
  const unlock = lockFor(path, real);
  if (unlock === undefined) throw new ConflictError(`Another run is using the journal ${path}.`, { hint: 'Wait for its end, or stop it.' });
  let file: FileHandle | undefined;
  try {
    const lastWrite = (await stat(real).catch(() => undefined))?.mtimeMs;
    let isNew = await begin(path, real, header);
    file = await open(real, 'r+');
    await checkOnlyName(file, path);
    let end = await replayEntries(file, path, isNew ? () => {} : replay);
    if (!isNew && isOver()) {
      await file.close();
      await writeNew(path, real, header);
      isNew = true;
      file = await open(real, 'r+');
      end = await replayEntries(file, path, () => {});
    }
    await file.truncate(end);
    return { ...journalOn(file, path, end, unlock), isNew, lastWrite: isNew ? undefined : lastWrite };
  } catch (error) {
    await file?.close();
    unlock();
    throw error;
  }
}

/** Where the journal really is, for a link is another name of it; its folder is made. Throws UsageError when it can't be. */
async function placeOf(path: string): Promise<string> {
  try {
    makeFolder(dirname(path));
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && existsSync(dirname(path))) return join(await realpath(dirname(path)), basename(path));
    throw unwritable(path, error);
  }
}

/** Throws UsageError when nothing can be written there. */
function lockFor(path: string, real: string): ReturnType<typeof takeLock> {
  try {
    return takeLock(`${real}.lock`);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(`The journal ${path} can't be written (${reasonOf(error)}).`, { cause: error });
}

function reasonOf(error: unknown): string {
  if (systemCode(error) === 'ENOSPC' || hasSqliteCode(error, 'full')) return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}

/** Under a second name, which no link leads to, another run would not see the lock. */
async function checkOnlyName(file: FileHandle, path: string): Promise<void> {
  const { nlink } = await file.stat();
  if (nlink <= 1) return;
  throw new ConflictError(`The journal ${path} has another name, too (a hard link), under which another run may be using it.`, {
    hint: 'Remove one of the names.',
  });
}

/** Makes a journal with its header where there is none. False when there is one. */
async function begin(path: string, real: string, header: Members): Promise<boolean> {
  if (existsSync(real) && (await stat(real)).size > 0) return false;
  await writeNew(path, real, header);
  return true;
}

/** Makes a journal with its header, in place of any other. Throws UsageError when it can't be written. */
async function writeNew(path: string, real: string, header: Members): Promise<void> {
  try {
    await writeDurably(real, (file) => file.writeFile(sealed(header)));
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The first entry of a journal, without opening it for writing; undefined when there is no journal at the path. */
export async function journalHeader(path: string): Promise<Members | undefined> {
  if (!existsSync(path)) return undefined;
  for await (const { entry } of lines(path)) return entry;
  return undefined;
}

/** Every whole entry of a journal in order, without opening it for writing. */
export async function* journalEntries(path: string): AsyncGenerator<Members> {
  for await (const { entry } of lines(path)) if (entry !== undefined) yield entry;
}

/** Replays the whole entries and gives the position behind the last of them. */
async function replayEntries(file: FileHandle, path: string, replay: (entry: Members) => void): Promise<number> {
  let end = 0;
  let isTorn = false;
  for await (const { entry, next } of linesOf(file)) {
    if (entry === undefined) isTorn = true;
    // A crash tears the end only: a whole line behind a broken one means that the file was damaged otherwise.
    else if (isTorn) throw new ConflictError(`The journal ${path} is damaged at byte ${end}: it can't be relied upon.`);
    else {
      replay(entry);
      end = next;
    }
  }
  if (end === 0) throw new ConflictError(`${path} is not a journal.`);
  return end;
}

interface Line {
  /** Undefined for a line that is not whole. */
  readonly entry: Members | undefined;
  /** The position behind the line. */
  readonly next: number;
}

async function* lines(path: string): AsyncGenerator<Line> {
  const file = await open(path, 'r');
  try {
    yield* linesOf(file);
  } finally {
    await file.close();
  }
}

async function* linesOf(file: FileHandle): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  const chunk = Buffer.allocUnsafe(256 * 1024);
  for (let from = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
    if (bytesRead === 0) break;
    from += bytesRead;
    const text = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
      position += end + 1 - start;
      yield { entry: unsealed(text.toString('utf8', start, end)), next: position };
      start = end + 1;
    }
    rest = text.subarray(start);
  }
  if (rest.length > 0) yield { entry: undefined, next: position + rest.length };
}

/** The line of an entry: its JSON with the checksum of everything before as the last member. */
function sealed(entry: Members): string {
  const text = JSON.stringify(entry).slice(0, -1);
  return `${text},"crc":"${checksum(text)}"}\n`;
}

function unsealed(line: string): Members | undefined {
  const [, text, crc] = /^(\{.*),"crc":"([0-9a-f]{8})"\}$/s.exec(line) ?? [];
  if (text === undefined || checksum(text) !== crc) return undefined;
  const entry: unknown = JSON.parse(`${text}}`);
  return isMembers(entry) ? entry : undefined;
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

type Writing = Omit<Journal, 'isNew' | 'lastWrite'>;

function journalOn(file: FileHandle, path: string, end: number, unlock: () => void): Writing {
  let position = end;
  let held: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    next = undefined;
    if (held.length === 0) return;
    const bytes = Buffer.from(held.join(''));
    held = [];
    try {
      for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      await file.datasync();
    } catch (error) {
      throw new UnavailableError(`The journal ${path} can't be written (${reasonOf(error)}), so nothing more is sent.`, { cause: error });
    }
    position += bytes.length;
  };

  // Once a write has failed, so does every later one: what is on the disk is unknown.
  const flush = (): Promise<void> => {
    if (next === undefined) {
      next = writing.then(write);
      writing = next;
      writing.catch(() => undefined);
    }
    return next;
  };

  return {
    path,
    append: (entry) => {
      held.push(sealed(entry));
    },
    flush,
    close: async () => {
      try {
        await flush();
      } finally {
        await file.close();
        unlock();
      }
    },
  };
}
