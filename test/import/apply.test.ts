// `crm apply`: what a change file says is done where the old values still stand. Whole runs against the embedded CRM over real HTTP.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addProtected, eachWorkplace } from '../seed/support.ts';
import type { Crm } from '../support/crm.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { typedBook, unzipped } from '../support/workbook.ts';

const place = eachWorkplace({}, async () => {
  await done('leads', 'update', '12,13,14', '--source', 'web', '--value', '12.50', '--status', 'New', '--title', 'Quay');
  await done('leads', 'activate', '12,13,14');
  await done('leads', 'tags', '12,13', '--clear', '--add', 'a', '--add', 'b');
  await done('leads', 'assign', '12,13', '--clear', '--add', 'Priya Raman');
});

async function done(...args: string[]): Promise<void> {
  const { status, stderr } = await place.crm([...args, '-q', '--yes']);
  expect(status, stderr).toBe(0);
}

const lead = (id: number): Promise<Record<string, unknown>> => place.record('leads', id);

/** Applies a file of these lines. */
function applied(lines: readonly string[], ...more: string[]): Promise<Crm> {
  place.write('changes.csv', `${lines.join('\n')}\n`);
  return place.crm(['apply', 'changes.csv', ...more]);
}

/** The writes that a command sends. */
async function writesOf(args: readonly string[]): Promise<{ crm: Crm; writes: string[] }> {
  const writes: string[] = [];
  const proxy = await startFaultyProxy(place.server.baseUrl, {
    answer: ({ method, path, body }) => {
      if (method !== 'GET') writes.push(`${method} ${path} ${body}`);
      return undefined;
    },
  });
  try {
    return { crm: await place.crm(args, { env: { CRM_BASE_URL: proxy.baseUrl } }), writes };
  } finally {
    await proxy.close();
  }
}

describe('a number', () => {
  const file = (value: string, was = '12.50'): string[] => ['family;id;value;was.value', `leads;12;${value};${was}`];

  it.each([
    ['145.000', /line 2, column value: "145\.000" could be thousands: write 145\.00 or 145000, or say with --decimal-mark/],
    ['150,00', /line 2, column value: "150,00" has a comma, .*--decimal-mark comma or point/],
    ['12.5k', /line 2, column value: "12\.5k" is not a decimal number/],
  ])('%s is refused', async (value, says) => {
    const { status, stderr } = await applied(file(value, ''));
    expect([status, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(await lead(12)).toMatchObject({ value: '12.50' });
  });

  it.each([
    ['145.000', '12,50', 'comma', '145000.00'],
    ['150,00 €', '12.50', 'comma', '150.00'],
    ['145.000', '12.50', 'point', '145.00'],
  ])('%s beside %s is read with --decimal-mark %s', async (value, was, mark, is) => {
    const { status, stderr } = await applied(file(value, was), '--decimal-mark', mark);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ value: is });
  });

  it('that equals what was there is none of these, whatever it is', async () => {
    expect(await applied(file('145.000', '145.000'))).toMatchObject({ status: 0 });
  });

  it('and a day are read as --date-order says', async () => {
    const lines = ['family,id,last-contacted,was.last-contacted', 'leads,12,24.12.2026,'];
    await done('leads', 'update', '12', '--last-contacted', '');
    expect((await applied(lines)).stderr).toContain('--date-order dmy, mdy or ymd');
    expect(await applied(lines, '--date-order', 'dmy')).toMatchObject({ status: 0 });
    expect(await lead(12)).toMatchObject({ last_contacted: expect.stringMatching(/^2026-12-24/) });
  });

  it('in a workbook that crm wrote is a number, under a header with a filter that stays in sight, and carried out again', async () => {
    const plan = join(place.folder, 'plan.xlsx');
    await done('leads', 'update', '12', '--data', '{"value":"145.125"}', '--plan', plan);
    const sheet = (await unzipped(readFileSync(plan)))['xl/worksheets/sheet1.xml'];
    expect(sheet).toMatch(/<v>145\.125<\/v>.*<v>12\.50<\/v>/);
    expect(sheet).toMatch(/<autoFilter ref="A1:E2"\/>/);
    expect(sheet).toContain('state="frozen"');
    expect(await place.crm(['apply', plan])).toMatchObject({ status: 0 });
    expect(await lead(12)).toMatchObject({ value: '145.13' });
    const list = await place.crm(['leads', 'list', '--was', '-o', 'csv', '--fields', 'value', '--where', 'title=Quay']);
    expect(list.stdout).toContain('leads,12,Quay,145.13,145.13');
  });

  it('is not cleared by a formula without a result', async () => {
    const text = (said: string): string => `<c t="inlineStr"><is><t>${said}</t></is></c>`;
    const header = ['family', 'id', 'value', 'was.value'].map(text).join('');
    const row = `${text('leads')}<c><v>12</v></c><c><f>D2*2</f><v></v></c><c><v>12.5</v></c>`;
    writeFileSync(
      join(place.folder, 'formula.xlsx'),
      await typedBook({ sheets: { Plan: `<row r="1">${header}</row><row r="2">${row}</row>` } }),
    );
    const { status, stderr } = await place.crm(['apply', 'formula.xlsx']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('line 2, column value: C2 is a formula without its result')]);
    expect(await lead(12)).toMatchObject({ value: '12.50' });
  });
});

it('a text that lost its letters when the file was saved is told as such', async () => {
  await done('leads', 'update', '12', '--title', 'Привет Quay');
  const { status, stderr } = await applied(['family,id,was.title,source,was.source', 'leads,12,?????? Quay,x,web'], '--dry-run');
  expect([status, stderr]).toEqual([8, expect.stringContaining('Letters were lost when the file was saved: was.title is ?????? Quay')]);
  expect(stderr).not.toMatch(/changed meanwhile/i);
  // A text that somebody changed is not broken.
  expect((await applied(['family,id,was.title,source,was.source', 'leads,12,What? Quay,x,web'])).stderr).toContain(
    'Renamed, or another record',
  );
});

describe('a value', () => {
  it('is written where the old one stands, left alone where the new one does, and else keeps its whole row back', async () => {
    await done('leads', 'update', '13', '--source', 'Website');
    await done('leads', 'update', '14', '--value', '7');
    const file = [
      'family,id,source,was.source,value,was.value',
      'leads,12,Website,web,99,12.50',
      'leads,13,Website,web,99,12.50',
      'leads,14,Website,web,99,12.50',
    ];
    const { status, stdout, stderr } = await applied(file, '--json');
    expect(status).toBe(8);
    expect((JSON.parse(stdout) as { outcome: string }[]).map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'conflict']);
    expect(JSON.parse(stderr).error.failures).toMatchObject([{ id: 14, message: expect.stringContaining('value is 7.00 now, not 12.50') }]);
    for (const id of [12, 13]) expect(await lead(id)).toMatchObject({ source: 'Website', value: '99.00' });
    expect(await lead(14)).toMatchObject({ source: 'web', value: '7.00' });
    const again = await writesOf(['apply', 'changes.csv']);
    expect(again).toMatchObject({ crm: { status: 8 }, writes: [] });
  });

  it('that is blank clears, and equal cells but of the title ask nothing and guard nothing', async () => {
    await done('leads', 'update', '12', '--city', 'Harbour');
    const { status, stderr } = await applied([
      'family,id,city,was.city,source,was.source',
      'leads,12,Quay,Quay,,web',
      'leads,13,Quay,Quay,web,web',
    ]);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ address: { city: 'Harbour' }, source: null });
  });

  it.each([
    ['was.title', 'Quay', 'title is Harbour now, not Quay'],
    ['was.active_state', 'archived', 'active_state is active now, not archived'],
    ['was.converted.is_converted', 'true', 'is false now, not true'],
    ['was.status', 'Fresh', 'status is New now, not Fresh'],
    ['was.assigned', '', 'assigned is Priya Raman now, not (empty)'],
    ['was.tags', 'a', 'tags is a; b now, not a'],
    ['was.tags', '', 'tags is a; b now, not (empty)'],
  ])('under %s alone must still be so', async (column, was, words) => {
    await done('leads', 'update', '12', '--title', 'Harbour');
    const { status, stderr } = await applied([`family,id,${column},source,was.source`, `leads,12,${was},Website,web`]);
    expect(status).toBe(8);
    expect(stderr).toContain(words);
    expect(await lead(12)).toMatchObject({ source: 'web' });
  });

  it.each([
    ['was.tags', 'b; a'],
    ['was.assigned', 'Priya Raman'],
    ['was.status', 'New'],
    ['was.status', '1'],
    ['was.converted.is_converted', 'false'],
    ['was.value', '12.5'],
  ])('under %s alone, %s, is so', async (column, was) => {
    const { status, stderr } = await applied([`family,id,${column},source,was.source`, `leads,12,${was},Website,web`]);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ source: 'Website' });
  });

  it.each(['was.tags', 'was.assigned'])('that is blank under %s alone is so of a record without any', async (column) => {
    await done('leads', 'tags', '12', '--clear');
    await done('leads', 'assign', '12', '--clear');
    const { status, stderr } = await applied([`family,id,${column},source,was.source`, 'leads,12,,Website,web']);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ source: 'Website', tags: [], assigned: [] });
  });
});

describe('a row', () => {
  it('is carried out in one order, and no step stands in the way of the next', async () => {
    await done('leads', 'archive', '12');
    place.write(
      'changes.csv',
      'family,id,tags,was.tags,assigned,was.assigned,active_state,was.active_state,status,was.status,source,was.source\n' +
        'leads,12,a; c,a; b,Tom Okafor,Priya Raman,active,archived,Negotiation,New,Website,web\n' +
        'leads,13,,a; b,,Priya Raman,archived,active,New,New,Website,web\n',
    );
    const { crm, writes } = await writesOf(['apply', 'changes.csv']);
    expect(crm.status, crm.stderr).toBe(0);
    const of = (id: number): string[] => writes.map((one) => one.split(' ').slice(0, 2).join(' ')).filter((one) => one.includes(`/${id}`));
    expect(of(12)).toEqual(['PUT /api/leads/12/activate', 'PATCH /api/leads/12', 'PUT /api/leads/12/assigned', 'PUT /api/leads/12/tags']);
    expect(of(13)).toEqual(['PATCH /api/leads/13', 'PUT /api/leads/13/assigned', 'PUT /api/leads/13/tags', 'PUT /api/leads/13/archive']);
    expect(crm.stderr).toContain('Lead 12 changed');
    expect(await lead(12)).toMatchObject({
      active_state: 'active',
      status: { title: 'Negotiation' },
      tags: ['a', 'c'],
      assigned: [{ name: 'Tom Okafor' }],
    });
    expect(await lead(13)).toMatchObject({ active_state: 'archived', tags: [], assigned: [] });
    expect((await writesOf(['apply', 'changes.csv'])).writes).toEqual([]);
  });

  it('adds to and takes from sets as they are now', async () => {
    await done('leads', 'tags', '12', '--add', 'theirs', '--remove', 'a');
    await done('leads', 'assign', '12', '--add', 'Jonas Weber');
    const { status, stderr } = await applied([
      'family,id,tags,was.tags,assigned,was.assigned',
      'leads,12,a; c,a; b,Tom Okafor,Priya Raman',
    ]);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ tags: ['theirs', 'c'], assigned: [{ name: 'Jonas Weber' }, { name: 'Tom Okafor' }] });
  });

  it('splits tags and people that somebody wrote with commas', async () => {
    await done('leads', 'tags', '12', 'a');
    await done('leads', 'assign', '12', '--clear');
    const { status, stderr } = await applied([
      'family,id,tags,was.tags,assigned,was.assigned',
      'leads,12,"a, b, c",a,"Tom Okafor, Priya Raman",',
    ]);
    expect(status, stderr).toBe(0);
    expect(await lead(12)).toMatchObject({ tags: ['a', 'b', 'c'], assigned: [{ name: 'Tom Okafor' }, { name: 'Priya Raman' }] });
  });

  it('that adds a tag that nobody has says so before', async () => {
    const before = (await lead(12)).tags as string[];
    const cell = (tags: readonly string[]): string => JSON.stringify(JSON.stringify(tags)).replaceAll('\\"', '""');
    const file = (added: string): string => `family,id,tags,was.tags\nleads,12,${cell([...before, added])},${cell(before)}\n`;
    place.write('new.csv', file('vpi'));
    place.write('known.csv', file('cold'));
    expect((await place.crm(['apply', 'new.csv', '--dry-run'])).stderr).toContain('1 new tag, seen on no lead so far: vpi.');
    expect((await place.crm(['leads', 'tags', '13', '--add', 'cold', '-q'])).status).toBe(0);
    expect((await place.crm(['apply', 'known.csv', '--dry-run'])).stderr).not.toContain('so far');
  });

  it('that sets a status alone sets just that', async () => {
    place.write('changes.csv', 'family,id,status,was.status\nleads,12,Negotiation,New\n');
    const { writes } = await writesOf(['apply', 'changes.csv']);
    expect(writes.map((one) => one.split(' ')[1])).toEqual(['/api/leads/12/status']);
  });

  it('that would clear a signature stays back whole', async () => {
    const signed = (await place.everything()).proposals?.find((one) => (one.signed as { date?: unknown } | null)?.date != null);
    expect(signed).toBeDefined();
    const { id, title, status } = signed as { id: number; title: string; status: string };
    const file = ['family,id,title,was.title,status,was.status', `proposals,${id},Other,"${title}",declined,${status}`];
    const { status: end, stderr } = await applied(file);
    expect(end).toBe(8);
    expect(stderr).toContain('clears the signature for good');
    expect(await place.record('proposals', Number(id))).toEqual(signed);
  });

  it('is a step of a run that can be undone', async () => {
    const before = await lead(12);
    const { stderr } = await applied([
      'family,id,tags,was.tags,source,was.source,status,was.status',
      'leads,12,c,a; b,Website,web,Negotiation,New',
    ]);
    const run = /crm undo (\w+)/.exec(stderr)?.[1] ?? '';
    await done('undo', run);
    expect({ ...(await lead(12)), dates: undefined }).toEqual({ ...before, dates: undefined });
  });
});

describe('for a program', () => {
  const rows = ['family,id,source,was.source', 'leads,12,Fair,web', 'leads,13,web,web2', 'leads,14,Fair,other', 'leads,9999,Fair,web'];

  it('--json is an outcome a record, in the order of the file', async () => {
    const { status, stdout, stderr } = await applied(rows, '--json');
    expect(status, stderr).toBe(8);
    const outcomes = JSON.parse(stdout) as Record<string, unknown>[];
    expect(outcomes.map(({ id, outcome }) => [id, outcome])).toEqual([
      [12, 'changed'],
      [13, 'unchanged'],
      [14, 'conflict'],
      [9999, 'failed'],
    ]);
    expect(outcomes[0]).toEqual({ id: 12, outcome: 'changed', error: null, differences: [{ field: 'source', old: 'web', new: 'Fair' }] });
    expect(outcomes[2]).toMatchObject({ error: { code: 'conflict', status: null, hint: null }, differences: [] });
    expect(outcomes[3]).toMatchObject({ error: { code: 'not_found' } });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'partial', failures: [{ id: 14 }, { id: 9999 }] } });
  });

  it('--summary has the counts, and a selection keeps its records', async () => {
    const { stdout } = await applied(rows, '--json', '--summary');
    expect(JSON.parse(stdout)).toEqual({ changed: 1, unchanged: 1, conflict: 1, failed: 1, unknown: 0 });
    const { stdout: records } = await place.crm(['leads', 'update', '12,13', '--source', 'Web', '--yes', '--json']);
    expect(JSON.parse(records)).toMatchObject([{ id: 12, source: 'Web', title: 'Quay' }, { id: 13 }]);
  });
});

describe('the file', () => {
  // biome-ignore format: a table
  it.each([
    ['an unknown column', ['family,id,colour,was.colour', 'leads,12,red,'], 'no column "colour"'],
    ['a set that is misspelled', ['family,id,tag,was.tag', 'leads,12,red,'], 'mean "tags"?'],
    ['a column that can only be read', ['family,id,converted.date,was.converted.date', 'leads,12,2026-01-01,'],
      "converted.date can't be changed"],
    ['a guard of nothing', ['family,id,was.colour,source,was.source', 'leads,12,red,Website,web'], 'no "colour"'],
    ['a value without what was there', ['family,id,source', 'leads,12,Website'], 'was.source'],
    ['a row without an id', ['family,id,source,was.source', 'leads,12,Website,web', 'leads,,Website,web'],
      'line 3, column id: it is blank'],
    ['a record twice', ['family,id,source,was.source', 'leads,12,Website,web', 'leads,12,Fair,web'], 'the same as on line 2'],
    ['two families', ['family,id,title,was.title', 'leads,12,A,Quay', 'notes,1,A,B'], 'one family'],
    ['no such family', ['family,id,title,was.title', 'clients,12,A,B'], '"clients" is no family'],
    ['no family', ['id,title,was.title', '12,A,B'], 'is no change file'],
    ['a word that means nothing', ['family,id,status,was.status', 'leads,12,Nonsense,New'],
      'line 2, column status: none of the leads read so far has the lead status "Nonsense"; you can give its id'],
    ['a value that is none', ['family,id,value,was.value', 'leads,12,many,12.50'], 'column value'],
    ['a blank status', ['family,id,status,was.status', 'leads,12,,New'], 'line 2, column status'],
    ['a state that is none', ['family,id,active_state,was.active_state', 'leads,12,gone,active'], 'active_state'],
    ['an old value of nothing that there is', ['family,id,source,was.source,was.zzzz', 'leads,12,Website,web,x'],
      'error: The column was.zzzz: leads have no "zzzz". See them all: crm leads list --fields help\n'],
    ['nothing', [''], 'nothing in changes.csv'],
  ])('with %s is refused before anything is sent', async (_name, lines, words) => {
    const before = await place.everything();
    const { status, stderr } = await applied(lines);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
    expect(await place.everything()).toEqual(before);
  });

  it('that is no UTF-8 is told at its line', async () => {
    writeFileSync(join(place.folder, 'changes.csv'), Buffer.from('family,id,source,was.source\nleads,12,F\xe4ir,web\n', 'latin1'));
    const { status, stderr } = await place.crm(['apply', 'changes.csv']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/line \d+: .*UTF-8/);
  });

  it('with a header alone changes nothing', async () => {
    expect(await applied(['family,id,source,was.source'], '--json')).toMatchObject({ status: 0, stdout: '[]\n' });
  });

  it('is the agreement off a terminal, but for a protected profile', async () => {
    await addProtected(place, 'live');
    place.write('changes.csv', 'family,id,source,was.source\nleads,12,Website,web\n');
    const env = { CRM_BASE_URL: '', CRM_API_KEY: '' };
    expect(await place.crm(['apply', 'changes.csv', '-p', 'live'], { env })).toMatchObject({
      status: 9,
      stderr: expect.stringContaining('add --confirm live'),
    });
    expect(await place.crm(['apply', 'changes.csv', '-p', 'live', '--confirm', 'live'], { env })).toMatchObject({ status: 0 });
    expect(await lead(12)).toMatchObject({ source: 'Website' });
  });

  it('is no import', async () => {
    await place.crm(['leads', 'update', '12,13', '--source', 'Fair', '--plan', 'plan.csv']);
    const { status, stderr } = await place.crm(['leads', 'import', 'plan.csv', '--mode', 'update']);
    expect(status).toBe(2);
    expect(stderr).toContain('crm apply');
  });
});

describe('list --was', () => {
  it.each(['csv', 'xlsx'])('as %s comes back, and changes nothing by itself', async (format) => {
    for (const family of ['leads', 'proposals', 'items', 'contacts', 'notes']) {
      const { status, stderr } = await place.crm(
        [family, 'list', '--all', '--was', '-o', format, '--limit', '5'].filter((one) => one !== '--all'),
      );
      expect(status, stderr).toBe(0);
    }
    const { stdout } = await place.crm(['leads', 'list', '--where', 'id=12..13', '--was', '--csv', '--fields', 'source,tags,value']);
    expect(stdout.split('\r\n')).toEqual([
      'family,id,was.title,source,was.source,tags,was.tags,value,was.value',
      'leads,13,Quay,web,web,a; b,a; b,12.50,12.50',
      'leads,12,Quay,web,web,a; b,a; b,12.50,12.50',
      '',
    ]);
    const underscored = ['leads', 'list', '--limit', '1', '--was', '--csv', '--fields', 'id,last_contacted,job_position'];
    expect((await place.crm(underscored)).stdout).toMatch(
      /^family,id,was\.title,last-contacted,was\.last-contacted,job-position,was\.job-position\r\n/,
    );
    const { status, stderr } = await applied(stdout.replace('web,web,a; b', 'Website,web,a').split('\r\n'));
    expect(status, stderr).toBe(0);
    expect(await lead(13)).toMatchObject({ source: 'Website', tags: ['a'] });
    expect(await lead(12)).toMatchObject({ source: 'web', tags: ['a', 'b'] });
  });

  it('takes paths, as every list does; a member that is only read is a condition', async () => {
    const fields = 'id,contact.email,status.title,category.id,assigned.name,dates.created,company-name';
    const { stdout } = await place.crm(['leads', 'list', '--where', 'id=12', '--was', '--csv', '--fields', fields]);
    expect(stdout.split('\r\n')[0]).toBe(
      'family,id,was.title,was.dates.created,email,was.email,status,was.status,category,was.category,assigned,was.assigned,company-name,was.company-name',
    );
    const { status, stderr } = await applied(stdout.replace(/,,/, ',new@x.example,').split('\r\n'));
    expect(status, stderr).toBe(0);
    const whole = await place.crm(['leads', 'list', '--where', 'id=12', '--was', '--csv', '--fields', 'address']);
    expect(whole.stdout.split('\r\n')[0]).toBe(
      'family,id,was.title,street,was.street,city,was.city,state,was.state,zip,was.zip,country,was.country',
    );
  });

  it.each([
    [['--json'], '-o csv'],
    [['--csv', '--fields', 'title,color,shade'], '--fields: a change file has no color and shade. It has id, title, '],
    [['--csv', '--count'], '--was'],
  ])('refuses %s', async (more, words) => {
    expect(await place.crm(['leads', 'list', '--was', ...more])).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
  });
});

describe('what --plan wrote, untouched', () => {
  // biome-ignore format: a table
  it.each([
    [['leads', 'update', '--where', 'title=Quay', '--source', 'Fair', '--value', '3.25', '--last-contacted', 'today', '--website',
      'https://x.example']],
    [['leads', 'update', '12,13', '--source', '', '--status', 'Negotiation', '--category', '2']],
    [['leads', 'update', '12,13,14', '--status', 'Contacted']],
    [['leads', 'update', '--where', 'title=Quay', '--where', 'status=New', '--status', 'Contacted']],
    [['leads', 'update', '12,13', '--status', 'Contacted', '--source', 'web']],
    [['leads', 'status', '12,13,14', '--to', 'Contacted']],
    [['leads', 'tags', '12,13,14', '--add', '=x', '--add', 'p;q', '--remove', 'a']],
    [['leads', 'tags', '12,13', '--clear']],
    [['leads', 'assign', '12,13,14', '--add', 'Tom Okafor', '--remove', 'Priya Raman']],
    [['leads', 'archive', '--where', 'title=Quay']],
    [['proposals', 'update', '1,2,3', '--title', 'One, "two"']],
    [['proposals', 'status', '--where', 'status=draft', '--to', 'new']],
    [['items', 'update', '1,2', '--custom-field', '1=red', '--unit', 'each', '--rate', '-2']],
    [['contacts', 'update', '5,6', '--job-position', '  Buyer\nand more']],
    [['notes', 'update', '1,2,3', '--description', '<p>Line</p>\n<p>two</p>', '--visibility', 'public']],
  ])('%s: applying it sends what the command would have sent', async (args) => {
    for (const name of ['plan.csv', 'plan.xlsx']) {
      expect((await writesOf([...args, '--plan', name])).writes).toEqual([]);
    }
    const requests = async (...command: string[]): Promise<unknown> => {
      const { stdout } = await place.crm([...command, '--dry-run', '--json']);
      return JSON.parse(stdout);
    };
    const asked = await requests(...args);
    expect(asked).not.toEqual([]);
    expect(await requests('apply', 'plan.csv')).toEqual(asked);
    expect(await requests('apply', 'plan.xlsx')).toEqual(asked);
    const before = await place.everything();
    const sent = await writesOf(['apply', 'plan.xlsx']);
    expect(sent.crm.status, sent.crm.stderr).toBe(0);
    expect(sent.writes).toHaveLength((asked as unknown[]).length);
    expect(await place.everything()).not.toEqual(before);
    expect((await writesOf(['apply', 'plan.csv'])).writes).toEqual([]);
  });
});
