// A double before it is made: rows that would be created with an email that a lead has already, in a dry run and before a terminal's question.

import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from '../support/fake-io.ts';
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

it('an email that several leads have is none that an upsert can change', async () => {
  shop.write('new.csv', `${header}${row('B', 'twice@x.example')}`);
  await shop.crm(['leads', 'import', 'new.csv']);
  await shop.crm(['leads', 'import', 'new.csv', '--again', '--yes']);
  const told = async (rows: string): Promise<string> => {
    shop.write('more.csv', header + rows);
    return plain((await shop.crm(['leads', 'import', 'more.csv', '--dry-run'])).stderr);
  };
  expect(await told(row('C', 'twice@x.example'))).toMatch(/line 2 \(leads \d+, \d+\)\.(?! --mode)/);
  const both = await told(row('C', 'twice@x.example') + row('D', 'zoe@nordbrew.example'));
  expect(both).toContain('--mode upsert --match email changes those of one lead.');
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

it('stands behind the table of a dry run at a terminal, as do all notices; numbers and days stand first in a new row', async () => {
  const rows = Array.from(
    { length: 120 },
    (_, n) => `Bo,Lee,L${n},New,Inbound,${n === 7 ? 'mads.kjaer@lindoe-yard.example' : ''},vpi,1234.50,2026-02-03\n`,
  );
  shop.write('long.csv', `first-name,last-name,title,status,category,email,tags,value,last-contacted\n${rows.join('')}`);
  const io = fakeIo({ tty: true, columns: 80 });
  const args = ['leads', 'import', 'long.csv', '--dry-run', '--color', 'never'];
  expect(await main(args, { io, env: shop.env, cwd: shop.folder, signal: new AbortController().signal, clock: systemClock })).toBe(0);
  const all = io
    .log()
    .map(({ text }) => text)
    .join('');
  const [head = '', first = ''] = io.stdoutText().split('\n');
  expect(head).toMatch(/^LINE {2}TITLE {2}WHAT {4}VALUES$/);
  expect(first).toMatch(/^ {3}2 {2}L0 {5}create {2}value 1234\.50 · last-contacted 2026-02-03 · status New /);
  const ends = ['\n 121  L119', '1 new tag, seen on no lead', '1 row has the email of a lead', 'Would create 120 leads'];
  const places = ends.map((text) => all.indexOf(text));
  expect(
    places.every((place, at) => place > (places[at - 1] ?? 0)),
    all.slice(-900),
  ).toBe(true);
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
