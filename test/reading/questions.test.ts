// What is asked on a terminal before several records are changed, and what keeps a selection from being written at all.

import { expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop({ demo: true });

const count = async (...conditions: string[]): Promise<number> =>
  Number((await shop.crm(['leads', 'list', '--count', '-q', ...conditions.flatMap((one) => ['--where', one])])).stdout);

it('a write over more records than --at-most allows sends nothing', async () => {
  const ended = await shop.crm(['leads', 'tags', '11,12,13', '--add', 'hot', '--at-most', '2', '--yes']);
  expect([ended.status, ended.stdout]).toEqual([9, '']);
  expect(ended.stderr).toContain('3 leads are selected, and --at-most is 2: nothing was sent.');
  expect(await count('id=11..13', 'tags=hot')).toBe(0);
  for (const words of [
    ['delete', '--where', 'id=11..13'],
    ['archive', '11', '12', '13'],
    ['status', '11,12,13', '--to', '2'],
    ['update', '11,12,13', '--source', 'x'],
  ])
    expect((await shop.crm(['leads', ...words, '--at-most', '2', '--yes', '-q'])).status, words.join(' ')).toBe(9);
  expect((await shop.crm(['leads', 'tags', '11,12,13', '--add', 'hot', '--at-most', '3', '--yes'])).status).toBe(0);
  expect(await count('id=11..13', 'tags=hot')).toBe(3);
});

it('more than a hundred records are deleted once their number is typed, and the command that keeps a copy is named', async () => {
  const rows = Array.from({ length: 101 }, (_, index) => `Oldie ${index},1,1`);
  shop.write('old.csv', `title,status,category\n${rows.join('\n')}\n`);
  expect((await shop.crm(['leads', 'import', 'old.csv', '-q'])).status).toBe(0);
  const words = ['leads', 'delete', '--where', 'title~Oldie ', '-q'];
  const typed = (answer: string) => shop.crm(words, { tty: true, columns: 200, stdin: `${answer}\n` });
  const refused = await typed('n');
  expect([refused.status, await count('title~Oldie ')]).toEqual([9, 101]);
  expect(refused.stderr).toContain("crm leads list --where 'title~Oldie ' -o ndjson > leads.ndjson");
  expect(refused.stderr).toContain('(type 101)');
  expect((await typed('101')).status).toBe(0);
  expect(await count('title~Oldie ')).toBe(0);
});

it('a hundred are deleted by a y, and off a terminal --yes is enough for more', async () => {
  const rows = Array.from({ length: 201 }, (_, index) => `Oldie ${index},1,1`);
  shop.write('old.csv', `title,status,category\n${rows.join('\n')}\n`);
  await shop.crm(['leads', 'import', 'old.csv', '-q']);
  const ids = (await shop.crm(['leads', 'list', '--where', 'title~Oldie ', '-o', 'ids', '-q'])).stdout.trim().split('\n');
  expect((await shop.crm(['leads', 'delete', ids.slice(0, 100).join(','), '-q'], { tty: true, stdin: 'y\n' })).status).toBe(0);
  expect((await shop.crm(['leads', 'delete', '--where', 'title~Oldie ', '--yes', '-q'])).status).toBe(0);
  expect(await count('title~Oldie ')).toBe(0);
});

it('where standard input holds the ids, the terminal itself is asked', async () => {
  const words = ['leads', 'tags', '-', '--add', 'asked'];
  const agreed = await shop.crm(words, { stdin: '11\n12\n', stderrTTY: true, keyboard: 'y\n' });
  expect(agreed.stderr).toContain('Change tags of 2 leads');
  expect([agreed.status, await count('id=11..12', 'tags=asked')]).toEqual([0, 2]);
  const refused = await shop.crm(words, { stdin: '13\n14\n', stderrTTY: true, keyboard: 'n\n' });
  expect([refused.status, await count('id=13..14', 'tags=asked')]).toEqual([9, 0]);
});

it('with --no-input, or where standard error is no terminal, nobody is asked', async () => {
  const words = ['leads', 'tags', '-', '--add', 'asked'];
  const ended = await Promise.all([
    shop.crm([...words, '--no-input'], { stdin: '11\n12\n', stderrTTY: true, keyboard: 'y\n' }),
    shop.crm(words, { stdin: '11\n12\n', keyboard: 'y\n' }),
    shop.crm(words, { stdin: '11\n12\n', stderrTTY: true }),
  ]);
  expect(ended.map(({ status }) => status)).toEqual([9, 9, 9]);
  expect(await count('id=11..12', 'tags=asked')).toBe(0);
});

it.each([
  ['CI', 'true', 9],
  ['CI', '1', 9],
  ['CRM_NO_INPUT', '1', 9],
  ['CI', 'false', 0],
  ['CRM_NO_INPUT', '', 0],
])('in a job nobody is asked, under a terminal neither: %s=%s', async (name, value, expected) => {
  const words = ['leads', 'tags', '--where', 'id=11..12', '--add', `${name}${value}`];
  const { status, stderr } = await shop.crm(words, { tty: true, stdin: 'y\n', env: { [name]: value } });
  expect(status, stderr).toBe(expected);
});

it('a question prints tags in quotes, and which records have them already', async () => {
  await shop.crm(['leads', 'tags', '12', '--add', 'to call', '-q']);
  const asked = async (...words: string[]) =>
    (await shop.crm(['leads', ...words, '--where', 'id=11..13'], { tty: true, columns: 300, stdin: 'n\n' })).stderr;
  const tags = await asked('tags', '--add', 'to call');
  expect(tags).toContain('+"to call"?');
  expect(tags).toContain('Already so: 12.');
  await shop.crm(['leads', 'status', '11', 'Negotiation', '-q']);
  expect(await asked('status', '--to', 'Negotiation')).toMatch(/to Negotiation\? Already so: [\d, ]*\b11\b/);
  await shop.crm(['leads', 'update', '13', '--source', 'Fair', '-q']);
  expect(await asked('update', '--source', 'Fair')).toContain('source Fair? Already so: 13.');
});

it('a question says how many of the selected records are archived or converted', async () => {
  await shop.crm(['leads', 'archive', '11,12', '-q', '--yes']);
  const asked = async (...words: string[]) => (await shop.crm(['leads', ...words], { tty: true, columns: 300, stdin: 'n\n' })).stderr;
  expect(await asked('update', '--where', 'id=10..14', '--source', 'Fair')).toContain(
    'Change 5 leads, 1 of them converted, 3 archived (14 "',
  );
  expect(await asked('update', '--where', 'id=11..12', '--source', 'Fair')).toContain('2 leads, 2 of them archived (');
  expect(await asked('tags', '11,15', '--add', 'hot')).toContain('2 leads, 1 of them archived (11 "');
  expect(await asked('tags', '15,16,18,11,12', '--add', 'hot')).toContain('5 leads, 2 of them archived (15 "');
  expect(await asked('tags', '15,16', '--add', 'hot')).toContain('2 leads (15 "');
  expect((await shop.crm(['leads', 'tags', '--where', 'id=11..12', '--add', 'hot'])).stderr).toContain('2 leads, 2 of them archived (');
});

it('every question names the profile where there is more than one', async () => {
  const asked = async (...words: string[]) => (await shop.crm(words, { tty: true, columns: 300, stdin: 'n\n' })).stderr;
  shop.write('new.csv', 'title,status,category\nTill,New,Inbound\n');
  const lines = [
    ['leads', 'delete', '14'],
    ['leads', 'tags', '14,15', '--add', 'hot'],
    ['leads', 'convert', '42'],
    ['leads', 'comments', 'delete', '33', '1'],
    ['leads', 'import', 'new.csv'],
    ['api', 'DELETE', '/api/leads/14'],
  ];
  for (const words of lines) expect(await asked(...words), words.join(' ')).not.toContain('Profile:');
  const add = async (...words: string[]) =>
    expect((await shop.crm(['profile', 'add', ...words, '--no-verify'], { stdin: 'secret' })).status).toBe(0);
  await add('here', '--base-url', 'sandbox:');
  await add('work', '--base-url', 'https://crm.example.com', '--key-stdin');
  for (const words of lines) expect(await asked(...words, '-p', 'here'), words.join(' ')).toMatch(/\? .*Profile: here\. \(y\/N\)/);
  expect((await shop.crm(['leads', 'create', '-p', 'here'], { tty: true, stdin: '\u0003' })).stderr).toContain('Profile: here.');
  // The environment's service has no name.
  expect(await asked('leads', 'delete', '15')).toContain('Service: sandbox:.');
  expect(await asked('profile', 'remove', 'work', '-p', 'here')).toContain('? Remove profile "work" and its key? (y/N)');
});

it('what a run did is listed to twenty lines on a terminal, and so is what failed', async () => {
  const ids = [...Array.from({ length: 25 }, (_, index) => 11 + index), ...Array.from({ length: 22 }, (_, index) => 900 + index)];
  const words = ['leads', 'tags', ids.join(','), '--add', 'vip', '--yes'];
  const { status, stderr } = await shop.crm(words, { tty: true, columns: 120 });
  const count = (sign: string): number => stderr.split(sign).length - 1;
  expect([status, count('✓ '), count('✗ ')]).toEqual([8, 20, 20]);
  const run = JSON.parse((await shop.crm(['history', '--json'])).stdout)[0].run;
  // A slow machine draws the progress line between two messages.
  for (const line of [`and 7 more: crm history show ${run}\n`, '25 of 47 changed, 22 failed\n']) expect(stderr).toContain(line);
  // In a pipe there are as many lines as records.
  expect((await shop.crm(words)).stderr.split('\n').filter((line) => line.includes('not found'))).toHaveLength(22);
});
