// What other runs created in the same service: a record that this run looks for is none of theirs.

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { scalarText } from '../json.ts';
import type { Id } from '../values.ts';
import { type Ledger, readLedger } from './ledger.ts';

/** A record as claims name it. */
export const claimOf = (type: string, id: Id): string => `${type} ${scalarText(id)}`;

/**
 * The records of all runs that did anything since this one began. Older ledgers claim nothing: a service that was reset
 * gives their ids anew.
 */
export async function claimsOfOthers({ path, state }: Ledger): Promise<ReadonlySet<string>> {
  const folder = dirname(path);
  const own = basename(path);
  // The ending stands for the service.
  const ending = own.slice(own.lastIndexOf('-'));
  const others = (await readdir(folder)).filter((name) => name !== own && name.endsWith(ending));
  const claims = await Promise.all(others.map((name) => claimsSince(join(folder, name), Date.parse(state.at ?? ''))));
  return new Set(claims.flat());
}

async function claimsSince(path: string, began: number): Promise<string[]> {
  const file = await stat(path);
  if (!file.isFile() || file.mtimeMs < began) return [];
  const records = (await readLedger(path))?.state.all() ?? [];
  return records.flatMap(({ type, id }) => (id === undefined ? [] : [claimOf(type, id)]));
}
