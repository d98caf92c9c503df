// The lock of a record: single commands on this machine that write what they read take turns, from the read to the answer. The lock is
// SQLite's on one of 64 files of the service's folder: when the process ends, the system releases the lock. Runs take none.

import { join } from 'node:path';
import { serviceAddress } from '../base/base-url.ts';
import { sleep } from '../base/clock.ts';
import { makeFolder, makeOwnFile } from '../base/files/make-folder.ts';
import { lockOn } from '../base/files/sqlite.ts';
import { textHash } from '../base/values/text/text-hash.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from './context.ts';

const shards = 64;
/** Milliseconds after which a command goes on without the lock: the holder may be suspended. */
const longestWait = 30_000;
/** Milliseconds between two tries. */
const betweenTries = 20;

/** Runs a question without the lock. The record must be read again behind the answer. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/** Does `work` while no other single command on this machine holds the record at `path`. Goes on without a lock where none can be had. */
export async function holdingRecord<T>(context: Context, path: string, work: (asking: Asking) => Promise<T>): Promise<T> {
  if (context.flags.dryRun) return work((ask) => ask());
  let release = await take(context, path);
  const asking: Asking = async (ask) => {
    release();
    release = () => {};
    const answer = await ask();
    release = await take(context, path);
    return answer;
  };
  try {
    return await work(asking);
  } finally {
    release();
  }
}

async function take(context: Context, path: string): Promise<() => void> {
  const { io, flags, clock, signal } = context;
  const began = clock.steady();
  const file = await lockFileOf(context, path);
  for (;;) {
    const lock = file === undefined ? undefined : lockOn(file);
    if (lock === undefined) return () => {};
    if (lock !== 'held') return () => lock.close();
    if (clock.steady() - began >= longestWait) {
      await notice(io, flags, `Another command has held this record for ${longestWait / 1000} s: going on without waiting for it.`);
      return () => {};
    }
    await sleep(clock, betweenTries, signal);
  }
}

/** Undefined where no file can be made, such as in a folder of another user. */
async function lockFileOf(context: Context, path: string): Promise<string | undefined> {
  const { baseUrl } = await context.settings();
  const service = textHash(serviceAddress(baseUrl)).toString(36);
  try {
    const folder = join(await context.dataDir(), 'locks', service);
    makeFolder(folder);
    const file = join(folder, String(textHash(path) % shards));
    makeOwnFile(file);
    return file;
  } catch {
    return undefined;
  }
}
