// A double before it is made: rows that would be created with an email that a lead has already, in a dry run and before a terminal's question.

import { expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop({ demo: true });
const header = 'title,status,category,email\n';
const row = (title: string, email: string): string => `${title},New,Inbound,${email}\n`;
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');

it('names the rows and the leads, and the advice changes them', async () => {
  shop.write(
    'new.csv',
    `${header}${row('A', 'new@x.example')}${row('B', 'MADS.kjaer@lindoe-yard.example')}${row('C', 'zoe@nordbrew.example')}${row('D', '')}`,
  );
  const dry = await shop.crm(['leads', 'import', 'new.csv', '--dry-run']);
  expect([dry.status, plain(dry.stderr)]).toEqual([
    0,
    expect.stringContaining(
      '2 rows have the email of a lead that exists: line 3 (lead 15), line 4 (lead 19). --mode upsert --match email changes those.',
    ),
  ]);
  const upsert = await shop.crm([
    'leads',
    'import',
    'new.csv',
    '--mode',
    'upsert',
    '--match',
    'email',
    '--skip-invalid',
    '--dry-run',
    '--json',
  ]);
  expect(upsert.json()).toMatchObject({ counts: { would_create: 1, would_change: 2 } });
  expect(upsert.stderr).not.toContain('have the email');
});

it.each([80, 100])('is said before the question of a terminal of %d columns, and nothing is sent without a yes', async (columns) => {
  shop.write('new.csv', header + row('B', 'mads.kjaer@lindoe-yard.example'));
  const before = (await shop.crm(['leads', 'list', '--count'])).stdout;
  const { status, stderr } = await shop.crm(['leads', 'import', 'new.csv'], { tty: true, columns, stdin: 'n\n' });
  expect(status).toBe(9);
  const said = plain(stderr);
  const at = said.indexOf('1 row has the email of a lead that exists: line 2 (lead 15). --mode upsert --match email changes it.');
  expect(at, stderr).toBeGreaterThan(-1);
  expect(said.indexOf('Create 1 lead?')).toBeGreaterThan(at);
  expect((await shop.crm(['leads', 'list', '--count'])).stdout).toBe(before);
});

it('off a terminal without --dry-run nothing is looked for', async () => {
  shop.write('new.csv', header + row('B', 'mads.kjaer@lindoe-yard.example'));
  const ended = await shop.crm(['leads', 'import', 'new.csv', '--verbose']);
  expect([ended.status, ended.stderr.includes('search=mads'), ended.stderr.includes('have the email')], ended.stderr).toEqual([
    0,
    false,
    false,
  ]);
});

it('asks for twenty emails each, and reads the list for more', async () => {
  const rows = (count: number): string => Array.from({ length: count }, (_, place) => row(`T${place}`, `p${place}@x.example`)).join('');
  shop.write('new.csv', header + rows(19) + row('B', 'mads.kjaer@lindoe-yard.example'));
  const few = await shop.crm(['leads', 'import', 'new.csv', '--dry-run', '--debug']);
  expect(few.stderr.match(/search=/g)?.length ?? 0, few.stderr).toBeGreaterThanOrEqual(20);
  shop.write('more.csv', header + rows(20) + row('B', 'mads.kjaer@lindoe-yard.example'));
  const many = await shop.crm(['leads', 'import', 'more.csv', '--dry-run', '--debug']);
  expect(many.stderr).not.toMatch(/search=p\d/);
  for (const { stderr } of [few, many]) expect(plain(stderr)).toContain('1 row has the email of a lead that exists: line');
});

it('contacts are left to the service, which refuses a double itself', async () => {
  shop.write('new.csv', 'first-name,last-name,email,client\nA,B,curtis.boyd@kestrel-aviation.example,1\n');
  const { stderr } = await shop.crm(['contacts', 'import', 'new.csv', '--dry-run']);
  expect(stderr).not.toContain('the email of a');
});
