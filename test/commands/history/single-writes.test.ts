// Writes to a single record on a terminal: noted behind their answers, so that they can be undone, and one line a day in the history.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Ended, eachWorkshop } from '../../import/support.ts';
import { runHere } from '../../support/run-here.ts';
import type { Run } from './support.ts';

const shop = eachWorkshop({ demo: true });

const piped = (...args: string[]): Promise<Ended> => shop.crm(args);
const watched = (...args: string[]): Promise<Ended> => shop.crm(args, { tty: true });
const history = async (...flags: string[]): Promise<Run[]> => JSON.parse((await piped('history', '--json', ...flags)).stdout) as Run[];
const journals = (): string[] =>
  readdirSync(shop.folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('journals/'));

/** Everything but when records were last changed. */
async function everything(): Promise<unknown> {
  const families = ['leads', 'contacts', 'proposals', 'items', 'notes'];
  const all = await Promise.all(families.map(async (family) => JSON.parse((await piped(family, 'list', '--all', '--json')).stdout)));
  const archived = JSON.parse((await piped('leads', 'list', '--all', '--active-state', 'archived', '--json')).stdout);
  return JSON.parse(JSON.stringify([all, archived], (name, value: unknown) => (name === 'updated' ? undefined : value)));
}

const lead = ['--title', 'New', '--status', '1', '--category', '3'];

describe('a write to one record on a terminal', () => {
  it.each([
    ['an update', ['leads', 'update', '12', '--value', '7', '--source', 'Fair'], '1 lead changed'],
    ['a status', ['leads', 'status', '15', '2'], '1 lead changed'],
    ["a proposal's status", ['proposals', 'status', '2', 'declined'], '1 proposal changed'],
    ['tags', ['leads', 'tags', '12', '--add', 'hot'], '1 lead changed'],
    ['whole tags', ['leads', 'tags', '12', 'hot', 'cold'], '1 lead changed'],
    ['assign', ['leads', 'assign', '12', '--clear'], '1 lead changed'],
    ['archive', ['leads', 'archive', '13'], '1 lead changed'],
    ['the date of a contact', ['leads', 'contacted', '14', '--on', '2026-01-05'], '1 lead changed'],
    [
      'a contact with status and tags',
      ['leads', 'contacted', '14', '--on', '2026-01-05', '--status', '2', '--add-tag', 'hot', '--add-tag', 'fair'],
      '1 lead changed',
    ],
    ['a new lead', ['leads', 'create', ...lead, '--assigned', '2'], '1 lead created'],
    [
      'a new contact',
      ['contacts', 'create', '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.example', '--client', '2'],
      '1 contact created',
    ],
  ])('%s is a run, and can be undone', async (_name, words, did) => {
    const before = await everything();
    expect((await watched(...words)).status).toBe(0);
    expect(await everything()).not.toEqual(before);
    const [run, ...others] = await history();
    expect(run).toMatchObject({ kind: 'single', command: `crm ${words.join(' ')}`, did, state: 'done' });
    expect(others).toEqual([]);
    const { status, stderr } = await piped('undo', run?.run ?? '', '--yes');
    expect(status, stderr).toBe(0);
    expect(await everything()).toEqual(before);
  });

  it('the archived one becomes active, and is archived again by an undo', async () => {
    await piped('leads', 'archive', '13');
    const before = await everything();
    await watched('leads', 'activate', '13');
    expect((await piped('undo', (await history())[0]?.run ?? '', '--yes')).status).toBe(0);
    expect(await everything()).toEqual(before);
  });

  it('a comment stays when the date of its contact goes back, and is named', async () => {
    await watched('leads', 'contacted', '14', 'Called');
    const { stdout } = await piped('undo', (await history())[0]?.run ?? '', '--yes', '--json');
    const told = (JSON.parse(stdout) as { outcome: string; what: string }[]).map(({ outcome, what }) => `${outcome} ${what}\n`).join('');
    expect(told).toMatch(/^put back last-contacted .*\nstays commented: that can't be undone\n$/);
  });

  it('what somebody changed since is kept', async () => {
    await watched('leads', 'update', '12', '--value', '7');
    await piped('leads', 'update', '12', '--value', '8');
    const { status, stdout } = await piped('undo', (await history())[0]?.run ?? '', '--yes', '--json');
    expect(status).toBe(8);
    expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'kept', what: 'value changed since', ids: [12] }]);
  });

  it('keeps when the record was created: its id may be given again', async () => {
    await watched('leads', 'update', '12', '--value', '7');
    const [name = ''] = journals().filter((one) => one.endsWith('.sqlite'));
    const journal = new DatabaseSync(join(shop.folder, name), { readOnly: true });
    const noted = journal.prepare('SELECT created FROM steps').all();
    journal.close();
    expect(noted).toEqual([{ created: JSON.parse((await piped('leads', 'get', '12', '--json')).stdout).dates.created }]);
  });

  it('a new record that was changed since is kept', async () => {
    await watched('leads', 'create', ...lead);
    const [{ id }] = JSON.parse((await piped('leads', 'list', '--search', 'New', '--json')).stdout);
    await piped('leads', 'update', String(id), '--value', '5');
    expect((await piped('undo', (await history())[0]?.run ?? '', '--yes')).status).toBe(8);
    expect((await piped('leads', 'get', String(id))).status).toBe(0);
  });

  it('says nothing more than off the history', async () => {
    const { stdout, stderr } = await watched('leads', 'update', '12', '--value', '7');
    expect(stdout).toBe('');
    expect(stderr).not.toMatch(/undo|history|run/i);
  });
});

describe('nothing is noted', () => {
  let journalNames: string[] = [];
  const update = ['leads', 'update', '12', '--value', '7'];
  const whole = ['leads', 'update', '12', ...lead, '--first-name', 'A', '--last-name', 'B', '--replace'];

  it.each([
    ['off a terminal', update, false],
    ['of a create off a terminal', ['leads', 'create', ...lead], false],
    ['with -q', [...update, '-q'], true],
    ['of a create with -q', ['leads', 'create', ...lead, '-q'], true],
    ['with --replace', whole, true],
    ['with --dry-run', [...update, '--dry-run'], true],
    ['of what is as it was', ['leads', 'update', '12', '--value', '88000'], true],
    ['of a delete with -q', ['leads', 'delete', '5', '--yes', '-q'], true],
    ['of a comment', ['leads', 'comment', '12', 'Called'], true],
  ])('%s', async (_name, words, tty) => {
    const { status, stderr } = await shop.crm(words, { tty });
    expect(status, stderr).toBe(0);
    expect(journals()).toEqual([]);
  });

  it.each([
    ['where the journals have no folder', () => writeFileSync(join(shop.folder, 'data', 'journals'), '')],
    [
      'in a damaged journal',
      () => {
        mkdirSync(join(shop.folder, 'data', 'journals'), { mode: 0o700 });
        for (const name of journalNames) writeFileSync(join(shop.folder, 'data', 'journals', name), 'no journal', { mode: 0o600 });
      },
    ],
  ])('%s, and nothing is said', async (_name, spoil) => {
    const told = await watched('leads', 'update', '12', '--value', '7');
    journalNames = readdirSync(join(shop.folder, 'data', 'journals')).filter((name) => name.endsWith('.sqlite'));
    rmSync(join(shop.folder, 'data', 'journals'), { recursive: true });
    await piped('leads', 'update', '12', '--value', '88000.00');
    spoil();
    const { status, stdout, stderr } = await watched('leads', 'update', '12', '--value', '7');
    expect({ status, stdout, stderr }).toEqual({ status: told.status, stdout: told.stdout, stderr: told.stderr });
    expect((await piped('history')).status).not.toBe(0);
  });
});

describe('the history', () => {
  const at = (time: string): Parameters<typeof runHere>[1] => ({
    env: shop.env,
    tty: true,
    columns: 140,
    clock: { ...systemClock, now: () => new Date(time) },
  });

  it("has a line for a day's writes, and with --all a line for each", async () => {
    await runHere(['leads', 'tags', '9', '--add', 'one'], at('2026-11-20T12:00:00'));
    await runHere(['leads', 'update', '12', '--value', '7'], at('2026-11-21T12:00:00'));
    await runHere(['leads', 'tags', '12,13', '--add', 'two', '--yes', '-q'], at('2026-11-21T12:01:00'));
    await runHere(['leads', 'update', '12', '--value', '8'], at('2026-11-21T12:02:00'));
    await runHere(['leads', 'create', ...lead], at('2026-11-21T12:03:00'));
    const all = await history('--all');
    expect(all.map(({ command }) => command.split(' ').slice(1, 4).join(' '))).toEqual([
      'leads create --title',
      'leads update 12',
      'leads tags 12,13',
      'leads update 12',
      'leads tags 9',
    ]);
    expect(await history()).toEqual(all);
    const shown = (await runHere(['history', '--color', 'never'], at('2026-11-21T12:04:00'))).stdout.split('\n').slice(1, -1);
    expect(shown).toEqual([
      expect.stringMatching(/^ {5}.* 3 single writes +1 created, 2 changed/),
      expect.stringMatching(/^\w{4} .* crm leads tags 12,13 --add two --yes -q +2 leads changed/),
      expect.stringMatching(/^\w{4} .* crm leads tags 9 --add one +1 lead changed/),
    ]);
    expect((await runHere(['history', '--all'], at('2026-11-21T12:04:00'))).stdout).not.toContain('single writes');
    for (const columns of [80, 100]) {
      const { stdout, stderr } = await runHere(['history', '--color', 'never'], { ...at('2026-11-21T12:04:00'), columns });
      expect(stderr).toMatch(/^A line for each single write: crm history --all$/m);
      expect(stdout).toMatch(/ crm leads tags 12,13 --add /);
      // The profile, of all rows the same, gives its room to the command.
      expect(stdout.includes('Hidden: profile')).toBe(columns === 80);
    }
  });
});

describe('crm undo alone', () => {
  it('is 2 off a terminal, and names the last three', async () => {
    for (const value of ['1', '2', '3', '4']) await watched('leads', 'update', '12', '--value', value);
    const { status, stderr } = await piped('undo');
    expect(status).toBe(2);
    expect(stderr).toMatch(/Say which run\.\n.*The last runs:\n( +\w{4} {2}crm leads update 12 --value [432]\n){3}/);
    expect(stderr).not.toContain('--value 1');
  });

  it('names no run that changed nothing', async () => {
    await watched('leads', 'update', '12', '--value', '1');
    expect((await watched('leads', 'update', '12,99999', '--value', '2', '--yes')).status).toBe(8);
    expect((await watched('leads', 'update', '12,13', '--value', '2', '--yes')).status).toBe(0);
    expect((await watched('leads', 'update', '12,13', '--value', '2', '--yes')).status).toBe(0);
    expect((await watched('leads', 'update', '99998,99999', '--value', '3', '--yes')).status).toBe(8);
    const told = (await piped('undo')).stderr.split('\n').slice(-4, -1);
    expect(told).toEqual([
      expect.stringMatching(/12,13 --value 2 --yes/),
      expect.stringMatching(/12,99999 --value 2 --yes/),
      expect.stringMatching(/12 --value 1/),
    ]);
  });

  it('is 2 on a terminal where nothing was done', async () => {
    expect(await watched('undo')).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no run to take back.') });
  });
});
