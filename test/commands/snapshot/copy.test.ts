// An embedded CRM of a snapshot: the same records under the same ids, a file for each profile, made of the folder again by a reset.

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attack, makeLeads } from '../../attacks/place.ts';
import { type Crm, startSandbox } from '../../support/crm.ts';
import { runHere } from '../../support/run-here.ts';
import { snapshotOf } from './place.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-copy-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config') };
const crm = (...args: string[]): Promise<Crm> => runHere(args, { env });
const json = async (...args: string[]): Promise<unknown> => {
  const { status, stdout, stderr } = await crm(...args, '--json');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
};
const monday = join(folder, 'monday');

describe('of the demo data', () => {
  beforeAll(async () => {
    await crm('sandbox', 'init', '-q');
    expect((await crm('snapshot', monday, '--comments', '-q')).status).toBe(0);
  });

  it('holds every record as it was, and is another profile that is not the current one', async () => {
    const { status, stdout, stderr } = await crm('sandbox', 'init', '-p', 'rehearsal', '--from', monday, '--json');
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'rehearsal', data: monday, current: false });
    expect(stderr).toContain('A snapshot holds no files, no checklists, no images of signatures');
    for (const family of ['leads', 'contacts', 'proposals', 'items', 'notes', 'clients', 'team', 'categories', 'projects', 'tasks']) {
      const [one, other] = await Promise.all([json(family, 'list', '--all'), json(family, 'list', '--all', '-p', 'rehearsal')]);
      expect(other, family).toEqual(one);
    }
    const comments = ['leads', 'comments', 'list', '42'];
    expect(await json(...comments, '-p', 'rehearsal')).toEqual(await json(...comments));
  });

  it('goes on above the highest id, apart from the other embedded CRM, and a reset makes it of the folder again', async () => {
    const before = await json('leads', 'list', '--all');
    const made = await json('leads', 'create', '-p', 'rehearsal', '--title', 'New', '--status', 'Negotiation', '--category', '1');
    expect(made).toMatchObject({ id: 45 });
    expect((await crm('leads', 'delete', '1', '-p', 'rehearsal', '--yes')).status).toBe(0);
    expect(await json('leads', 'list', '--all')).toEqual(before);
    expect((await crm('sandbox', 'reset', '-p', 'rehearsal', '--yes')).status).toBe(0);
    expect(await json('leads', 'list', '--all', '-p', 'rehearsal')).toEqual(before);
  });

  it('is what crm sandbox serve serves for its profile', async () => {
    await crm('leads', 'create', '-p', 'rehearsal', '--title', 'Only here', '--status', '1', '--category', '1', '-q');
    const server = await startSandbox(['-p', 'rehearsal'], env);
    const headers = { authorization: `Bearer ${server.key}` };
    const answer = await fetch(`${server.baseUrl}/api/leads?search=Only%20here`, { headers });
    expect(await answer.json()).toMatchObject({ meta: { total: 1 } });
    await server.stop();
    expect((await crm('sandbox', 'reset', '-p', 'rehearsal', '--yes')).status).toBe(0);
  });

  it('is not served with --empty, which makes a new one', async () => {
    const { status, stderr } = await crm('sandbox', 'serve', '-p', 'rehearsal', '--empty', '--port', '0');
    expect([status, stderr]).toEqual([10, expect.stringContaining('--empty: there is an embedded CRM at')]);
    expect(stderr).toContain('Leave --empty out to serve it as it is, or name another file with --db.');
  });

  it('is refused where there is one already, and for a profile of a service', async () => {
    expect((await crm('sandbox', 'init', '-p', 'rehearsal', '--from', monday)).status).toBe(10);
    await crm('profile', 'add', 'acme', '--base-url', 'https://acme.example', '--key-command', 'echo 12345678', '--no-verify');
    for (const command of ['init', 'reset', 'serve']) {
      const { status, stderr } = await crm('sandbox', command, '-p', 'acme', ...(command === 'reset' ? ['--yes'] : []));
      expect(status, command).toBe(10);
      expect(stderr).toContain('The profile "acme" belongs to a service');
    }
    expect((await crm('sandbox', 'reset', '-p', 'nobody', '--yes')).status).toBe(3);
  });

  it('is refused of a folder that was cut off, that is none, or that was edited, and what was there stays', async () => {
    const cut = mkdtempSync(join(folder, 'cut-'));
    writeFileSync(join(cut, 'leads.ndjson'), '{"id":1}\n');
    const refused = await crm('sandbox', 'init', '-p', 'other', '--from', cut);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('it has no manifest.json, which is written last');
    expect((await crm('sandbox', 'init', '-p', 'other', '--from', join(folder, 'none'))).status).toBe(2);
    const path = join(monday, 'leads.ndjson');
    const text = readFileSync(path, 'utf8');
    appendFileSync(path, '{"id":99,"title":"Mine"}\n');
    const edited = await crm('sandbox', 'init', '-p', 'other', '--from', monday);
    expect([edited.status, existsSync(join(env.CRM_DATA_DIR, 'sandbox-other.sqlite'))]).toEqual([2, false]);
    expect(edited.stderr).toContain('leads.ndjson');
    const reset = await crm('sandbox', 'reset', '-p', 'rehearsal', '--yes');
    expect([reset.status, await json('leads', 'list', '--all', '-p', 'rehearsal')]).toEqual([2, await json('leads', 'list', '--all')]);
    writeFileSync(path, text);
  });
});

describe('of a snapshot that tells little', () => {
  const dir = mkdtempSync(join(folder, 'little-'));
  beforeAll(async () => {
    // biome-ignore format: a table
    snapshotOf(dir, {
      contacts: [
        { id: 70, first_name: 'Ada', last_name: 'Byron', email: 'ada@byron.example', client: { id: 8, company_name: 'Byron Ltd' } },
        { id: 71, first_name: 'Eve', last_name: 'Byron', email: 'ADA@byron.example', client: { id: 8, company_name: 'Byron Ltd' } },
      ],
      leads: [{ id: 500, title: 'Two sites', value: '12345678901234567890.10', status: { id: 31, title: 'In talks', color: '#123456' },
        active_state: 'archived', category: { id: 12, name: 'Fairs' }, assigned: [{ id: 41, name: 'Mary Ann Smith' }], tags: ['hot'],
        converted: { is_converted: true, client_id: 9, date: '2026-02-03' }, contact: { company_name: 'Nine plc' },
        dates: { created: '2026-01-02T03:04:05.000000Z', updated: '2026-01-03T03:04:05.000000Z' } }],
      proposals: [{ id: 3, title: 'Offer', status: 'new', lead: { id: 12, name: 'Gone since' }, category: { id: 1, name: 'Large' },
        dates: { start: '2026-01-01' } }],
      notes: [
        { id: 'n-1', title: 'No number', description: 'x' },
        { id: 2, title: 'One', description: 'x' }, { id: 2, title: 'Another', description: 'x' },
      ],
      items: [{ id: 5, description: 'Hour', rate: 90, unit: { id: 6, name: 'hour' }, default_tax: { id: 7, name: '19 %' },
        category: { id: 14, name: 'Work' } }],
    });
    const { status, stderr } = await crm('sandbox', 'init', '-p', 'little', '--from', dir);
    expect(status, stderr).toBe(0);
    const lost = "2 records can't be kept: notes n-1 (its id is no whole number that can be kept) and notes 2 (its id is there twice).";
    expect(stderr).toContain(lost);
    const reset = await crm('sandbox', 'reset', '-p', 'little', '--yes');
    expect([reset.status, reset.stderr]).toEqual([0, expect.stringContaining(lost)]);
  });

  it('statuses, units, tax rates, team and clients are what its records tell', async () => {
    expect(await json('leads', 'get', '500', '-p', 'little')).toMatchObject({
      value: '12345678901234567890.10',
      status: { id: 31, title: 'In talks', color: '#123456' },
      active_state: 'archived',
      category: { id: 12, name: 'Fairs' },
      assigned: [{ id: 41, name: 'Mary Ann Smith' }],
      converted: { is_converted: true, client_id: 9, date: '2026-02-03' },
      dates: { created: '2026-01-02T03:04:05.000000Z', updated: '2026-01-03T03:04:05.000000Z' },
    });
    expect(await json('clients', 'list', '--all', '-p', 'little', '--fields', 'id,company_name')).toEqual([
      { id: 8, company_name: 'Byron Ltd' },
    ]);
    expect(await json('team', 'get', '41', '-p', 'little')).toMatchObject({
      first_name: 'Mary',
      last_name: 'Ann Smith',
      name: 'Mary Ann Smith',
    });
    expect(await json('contacts', 'list', '--all', '-p', 'little', '--fields', 'id,email')).toEqual([
      { id: 70, email: 'ada@byron.example' },
      { id: 71, email: 'ADA@byron.example' },
    ]);
    expect(await json('items', 'get', '5', '-p', 'little')).toMatchObject({
      unit: { id: 6, name: 'hour' },
      default_tax: { id: 7, name: '19 %' },
    });
    expect(await json('proposals', 'get', '3', '-p', 'little')).toMatchObject({
      lead: { id: 12, name: 'Gone since' },
      category: { id: 1, name: 'Large' },
    });
  });

  it('and everything can be done with it: names, creates, a conversion', async () => {
    const p = ['-p', 'little'];
    expect(await json('leads', 'create', ...p, '--title', 'New', '--status', 'In talks', '--category', 'Fairs')).toMatchObject({ id: 501 });
    expect((await crm('leads', 'assign', '501', 'Mary', ...p)).status).toBe(0);
    expect(
      (await crm('leads', 'convert', '501', ...p, '--first-name', 'A', '--last-name', 'B', '--email', 'a@b.example', '--yes')).status,
    ).toBe(0);
    expect((await crm('notes', 'create', ...p, '--title', 'x', '--description', 'y', '--resource', 'lead:501')).status).toBe(0);
    expect(
      (await crm('items', 'create', ...p, '--description', 'x', '--rate', '1', '--category', '14', '--default-tax', '7', '--unit', 'hour'))
        .status,
    ).toBe(0);
  });
});

attack('a copy of a service over HTTP is listed as the service is', async (place) => {
  await makeLeads(place, 120, (number) => number % 7 === 0);
  const dir = join(place.folder, 'monday');
  expect((await place.here('snapshot', dir, '-q')).status).toBe(0);
  expect((await place.here('sandbox', 'init', '-p', 'rehearsal', '--from', dir)).status).toBe(0);
  const list = async (...flags: string[]): Promise<string[]> =>
    (await place.here('leads', 'list', '--all', '-o', 'ndjson', '--all-fields', ...flags)).stdout.trimEnd().split('\n').toSorted();
  expect(await list('-p', 'rehearsal')).toEqual(await list());
});
