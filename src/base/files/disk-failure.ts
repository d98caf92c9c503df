// Tells a full or failing disk from any other error, for every file that crm writes.

import { systemCode, UnavailableError } from '../errors.ts';
import { hasSqliteCode } from './sqlite.ts';

interface DiskFailure {
  /** False for a disk that may have failed in another way. */
  readonly isFull: boolean;
  /** The reason as a clause: `the disk is full`. */
  readonly why: string;
}

const failures: Readonly<Record<string, DiskFailure | undefined>> = {
  ENOSPC: { isFull: true, why: 'the disk is full' },
  EDQUOT: { isFull: true, why: 'the disk quota is used up' },
  EFBIG: { isFull: true, why: 'the file may not grow any larger' },
  EIO: { isFull: false, why: 'the device failed' },
};

/** The failure of a disk that an error of the system or of SQLite means. Undefined for any other error. */
export function diskFailure(error: unknown): DiskFailure | undefined {
  if (hasSqliteCode(error, 'full')) return failures.ENOSPC;
  if (hasSqliteCode(error, 'io')) return { isFull: false, why: 'the disk failed or has no room' };
  return failures[systemCode(error) ?? ''];
}

/** The error for a file that the disk did not take. `what`: `--rejects: bad.csv can't be written`. Undefined for any other error. */
export function diskError(what: string, error: unknown): UnavailableError | undefined {
  const failure = diskFailure(error);
  if (failure === undefined) return undefined;
  return new UnavailableError(`${what}: ${failure.why}.`, { code: 'disk_full', hint: 'Make room, then try again.', cause: error });
}
