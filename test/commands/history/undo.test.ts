// What `crm undo` takes back, what it keeps and names, and what never comes back: the built command over real HTTP. Everything that a
// service holds is compared with what it held before.

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Everything, eachWorkplace } from '../../seed/support.ts';
import type { Crm } from '../../support/crm.ts';
import { startCrm } from '../../support/start-crm.ts';
import { historyOf, type Run } from './support.ts';

interface Row {
  outcome: string;
  count: number;
  family: string;
  what: string;
  ids: number[];
}

const place = eachWorkplace();

const crm = (...args: string[]): Promise<Crm> => place.crm(args);
const history = (): Promise<Run[]> => historyOf(place);
const latest = async (): Promise<string> => (await history())[0]?.run ?? '';

/** Runs a command that is a run; gives its name. */
async function done(...args: string[]): Promise<string> {
  const { status, stderr } = await crm(...args, '--yes', '-q');
  expect(status, stderr).toBe(0);
  return latest();
}

async function undone(run: string, ...more: string[]): Promise<{ status: number | null; rows: Row[]; stderr: string }> {
  const { status, stdout, stderr } = await crm('undo', run, ...more, '--yes', '--json');
  return { status, rows: JSON.parse(stdout) as Row[], stderr };
}

/** Starts a run and ends it with a signal once the history tells that it did something. */
async function cutOff(args: readonly string[], did: RegExp, signal: NodeJS.Signals = 'SIGKILL'): Promise<Crm> {
  const running = startCrm(args, place.env);
  while (!did.test((await history())[0]?.did ?? '')) await sleep(50);
  running.process.kill(signal);
  return running.ended;
}

/** Everything but what a write changes by itself: when a record was last changed. */
const withoutStamps = (all: Everything): unknown =>
  JSON.parse(JSON.stringify(all, (name, value: unknown) => (name === 'updated' ? undefined : value)));
const state = async (): Promise<unknown> => withoutStamps(await place.everything());

const field = async (id: number, name: string): Promise<unknown> =>
  (await place.everything()).leads?.find((lead) => lead.id === id)?.[name];

describe('what a change did', () => {
  it.each([
    ['fields', ['leads', 'update', '12,13,14', '--source', 'Fair', '--value', '7', '--title', 'Same']],
    ['fields that were empty, and that it emptied', ['leads', 'update', '12,13,30', '--description', '', '--website', 'https://x.example']],
    ['a category and a date', ['leads', 'update', '12,13', '--category', '2', '--last-contacted', '2026-01-02']],
    ['a status', ['leads', 'status', '12,13', '--to', 'Negotiation']],
    ['tags', ['leads', 'tags', '12,13', '--clear', '--add', 'hot']],
    ['people', ['leads', 'assign', '12,13', '--clear', '--add', 'Tom Okafor']],
    ['archived leads', ['leads', 'archive', '12,13']],
    ["a proposal's status", ['proposals', 'status', '1,2,3', '--to', 'revised']],
    ['what a selection found', ['notes', 'update', '--where', 'id=1..3', '--title', 'Noted']],
    ['items', ['items', 'update', '1,2', '--rate', '3.50', '--notes', 'dear']],
  ])('goes back: %s', async (_name, args) => {
    const before = await state();
    const { status, stderr } = await crm(...args, '--yes', '-q');
    expect([0, 8], stderr).toContain(status);
    expect(await state()).not.toEqual(before);
    const { status: end, rows } = await undone(await latest());
    expect(end).toBe(0);
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['put back']));
    expect(await state()).toEqual(before);
  });

  it('is told before in the same words, and nothing is sent', async () => {
    const run = await done('leads', 'update', '12,14', '--source', 'Fair');
    const before = await state();
    const dry = await crm('undo', run, '--dry-run', '--json');
    expect(dry.status, dry.stderr).toBe(0);
    expect((JSON.parse(dry.stdout) as Row[]).map(({ outcome, count }) => `${outcome} ${count}`)).toEqual(['would put back 2']);
    expect(await state()).toEqual(before);
    expect((await history()).map(({ kind, left }) => [kind, left])).toEqual([['change', null]]);
  });

  it('needs --yes where nobody can be asked, and a protected profile its name', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair');
    expect(await crm('undo', run)).toMatchObject({ status: 9, stdout: '' });
    const add = ['profile', 'add', 'live', '--base-url', place.server.baseUrl, '--key-stdin', '--protected'];
    expect((await place.crm(add, { env: { CRM_BASE_URL: '', CRM_API_KEY: '' }, stdin: place.server.key })).status).toBe(0);
    expect(await crm('undo', run, '--yes')).toMatchObject({ status: 9, stderr: expect.stringContaining('--confirm live') });
    expect(await crm('undo', run, '--yes', '--confirm', 'live')).toMatchObject({ status: 0 });
  });

  it('takes back only what is named, and the history says so until the rest goes back', async () => {
    const run = await done('leads', 'update', '12,13,14', '--title', 'Same');
    const left = async (): Promise<unknown> => (await history()).find((one) => one.run === run)?.left;
    expect((await undone(run, '12,14')).rows).toMatchObject([{ outcome: 'put back', ids: [12, 14] }]);
    expect(await field(13, 'title')).toBe('Same');
    const part = await latest();
    expect(await left()).toBe(`partly undone by ${part}`);
    // Again: nothing is left to be taken back of these two.
    expect((await undone(run, '12')).status).toBe(0);
    expect(await left()).toBe(`partly undone by ${part}`);
    expect((await undone(run)).status).toBe(0);
    expect(await left()).toBe(`undone by ${await latest()}`);
    expect((await crm('undo', run, '99', '--yes')).status).toBe(2);
  });

  it('without a run shows the last ones', async () => {
    const run = await done('leads', 'update', '12,13', '--title', 'Same');
    expect(await crm('undo')).toMatchObject({ status: 2, stderr: expect.stringContaining(`${run}  crm leads update 12,13 --title Same`) });
    expect(await crm('undo', 'zzzz', '--yes')).toMatchObject({ status: 3 });
  });
});

describe('what somebody changed since', () => {
  it('is kept, field by field, and named; the rest goes back', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair', '--value', '7');
    await crm('leads', 'update', '12', '--source', 'Theirs', '--website', 'https://theirs.example', '-q');
    const { status, rows, stderr } = await undone(run);
    expect(status).toBe(8);
    expect(rows).toContainEqual({ outcome: 'kept', count: 1, family: 'leads', what: 'source changed since', ids: [12] });
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: `Not all of run ${run} went back: 1 kept.` } });
    expect(await field(12, 'value')).toBe('88000.00');
    expect(await field(12, 'source')).toBe('Theirs');
    expect(await field(12, 'contact')).toMatchObject({ website: 'https://theirs.example' });
    expect(await field(13, 'source')).not.toBe('Fair');
  });

  it('is no conflict in tags: each goes by itself', async () => {
    const run = await done('leads', 'tags', '12,13', '--add', 'hot');
    await crm('leads', 'tags', '12', '--add', 'theirs', '-q');
    expect((await undone(run)).status).toBe(0);
    expect(await field(12, 'tags')).toEqual(['health', 'tender', 'theirs']);
  });

  it('is told on a pipe in lines that a person reads, with all ids in JSON alone', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => 20 + at);
    const run = await done('leads', 'tags', ids.join(','), '--add', 'two words');
    const dry = await crm('undo', run, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject([{ outcome: 'would put back', count: 12, ids }]);
    const { stdout } = await crm('undo', run, '--yes');
    expect(stdout).toBe(
      `OUTCOME\tCOUNT\tFAMILY\tWHAT\tIDS\nput back\t12\tleads\ttags -"two words"\t${ids.slice(0, 10).join(', ')} and 2 more\n`,
    );
  });

  it('by a later run is said with its name; once that is undone, it goes back', async () => {
    const before = await state();
    const first = await done('leads', 'update', '12,13', '--source', 'First');
    const second = await done('leads', 'update', '12,13', '--source', 'Second');
    expect((await undone(first)).rows).toMatchObject([
      { outcome: 'kept', count: 2, what: `source changed by run ${second}: undo run ${second} first` },
    ]);
    expect((await undone(second)).status).toBe(0);
    expect((await undone(first)).status).toBe(0);
    expect(await state()).toEqual(before);
  });

  it('is said to be by the later run that changed the value, not by a run that changed nothing, another value or another record', async () => {
    const first = await done('leads', 'update', '12,13', '--source', 'First');
    const second = await done('leads', 'update', '12,15', '--source', 'Second');
    await done('leads', 'update', '12,15', '--source', 'Second');
    await done('leads', 'tags', '12,15', '--add', 'third');
    await done('leads', 'update', '14,15', '--source', 'Fourth');
    const refused = await crm('leads', 'update', '12,15', '--source', 'Fifth', '--category', '99', '--yes', '-q');
    expect([refused.status, await field(12, 'source')], refused.stderr).toEqual([8, 'Second']);
    expect((await undone(first)).rows).toContainEqual(
      expect.objectContaining({ outcome: 'kept', ids: [12], what: `source changed by run ${second}: undo run ${second} first` }),
    );
  });

  it('gone, it is gone', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair');
    await crm('leads', 'delete', '12', '--yes', '-q');
    const { status, rows } = await undone(run);
    expect(status).toBe(0);
    expect(rows.map(({ outcome, ids }) => [outcome, ids])).toEqual([
      ['put back', [13]],
      ['gone', [12]],
    ]);
  });
});

it('what was deleted never comes back, and is said', async () => {
  const run = await done('items', 'delete', '1,2');
  const { status, rows } = await undone(run);
  expect(status).toBe(0);
  expect(rows).toEqual([{ outcome: 'stays', count: 2, family: 'items', what: "deleted: that can't be undone", ids: [1, 2] }]);
});

describe('an import', () => {
  const file = (rows: number, name = 'Row'): string =>
    `title,status,category\n${Array.from({ length: rows }, (_, n) => `${name} ${n},1,1\n`).join('')}`;

  it('is deleted where nobody touched it; what was changed, or has a comment of somebody else, stays', async () => {
    place.write('new.csv', file(130));
    const run = await done('leads', 'import', 'new.csv');
    await crm('leads', 'update', '50', '--title', 'Mine', '-q');
    await crm('leads', 'comments', 'add', '51', 'hello', '-q');
    await crm('leads', 'convert', '52', '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.example', '--company-name', 'C', '-q');
    const { status, rows } = await undone(run);
    expect(status).toBe(8);
    expect(rows.map(({ outcome, count, ids }) => [outcome, count, outcome === 'kept' ? ids : []])).toEqual([
      ['deleted', 127, []],
      // Answers don't tell the time of creation, and nothing that tells leads apart stands in 50.
      ['kept', 1, [50]],
      ['kept', 1, [51]],
      ['kept', 1, [52]],
    ]);
    const left = ((await place.everything()).leads ?? []).map(({ id }) => Number(id)).filter((id) => id > 44);
    expect(left.toSorted()).toEqual([50, 51, 52]);
  });

  it('leaves alone what has the id of its record and is another one, and does not call that changed', async () => {
    place.write('new.csv', file(2));
    const run = await done('leads', 'import', 'new.csv');
    place.made('leads', 45, -2 * 24 * 60 * 60 * 1000);
    expect(await undone(run)).toMatchObject({
      status: 8,
      rows: [
        { outcome: 'kept', what: 'another record has its id', ids: [45] },
        { outcome: 'deleted', ids: [46] },
      ],
    });
  });

  it('keeps what it can not tell, all on one line', async () => {
    place.write('new.csv', file(3));
    const run = await done('leads', 'import', 'new.csv');
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(globSync(join(place.env.CRM_DATA_DIR ?? '', 'journals/*.sqlite'))[0] ?? '');
    database.exec('UPDATE made SET created = NULL');
    database.close();
    await done('leads', 'update', '45,46,47', '--title', 'Other');
    const what = "Nobody can tell whether it is the run's.";
    expect(await undone(run)).toMatchObject({ status: 8, rows: [{ outcome: 'kept', count: 3, family: 'leads', what, ids: [45, 46, 47] }] });
  });

  it('undone, is imported again: nothing refused, nothing doubled', async () => {
    const before = await state();
    place.write('new.csv', file(5));
    const run = await done('leads', 'import', 'new.csv');
    expect((await undone(run)).status).toBe(0);
    expect(await state()).toEqual(before);
    expect((await crm('leads', 'import', 'new.csv', '--resume')).status).toBe(2);
    await done('leads', 'import', 'new.csv');
    const titles = ((await place.everything()).leads ?? []).map(({ title }) => String(title)).filter((title) => title.startsWith('Row'));
    expect(titles.toSorted()).toEqual(['Row 0', 'Row 1', 'Row 2', 'Row 3', 'Row 4']);
  });

  it('undone in part, is resumed: what was taken back is not created again, and nothing that stands is doubled', async () => {
    place.write('new.csv', file(5));
    const run = await done('leads', 'import', 'new.csv');
    expect((await undone(run, '46')).status).toBe(0);
    const left = `partly undone by ${await latest()}`;
    expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'done', left });
    const refused = await crm('leads', 'import', 'new.csv');
    expect(refused).toMatchObject({ status: 10, stderr: expect.stringContaining('--resume') as string });
    const { status, stderr } = await crm('leads', 'import', 'new.csv', '--resume');
    expect([status, stderr]).toEqual([
      0,
      expect.stringMatching(
        /^1 row is not sent again: the record was deleted since \(line 3\)\.\nNothing was left to do: the run ended on .*\.\n$/,
      ),
    ]);
    const titles = ((await place.everything()).leads ?? []).map(({ title }) => String(title)).filter((title) => title.startsWith('Row'));
    expect(titles.toSorted()).toEqual(['Row 0', 'Row 2', 'Row 3', 'Row 4']);
    expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'done', left: null });
    expect((await undone(run)).rows).toMatchObject([{ outcome: 'deleted', count: 4 }]);
  });

  it('that changed records puts them back', async () => {
    const before = await state();
    place.write('old.csv', 'id,value,source\n12,1.50,Fair\n13,2.50,Fair\n');
    const run = await done('leads', 'import', 'old.csv', '--mode', 'update', '--match', 'id');
    expect(await field(12, 'value')).toBe('1.50');
    expect((await undone(run)).rows).toMatchObject([{ outcome: 'put back', count: 2 }]);
    expect(await state()).toEqual(before);
  });

  it('that was cut off is undone as far as it came, and not resumed any more', async () => {
    const before = await state();
    place.write('many.csv', file(400));
    await cutOff(['leads', 'import', `${place.folder}/many.csv`, '--rate', '10', '-q', '--yes'], /^\d+ leads? created/);
    const { status, rows, stderr } = await undone(await latest());
    expect(status, `${JSON.stringify(rows)}\n${stderr}`).toBe(0);
    expect(await state()).toEqual(before);
    expect(await history()).toMatchObject([
      { kind: 'undo', state: 'done' },
      { kind: 'import', state: 'undone' },
    ]);
    expect((await crm('leads', 'import', `${place.folder}/many.csv`, '--resume')).status).toBe(2);
  });
});

describe('an undo', () => {
  it('that kept a record is told as one of a part, and so is a run that left records out', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair');
    await crm('leads', 'update', '12', '--source', 'Mine', '-q');
    expect((await undone(run)).status).toBe(8);
    const undo = await latest();
    expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'done', left: `partly undone by ${undo}` });
    expect((await history())[0]).toMatchObject({ did: '1 lead put back, 1 left out' });
    expect((await crm('proposals', 'status', '--where', 'status=accepted', '--to', 'declined', '--yes', '-q')).status).toBe(8);
    expect((await history())[0]?.did).toMatch(/^\d+ proposals changed, \d+ left out$/);
  });

  it('is a run itself: undone, all is as the run left it', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair', '--title', 'Same');
    await done('leads', 'tags', '12,13', '--add', 'hot');
    const after = await state();
    await undone(run);
    const undo = await latest();
    expect(await history()).toMatchObject([{ kind: 'undo' }, {}, { run, state: 'undone', left: `undone by ${undo}` }]);
    expect((await undone(undo)).status).toBe(0);
    expect(await state()).toEqual(after);
    expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'done', left: null });
  });

  it('that finds nothing left to do does not pass for the one that did it', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair');
    const after = await state();
    await undone(run);
    const undo = await latest();
    expect((await undone(run)).status).toBe(0);
    expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'undone', left: `undone by ${undo}` });
    await undone(undo);
    expect(await state()).toEqual(after);
  });

  it('does not offer to undo again what it took back', async () => {
    const run = await done('leads', 'update', '12,13', '--source', 'Fair');
    for (const what of ['all of it', 'nothing that is left']) {
      const { status, stderr } = await crm('undo', run, '--yes');
      expect(status, what).toBe(0);
      expect(stderr, what).not.toContain('Undo:');
    }
  });

  it.each([
    ['a change', ['leads', 'update', '--where', 'id=1..40', '--source', 'Fair', '--title', 'Same'], /put back/],
    ['an import', ['leads', 'import', 'many.csv'], /deleted/],
  ])('of %s that is killed is typed again, and all is back', async (_name, args, did) => {
    place.write('many.csv', `title,status,category\n${Array.from({ length: 60 }, (_, n) => `Row ${n},1,1\n`).join('')}`);
    const before = await state();
    const run = await done(...args);
    await cutOff(['undo', run, '--yes', '--rate', '4', '-q'], did);
    expect((await history())[0]).toMatchObject({ kind: 'undo', state: 'unfinished', left: `unfinished: crm undo ${run}` });
    expect(await state()).not.toEqual(before);
    const { status, stderr } = await undone(run);
    expect(status, stderr).toBe(0);
    expect(await state()).toEqual(before);
    expect((await history()).filter(({ state: one }) => one === 'unfinished')).toEqual([]);
  });

  it('that is interrupted says what went back and what it did not send, as the history does', async () => {
    const run = await done('leads', 'update', '--where', 'id=1..40', '--source', 'Fair', '--title', 'Same');
    const { status, stderr } = await cutOff(['undo', run, '--yes', '--rate', '4'], /put back/, 'SIGINT');
    const [, did = '', back = '', left = ''] = /Before that: ((\d+) leads? put back, (\d+) not sent)\.\n/.exec(stderr) ?? [];
    expect([status, Number(back) + Number(left)], stderr).toEqual([130, 40]);
    expect((await history())[0]).toMatchObject({ kind: 'undo', did });
  });
});

it("a seed's run is destroyed, but for what was changed since", async () => {
  const before = await state();
  expect((await crm('seed', 'demo', '--leads', '3', '--run', 'trial', '-q')).status).toBe(0);
  const run = await latest();
  const { status, stderr } = await crm('undo', run, '--yes');
  expect(status, stderr).toBe(0);
  expect(await state()).toEqual(before);
  expect((await history()).find((one) => one.run === run)).toMatchObject({ state: 'undone', left: 'destroyed' });
});

it('is named in the last line after a run of which something can be taken back, but with --quiet', async () => {
  const told = async (...args: string[]): Promise<string | undefined> => (await crm(...args, '--yes')).stderr.trimEnd().split('\n').at(-1);
  expect(await told('leads', 'tags', '12,13', '--add', 'hot')).toBe(`Undo: crm undo ${await latest()}`);
  expect(await told('leads', 'tags', '12,13', '--add', 'hot')).toBe('Lead 13 is as it was: Farm shop and box scheme');
  expect(await told('leads', 'tags', '12,13', '--add', 'cold', '-q')).toBe('');
  expect(await told('leads', 'tags', '12', '--add', 'alone')).not.toMatch(/^Undo/);
  expect(await told('items', 'delete', '1,2')).not.toMatch(/^Undo/);
  expect(await told('leads', 'tags', '12,13', '--add', 'dry', '--dry-run')).not.toMatch(/^Undo/);
  // Beside an error as JSON nothing stands.
  expect(JSON.parse((await crm('leads', 'tags', '12,999', '--add', 'some', '--yes', '--json')).stderr)).toMatchObject({ error: {} });
});
