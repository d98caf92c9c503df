// Names across commands, with a profile: what was read is known later, for what the service lacks, and a name that has changed in
// between is said.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { LEAD, list } from '../../wire/records.ts';

const origin = 'https://crm.test';
let cwd: string;
let sent: string[];
/** The same, with their queries. */
let asked: string[];

beforeAll(() => nock.disableNetConnect());
afterAll(() => nock.enableNetConnect());
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'crm-remembered-'));
  setProfile();
  sent = [];
  asked = [];
});
afterEach(() => {
  nock.cleanAll();
  rmSync(cwd, { recursive: true });
});

function setProfile(more: object = {}): void {
  const profile = { baseUrl: origin, key: 'wire-test-key-123456', encoding: 'form', ...more };
  writeFileSync(join(cwd, 'config.json'), JSON.stringify({ version: 1, current: 'acme', profiles: { acme: profile } }));
}

const crm = (...args: string[]) => runHere(args, { env: { CRM_CONFIG_DIR: cwd, CRM_DATA_DIR: cwd }, cwd });

/** Answers by method and path from now on; anything else is 404, as where a service lacks a list. */
function serve(answers: Readonly<Record<string, unknown>>): void {
  nock.cleanAll();
  const answer = ({ url, method }: Request): [number, unknown] => {
    const { pathname, search } = new URL(url);
    const own = `${method} ${pathname}`;
    const whole = `${own}${search}`;
    sent.push(own);
    asked.push(whole);
    if (whole in answers) return [200, answers[whole]];
    return own in answers ? [200, answers[own]] : [404, { message: 'Not found.' }];
  };
  const scope = nock(origin).persist();
  for (const method of ['get', 'post', 'put'] as const) scope[method](/.*/).reply(answer);
}

const page = (...records: unknown[]): unknown => list(records).json;
const lead = (id: number, title: string) => ({ ...LEAD, status: { id, title, color: 'blue' } });

it('what was read before is looked at in one record, and not looked for', async () => {
  serve({
    'GET /api/leads': page(lead(4, 'Proposal Sent'), { ...lead(3, 'Qualified'), id: 13 }),
    'PUT /api/leads/12/status': { data: lead(4, 'Proposal Sent') },
  });
  expect((await crm('leads', 'list')).status).toBe(0);
  expect(await crm('leads', 'status', '12', 'PROPOSAL SENT')).toMatchObject({ status: 0 });
  expect(sent).toEqual(['GET /api/leads', 'GET /api/leads', 'PUT /api/leads/12/status']);
  expect(asked).toContain('GET /api/leads?status=4&limit=1&page=1');
});

it('with only one status ever seen that begins so, nothing is written', async () => {
  serve({ 'GET /api/leads': page(lead(6, 'Prospect')), 'PUT /api/leads/12/status': { data: lead(6, 'Prospect') } });
  await crm('leads', 'list');
  const { status, stderr } = await crm('leads', 'status', '12', 'pro');
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/status: .*whole name.*Prospect \(6\)/) });
  expect(sent).toEqual(['GET /api/leads', 'GET /api/leads']);
});

it('a name that the service has given up is not written, and is known rightly afterwards', async () => {
  serve({ 'GET /api/leads': page(lead(3, 'Qualified')) });
  await crm('leads', 'list');
  serve({ 'GET /api/leads': page(lead(3, 'Disqualified')), 'PUT /api/leads/12/status': { data: lead(3, 'Disqualified') } });
  const { status, stderr } = await crm('leads', 'status', '12', 'qualified');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('none of the leads read so far has the lead status "qualified"'),
  });
  expect(sent.filter((one) => one.startsWith('PUT'))).toEqual([]);
  const known = await crm('names', 'statuses', '--json');
  expect(known.stdout).toContain('"Disqualified"');
  expect(known.stderr).toBe('These names were read so far. Read more: crm names --refresh\n');
});

it('that there are no records to read names from is said only where no names are listed', async () => {
  serve({ 'GET /api/leads': page() });
  const none = 'There are no leads to read names from.';
  expect((await crm('leads', 'list', '--status', 'Lost')).stderr).toContain(none);
  serve({ 'GET /api/leads': page(lead(3, 'Qualified')) });
  await crm('leads', 'list');
  serve({ 'GET /api/leads': page() });
  const { stderr } = await crm('leads', 'list', '--status', 'Lost');
  expect(stderr).toContain('They have Qualified (3).');
  expect(stderr).not.toContain(none);
});

it('a service without a list of its team: assignees that records showed are known', async () => {
  serve({ 'GET /api/leads': page(LEAD), 'PUT /api/leads/12/assigned': { data: LEAD } });
  await crm('leads', 'list');
  expect(await crm('leads', 'assign', '12', '--add', 'kim')).toMatchObject({ status: 3 });
  serve({
    'GET /api/leads': page(LEAD),
    'GET /api/leads/12': { data: { ...LEAD, assigned: [] } },
    'PUT /api/leads/12/assigned': { data: LEAD },
  });
  sent = [];
  expect(await crm('leads', 'assign', '12', '--add', 'kim')).toMatchObject({ status: 0 });
  expect(sent).toEqual(['GET /api/team', 'GET /api/leads', 'GET /api/leads/12', 'PUT /api/leads/12/assigned']);
  const { status, stderr } = await crm('leads', 'assign', '12', '--add', 'maya');
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/--add: .*"maya".*no \/api\/team/) });
});

it('another base URL knows nothing of it', async () => {
  serve({ 'GET /api/leads': page(lead(3, 'Qualified')) });
  await crm('leads', 'list');
  setProfile({ baseUrl: `${origin}/other` });
  expect(JSON.parse((await crm('names', '--json')).stdout)).toEqual([]);
});

it('a memory that cannot be written fails no command', async () => {
  serve({ 'GET /api/leads': page(LEAD) });
  writeFileSync(join(cwd, 'names'), 'a file where the folder should be');
  expect(await crm('leads', 'list', '-q')).toMatchObject({ status: 0, stderr: '' });
});

it('--refresh reads the newest records, and says how much that was', async () => {
  const other = { ...lead(3, 'Qualified'), id: 13, tags: ['warm'] };
  serve({ 'GET /api/leads': page(lead(3, 'Qualified'), other) });
  await crm('leads', 'list');
  serve({ 'GET /api/leads': page(other) });
  const { stdout, stderr } = await crm('names', 'statuses', '--refresh', '--json');
  expect(JSON.parse(stdout)).toEqual([{ id: 3, name: 'Qualified' }]);
  expect(stderr).toBe('Read 1 lead.\n');
});

it('--refresh forgets words that no record has any more, where it read every record', async () => {
  const names = async (...args: string[]): Promise<string[]> =>
    JSON.parse((await crm('names', 'sources', '--json', ...args)).stdout).map(({ name }: { name: string }) => name);
  const from = (id: number, source: string | null) => ({ ...lead(3, 'Qualified'), id, source });
  serve({ 'GET /api/leads': page(from(12, 'Website'), from(13, 'Website'), from(14, 'Fair')) });
  await crm('leads', 'list');
  serve({ 'GET /api/leads': page(from(12, 'web'), from(13, 'web'), from(14, 'Fair')) });
  await crm('leads', 'list');
  expect(await names()).toEqual(['Fair', 'Website', 'web']);
  expect(await names('--refresh')).toEqual(['Fair', 'web']);
  expect(await names()).toEqual(['Fair', 'web']);
  // Among a thousand leads older ones may have them still.
  serve({ 'GET /api/leads': list([from(12, 'new')], 1, 40).json });
  expect(await names('--refresh')).toEqual(['Fair', 'new', 'web']);
  serve({ 'GET /api/leads': page(from(12, null)) });
  expect(await names('--refresh')).toEqual([]);
  expect(await names()).toEqual([]);
});

it.each([
  ['goes into an import', 'Qualified', 0],
  ['goes into none once the service has given it up', 'Disqualified', 2],
])('a name that is only remembered %s: one record that has its id is read first', async (_name, now, expected) => {
  serve({ 'GET /api/leads': page(lead(3, 'Qualified')) });
  await crm('leads', 'list');
  const others = { ...lead(4, 'Proposal Sent'), id: 99 };
  serve({
    'GET /api/leads': page(others),
    'GET /api/leads?status=3&limit=1&page=1': page(lead(3, now)),
    'POST /api/leads': { data: { id: 100, title: 'New' } },
    'GET /api/leads/100': { data: { ...lead(3, now), id: 100, title: 'New' } },
  });
  writeFileSync(join(cwd, 'leads.csv'), 'title,status,category\nNew,qualified,1\n');
  const { status, stderr } = await crm('leads', 'import', 'leads.csv', '-q');
  expect({ status, posted: sent.includes('POST /api/leads') }, stderr).toEqual({ status: expected, posted: expected === 0 });
});

it('records that show another name than the remembered one are not what was selected: nothing is written', async () => {
  serve({ 'GET /api/leads': page(lead(5, 'Lost'), lead(6, 'Open')) });
  await crm('leads', 'list');
  const won = { ...lead(5, 'Won'), id: 31 };
  const lost = { ...lead(6, 'Lost'), id: 32 };
  serve({
    'GET /api/leads?status=5&limit=1&page=1': page(won),
    'GET /api/leads?sort=lead_created&order=desc&limit=100&page=1': page(won, lost),
    'GET /api/leads?status=6&limit=100&page=1': page(lost),
    'GET /api/leads/32': { data: lost },
    'PUT /api/leads/32/archive': { data: { ...lost, active_state: 'archived' } },
  });
  const { status, stderr } = await crm('leads', 'archive', '--where', 'status=Lost', '--yes');
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(sent.filter((one) => one.startsWith('PUT'))).toEqual(['PUT /api/leads/32/archive']);
});

it('a list by a name that the service has given up shows nothing else', async () => {
  serve({ 'GET /api/leads': page(lead(5, 'Lost')) });
  await crm('leads', 'list');
  serve({ 'GET /api/leads': page(lead(5, 'Won')) });
  const { status, stdout, stderr } = await crm('leads', 'list', '--status', 'Lost', '--json');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('has the lead status \\"Lost\\"');
});

it('another address in the environment keeps its names to itself', async () => {
  serve({ 'GET /api/leads': page(lead(5, 'Lost')) });
  await crm('leads', 'list');
  const elsewhere = { CRM_CONFIG_DIR: cwd, CRM_DATA_DIR: cwd, CRM_BASE_URL: `${origin}/other` };
  serve({ 'GET /other/api/leads': page(lead(5, 'Foreign')) });
  expect(await runHere(['leads', 'list'], { env: elsewhere, cwd })).toMatchObject({ status: 0 });
  expect((await crm('names', 'statuses', '--json')).stdout).toContain('"Lost"');
});
