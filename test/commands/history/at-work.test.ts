// Runs whose process is still at work, in this process: nothing undoes them, and the history says so. Two processes of their own change
// the same tags.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Crm, runCrm } from '../../support/crm.ts';
import { eachBehindProxy } from './support.ts';

const at = eachBehindProxy();
const { crm, history } = at;

const source = async (id: number): Promise<unknown> => (await at.place.everything()).leads?.find((lead) => lead.id === id)?.source;
const atWork = /^still at work since \d\d:\d\d$/;

it.each([
  ['a change of several records', ['leads', 'update', '12,13,14', '--source', 'Fair']],
  ['an import', ['leads', 'import', 'new.csv']],
])('%s is not undone while it is at work, and the history says that it is', async (_name, argv) => {
  at.place.write('new.csv', 'title,status,category\nOne,1,1\nTwo,1,1\n');
  const before = await at.place.everything();
  const gate = Promise.withResolvers<void>();
  at.proxy.change({ answer: ({ method, write }) => (method !== 'GET' && write === 1 ? { first: () => gate.promise } : undefined) });
  const first = at.proxy.write(1);
  const running = crm(...argv, '--yes', '-q');
  await first;
  const [{ run, state, left } = { run: '', state: '', left: '' }] = await history();
  expect([state, left]).toEqual(['unfinished', expect.stringMatching(atWork)]);
  for (const words of [['--yes'], ['--dry-run']]) {
    const { status, stderr } = await crm('undo', run, ...words, '--json');
    expect(status).toBe(10);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'run_held', message: expect.stringMatching(`^Run ${run} is still at work since \\d\\d:\\d\\d\\.$`) },
    });
  }
  gate.resolve();
  expect((await running).status).toBe(0);
  expect(await history()).toMatchObject([{ run, state: 'done', left: null }]);
  at.proxy.change();
  expect((await crm('undo', run, '--yes', '-q')).status).toBe(0);
  expect((await at.place.everything()).leads?.length).toBe(before.leads?.length);
  expect(await source(12)).toBe(before.leads?.find(({ id }) => id === 12)?.source);
});

it('a run that changes a family tells of another one at work there; of other families, creates and dry runs nothing is said', async () => {
  at.place.write('new.csv', 'title,status,category\nOne,1,1\n');
  at.place.write('old.csv', 'id,source\n15,Web\n');
  const gate = Promise.withResolvers<void>();
  at.proxy.change({ answer: ({ method, write }) => (method !== 'GET' && write === 1 ? { first: () => gate.promise } : undefined) });
  const first = at.proxy.write(1);
  const running = crm('leads', 'update', '12,13,14', '--source', 'Fair', '--yes', '-q');
  await first;
  const [{ run } = { run: '' }] = await history();
  const told = `Another crm is changing leads now: ${run}.`;
  const lines = ['leads update 15,16 --source Web --yes', 'leads import old.csv --mode update --yes'];
  for (const line of lines) expect((await crm(...line.split(' '))).stderr, line).toContain(told);
  const silent = ['notes update 1,2 --title x --yes', 'leads import new.csv --yes', 'leads update 15,16 --source y --dry-run'];
  for (const line of silent) expect((await crm(...line.split(' '))).stderr, line).not.toContain('Another crm');
  gate.resolve();
  expect((await running).status).toBe(0);
  expect((await crm('leads', 'update', '15,16', '--source', 'Fair', '--yes')).stderr).not.toContain('Another crm');
});

it.each([
  ['other rows', 'Two', 0],
  ['the same row', 'One', 10],
])('an import that checks its file while the first import of all begins waits for it: %s', async (_rows, title, status) => {
  at.place.write('first.csv', 'title,status,category\nOne,1,1\n');
  at.place.write('second.csv', `title,status,category\n${title},New,1\n`);
  let first: Promise<Crm> | undefined;
  // When the second one looks up the name of its status, it has seen a journal without imports.
  const begin = async (): Promise<void> => {
    const sent = at.proxy.write(1);
    first = crm('leads', 'import', 'first.csv', '--yes', '--json');
    await sent;
  };
  at.proxy.change({ delayWrites: 500, answer: ({ number }) => (number === 1 ? { first: begin } : undefined) });
  const ended = await crm('leads', 'import', 'second.csv', '--yes', '--json');
  expect((await first)?.status).toBe(0);
  expect([ended.status, ended.stderr], ended.stderr).toEqual([
    status,
    status === 0 ? expect.any(String) : expect.stringContaining('already_imported'),
  ]);
});

it('nothing is left of who held a run', async () => {
  expect((await crm('leads', 'update', '12,13', '--source', 'Fair', '--yes', '-q')).status).toBe(0);
  const files = readdirSync(join(at.place.folder, 'data', 'journals'));
  expect(files.filter((name) => !/\.(sqlite|lock)(-wal|-shm)?$/.test(name))).toEqual([]);
});

it('another process reads tags in the turn of its write: it says what it found, and takes nothing away', async () => {
  const tags = async (id: number): Promise<unknown> => (await at.place.everything()).leads?.find((lead) => lead.id === id)?.tags;
  const before = [await tags(12), await tags(13)] as string[][];
  const env = { ...at.place.env, CRM_BASE_URL: at.proxy.baseUrl };
  const tagging = (tag: string): Promise<Crm> => runCrm(['leads', 'tags', '12,13', '--add', tag, '--yes'], { env });
  at.proxy.change({ delayWrites: 1000 });
  const first = at.proxy.write(2);
  const running = tagging('vip');
  await first;
  // Nothing is written, so nothing is held back: the first process still waits for its answers.
  const same = await tagging('vip');
  at.proxy.change();
  const other = await tagging('fair');
  expect([same.status, other.status, (await running).status]).toEqual([0, 0, 0]);
  expect(same.stderr).toMatch(/^Lead 12 is as it was: .*\nLead 13 is as it was: /m);
  expect([await tags(12), await tags(13)]).toEqual(before.map((all) => [...all, 'vip', 'fair']));
});

it.each([
  ['a change', ['leads', 'update', '12,13,14', '--source', 'Fair'], 'cut off: type the command again for the rest'],
  ['comments', ['leads', 'comments', 'add', '12,13,14', '--text', 'Hello'], 'cut off: the command again would repeat its comments'],
])('the way to the rest of a run that was cut off: %s', async (_name, argv, left) => {
  at.proxy.change({ answer: ({ write, method }) => (method !== 'GET' && write > 1 ? 401 : undefined) });
  expect((await crm(...argv, '--yes', '-q')).status).toBe(4);
  expect(await history()).toMatchObject([{ state: 'cut off', left }]);
});
