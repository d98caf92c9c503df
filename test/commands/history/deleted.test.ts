// Deleted records: kept whole in the journal, made anew from there, and never made again by what went before.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, eachWorkshop } from '../../import/support.ts';
import type { Run } from './support.ts';

const shop = eachWorkshop({ demo: true });

const crm = (...args: string[]): Promise<Ended> => shop.crm(args);
const watched = (words: readonly string[], typed = ''): Promise<Ended> =>
  shop.crm(words, { tty: true, columns: 100, ...(typed === '' ? {} : { stdin: typed }) });
const history = async (): Promise<Run[]> => (await crm('history', '--json')).json() as Run[];
const latest = async (): Promise<string> => (await history())[0]?.run ?? '';

/** What stands in the journal's files, as text. */
function journalText(): string {
  const folder = join(shop.folder, 'data', 'journals');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

type Member = Record<string, unknown>;

/** A record without what a new record can't have again. */
function withoutOwn(record: Member): Member {
  const own = ['id', 'dates', 'created', 'updated', 'creator', 'converted', 'account_owner', 'social'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name)));
}

const listed = async (family: string, ...flags: string[]): Promise<Member[]> =>
  (await crm(family, 'list', '--all', '--json', ...flags)).json() as Member[];

const threeRows = 'title,status,category\nOne,1,3\nTwo,1,3\nThree,1,3\n';

async function imported(...more: string[]): Promise<string> {
  shop.write('new.csv', threeRows);
  const { status, stderr } = await crm('leads', 'import', 'new.csv', '--yes', ...more);
  expect(status, stderr).toBe(0);
  return latest();
}
const named = async (...titles: string[]): Promise<number[]> =>
  (await listed('leads')).filter(({ title }) => titles.includes(String(title))).map(({ id }) => Number(id));

describe('a delete', () => {
  it.each([
    ['leads', '17,18,33'],
    ['contacts', '5,6'],
    ['proposals', '1,2'],
    ['items', '1,2,3'],
    ['notes', '1,2'],
  ])('of %s is made anew from the journal', async (family, ids) => {
    const before = (await crm(family, 'get', ids, '--json')).json() as Member[];
    const deleted = await crm(family, 'delete', ids, '--yes');
    expect(deleted.status, deleted.stderr).toBe(0);
    expect(deleted.stderr).toContain('Kept for 90 days in the journal; --forget keeps nothing.\n');
    // The advice of an undo, to the letter.
    const { status, stderr } = await crm('undo', await latest(), '--yes');
    expect(status, stderr).toBe(0);
    const advice = [...stderr.matchAll(/: crm (.*)$/gm)].map(([, words = '']) => words.split(' '));
    expect(advice).toHaveLength(2);
    for (const words of advice) expect(await crm(...words)).toMatchObject({ status: 0 });
    const anew = (await listed(family)).toSorted((a, b) => Number(b.id) - Number(a.id)).slice(0, before.length);
    const texts = (records: Member[]): string[] => records.map((one) => JSON.stringify(withoutOwn(one))).toSorted();
    expect(texts(anew)).toEqual(texts(before));
    if (family === 'leads') expect(anew.map(({ converted }) => (converted as Member).is_converted)).toEqual([false, false, false]);
  });

  it('of one id on a terminal, and with a conversion, is kept whole', async () => {
    const [before] = (await crm('leads', 'get', '12,13', '--json')).json() as Member[];
    const told = await watched(['leads', 'convert', '12', '--delete-lead'], 'y\n');
    expect(told.stderr).toMatch(/This can't be undone\. Kept\s+for 90 days in the journal\./);
    const run = await latest();
    expect((await crm('history', 'show', run, '--deleted', '--json')).json()).toEqual([before]);
    expect((await history())[0]).toMatchObject({ did: '1 lead converted', left: "can't be taken back" });
    const asked = await watched(['leads', 'delete', '13'], 'y\n');
    expect(asked.stderr).toMatch(/Kept for\s+90 days in the journal; --forget keeps nothing\./);
    expect(asked.stderr).toContain('Lead 13 deleted: ');
    expect((await crm('history', 'show', await latest(), '--deleted', '--json')).json()).toMatchObject([{ id: 13 }]);
  });

  it('of one id off a terminal, and with -q, keeps nothing and says nothing', async () => {
    expect(await crm('leads', 'delete', '13', '--yes')).toMatchObject({ status: 0, stderr: 'Lead 13 deleted\n' });
    expect((await watched(['leads', 'delete', '14', '--yes', '-q'])).stderr).toBe('');
    expect(await history()).toEqual([]);
  });

  it('is shown by one value a record, and kept only as its title above 1 MB', async () => {
    await crm('leads', 'update', '12', '--description', 'x'.repeat(1_000_001));
    await crm('leads', 'delete', '12,13', '--yes', '-q');
    const run = await latest();
    const rows = (await crm('history', 'show', run, '--json')).json() as Member[];
    expect(rows.map(({ id, field, outcome }) => [id, field, outcome])).toEqual([
      [12, 'title', 'deleted'],
      [13, 'title', 'deleted'],
    ]);
    const { stdout, stderr } = await crm('history', 'show', run, '--deleted', '--json');
    expect((JSON.parse(stdout) as Member[]).map(({ id }) => id)).toEqual([13]);
    expect(stderr).toBe('Not kept: 12. A record above 1 MB is not kept, and nothing is kept with --forget.\n');
  });

  it('with --forget keeps nothing, and names the runs that hold the record and how to forget them', async () => {
    await watched(['leads', 'update', '13', '--source', 'Sekret']);
    await crm('leads', 'tags', '12,13', '--add', 'hot', '--yes', '-q');
    const runs = (await history()).map(({ run }) => run);
    const [lead] = (await crm('leads', 'get', '13,12', '--json')).json() as { title: string }[];
    const { status, stderr } = await crm('leads', 'delete', '--where', `title=${lead?.title}`, '--forget', '--yes');
    expect(status, stderr).toBe(0);
    expect(stderr).not.toContain('Kept for 90 days');
    expect(stderr).toContain(
      `2 runs still hold values of lead 13. This overwrites all values of the runs, which can't be undone any more: `,
    );
    expect((await history())[0]).toMatchObject({ command: 'crm leads delete --forget', did: '1 lead deleted' });
    expect(await crm('history', 'show', await latest(), '--deleted')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('Not kept: 13.'),
    });
    const [, words = ''] = /: crm (history forget .*)$/m.exec(stderr) ?? [];
    expect(words.split(' ').slice(2).toSorted()).toEqual(runs.toSorted());
    expect(await crm(...words.split(' '), '--yes')).toMatchObject({ status: 0 });
    expect(journalText()).not.toContain('Sekret');
    expect(journalText()).not.toContain(lead?.title);
  });

  it('of several families wants --family, each in a file', async () => {
    await watched(['leads', 'delete', '12', '--yes']);
    const run = await latest();
    expect(await crm('history', 'show', run, '--deleted', '--family', 'notes')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining(`Run ${run} keeps no deleted notes.`),
    });
    expect(await crm('history', 'show', run, '--family', 'leads')).toMatchObject({ status: 2 });
    expect(await crm('history', 'show', run, '--deleted', '--failed')).toMatchObject({ status: 2 });
    shop.write('team.yaml', seed);
    expect(await crm('seed', 'apply', 'team.yaml', '-q')).toMatchObject({ status: 0, stderr: '' });
    // Changed since, so the values are not the seed's own any more.
    await crm('leads', 'update', '--where', 'title=Seeded', '--source', 'Changed', '--yes', '-q');
    await crm('items', 'update', '--where', 'description=Seeded item', '--notes', 'Changed', '--yes', '-q');
    expect(await crm('seed', 'destroy', '--run', 'team', '--yes', '-q')).toMatchObject({ status: 0, stderr: '' });
    const destroyed = await latest();
    expect(await crm('history', 'show', destroyed, '--deleted')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/several families: name one with --family\.\n--family items\n--family leads\n/),
    });
    const { json, stderr } = await crm('history', 'show', destroyed, '--deleted', '--family', 'leads', '--json');
    expect(json()).toMatchObject([{ source: 'Changed' }]);
    expect(stderr).toMatch(
      /^Not kept: 46, because it is as run \w{4} made it\. The command again makes it anew: crm seed apply team\.yaml -q\n$/,
    );
  });
});

const seed = `version: 1
records:
  - { name: lead, type: lead, set: { title: Seeded, status: 1, category: 3 } }
  - { name: other, type: lead, set: { title: Other, status: 1, category: 3 } }
  - { name: item, type: item, set: { description: Seeded item, rate: 5, category: 6, default-tax: 1, unit: 1 } }
`;

describe('crm undo behind a delete', () => {
  it('creates nothing, names no other run, and says how the records are made anew', async () => {
    await watched(['leads', 'update', '12', '--value', '7']);
    await watched(['leads', 'delete', '13', '--yes']);
    const [deleted, other] = (await history()).map(({ run }) => run);
    const before = await listed('leads');
    const { status, stderr } = await watched(['undo']);
    expect(status).toBe(10);
    expect(stderr).toContain("can't be taken back");
    expect(stderr).toContain(`crm history show ${deleted} --deleted --out leads.ndjson`);
    expect(stderr).not.toContain(other);
    expect(await listed('leads')).toEqual(before);
    expect(await crm('undo')).toMatchObject({ status: 2, stderr: expect.stringContaining(`${deleted}  crm leads delete 13 --yes`) });
  });
});

describe('a row whose record was deleted', () => {
  it.each([
    ['by a run', async () => crm('leads', 'delete', '--where', 'title=Two', '--yes', '-q')],
    ['by an undo', async (run: string) => crm('undo', run, String((await named('Two'))[0]), '--yes', '-q')],
  ])('%s is not sent again by --resume, and only with the others gone by the file', async (_name, remove) => {
    const run = await imported();
    expect((await remove(run)).status).toBe(0);
    const refused = await crm('leads', 'import', 'new.csv');
    expect(refused).toMatchObject({ status: 10, stderr: expect.stringContaining('2 of 3 rows were created') });
    expect(refused.stderr).toContain("--resume doesn't send 1 row: the record was deleted since.");
    shop.write('new.csv', `${threeRows}Four,1,3\n`);
    const { status, stderr } = await crm('leads', 'import', 'new.csv', '--resume');
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('1 row is not sent again: the record was deleted since (line 3).');
    expect(await named('One', 'Three', 'Four')).toHaveLength(3);
    expect(await named('Two')).toEqual([]);
  });

  it('doesn’t make its file refused, nor the file of the deleted records', async () => {
    await imported();
    expect((await crm('leads', 'delete', '--where', 'title=Two', '--yes', '-q')).status).toBe(0);
    const run = await latest();
    expect(await crm('history', 'show', run, '--deleted', '--out', 'gone.ndjson')).toMatchObject({
      status: 0,
      stderr: '1 lead in gone.ndjson\n',
    });
    expect((await crm('leads', 'import', 'gone.ndjson')).status).toBe(0);
    expect(await crm('leads', 'import', 'gone.ndjson')).toMatchObject({ status: 10 });
    expect(await named('One', 'Two', 'Three')).toHaveLength(3);
    await crm('leads', 'delete', (await named('One', 'Two', 'Three')).join(), '--yes', '-q');
    await imported();
    expect(await named('One', 'Two', 'Three')).toHaveLength(3);
  });

  it('is sent by --resume of the import that began because it was gone', async () => {
    await imported();
    await crm('leads', 'delete', (await named('One', 'Two', 'Three')).join(), '--yes', '-q');
    // The second import fails at its last row, which --resume sends again.
    shop.write('new.csv', threeRows.replace('Three,1', 'Three,99'));
    expect(await crm('leads', 'import', 'new.csv')).toMatchObject({ status: 8 });
    shop.write('new.csv', threeRows);
    expect((await crm('leads', 'import', 'new.csv', '--resume')).status).toBe(0);
    expect(await named('One', 'Two', 'Three')).toHaveLength(3);
  });

  it.each([1, 2])('is not made again by its seed: %d of its leads deleted', async (count) => {
    shop.write('team.yaml', seed.replace(/ {2}- \{ name: item.*\n/, ''));
    expect((await crm('seed', 'apply', 'team.yaml', '-q')).status).toBe(0);
    const ids = (await named('Seeded', 'Other')).slice(0, count);
    await crm('leads', 'delete', ids.join(), '--yes', '-q');
    const again = await crm('seed', 'apply', 'team.yaml');
    expect(again).toMatchObject({ status: 8, stderr: expect.stringContaining('Deleted records are not made again.') });
    expect(await named('Seeded', 'Other')).toHaveLength(2 - count);
  });
});

describe('the history on 80 columns', () => {
  it('cuts neither what a delete or a conversion did, nor that it stays; a hidden column is named', async () => {
    await crm('leads', 'delete', '--where', 'id=6..18', '--yes', '-q');
    await watched(['leads', 'convert', '21', '--yes']);
    const { stdout } = await shop.crm(['history', '--color', 'never'], { tty: true, columns: 80 });
    expect(stdout).toMatch(/ 1 lead converted +can't be taken back\n/);
    expect(stdout).toMatch(/ 13 leads deleted +can't be taken back\n/);
    const { stdout: narrow } = await shop.crm(['history', '--color', 'never'], { tty: true, columns: 60 });
    expect(narrow).toMatch(/ 13 leads deleted\n/);
    expect(narrow).toContain('Hidden: when, profile, left (');
  });
});
