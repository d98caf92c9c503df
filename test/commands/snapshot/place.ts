// Snapshots typed by hand.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEAD } from '../../wire/records.ts';

/** Writes a snapshot of these records into a new folder; gives the folder. */
export function snapshotOf(dir: string, files: Readonly<Record<string, readonly object[]>>): string {
  mkdirSync(dir, { recursive: true });
  const told = Object.entries(files).map(([name, records]) => {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(join(dir, `${name}.ndjson`), text);
    return [name, { records: records.length, sha256: createHash('sha256').update(text).digest('hex') }];
  });
  const head = { format: 'crm snapshot 1', service: 'https://crm.example.com', taken: '2026-11-20T10:00:00.000Z' };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ ...head, files: Object.fromEntries(told) }));
  return dir;
}

/** A lead as a service tells it. */
export const leadRecord = (id: number, more: object = {}): Record<string, unknown> => ({
  ...LEAD,
  ...{ id, title: `Lead ${id}`, value: '100.00', status: { id: 1, title: 'New', color: '#111111' }, assigned: [], tags: [], ...more },
});
