// What a terminal says of a write before and after it: for whom, what becomes, and what to type next.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../import/support.ts';

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop({ demo: true });
});
afterAll(() => shop.remove());

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');

it.each([80, 100])('at %d columns', async (columns) => {
  const watched = (...argv: string[]) => shop.crm(argv, { tty: true, columns });
  // The client to be, as the question names it.
  expect((await watched('leads', 'convert', '3', '--dry-run')).stdout).toContain(
    'Lead 3\n  client        Wellpoint Pharmacies\n  primary user  Emeka Nwosu, emeka.nwosu@wellpoint.example\n',
  );
  // Whom a copy is for: the source's client, another client, a lead.
  const { client } = (await shop.crm(['proposals', 'get', '3', '--json'])).json() as { client: { name: string } };
  for (const [words, whom] of [
    [[], `client ${client.name}`],
    [['--client', '2'], "client O'Brien & Daughters Ltd"],
    [['--lead', '12'], 'lead Blood bank, sample tracking'],
  ] as const) {
    const { stderr } = await watched('proposals', 'clone', '3', ...words);
    expect(plain(stderr)).toMatch(new RegExp(`created, a copy of proposal 3 for ${whom}: `));
  }
  expect(plain((await watched('leads', 'clone', '12')).stderr)).toContain('created, a copy of lead 12: ');
  // The command that carries an edited export out.
  const file = `edit-${columns}.csv`;
  const written = await watched('leads', 'list', '--where', 'id=12', '--was', '--out', file);
  expect(written.stderr).toContain(`When the values are edited: crm apply ${file}\n`);
  shop.write(file, shop.read(file).replace(/88000\.00/, `7${columns}.00`));
  const applied = await shop.crm(['apply', file, '--json']);
  expect([applied.status, applied.json()], applied.stderr).toEqual([0, [expect.objectContaining({ id: 12, outcome: 'changed' })]]);
  await shop.crm(['leads', 'update', '12', '--value', '88000']);
});
