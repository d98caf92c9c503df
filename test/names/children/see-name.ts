// Remembers that names were seen: FILE FIRST LAST, one save for each id.

import { saveKnown } from '../../../src/names/known.ts';

const [path = '', first = '', last = ''] = process.argv.slice(2);
for (let id = Number(first); id <= Number(last); id += 1) {
  const name = { id, name: `Status ${id}`, records: 1, seen: '2026-11-21' };
  await saveKnown(path, 'https://crm.test', { names: { 'lead-status': [name] }, words: {}, titles: {} });
}
