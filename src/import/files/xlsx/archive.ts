// The zip file that a workbook is: its parts by name, each as long as it says and no longer.

import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { Damaged } from './xml.ts';

const mebibyte = 1024 * 1024;
/** No workbook has more parts. */
const mostParts = 10_000;
/** What a spreadsheet program writes packs to a tenth or so; only what was made to fill memory is so much longer than its packed bytes. */
const mostTimesPacked = 200;
/** So many MiB may be as like each other as they want. */
const freeOfRatio = 128;

export interface Archive {
  has(path: string): boolean;
  /**
   * The unpacked bytes of a part. `most`: more MiB than that are refused, before any is unpacked. Throws Damaged, also at the end,
   * when the bytes are not those that were packed.
   */
  bytes(path: string, most: number): AsyncGenerator<Uint8Array>;
}

/** Opens the zip file behind a descriptor, which stays open. Throws Damaged, and the signal's reason. */
export async function openArchive(descriptor: number, signal: AbortSignal): Promise<Archive> {
  const { default: yauzl } = await import('yauzl');
  const zip = await yauzl.fromFdPromise(descriptor, { autoClose: false }).catch(damaged);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry);
      if (entries.size > mostParts) throw new Damaged(`it has more than ${mostParts} parts`);
    }
  } catch (error) {
    damaged(error);
  }
  return {
    has: (path) => entries.has(path.toLowerCase()),
    bytes: async function* (path, most) {
      const entry = entries.get(path.toLowerCase());
      if (entry === undefined) throw new Damaged(`it has no ${path}`);
      if (entry.uncompressedSize > most * mebibyte) throw new Damaged(`unpacked, its ${path} is longer than ${most} MiB`);
      if (entry.uncompressedSize > Math.max(freeOfRatio * mebibyte, mostTimesPacked * entry.compressedSize)) {
        throw new Damaged(`unpacked, its ${path} is more than ${mostTimesPacked} times as long, as no spreadsheet program writes it`);
      }
      if (entry.isEncrypted()) throw new Damaged('it is encrypted');
      let sum = 0;
      try {
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          signal.throwIfAborted();
          sum = crc32(chunk as Uint8Array, sum);
          yield chunk as Uint8Array;
        }
      } catch (error) {
        signal.throwIfAborted();
        damaged(error);
      }
      if (sum !== entry.crc32) throw new Damaged(`its ${path} is not what was packed (CRC)`);
    },
  };
}

/** What yauzl and zlib say of a file is about the file; anything else is what it is. */
function damaged(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Damaged) throw error;
  throw new Damaged(`it is damaged (${error.message.replace(/\.$/, '')})`, { cause: error });
}
