// "Changed" needs a change: a service that answers 200 and keeps values, or answers with the record as it was before the change. Single
// commands, selections, imports, apply, edit, merge, undo, seeds and the library go by one rule.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openClient } from '../../src/client/library/client.ts';
import type { Crm } from '../support/crm.ts';
import { type Oddities, type OddLead, type OddService, oddLead, oddService, people } from '../support/odd-service.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
let service: OddService;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-taken-'));
  service = await oddService(
    folder,
    [1, 2, 3].map((id) => oddLead(id, { title: `T${id}`, source: 'Web', assigned: people.slice(0, 1), tags: ['old'] })),
  );
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const crm = (...args: string[]): Promise<Crm> => runHere(args, { env: service.env, cwd: folder });
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
const errorIn = ({ stderr }: Crm) => JSON.parse(stderr.split('\n').findLast((line) => line.startsWith('{')) ?? '{}').error;
const lead = (id: number) => service.leads.get(id) ?? oddLead(id);

/** Keeps some members of a lead as they are. */
const locks =
  (...members: readonly (keyof OddLead)[]): NonNullable<Oddities['keeps']> =>
  (now, _write, before) => {
    if (before !== undefined) Object.assign(now, Object.fromEntries(members.map((member) => [member, before[member]])));
  };
const staysNew = 'The service answered 200 and kept status as New.';

describe('one value that the service keeps: not taken', () => {
  beforeEach(() => {
    service.odd = { keeps: locks('status') };
  });

  it.each([[['leads', 'status', '1', '2', '--json']], [['leads', 'update', '1', '--status', '2', '--json']]])(
    '%j: 7, with one look',
    async (argv) => {
      const ended = await crm(...argv);
      expect([ended.status, ended.stdout, errorIn(ended)]).toMatchObject([7, '', { code: 'not_taken', message: staysNew }]);
      expect(service.requests.filter((one) => one.startsWith('GET'))).toHaveLength(argv[1] === 'update' ? 2 : 1);
    },
  );

  it('of several: each failed, 8', async () => {
    const ended = await crm('leads', 'status', '1,2', '--to', '3', '--yes', '--json');
    expect(ended.status).toBe(8);
    expect(errorIn(ended).failures.map(({ message }: { message: string }) => message)).toEqual([staysNew, staysNew]);
    expect(JSON.parse((await crm('history', '--json')).stdout)).toMatchObject([{ did: expect.not.stringContaining('changed') }]);
  });

  it('apply: an outcome with the sentence, and never old beside new', async () => {
    write('f.csv', 'family,id,status,was.status\nleads,1,2,1\n');
    const ended = await crm('apply', 'f.csv', '--json');
    expect([ended.status, JSON.parse(ended.stdout)]).toMatchObject([
      8,
      [{ id: 1, outcome: 'failed', error: { code: 'not_taken', message: staysNew } }],
    ]);
  });

  it('an import: the row failed, in the rejects with the sentence', async () => {
    write('f.csv', 'id,status\n1,2\n');
    const ended = await crm('leads', 'import', 'f.csv', '--mode', 'update', '--json', '--rejects', 'r.csv', '--results', 's.csv');
    expect([ended.status, JSON.parse(ended.stdout)]).toMatchObject([8, { updated: 0, failed: 1 }]);
    expect(read('r.csv')).toContain(staysNew);
    expect(read('s.csv')).toContain(`1,failed,${staysNew}`);
    expect(errorIn(ended).hint).toContain("leave the column out, or give the service's own form");
  });

  it('the library', async () => {
    const client = await openClient({ baseUrl: service.env.CRM_BASE_URL ?? '', key: 'a-key-of-this-test' });
    await expect(client.leads.status(1, 2)).rejects.toMatchObject({ code: 'not_taken', message: staysNew });
    await expect(client.leads.update(1, { status: 2 })).rejects.toMatchObject({ code: 'not_taken', message: staysNew });
  });

  it('--replace is not looked at', async () => {
    const argv = ['--replace', '--title', 'T1', '--status', '2', '--category', '1', '--json'];
    expect((await crm('leads', 'update', '1', ...argv)).status).toBe(0);
    expect(service.requests).toEqual(['PATCH /api/leads/1']);
  });
});

describe('a value beside others that the service takes', () => {
  beforeEach(() => {
    service.odd = { keeps: locks('status') };
  });

  it('of one record: 7, the others are told', async () => {
    const ended = await crm('leads', 'update', '1', '--status', '2', '--source', 'Fair', '--json');
    expect([ended.status, errorIn(ended)]).toMatchObject([7, { code: 'not_taken', message: staysNew }]);
    expect([lead(1).source, lead(1).status.id]).toEqual(['Fair', 1]);
    const shown = await crm('leads', 'update', '2', '--status', '2', '--source', 'Fair');
    expect(shown.stderr).toMatch(/source Web -> Fair/);
    expect(shown.stderr).not.toMatch(/New -> New/);
  });

  it('an import: updated; status not taken. --resume does not send it again, and undo takes back the rest', async () => {
    write('f.csv', 'id,status,source\n1,2,Fair\n2,1,Fair\n');
    const argv = ['leads', 'import', 'f.csv', '--mode', 'update', '--json', '--rejects', 'r.csv', '--results', 's.csv'];
    const ended = await crm(...argv);
    expect([ended.status, JSON.parse(ended.stdout)], ended.stderr).toMatchObject([8, { updated: 2, failed: 0 }]);
    expect(read('s.csv')).toBe(
      `id,status,source,_id,outcome,error\n1,2,Fair,1,updated; status not taken,${staysNew}\n2,1,Fair,2,updated,\n`,
    );
    expect(read('r.csv')).toBe(`id,status,source,_line,_status,_error\n1,2,Fair,2,,${staysNew}\n`);
    const { run } = JSON.parse(ended.stdout) as { run: string };
    const patches = (): number => service.requests.filter((one) => one.startsWith('PATCH')).length;
    const sent = patches();
    expect((await crm(...argv, '--resume')).status).toBe(8);
    expect(patches()).toBe(sent);
    expect((await crm('undo', run, '--yes')).status).toBe(0);
    expect([lead(1).source, lead(2).source]).toEqual(['Web', 'Web']);
  });

  it('apply: failed, with the difference that was taken', async () => {
    write('f.csv', 'family,id,status,was.status,source,was.source\nleads,1,2,1,Fair,Web\n');
    const ended = await crm('apply', 'f.csv', '--json');
    expect([ended.status, JSON.parse(ended.stdout)]).toMatchObject([
      8,
      [{ id: 1, error: { code: 'not_taken' }, differences: [{ field: 'source', old: 'Web', new: 'Fair' }] }],
    ]);
  });
});

describe('edit and merge', () => {
  /** The editor gives the lead another value in place of each of its own, by lines of sed. */
  const edited = (script: string): Promise<Crm> => {
    write('sed', script);
    const env = { ...service.env, EDITOR: `sed -i -f '${join(folder, 'sed')}'`, TMPDIR: folder };
    return runHere(['leads', 'edit', '1', '--yes'], { env, cwd: folder, tty: true, columns: 200 });
  };
  beforeEach(() => {
    service.odd = { keeps: locks('status', 'source') };
  });

  it('edit: not taken, and the text is kept', async () => {
    const { status, stderr } = await edited('s/^source: .*/source: Fair/');
    expect([status, stderr]).toEqual([8, expect.stringContaining('The service answered 200 and kept source as Web.')]);
    expect(read(/Your text is kept in (\S+)/.exec(stderr)?.[1]?.slice(folder.length + 1) ?? '')).toContain('\nsource: Fair\n');
  });

  it('edit: what was taken beside it is told', async () => {
    const { status, stderr } = await edited('s/^source: .*/source: Fair/\ns/^title: .*/title: New one/');
    expect([status, lead(1).title]).toEqual([8, 'New one']);
    expect(stderr).toContain('kept source as Web');
    expect(stderr).toMatch(/\n {2}title {2}T1 → New one\n✗ lead 1: The service answered 200 and kept source as Web\.\n/);
    expect(stderr).toContain('Your text is kept in');
  });

  it.each([
    ['the lead that is kept', '1', (): void => void Object.assign(lead(2), { source: 'Fair', value: '7.00' }), ['value']],
    ['a lead that is archived', '2', (): void => {}, ['active_state']],
  ] as const)('merge: %s keeps a value, 8', async (_which, id, prepare, members) => {
    prepare();
    service.odd = { keeps: (now, write, before) => (now.id === Number(id) ? locks(...members)(now, write, before) : undefined) };
    const { status, stderr } = await crm('leads', 'merge', '2', '--into', '1', '--yes');
    expect([status, stderr]).toEqual([
      8,
      expect.stringMatching(/The service answered 200 and kept (value as \(empty\)|active_state as active)\./),
    ]);
  });
});

describe('a service that answers with the record before the change', () => {
  beforeEach(() => {
    service.odd = { answers: (_lead, { what }, before) => (before === undefined || what === 'DELETE' ? undefined : { data: before }) };
  });

  it.each([
    [['leads', 'tags', '1', '--add', 'hot', '--json'], { tags: ['old', 'hot'] }],
    [['leads', 'tags', '1', 'hot', '--json'], { tags: ['hot'] }],
    [['leads', 'assign', '1', '2', '--json'], { assigned: [{ name: 'Jonas Weber' }] }],
    [['leads', 'status', '1', '2', '--json'], { status: { id: 2 } }],
    [['leads', 'archive', '1', '--json'], { active_state: 'archived' }],
    [['leads', 'update', '1', '--source', 'Fair', '--json'], { source: 'Fair' }],
  ])('%j prints what a look shows', async (argv, shown) => {
    const { status, stdout, stderr } = await crm(...argv);
    expect([status, JSON.parse(stdout)], stderr).toMatchObject([0, shown]);
  });

  /** The first look at each lead behind its write is refused. */
  const refusesLooks = (): void => {
    const behind = new Set<number>();
    const { answers } = service.odd;
    service.odd = {
      answers: (one, write, before) => {
        behind.add(one.id);
        return answers?.(one, write, before);
      },
      refuses: (id) => (behind.delete(id) ? 403 : undefined),
    };
  };

  it('one record whose look is refused: the outcome is unknown, and not "not taken"', async () => {
    refusesLooks();
    const ended = await crm('leads', 'status', '1', '2', '--json');
    expect([ended.status, errorIn(ended).code]).toEqual([7, 'outcome_unknown']);
    expect(errorIn(ended).message).toContain('The service answered 200, but with a value as it was before, and a read failed');
  });

  it('several whose looks are refused: they are looked at again, and undo takes them back', async () => {
    refusesLooks();
    expect(await crm('leads', 'tags', '1,2', '--add', 'hot', '--yes')).toMatchObject({ status: 0 });
    expect(service.requests.filter((one) => one.startsWith('PUT'))).toHaveLength(2);
    const [{ run } = { run: '' }] = JSON.parse((await crm('history', '--json')).stdout) as { run: string }[];
    expect((await crm('undo', run, '--yes')).status).toBe(0);
    expect(lead(1).tags).toEqual(['old']);
  });

  it('undo takes tags and assignees back', async () => {
    for (const argv of [
      ['leads', 'tags', '1,2', '--add', 'hot'],
      ['leads', 'assign', '1,2', '--add', '2'],
    ]) {
      await crm(...argv, '--yes');
      const [{ run } = { run: '' }] = JSON.parse((await crm('history', '--json')).stdout) as { run: string }[];
      expect((await crm('undo', run, '--yes')).status).toBe(0);
    }
    expect([lead(1).tags, lead(1).assigned.map(({ id }) => id)]).toEqual([['old'], [1]]);
  });

  it('an import of updates: what was taken counts', async () => {
    write('f.csv', 'id,source,tags\n1,Fair,hot\n');
    const { status, stdout } = await crm('leads', 'import', 'f.csv', '--mode', 'update', '--sets', 'add', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { updated: 1 }]);
  });
});

describe('sets that the service keeps', () => {
  it('an inactive assignee, off a terminal: 7', async () => {
    service.odd = { keeps: locks('assigned', 'tags') };
    const one = await crm('leads', 'assign', '1', '2', '--json');
    expect([one.status, errorIn(one).message]).toEqual([7, 'The service answered 200 and kept assigned as Ada Boss.']);
    const added = await crm('leads', 'tags', '1', '--add', 'hot', '--json');
    expect([added.status, errorIn(added).message]).toEqual([7, 'The service answered 200 and kept tags as old.']);
    const cleared = await crm('leads', 'tags', '1', '--remove', 'old', '--json');
    expect(cleared.status).toBe(7);
  });

  it("a new lead's assignee: created; assigned failed", async () => {
    service.odd = { keeps: locks('assigned') };
    write('f.csv', 'title,status,category,assigned\nA,1,1,2\n');
    const { status, stdout } = await crm('leads', 'import', 'f.csv', '--json', '--results', 's.csv');
    expect([status, JSON.parse(stdout)]).toMatchObject([8, { created: 1 }]);
    expect(read('s.csv')).toContain('created; assigned failed: The service answered 200 and kept assigned as (empty).');
  });

  it("a seed's action fails", async () => {
    service.odd = { keeps: locks('assigned') };
    write(
      'team.yaml',
      'version: 1\nrecords:\n  - { name: lead, type: lead, set: { title: First, status: 1, category: 1 }, then: [{ assign: [2] }] }\n',
    );
    const { status, stderr } = await crm('seed', 'apply', 'team.yaml');
    expect([status, stderr]).toEqual([expect.any(Number), expect.stringContaining('kept assigned as (empty)')]);
    expect(status).not.toBe(0);
  });

  it('tags in small letters that are there: 0, said once', async () => {
    service.odd = { keeps: (now) => void Object.assign(now, { tags: [...new Set(now.tags.map((tag) => tag.toLowerCase()))] }) };
    const { status, stderr } = await crm('leads', 'tags', '1,2', '--add', 'Old', '--yes');
    expect(status).toBe(0);
    expect(stderr.match(/The service keeps tags as it was \(asked: old, Old\)\./g)).toHaveLength(1);
  });
});

describe('a value that the service keeps in its own form', () => {
  /** The form that the service gives a value at each write: of the text as it comes. */
  const forms: Readonly<Record<string, (text: string) => string>> = {
    website: (text) => text.toLowerCase().replace(/\/$/, ''),
    phone: (text) => `+49 ${text.replace(/^(\+49|0)\s*/, '')}`,
    title: (text) => text.replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, ''),
    value: (text) => Number(text).toFixed(2),
    last_contacted: (text) => `${text.slice(0, 10)}T00:00:00Z`,
  };
  const rewrites: NonNullable<Oddities['keeps']> = (now) => {
    const { phone, website } = now.contact;
    now.title = forms.title?.(now.title) ?? now.title;
    if (now.value !== null) now.value = forms.value?.(now.value) ?? null;
    if (now.last_contacted !== null) now.last_contacted = forms.last_contacted?.(now.last_contacted) ?? null;
    if (phone) now.contact.phone = forms.phone?.(phone) ?? null;
    if (website) now.contact.website = forms.website?.(website) ?? null;
  };

  it.each([
    ['website', 'HTTPS://Acme.Example/'],
    ['phone', '089 1234567'],
    ['title', 'Zoë Große'],
    ['value', '7.0040'],
  ])('%s: the second time unchanged, 0, and said once', async (flag, asked) => {
    service.odd = { keeps: rewrites };
    expect((await crm('leads', 'update', '1', `--${flag}`, asked, '--json')).status).toBe(0);
    const again = await crm('leads', 'update', '1', `--${flag}`, asked, '--json');
    const said = `The service keeps ${flag} as it was (asked: ${asked}).`;
    expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/^The service keeps .*\nLead 1 is as it was: /)]);
    expect(again.stderr).toContain(said);
    write('f.csv', `id,${flag}\n1,"${asked}"\n2,"${asked}"\n3,"${asked}"\n`);
    const nightly = ['leads', 'import', 'f.csv', '--mode', 'update', '--json', '--again', '--yes'];
    expect(JSON.parse((await crm(...nightly)).stdout)).toMatchObject({ updated: 2, unchanged: 1 });
    const { status, stdout, stderr } = await crm(...nightly);
    expect([status, JSON.parse(stdout), stderr.split('\n').filter((line) => line === said)]).toMatchObject([0, { unchanged: 3 }, [said]]);
  });

  it('contacted twice a day stays 0', async () => {
    service.odd = { keeps: rewrites };
    for (let time = 0; time < 2; time += 1) expect((await crm('leads', 'contacted', '1')).status).toBe(0);
    expect(JSON.parse((await crm('leads', 'get', '1', '--json')).stdout).last_contacted).toMatch(/T00:00:00Z$/);
  });

  it.each([
    ['country', 'Germany', (now: OddLead) => Object.assign(now.address, { country: 'DE' })],
    ['value', '8', (now: OddLead) => Object.assign(now, { value: '7.00' })],
    ['phone', '030 1234567', (now: OddLead) => Object.assign(now.contact, { phone: '+49 89 1234567' })],
    ['source', '', (now: OddLead) => Object.assign(now, { source: 'Web' })],
  ])('%s for another value stays red', async (flag, asked, keeps) => {
    keeps(lead(1));
    service.odd = { keeps: (now) => void keeps(now) };
    const ended = await crm('leads', 'update', '1', `--${flag}`, asked, '--json');
    expect([ended.status, errorIn(ended).code]).toEqual([7, 'not_taken']);
    expect(errorIn(ended).hint).toContain(`Leave ${flag} out, or give the service's own form.`);
  });
});

it('a plain service gets no request more', async () => {
  write('f.csv', 'id,source,tags\n2,Fair,hot\n');
  for (const [argv, requests] of [
    [
      ['leads', 'update', '1', '--source', 'Fair'],
      ['GET /api/leads/1', 'PATCH /api/leads/1'],
    ],
    [['leads', 'status', '1', '2'], ['PUT /api/leads/1/status']],
    [['leads', 'assign', '1', '2'], ['PUT /api/leads/1/assigned']],
    [
      ['leads', 'tags', '1', '--add', 'hot'],
      ['GET /api/leads/1', 'PUT /api/leads/1/tags'],
    ],
    [['leads', 'archive', '1'], ['PUT /api/leads/1/archive']],
    [
      ['leads', 'import', 'f.csv', '--mode', 'update', '--sets', 'add'],
      ['GET /api/leads', 'GET /api/leads/2', 'PATCH /api/leads/2', 'GET /api/leads/2', 'PUT /api/leads/2/tags'],
    ],
  ] as const) {
    const { status, stderr } = await crm(...argv, '--json');
    expect([status, service.requests.splice(0)], stderr).toEqual([0, requests]);
  }
});

describe('changed never stands beside old equal to new', () => {
  const formats = ['table', 'json', 'ndjson', 'csv', 'yaml', 'markdown'];

  it.each(formats)('in %s', async (format) => {
    service.odd = { keeps: locks('status') };
    write('f.csv', 'family,id,status,was.status,source,was.source\nleads,1,2,1,Fair,Web\nleads,2,2,1,Web,Web\nleads,3,1,1,Fair,Web\n');
    const applied = await crm('apply', 'f.csv', '-o', format);
    const selected = await crm('leads', 'update', '2,3', '--status', '2', '--value', '9', '--yes', '-o', format);
    const history = await crm('history', JSON.parse((await crm('history', '--json')).stdout)[0].run, '-o', format);
    for (const { stdout, stderr } of [applied, selected, history])
      expect(`${stdout}${stderr}`).not.toMatch(/New (?:->|→) New|"old": ?"New",\s*"new": ?"New"|New,New|old: New\s+new: New|is still/);
    expect([applied.status, selected.status]).toEqual([8, 8]);
  });
});
