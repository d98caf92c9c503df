// The demo data: the same records, ids and times in every release. The digests were taken of the tables as they were when the demo data
// was still code.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fill } from '../../../src/sandbox/create.ts';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';

/** Each table's number of rows and the digest of its rows, passwords apart. */
function tablesOf(store: Store): Record<string, string> {
  const tables = store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  const told = tables.map(({ name }) => {
    const columns = store
      .all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}') WHERE name <> 'password' ORDER BY name`)
      .map((column) => column.name);
    const rows = store.all<object>(`SELECT ${columns.join(',')} FROM ${name} ORDER BY 1, 2`).map((row) => ({ ...row }));
    return [name, `${rows.length} ${createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 12)}`];
  });
  return Object.fromEntries(told);
}

it.each([
  [
    'demo',
    {
      categories: '9 f4c3bfcb2d1e',
      checklist_items: '7 7cd09e0a0989',
      clients: '15 da19fe075eaf',
      estimates: '24 aa79ab8c3987',
      item_fields: '10 b559b2d2ddca',
      items: '28 780dbe4b1a57',
      lead_assigned: '45 b717188481d9',
      lead_comments: '19 8449fbaba798',
      lead_statuses: '6 f25c4db2d9b5',
      leads: '44 4ba707960a97',
      notes: '24 67a55ebf146f',
      projects: '4 4934ad546214',
      proposal_templates: '1 daa4beeef8c6',
      proposals: '24 3551db2ddafc',
      sqlite_sequence: '17 1ae4771fc8c9',
      tasks: '8 6474ffdc79c4',
      tax_rates: '3 41db924976c3',
      units: '4 5696b490d10b',
      users: '35 3f6583b4736d',
    },
  ],
  [
    'empty',
    {
      categories: '9 f4c3bfcb2d1e',
      clients: '1 4aaac9ec68cc',
      item_fields: '10 b559b2d2ddca',
      lead_statuses: '6 f25c4db2d9b5',
      leads: '0 4f53cda18c2b',
      proposal_templates: '1 daa4beeef8c6',
      sqlite_sequence: '8 745cbb17ec69',
      tax_rates: '3 41db924976c3',
      units: '4 5696b490d10b',
      users: '4 c55f1736e227',
    },
  ],
])('%s: every table holds what it always held', (kind, tables) => {
  const store = openStore(':memory:', { mode: 'create' });
  fill(store, kind === 'demo');
  expect(tablesOf(store)).toMatchObject(tables);
  store.close();
});
