// Opens the zip file of a workbook, and reads its parts by name. Limits the unpacked length, because a small zip file may unpack to any
// length.

import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { limits, sizeText } from '../../../base/limits.ts';
import { Damaged } from './xml.ts';

/** A byte of a part held in memory counts as this number of bytes towards the limit. */
const heldCounts = 16;

export interface Archive {
  has(path: string): boolean;
  /**
   * The unpacked bytes of a part. `isHeld`: the bytes stay in memory. Throws Damaged before unpacking when the limit is exceeded, and at
   * the end when the checksum is wrong.
   */
  bytes(path: string, isHeld: boolean): AsyncGenerator<Uint8Array>;
  /** Counts further characters towards the limit: rows repeat shared texts, so the rows may be longer than the parts. Throws Damaged. */
  count(length: number): void;
}

/** Opens the zip file of a descriptor. The descriptor stays open. Throws Damaged, and the reason of the signal. */
export async function openArchive(descriptor: number, signal: AbortSignal): Promise<Archive> {
  const { default: yauzl } = await import('yauzl');
  const zip = await yauzl.fromFdPromise(descriptor, { autoClose: false }).catch(damaged);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      entries.set(entry.fileName.toLowerCase(), entry);
    }
  } catch (error) {
    damaged(error);
  }
  let unpacked = 0;
  const count = (length: number): void => {
    unpacked += length;
    if (unpacked > limits.workbook) throw new Damaged(`unpacked, it is longer than ${sizeText(limits.workbook)}`);
  };
  return {
    has: (path) => entries.has(path.toLowerCase()),
    count,
    bytes: async function* (path, isHeld) {
      const entry = entries.get(path.toLowerCase());
      if (entry === undefined) throw new Damaged(`it has no ${path}`);
      // yauzl refuses a part longer than its entry says.
      count(entry.uncompressedSize * (isHeld ? heldCounts : 1));
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
      if (sum !== entry.crc32) throw new Damaged(`its ${path} was damaged after packing (CRC)`);
    },
  };
}

/** Throws an error of yauzl or zlib as Damaged. --debug shows their own words. */
function damaged(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Damaged) throw error;
  const isCut = /end of central directory|unexpected (end of file|EOF)/i.test(error.message);
  throw new Damaged(isCut ? 'it is damaged: its end is missing' : 'it is damaged: it is no whole zip file', { cause: error });
}
