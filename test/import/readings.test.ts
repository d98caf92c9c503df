// How often an import reads its file: once, where its rows are kept; else to check it, to send its rows, and to write what became of them.

import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openWorkshop } from './support.ts';

const long = 'A long text. '.repeat(40);

it.each([
  { what: 'of ids', words: ['1', '2'], flags: ['--constant', 'category=1'], times: 1 },
  { what: 'of names', words: ['New', 'Negotiation'], flags: ['--constant', 'category=Inbound'], times: 1 },
  { what: 'whose results are written', words: ['New'], flags: ['--constant', 'category=1', '--results', 'results.csv'], times: 1 },
  { what: 'with a name that nothing has', words: ['New', 'Nope'], flags: ['--constant', 'category=1'], times: 1 },
])('a file $what is read so often: $times', async ({ words, flags, times }) => {
  const shop = openWorkshop({ demo: true });
  try {
    // The second word comes when much has been read.
    const rows = Array.from({ length: 200 }, (_, n) => `Row ${n},${(n < 150 ? words[0] : words[1]) ?? words[0]},${long}\n`);
    const text = `title,status,description\n${rows.join('')}`;
    shop.write('f.csv', text);
    const handle = await open(join(shop.folder, 'f.csv'));
    using read = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'read');
    await handle.close();
    expect(await shop.crm(['leads', 'import', 'f.csv', ...flags])).toMatchObject({ status: words.includes('Nope') ? 2 : 0 });
    const results = await Promise.all(read.mock.results.map(({ value }) => value as Promise<{ bytesRead: number }>));
    // A reading ends where nothing is left to read.
    const ends = read.mock.calls.filter((call, index) => Number((call as unknown[])[3]) === text.length && results[index]?.bytesRead === 0);
    expect(ends).toHaveLength(times);
  } finally {
    shop.remove();
  }
});

it('tells what keeps names from being looked up as that, and as no problem of the file', async () => {
  const shop = openWorkshop();
  try {
    shop.write('f.csv', 'title,status,category\nA,New,1\n');
    const env = { CRM_BASE_URL: 'https://crm.example', CRM_API_KEY: 'key', HTTPS_PROXY: 'ftp://proxy.example' };
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv'], { env });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'error: HTTPS_PROXY is not the address of an HTTP proxy, such as http://proxy.example.com:3128.\n',
    });
  } finally {
    shop.remove();
  }
});
