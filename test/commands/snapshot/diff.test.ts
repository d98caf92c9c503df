// What is different between two snapshots, or between a snapshot and the service, by ids and by types.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attack, makeLeads } from '../../attacks/place.ts';
import type { Crm } from '../../support/crm.ts';
import type { Told } from '../../support/faulty-proxy.ts';
import { runHere } from '../../support/run-here.ts';
import { leadRecord, snapshotOf } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config') };
const crm = (...args: string[]): Promise<Crm> => runHere(args, { env });
let number = 0;
const leadsIn = (...leads: object[]): string => {
  number += 1;
  return snapshotOf(join(folder, `s${number}`), { leads });
};

interface Row {
  readonly family: string;
  readonly id: number;
  readonly change: string;
  readonly field: string | null;
  readonly old: string | null;
  readonly new: string | null;
}

async function rowsOf(...args: string[]): Promise<Row[]> {
  const { status, stdout, stderr } = await crm('diff', ...args, '--json');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}
const texts = (rows: readonly Row[]): string[] =>
  rows.map((row) => `${row.family} ${row.id} ${row.change} ${row.field ?? '-'}: ${row.old ?? '-'} > ${row.new ?? '-'}`);

describe('two snapshots', () => {
  it('by id: what was added, what is gone, and each value that differs', async () => {
    const old = leadsIn(leadRecord(1), leadRecord(2), leadRecord(3), leadRecord(12345678901234));
    const now = leadsIn(
      leadRecord(5),
      leadRecord(3, { title: 'Three', source: null, active_state: 'archived' }),
      leadRecord(1),
      leadRecord(12345678901234, { converted: { is_converted: true, client_id: 4, date: '2026-02-02' } }),
    );
    expect(texts(await rowsOf(old, now))).toEqual([
      'leads 5 added -: - > -',
      'leads 3 changed title: Lead 3 > Three',
      'leads 3 changed source: Web > -',
      'leads 3 changed active_state: active > archived',
      'leads 12345678901234 changed converted.is_converted: false > true',
      'leads 2 gone -: - > -',
    ]);
  });

  // biome-ignore format: a table
  it.each([
    ['money with other zeros', { value: '100' }],
    ['line ends', { description: 'a\r\nb' }],
    ['time stamps and colours', { dates: { created: '2025-01-01', updated: '2026-09-09' },
      status: { id: 1, title: 'New', color: '#ffffff' } }],
    ['sets in another order', { tags: ['b', 'a'], assigned: [{ id: 2, name: 'Tom' }, { id: 1, name: 'Ada' }] }],
    ['members that no document names', { score: 7 }],
  ])('%s are no difference', async (_name, more) => {
    const sets = {
      tags: ['a', 'b'],
      assigned: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Tom' },
      ],
    };
    const old = leadsIn(leadRecord(1, { ...sets, value: '100.00', description: 'a\nb' }));
    const now = leadsIn(leadRecord(1, { ...sets, value: '100.00', description: 'a\nb', ...more }));
    expect(await rowsOf(old, now)).toEqual([]);
    expect((await crm('diff', old, now)).stderr).toBe('Nothing differs.\n');
  });

  it('a letter more in a long text, another case and a large number are differences', async () => {
    const long = 'A long text that somebody goes on writing, one word after the other';
    const old = leadsIn(leadRecord(1, { description: long, source: 'web', value: '12345678901234567890.10' }));
    const now = leadsIn(leadRecord(1, { description: `${long}, again`, source: 'Web', value: '12345678901234567890.20' }));
    expect((await rowsOf(old, now)).map(({ field }) => field)).toEqual(['value', 'source', 'description']);
  });

  it('a status that has another name is one line, and relations go by id', async () => {
    const renamed = { status: { id: 1, title: 'Fresh', color: '#111111' } };
    const old = leadsIn(...[1, 2, 3, 4].map((id) => leadRecord(id)));
    const now = leadsIn(
      ...[1, 2, 3].map((id) => leadRecord(id, renamed)),
      // Another one that has the old name.
      leadRecord(4, { status: { id: 9, title: 'New', color: '#111111' } }),
    );
    expect(texts(await rowsOf(old, now))).toEqual(['lead status 1 renamed -: New > Fresh', 'leads 4 changed status: New > New']);
  });

  it('--csv has a row a value; --gone has the records themselves', async () => {
    const old = leadsIn(leadRecord(1), leadRecord(2, { value: '12345678901234567890.10' }));
    const now = leadsIn(leadRecord(1, { source: 'Fair' }));
    expect((await crm('diff', old, now, '--csv')).stdout).toBe(
      'family,id,title,change,field,old,new\nleads,1,Lead 1,changed,source,Web,Fair\nleads,2,Lead 2,gone,,,\n'.replaceAll('\n', '\r\n'),
    );
    const gone = await crm('diff', old, now, '--family', 'leads', '--gone', '-o', 'ndjson');
    expect(gone.stdout).toBe(`${JSON.stringify(leadRecord(2, { value: '12345678901234567890.10' }))}\n`);
    expect((await crm('diff', old, now, '--gone')).status).toBe(2);
  });

  it('gates count the records that differ', async () => {
    const old = leadsIn(leadRecord(1), leadRecord(2));
    const now = leadsIn(leadRecord(1, { source: 'Fair', title: 'Other' }));
    const status = async (...more: string[]): Promise<number | null> => (await crm('diff', old, now, ...more)).status;
    expect(await status('--at-most', '2')).toBe(0);
    expect(await status('--at-most', '1')).toBe(11);
    expect(await status('--at-least', '3', '--csv')).toBe(11);
    const { stdout, stderr } = await crm('diff', old, now, '--at-most', '1', '--json');
    expect([JSON.parse(stdout).length, JSON.parse(stderr).error.code]).toEqual([3, 'found']);
  });

  it('a family that one of the two lacks is named, and refused where it was asked for', async () => {
    const old = leadsIn(leadRecord(1));
    const now = snapshotOf(join(folder, 'more'), { leads: [leadRecord(1)], notes: [] });
    expect((await crm('diff', old, now)).stderr).toBe(
      'Nothing differs.\nNot compared, because only one of the snapshots has them: notes.\n',
    );
    expect((await crm('diff', old, now, '--family', 'notes')).status).toBe(2);
  });

  it('one that was cut off or edited is refused', async () => {
    const [old, now] = [leadsIn(leadRecord(1)), leadsIn(leadRecord(1))];
    writeFileSync(join(now, 'leads.ndjson'), '{"id":1}\n');
    expect((await crm('diff', old, now)).status).toBe(2);
    rmSync(join(old, 'manifest.json'));
    const { status, stderr } = await crm('diff', old);
    expect([status, stderr]).toEqual([2, expect.stringContaining('it has no manifest.json, which is written last')]);
  });

  it('one of which a member is a folder is refused', async () => {
    const [old, now] = [leadsIn(leadRecord(1)), leadsIn(leadRecord(1))];
    rmSync(join(old, 'leads.ndjson'));
    mkdirSync(join(old, 'leads.ndjson'));
    const { status, stderr } = await crm('diff', old, now);
    expect([status, stderr]).toEqual([2, expect.stringContaining('leads.ndjson')]);
  });

  it('one with more than 500,000 records of a family is not compared', async () => {
    const [old, now] = [leadsIn(leadRecord(1)), leadsIn(leadRecord(1))];
    const path = join(old, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"records":1', '"records":500001'));
    const { status, stderr } = await crm('diff', old, now);
    expect([status, stderr]).toEqual([2, expect.stringContaining('There are more than 500000 leads')]);
  });
});

describe('the service as it is', () => {
  const monday = join(folder, 'monday');
  beforeAll(async () => {
    await crm('sandbox', 'init', '-q');
    await crm('snapshot', monday, '-q');
  });

  it('is compared where no other snapshot is given, and a plan puts the old values back', async () => {
    expect(await rowsOf(monday)).toEqual([]);
    const writes = [
      ['leads', 'update', '12', '--value', '5', '--source', 'Web'],
      ['leads', 'update', '13', '--category', 'Outbound'],
      ['leads', 'archive', '3'],
      ['leads', 'tags', '5', '--add', 'hot'],
      ['leads', 'delete', '4', '--yes'],
    ];
    for (const args of writes) expect((await crm(...args, '-q')).status, args.join(' ')).toBe(0);
    const rows = await rowsOf(monday);
    expect(new Set(texts(rows))).toEqual(
      new Set([
        'leads 12 changed value: 88000.00 > 5.00',
        'leads 12 changed source: Trade fair > Web',
        expect.stringMatching(/^leads 13 changed category: \w+ > Outbound$/),
        'leads 3 changed active_state: active > archived',
        'leads 5 changed tags: health; multi-site; enterprise > health; multi-site; enterprise; hot',
        'leads 4 gone -: - > -',
      ]),
    );
    const plan = join(folder, 'back.csv');
    const planned = await crm('diff', monday, '--family', 'leads', '--plan', plan, '--json');
    expect([planned.status, JSON.parse(planned.stdout)], planned.stderr).toEqual([0, rows]);
    expect(planned.stderr).toContain(`puts back 5 values of ${monday}.`);
    expect(planned.stderr).toContain(`crm apply ${plan}`);
    const [header = '', ...lines] = readFileSync(plan, 'utf8').trimEnd().split(/\r?\n/);
    expect(header.split(',').slice(0, 3)).toEqual(['family', 'id', 'was.title']);
    const columns = header.split(',');
    // From the end: the title has a comma.
    const cell = (name: string): string | undefined =>
      lines
        .find((line) => line.startsWith('leads,3,'))
        ?.split(',')
        .at(columns.indexOf(name) - columns.length);
    expect([cell('active_state'), cell('was.active_state')]).toEqual(['active', 'archived']);
    expect(lines).toHaveLength(4);
    // Nothing was sent, and a file that is there is not overwritten.
    expect(await rowsOf(monday)).toEqual(rows);
    expect((await crm('diff', monday, '--family', 'leads', '--plan', plan)).status).toBe(2);
    expect((await crm('diff', monday, '--plan', join(folder, 'other.csv'))).status).toBe(2);
    expect((await crm('diff', monday, '--family', 'team', '--plan', join(folder, 'other.csv'))).status).toBe(2);
    const applied = await crm('apply', plan);
    expect(applied.status, applied.stderr).toBe(0);
    expect(texts(await rowsOf(monday))).toEqual(['leads 4 gone -: - > -']);
  });

  it('an import creates anew what is gone', async () => {
    const file = join(folder, 'gone.ndjson');
    const gone = await crm('diff', monday, '--family', 'leads', '--gone', '-o', 'ndjson');
    writeFileSync(file, gone.stdout);
    const imported = await crm('leads', 'import', file, '--yes', '--json');
    expect(JSON.parse(imported.stdout), imported.stderr).toMatchObject({ created: 1, failed: 0 });
    const [record] = JSON.parse((await crm('leads', 'list', '--limit', '1', '--json')).stdout);
    const { id, dates, ...values } = JSON.parse(gone.stdout);
    expect(record).toMatchObject(values);
    expect(record.id).toBeGreaterThan(id);
  });

  it('values go back under the name that a status has by now', async () => {
    const dir = snapshotOf(join(folder, 'renamed'), { leads: [leadRecord(1), leadRecord(2)] });
    const now = snapshotOf(join(folder, 'renamed-now'), {
      leads: [
        leadRecord(1, { status: { id: 1, title: 'Fresh', color: '#111111' } }),
        leadRecord(2, { status: { id: 3, title: 'Won', color: '#111111' } }),
      ],
    });
    const plan = join(folder, 'renamed.csv');
    expect((await crm('diff', dir, now, '--family', 'leads', '--plan', plan)).status).toBe(0);
    expect(readFileSync(plan, 'utf8').split(/\r?\n/)).toEqual(['family,id,was.title,status,was.status', 'leads,2,Lead 2,Fresh,Won', '']);
  });
});

attack('a service whose list moves while it is compared is 7, never records that are gone', async (place) => {
  await makeLeads(place, 230);
  const dir = join(place.folder, 'monday');
  expect((await place.here('snapshot', dir, '--family', 'leads', '-q')).status).toBe(0);
  expect(await place.here('diff', dir, '--at-most', '0')).toMatchObject({ status: 0, stderr: 'Nothing differs.\n' });
  const less = (meant: Told): Told => {
    const page = meant.body as { data: unknown[] };
    return { ...meant, body: { ...page, data: page.data.slice(1) } };
  };
  place.proxy.change({ answer: ({ family, query }) => (family === 'leads' && query.get('page') === '2' ? { answer: less } : undefined) });
  expect(await place.here('diff', dir, '--csv')).toMatchObject({ status: 7, stdout: '' });
});
