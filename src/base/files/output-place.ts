// Looks at the place of a file that a flag names for output, before anything is sent. A place that the system doesn't tell about counts as
// taken: it may be another user's link in a shared folder, which must not be followed by hand.

import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type CrmError, invalidValue, systemCode, systemReason } from '../errors.ts';
import { diskError } from './disk-failure.ts';
import { openDraft } from './durable-file.ts';

/** The facts of the file at `path`, behind links; undefined when there is none. `name`: the path as typed. Throws the errors of `unwritableFile`. */
export async function factsAt(flag: string, name: string, path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unwritableFile(flag, name, error);
  }
}

/** Tries to make a file beside `path`. Throws the errors of `unwritableFile`. */
export async function tryFolder(flag: string, name: string, path: string): Promise<void> {
  const draft = await openDraft(path).catch((error: unknown) => {
    throw unwritableFile(flag, name, error);
  });
  await draft.drop();
}

/** The error for a file that can't be written: UnavailableError for a full disk, InvalidValues for anything else. */
export const unwritableFile = (flag: string, name: string, error: unknown): CrmError =>
  diskError(`${flag}: ${name} can't be written`, error) ?? invalidValue(flag, `${name} can't be written (${systemReason(error)}).`);
