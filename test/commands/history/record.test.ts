// `history --record leads:12`: what crm on this machine did to a record. Also what stands in the history and can't be taken back.

import { beforeEach, describe, expect, it } from 'vitest';
import { eachWorkshop } from '../../import/support.ts';

const shop = eachWorkshop({ demo: true });
const watched = (...argv: string[]) => shop.crm(argv, { tty: true, columns: 160, stdin: 'y\n' });
const piped = async (...argv: string[]) => {
  const ended = await shop.crm(argv);
  expect(ended.status, ended.stderr).toBe(0);
  return ended;
};
const recordOf = async (record: string) =>
  (await piped('history', '--record', record, '--json')).json() as {
    command: string;
    field: string;
    old: string;
    new: string;
    outcome: string;
    run: string;
  }[];

describe('history --record', () => {
  it('tells old and new values with names, the newest first, of every kind of run', async () => {
    await piped('leads', 'update', '12,13', '--source', 'One', '--value', '5', '--yes');
    shop.write('f.csv', 'id,source\n12,Two\n14,Two\n');
    await piped('leads', 'import', 'f.csv', '--mode', 'update');
    await piped('leads', 'status', '12,13', '--to', 'Lost', '--yes');
    await watched('leads', 'assign', '12', 'Priya Raman');
    const rows = await recordOf('leads:12');
    expect(rows.map(({ field, new: now }) => [field, now])).toEqual([
      ['assigned', 'Priya Raman'],
      ['status', 'Lost'],
      ['source', 'Two'],
      ['value', '5.00'],
      ['source', 'One'],
    ]);
    expect(rows[1]).toMatchObject({ command: 'crm leads status 12,13 --to Lost --yes', old: 'Qualified', outcome: 'changed' });
    expect(rows[2]).toMatchObject({ old: 'One', outcome: 'updated' });
    expect(await recordOf('lead:12')).toEqual(rows);
    expect((await recordOf('leads:14')).map(({ field }) => field)).toEqual(['source']);
    // --limit cuts the rows of each view, and says so.
    const { run } = ((await piped('history', '--json')).json() as { run: string }[])[3] ?? {};
    for (const [words, all] of [
      [[], '4 runs'],
      [['show', String(run)], '4 rows'],
      [['--record', 'leads:12'], '5 rows'],
    ] as const) {
      const cut = await piped('history', ...words, '--limit', '1', '--json');
      expect([cut.json(), cut.stderr]).toEqual([[expect.anything()], expect.stringContaining(`1 of ${all}. More: --limit 2\n`)]);
    }
  });

  it('says what it does not know, also where there is nothing', async () => {
    const says = 'Single writes of scripts are not noted, and what others changed is not known here.\n';
    expect((await piped('history', '--record', 'leads:12')).stderr).toBe(`Nothing is noted of lead 12. ${says}`);
    await piped('leads', 'tags', '12,13', '--add', 'x', '--yes');
    expect((await piped('history', '--record', 'leads:12')).stderr).toBe(`This is what crm on this machine did to lead 12. ${says}`);
  });

  it.each(['12', 'leads', 'leads:', 'leads:x', 'clients:3', 'lead 12'])('--record %s is refused', async (record) => {
    expect(await shop.crm(['history', '--record', record])).toMatchObject({ status: 2, stderr: expect.stringContaining('--record') });
  });
});

describe('what can not be taken back', () => {
  beforeEach(() => piped('leads', 'tags', '13,14', '--add', 'x', '--yes'));

  it.each([
    [
      'a delete',
      ['leads', 'delete', '12'],
      '1 lead deleted',
      { field: 'title', old: 'Blood bank, sample tracking', new: null, outcome: 'deleted' },
    ],
    ['a delete with --yes', ['leads', 'delete', '12', '--yes'], '1 lead deleted', { old: 'Blood bank, sample tracking' }],
    ['deletes', ['leads', 'delete', '12,15', '--yes'], '2 leads deleted', { field: 'title', old: 'Blood bank, sample tracking' }],
    [
      'a conversion',
      ['leads', 'convert', '12'],
      '1 lead converted',
      { field: 'client', new: 'Blodcentralen Uppsala', outcome: 'converted' },
    ],
  ])('%s is in the history, with little of the record', async (_name, argv, did, value) => {
    expect(await watched(...argv)).toMatchObject({ status: 0 });
    const [run] = (await piped('history', '--json')).json() as { did: string; left: string; run: string }[];
    expect(run).toMatchObject({ did, left: "can't be taken back" });
    expect(await recordOf('leads:12')).toEqual([expect.objectContaining(value)]);
    const all = (await piped('history', run?.run ?? '', '--json')).stdout;
    expect(all).not.toMatch(/elin|sjoberg|88000/i);
    const screen = (await watched('history')).stdout;
    expect(screen).toContain("can't be taken back");
  });

  it('crm undo right behind one says so, and names no other run', async () => {
    await watched('leads', 'delete', '12');
    await watched('leads', 'convert', '15');
    const { status, stderr } = await watched('undo');
    expect(status).toBe(10);
    expect(stderr).toMatch(/The last run can't be taken back: \w{4} {2}crm leads convert 15 \(1 lead converted\)/);
    expect(stderr).not.toContain('crm undo');
  });

  it('the question of a conversion says how many proposals move', async () => {
    const [{ lead }] = (await piped('proposals', 'list', '--where', 'has:lead', '--json')).json() as [{ lead: { id: number } }];
    const count = ((await piped('proposals', 'list', '--lead', String(lead.id), '--json')).json() as unknown[]).length;
    const { stderr } = await shop.crm(['leads', 'convert', String(lead.id)], { tty: true, columns: 400, stdin: 'n\n' });
    expect(stderr).toContain(count === 1 ? ' 1 proposal moves to the client.' : ` ${count} proposals move to the client.`);
    const without = await shop.crm(['leads', 'convert', '12'], { tty: true, columns: 400, stdin: 'n\n' });
    expect(without.stderr).not.toContain('proposal');
  });
});

it('history show --failed lists what failed, each with its id', async () => {
  shop.write('f.csv', 'family,id,status,was.status\nleads,12,Lost,Qualified\nleads,13,Lost,New\nleads,9999,Lost,New\n');
  const { stderr } = await shop.crm(['apply', 'f.csv']);
  const [, run = ''] = /See them again: crm history show (\w{4}) --failed/.exec(stderr) ?? [];
  expect((await piped('history', 'show', run, '--failed', '--json')).json()).toMatchObject([
    { id: 13, outcome: 'conflict' },
    { id: 9999, outcome: 'failed', error: 'Lead 9999 not found.' },
  ]);
  const { stdout } = await shop.crm(['history', 'show', run, '--failed'], { tty: true, columns: 80 });
  expect(stdout.replaceAll(/\n +/g, ' ')).toMatch(
    /^lead {4}13 {2}conflict {2}Changed meanwhile, so left as it is: status is Negotiation now, not New\.\nlead {2}9999 {2}failed {4}Lead 9999 not found\.[^…]*\n$/,
  );
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(((await piped('history', 'show', run, '--json')).json() as unknown[])[0]).toMatchObject({
    field: 'status',
    old: 'Qualified',
    new: 'Lost',
  });
});
