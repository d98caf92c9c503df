// The figures of many leads are those that SQLite finds among the same leads, in whole cents. CRM_REPORT_LEADS says how many there are.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as families from '../../../src/sandbox/store/families.ts';
import { save, storedRecord } from '../../../src/sandbox/store/records.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { fillLeads } from '../../support/fill-leads.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';
import { runHere } from '../../support/run-here.ts';

const leads = Number(process.env.CRM_REPORT_LEADS ?? 2000);
const folder = mkdtempSync(join(tmpdir(), 'crm-sums-'));
const file = join(folder, 'leads.sqlite');
const env = { CRM_BASE_URL: `sandbox:${file}`, CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
let database: DatabaseSync;

beforeAll(() => {
  vi.stubEnv('TZ', 'UTC');
  makeSandbox(file, { demo: false });
  const store = openStore(file, { mode: 'open' });
  fillLeads(store, leads);
  // Some without a value, some converted, some of these archived as well; one, two or no assignees; ages from today to two years.
  const people = [
    { id: 1, name: 'Maya Lindqvist' },
    { id: 4, name: 'Jonas Weber' },
  ];
  store.transaction(() => {
    for (let id = 1; id <= leads; id += 1) {
      const lead = storedRecord(store, families.leads, id) ?? {};
      const day = new Date(Date.now() - ((id * 7919) % 730) * 86_400_000).toISOString().slice(0, 10);
      if (id % 11 === 0) lead.value = null;
      if (id % 7 === 0) lead.converted = { is_converted: true, client_id: null, date: `${day}T12:00:00.000000Z` };
      if (id % 13 === 0) lead.source = null;
      lead.dates = { created: `${day}T12:00:00.000000Z`, updated: null };
      lead.assigned = people.slice(0, id % 3);
      save(store, families.leads, lead);
    }
  });
  store.close();
  database = new DatabaseSync(file);
  // What the sums are taken from: the records as they read back, taken apart by SQLite.
  database.exec(`CREATE TEMP TABLE told AS SELECT id, doc ->> '$.status.id' AS status_id, doc ->> '$.category.id' AS category_id,
    doc ->> '$.source' AS source, doc ->> '$.value' AS value, doc ->> '$.active_state' AS active_state,
    doc ->> '$.converted.date' AS converted, doc ->> '$.dates.created' AS created FROM leads;
    CREATE TEMP TABLE assigned AS SELECT leads.id AS lead_id, one.value ->> '$.id' AS user_id FROM leads, json_each(doc, '$.assigned') AS one`);
}, 300_000);
afterAll(() => {
  vi.unstubAllEnvs();
  database.close();
  rmSync(folder, { recursive: true });
});

type Members = Record<string, unknown>;

/** Counted, converted and archived leads, with their values in cents. `key`: what the row of a lead stands for. */
function figures(key: string, join: string): Members[] {
  const cents = "CAST(replace(l.value, '.', '') AS INTEGER)";
  const kinds = {
    counted: "converted IS NULL AND active_state = 'active'",
    converted: 'converted IS NOT NULL',
    archived: "converted IS NULL AND active_state = 'archived'",
  };
  const columns = Object.entries(kinds).map(([kind, is]) =>
    [`sum(${is}) ${kind}`, `sum(iif(${is}, ${cents}, 0)) ${kind}_cents`, `sum(${is} AND l.value IS NULL) ${kind}_without`].join(', '),
  );
  return database.prepare(`SELECT ${key} AS key, ${columns.join(', ')} FROM told l ${join} GROUP BY 1`).all() as Members[];
}

/** A row, or the total, of a report in the same terms. */
function inCents(row: Members, key: unknown): Members {
  const of = (kind: string, { leads, value, without_value }: Members): Members => {
    const [, whole = '', fraction = ''] = /^(\d+)\.(\d\d)$/.exec(String(value)) ?? [];
    return { [kind]: leads, [`${kind}_cents`]: Number(whole + fraction), [`${kind}_without`]: without_value };
  };
  return { key, ...of('counted', row), ...of('converted', row.converted as Members), ...of('archived', row.archived as Members) };
}

const age = (days: string): string => `CASE WHEN ${days} < 7 THEN '0-6 days' WHEN ${days} < 30 THEN '7-29 days'
  WHEN ${days} < 90 THEN '30-89 days' WHEN ${days} < 180 THEN '90-179 days' ELSE '180 days and more' END`;

it.each([
  ['status', 'status_id', ''],
  ['source', 'source COLLATE BINARY', ''],
  ['category', 'category_id', ''],
  ['assigned', 'a.user_id', 'LEFT JOIN assigned a ON a.lead_id = l.id'],
  ['age', age("julianday(date('now')) - julianday(date(created))"), ''],
])(`by %s, of ${leads} leads`, async (by, key, join) => {
  const { status, stdout, stderr } = await runHere(['report', 'leads', '--by', by, '--json'], { env });
  expect(status, stderr).toBe(0);
  const { rows, total } = JSON.parse(stdout) as { rows: Members[]; total: Members };
  const keyOf = (row: Members): unknown => (typeof row[by] === 'object' ? ((row[by] as Members | null)?.id ?? null) : row[by]);
  const byKey = (a: Members, b: Members): number => String(a.key).localeCompare(String(b.key));
  expect(rows.map((row) => inCents(row, keyOf(row))).toSorted(byKey)).toEqual(figures(key, join).toSorted(byKey));
  expect(inCents(total, 0)).toEqual(figures('0', '')[0]);
});
