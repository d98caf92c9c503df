// Snapshots typed by hand.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
  id,
  title: `Lead ${id}`,
  value: '100.00',
  status: { id: 1, title: 'New', color: '#111111' },
  active_state: 'active',
  category: { id: 2, name: 'Fairs' },
  source: 'Web',
  last_contacted: null,
  description: null,
  contact: { first_name: 'Jo', last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null },
  address: { street: null, city: null, state: null, zip: null, country: null },
  converted: { is_converted: false, client_id: null, date: null },
  assigned: [],
  tags: [],
  dates: { created: '2026-01-01T00:00:00.000000Z', updated: '2026-01-01T00:00:00.000000Z' },
  ...more,
});
