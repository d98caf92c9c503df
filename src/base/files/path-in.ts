// Finds files that a user names: relative names begin in the working folder.

import { isAbsolute, resolve } from 'node:path';
import { UsageError } from '../errors.ts';

/** The folder that relative names begin in. Undefined when the folder was deleted. */
export interface WorkingFolder {
  readonly cwd: string | undefined;
}

/** The absolute path of a typed name. Throws UsageError for a relative name when the working folder was deleted. */
export function pathIn({ cwd }: WorkingFolder, typed: string): string {
  if (cwd !== undefined) return resolve(cwd, typed);
  if (isAbsolute(typed)) return resolve(typed);
  throw new UsageError(`${typed} is not found: the working folder was deleted.`, { hint: 'Change to another folder: cd' });
}
