// Rows that were sent and of which nobody can tell what became: what is said, and how a person decides.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rowDigests } from '../../src/import/rows/row.ts';
import { leads as leadFamily } from '../../src/model/resources/leads.ts';
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
  const digest = Buffer.from(rowDigests({ resource: leadFamily })({ number: 4, line: 5, body }).own, 'latin1');
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

describe('a row that may have made what is only alike', () => {
  it('is not sent, is unknown and in the rejects, and the import is finished', async () => {
    const { renamed } = await undecided();
    const plain = await shop.crm(['leads', 'import', 'f.csv']);
    expect([plain.status, plain.stderr]).toEqual([
      10,
      expect.stringContaining('An import of f.csv is unfinished: 1 done, up to 1 more may be there, of 5 rows. Nothing was sent.'),
    ]);
    const { status, json, stderr } = await importOf('--resume', '--rejects', 'r.csv');
    expect([status, json()]).toMatchObject([8, { total: 5, created: 3, failed: 1, unknown: 1, rejects: 'r.csv' }]);
    const may = `The request may have made leads ${renamed}, unless somebody else did.`;
    expect(JSON.parse(stderr).error).toMatchObject({
      message: '5 rows, 1 failed, 1 of unknown outcome.',
      fields: [
        { name: 'line 3', messages: ['status: The selected lead status is invalid.'] },
        { name: 'line 5', messages: [may] },
      ],
      hint: [
        'The failed and unknown rows are in r.csv. Repair them. Look which unknown rows arrived, and delete these rows, then: crm leads import r.csv --json',
        'To look for the unknown rows once more: crm leads import f.csv --rejects r.csv --json --resume',
      ].join('\n'),
    });
    expect(shop.read('r.csv')).toBe(
      [
        'title,status,category,_line,_status,_error',
        'B,99,1,3,422,status: The selected lead status is invalid.',
        `D,1,1,5,unknown,"${may}"`,
        '',
      ].join('\r\n'),
    );
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'd', 'C', 'E']);
    const [row] = (await shop.crm(['history', '--json'])).json() as { state: string; left: unknown }[];
    expect(row).toMatchObject({ state: 'done', left: null });
  });

  it('is created by the file of rejects, and is then known to --resume', async () => {
    await undecided();
    await importOf('--resume', '--rejects', 'r.csv');
    shop.write('r.csv', shop.read('r.csv').replace(/B,99.*\r\n/, ''));
    expect(await shop.crm(['leads', 'import', 'r.csv'])).toMatchObject({ status: 0 });
    const titles = ['A', 'd', 'C', 'E', 'D'];
    expect((await leads()).map(({ title }) => title)).toEqual(titles);
    // The alike record is gone, so that a look alone would send the row once more.
    await shop.crm(['leads', 'delete', String((await leads())[1]?.id), '--yes']);
    expect((await importOf('--resume')).json()).toMatchObject({ created: 3, unchanged: 1, unknown: 0 });
    expect((await leads()).map(({ title }) => title)).toEqual(titles.filter((title) => title !== 'd'));
  });

  it('is looked for once more by --resume', async () => {
    const { renamed } = await undecided();
    await importOf('--resume');
    const again = await importOf('--resume');
    expect([again.status, again.json()]).toMatchObject([8, { created: 3, unknown: 1 }]);
    expect(JSON.parse(again.stderr).error.hint).toBe(
      [
        'The failed and unknown rows as a file: crm leads import f.csv --json --resume --rejects FILE',
        'To look for the unknown rows once more: crm leads import f.csv --json --resume',
      ].join('\n'),
    );
    await shop.crm(['leads', 'update', String(renamed), '--title', 'Something else']);
    expect((await importOf('--resume')).json()).toMatchObject({ created: 4, unknown: 0 });
    expect((await leads()).map(({ title }) => title)).toEqual(['A', 'Something else', 'C', 'E', 'D']);
  });

  it('is refused in its own file, also where no other row was created', async () => {
    const { run } = await undecided();
    await importOf('--resume', '--rejects', 'r.csv');
    shop.write('one.csv', 'title,status,category\nD,1,1\n');
    const own = await shop.crm(['leads', 'import', 'one.csv']);
    expect([own.status, own.stderr]).toEqual([
      10,
      expect.stringContaining('An import of f.csv may have created 1 of 1 row: nobody can tell. Nothing was sent.'),
    ]);
    expect(own.stderr).toContain('add --again');
    atRun(dataDir(), run, (open) => expect([open.counts().lost, open.state(4)]).toEqual([1, 'sent']));
  });

  it('--again and --resume are refused together', async () => {
    const { status, stderr } = await importOf('--resume', '--again');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--again begins anew, and --resume goes on: give one of them.')]);
  });
});
