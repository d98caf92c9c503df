// The demo data: the same records, ids and times in every release. The digests were taken of the answers when every member of a record
// still had a column of its own.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';
import { sandbox } from './support.ts';

/** How many records a family has, and the digest of them as they are listed. */
async function listed(demo: boolean): Promise<Record<string, string>> {
  const { send } = sandbox({ demo });
  const told: Record<string, string> = {};
  for (const family of Object.keys(demo ? families.demo : families.empty)) {
    const records: unknown[] = (await send('GET', `/api/${family}?limit=100&order=asc`)).body.data;
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    told[family] = `${records.length} ${createHash('sha256').update(lines).digest('hex').slice(0, 12)}`;
  }
  return told;
}

const families = {
  demo: {
    categories: '9 7f315a94d00d',
    team: '4 2649f300bc26',
    clients: '15 0c76964c415a',
    projects: '4 0dc2482a81d4',
    tasks: '8 7c3c004d9262',
    contacts: '31 133a1b551e0d',
    leads: '44 4405224623cc',
    proposals: '24 684f3fc12bc6',
    items: '28 cbf8355b7cf4',
    notes: '23 c99b5a8abf88',
  },
  empty: {
    categories: '9 a16cd56e33c0',
    team: '4 2649f300bc26',
    clients: '1 0d90b904fa82',
    projects: '0 e3b0c44298fc',
    tasks: '0 e3b0c44298fc',
    contacts: '0 e3b0c44298fc',
    leads: '0 e3b0c44298fc',
    proposals: '0 e3b0c44298fc',
    items: '0 e3b0c44298fc',
    notes: '0 e3b0c44298fc',
  },
};

it('has the digest of every family', () => {
  const names = [...resources, ...referenceFamilies].map(({ name }) => name).sort();
  expect([Object.keys(families.demo).sort(), Object.keys(families.empty).sort()]).toEqual([names, names]);
});

it.each(['demo', 'empty'] as const)('%s: every list has what it always had', async (kind) => {
  expect(await listed(kind === 'demo'), 'a digest differs: look at the list, then take the new digest').toEqual(families[kind]);
});
