// Unfinished imports among the journals of a folder: the ones that another import would double, and how the two differ.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { journalHeader } from '../runs/journal.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { type ImportHeader, statesOf } from './row-journal.ts';

export interface Unfinished {
  readonly path: string;
  readonly header: Members;
  /** How many rows have their outcome. */
  readonly settled: number;
}

/** The first unfinished import into the same family of the same service and profile that is one of those looked for. */
export async function unfinishedImport(
  folder: string,
  own: ImportHeader,
  isOne: (header: Members, path: string) => boolean,
): Promise<Unfinished | undefined> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const header = name.endsWith('.jsonl') ? await journalHeader(path).catch(() => undefined) : undefined;
    if (header === undefined || header.journal !== 'import' || !isOne(header, path)) continue;
    if ((['service', 'profile', 'family'] as const).some((member) => header[member] !== own[member])) continue;
    const { hasBegun, settled, rows } = await statesOf(path, Number(header.rows));
    if (hasBegun && settled < rows) return { path, header, settled };
  }
  return undefined;
}

const flags: Readonly<Record<string, string>> = {
  format: '--format',
  match: '--match',
  maps: '--map',
  clearBlanks: '--blank',
  csvRaw: '--csv-raw',
};

/** The flags in which two imports differ. */
export function differences(one: Members, other: ImportHeader): string[] {
  const [before, now] = [settingsOf(one.settings), settingsOf(other.settings)];
  const names = Object.keys(flags).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
  return [...(one.mode === other.mode ? [] : ['--mode']), ...names.map((name) => flags[name] ?? name)];
}

function settingsOf(text: unknown): Members {
  const settings: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isMembers(settings) ? settings : {};
}
