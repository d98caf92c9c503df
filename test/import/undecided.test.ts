// Rows that were sent and of which nobody can tell what became: what is said, and what a person decides.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rowDigest } from '../../src/import/rows/row.ts';
import { atRun } from '../support/journal.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

const dataDir = (): string => join(shop.folder, 'data');
const importOf = (...flags: string[]) => shop.crm(['leads', 'import', 'f.csv', '--json', ...flags]);
const leads = async (): Promise<{ id: number; title: string }[]> =>
  (await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'created', '--order', 'asc'])).json() as { id: number; title: string }[];

/** An import that stopped at line 3 of 6; line 5 was sent an hour ago, and meanwhile somebody made a lead that is alike. */
async function undecided(): Promise<{ renamed: number; run: string }> {
  shop.write('f.csv', 'title,status,category\nA,1,1\nB,99,1\nC,1,1\nD,1,1\nE,1,1\n');
  const { run } = (await importOf('--max-errors', '1', '--concurrency', '1')).json() as { run: string };
  const body = new Map<string, string | number>(Object.entries({ lead_title: 'D', lead_status: 1, lead_categoryid: 1 }));
  const digest = Buffer.from(rowDigest({ number: 4, line: 5, body }), 'latin1');
  const path = atRun(dataDir(), run, (open) => {
    open.begin(30_000);
    open.intend([{ n: 4, key: 'line 5', family: 'leads', digest }]);
    open.sent(4, { kind: 'create' });
    open.leave();
    return open.file.path ?? '';
  });
  const database = new DatabaseSync(path);
  database.exec('UPDATE steps SET sent_at = sent_at - 3600000 WHERE n = 4');
  database.close();
  const { id } = (await shop.crm(['leads', 'create', '--title', 'X', '--status', '1', '--category', '1', '--json'])).json() as {
    id: number;
  };
  await sleep(1100);
  await shop.crm(['leads', 'update', String(id), '--title', 'd']);
  return { renamed: id, run };
}

const decide =
  'Look at the service, then say for each line: crm leads import f.csv --json --resume --send-again LINES, or --arrived LINE=ID';

describe('a row that may have made what is only alike', () => {
  it('is not sent, is unknown and no reject, and keeps the import unfinished', async () => {
    const { renamed } = await undecided();
    const plain = await shop.crm(['leads', 'import', 'f.csv']);
    expect([plain.status, plain.stderr]).toEqual([
      10,
      expect.stringContaining('An import of f.csv is unfinished: 1 done, up to 1 more may be there, of 5 rows. Nothing was sent.'),
    ]);
    const { status, json, stderr } = await importOf('--resume', '--rejects', 'r.csv');
    expect([status, json()]).toMatchObject([8, { total: 5, created: 3, failed: 1, unknown: 1 }]);
    expect(JSON.parse(stderr).error).toMatchObject({
      message: '5 rows, 1 failed, 1 of unknown outcome.',
      fields: [
        { name: 'line 3', messages: ['status: The selected lead status is invalid.'] },
        { name: 'line 5', messages: [`The request may have made leads ${renamed}, unless somebody else did.`] },
      ],
      hint: expect.stringContaining(decide.replace('--json', '--rejects r.csv --json')),
    });
    expect(shop.read('r.csv')).not.toContain('D,');
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'd', 'C', 'E']);
    const again = await importOf('--resume');
    expect([again.status, again.json()]).toMatchObject([8, { created: 3, unknown: 1 }]);
    expect(JSON.parse(again.stderr).error.hint).toContain(decide);
  });

  it('is sent again when somebody says so', async () => {
    await undecided();
    const { status, json } = await importOf('--resume', '--send-again', '5', '--concurrency', '1');
    expect([status, json()]).toMatchObject([8, { total: 5, created: 4, failed: 1, unknown: 0 }]);
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'd', 'C', 'D', 'E']);
  });

  it('is done when somebody says which record it made', async () => {
    const { renamed, run } = await undecided();
    const { status, json } = await importOf('--resume', '--arrived', `5=${renamed}`);
    expect([status, json()]).toMatchObject([8, { total: 5, created: 4, failed: 1, unknown: 0 }]);
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'd', 'C', 'E']);
    atRun(dataDir(), run, (open) => expect(open.made(4)).toMatchObject([{ id: renamed, own: true }]));
  });

  it.each([
    [['--send-again', '5'], 2, '--send-again: unknown rows are decided with --resume.'],
    [['--arrived', '5=1'], 2, '--arrived: unknown rows are decided with --resume.'],
    [['--resume', '--again'], 2, '--again begins anew, and --resume goes on: give one of them.'],
    [['--resume', '--send-again', '2'], 2, '--send-again: the outcome of line 2 is known.'],
    [['--resume', '--send-again', '4-6'], 2, '--send-again: the outcome of line 4 is known.'],
    [['--resume', '--send-again', '5,x'], 2, '--send-again: "x" is not a line or a range such as 20-25.'],
    [['--resume', '--send-again', '6-5'], 2, '--send-again: "6-5" is not a line or a range such as 20-25.'],
    [['--resume', '--arrived', '5'], 2, '--arrived: "5" is not LINE=ID.'],
    [['--resume', '--arrived', '4=2'], 2, '--arrived: the outcome of line 4 is known.'],
    [['--resume', '--arrived', '5=999'], 3, '--arrived 5=999: there is no lead 999.'],
    [['--resume', '--arrived', '5=1'], 2, '--arrived: line 2 made the lead 1.'],
  ])('%s is refused, and nothing is sent or decided', async (flags, status, message) => {
    const { run } = await undecided();
    const before = await leads();
    const ended = await shop.crm(['leads', 'import', 'f.csv', ...flags]);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(message)]);
    expect(await leads()).toEqual(before);
    atRun(dataDir(), run, (open) => expect([open.counts().lost, open.state(4)]).toEqual([1, 'sent']));
  });
});
