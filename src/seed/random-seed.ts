// Parses the number from which made-up values follow.

import { UsageError } from '../errors.ts';
import { parseInteger } from '../values/parse.ts';

/** A random seed. Throws UsageError naming `where`. */
export function parseRandomSeed(text: string, where: string): number {
  if (/^\d+$/.test(text) && !Number.isSafeInteger(Number(text)))
    throw new UsageError(`${where}: ${text} is more than ${Number.MAX_SAFE_INTEGER}.`);
  return parseInteger(text, where);
}
