// Rows that know when their records were last changed: what somebody changed since is not overwritten unless that is said.

import { beforeEach, describe, expect, it } from 'vitest';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

beforeEach(async () => {
  shop.write('new.csv', 'title,status,category,phone\nA,1,1,1\nB,1,1,2\nC,1,1,3\n');
  await shop.crm(['leads', 'import', 'new.csv']);
  const { stdout } = await shop.crm(['leads', 'list', '--all', '--csv', '--sort', 'created', '--order', 'asc']);
  shop.write('export.csv', stdout);
});

const update = (name: string, ...flags: string[]) => shop.crm(['leads', 'import', name, '--mode', 'update', '--json', ...flags]);
const phones = async (): Promise<unknown[]> => {
  const all = (await shop.crm(['leads', 'list', '--all', '--json', '--sort', 'created', '--order', 'asc'])).json();
  return (all as { contact: { phone: unknown } }[]).map(({ contact }) => contact.phone);
};
/** The export with other phones: 1 becomes 100. */
const edited = (): string => shop.read('export.csv').replaceAll(/,([123]),,,,,/g, ',$100,,,,,');

describe('an export that comes back', () => {
  it('spares what was changed since, says how, and sends it with --overwrite-newer', async () => {
    shop.write('f.csv', edited());
    await shop.crm(['leads', 'update', '2', '--phone', '555']);
    const { status, stdout, stderr } = await update('f.csv', '--rejects', 'r.csv', '-q');
    expect([status, JSON.parse(stdout)]).toMatchObject([
      8,
      { total: 3, updated: 2, unchanged: 0, failed: 0, conflicts: 1, rejects: 'r.csv' },
    ]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'partial', message: '3 rows, 1 in conflict.' });
    expect(JSON.parse(stderr).error.hint).toMatch(
      /\n--overwrite-newer sends the rows of records that were changed since the file was written\.$/,
    );
    expect(JSON.parse(stderr).error.fields).toMatchObject([
      {
        name: 'line 3',
        messages: [
          expect.stringMatching(
            /^conflict: changed on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, after the file was written: phone is '555' there, '200' in the file\.$/,
          ),
        ],
      },
    ]);
    expect(await phones()).toEqual(['100', '555', '300']);
    // The rejects still carry the old time: imported as they are, they are in conflict again.
    expect((await update('r.csv')).json()).toMatchObject({ total: 1, conflicts: 1 });
    expect((await update('r.csv', '--overwrite-newer')).json()).toMatchObject({ total: 1, updated: 1, conflicts: 0 });
    expect(await phones()).toEqual(['100', '200', '300']);
  });

  it('goes in again without a conflict: what is as it should be is none', async () => {
    shop.write('f.csv', edited());
    expect((await update('f.csv')).json()).toMatchObject({ updated: 3, conflicts: 0 });
    expect((await update('f.csv')).json()).toMatchObject({ updated: 0, unchanged: 3, conflicts: 0 });
  });

  it('as JSON says the same, and --dry-run tells before', async () => {
    const { stdout } = await shop.crm(['leads', 'list', '--all', '-o', 'ndjson']);
    shop.write('f.ndjson', stdout.replaceAll('"phone":"2"', '"phone":"200"'));
    await shop.crm(['leads', 'update', '2', '--phone', '555']);
    const dry = await update('f.ndjson', '--dry-run');
    expect([dry.status, dry.json()]).toMatchObject([8, { counts: { unchanged: 2, conflicts: 1, would_change: 0 } }]);
    expect((dry.json() as { rows: unknown[] }).rows).toContainEqual({
      line: 2,
      id: 2,
      title: 'B',
      outcome: 'conflict',
      changes: [{ field: 'phone', old: '555', new: '200' }],
      error: expect.stringMatching(/^conflict: changed on /),
    });
    expect(await phones()).toEqual(['1', '555', '3']);
  });
});

describe("the file's time", () => {
  const now = '2099-01-02T03:04:05.000000Z';

  it.each([
    ['2099-01-02T03:04:05.000000Z', 1],
    ['2001-01-02 03:04:05', 0],
    ['2001-01-02', 0],
    ['31.01.2001 03:04', 0],
    ['1/31/2001', 0],
    ['', 1],
  ])('"%s" lets %i go in', async (time, updated) => {
    shop.write('f.csv', `id,phone,dates.updated\n1,100,${time}\n`);
    expect((await update('f.csv')).json()).toMatchObject({ updated, conflicts: 1 - updated });
  });

  it('under a name of its own is compared with --map', async () => {
    shop.write('f.csv', 'id,phone,Changed\n1,100,2001-01-02\n');
    expect((await update('f.csv', '--map', 'Changed=dates.updated')).json()).toMatchObject({ conflicts: 1 });
  });

  it.each([
    ['soon', 'Leave'],
    ['2026-13-01', 'Leave'],
    ['05.06.2026 09:12', 'Say with --date-order dmy or mdy how days are written, or leave'],
  ])('"%s" is refused, and can be passed over', async (time, wayOut) => {
    shop.write('f.csv', `id,phone,dates.updated\n1,100,${time}\n`);
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--mode', 'update']);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(
        `line 2, column dates.updated: "${time}" is no time such as 2026-11-18T09:12:44Z. ${wayOut} the column out with --map dates.updated=`,
      ),
    ]);
    expect((await update('f.csv', '--map', 'dates.updated=')).json()).toMatchObject({ updated: 1 });
  });

  it('is read as --date-order says', async () => {
    const now = new Date();
    const [day, month] = [1, now.getUTCMonth() + 1].map((part) => String(part).padStart(2, '0'));
    const year = now.getUTCFullYear();
    shop.write('f.csv', `id,phone,dates.updated\n1,100,${day}.${month}.${year + 1}\n2,200,${day}.${month}.${year - 1}\n`);
    expect((await update('f.csv', '--date-order', 'dmy')).json()).toMatchObject({ updated: 1, conflicts: 1 });
  });

  it('is passed over for new records', async () => {
    shop.write('f.csv', `title,status,category,dates.updated\nD,1,1,soon\n`);
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv']);
    const told = /^Not sent, because an import can't write: dates\.updated\.\nUndo: crm undo \w{4}\n$/;
    expect([status, stderr]).toEqual([0, expect.stringMatching(told)]);
    shop.write('g.csv', `title,status,category,dates.updated\nE,1,1,${now}\n`);
    expect((await shop.crm(['leads', 'import', 'g.csv', '--mode', 'upsert', '--match', 'title', '--json'])).json()).toMatchObject({
      created: 1,
    });
    const refused = await shop.crm(['leads', 'import', 'g.csv', '--overwrite-newer']);
    expect([refused.status, refused.stderr]).toEqual([2, 'error: --overwrite-newer is for --mode update and upsert.\n']);
  });
});
