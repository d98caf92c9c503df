// `crm seed from`: the records of a service as a seed file that makes them somewhere else.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/model/define.ts';
import { contacts } from '../../src/model/resources/contacts.ts';
import { items } from '../../src/model/resources/items.ts';
import { leads } from '../../src/model/resources/leads.ts';
import { notes } from '../../src/model/resources/notes.ts';
import { proposals } from '../../src/model/resources/proposals.ts';
import { type SeedSource, seedOf } from '../../src/seed/from.ts';
import { parseSeedFile } from '../../src/seed/language/file.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-seed-from-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const placeAt = (name: string) => ({
  env: { CRM_CONFIG_DIR: join(folder, name, 'config'), CRM_DATA_DIR: join(folder, name, 'data') },
  cwd: folder,
});
async function run(name: string, line: string) {
  return runHere(line.split(' '), placeAt(name));
}
async function succeeded(name: string, line: string) {
  const crm = await run(name, line);
  expect(crm.status, `${line}: ${crm.stderr}`).toBe(0);
  return crm;
}

describe('of the demo CRM', () => {
  beforeAll(async () => {
    for (const line of ['sandbox init -q', 'snapshot whole', 'snapshot names --family clients,team,categories,projects,tasks'])
      await succeeded('demo', line);
    await succeeded('bare', 'sandbox init -q --empty');
    rmSync(join(folder, 'bare'), { recursive: true });
  });

  it('everything is made anew where only the names are, with every value but ids, numbers and stamps', async () => {
    const { stderr } = await succeeded('demo', 'seed from ./whole --out all.yaml');
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('2 suspended contacts, which are made active, 2 signatures');
    await succeeded('demo', 'seed apply all.yaml --dry-run -q');
    const init = await run('copy', 'sandbox init -q --from names');
    expect(init.status, init.stderr).toBe(0);
    await succeeded('copy', 'seed apply all.yaml -q -p sandbox');
    await succeeded('copy', 'snapshot copied -p sandbox');
    for (const family of ['leads', 'proposals', 'items', 'notes', 'contacts']) {
      const [before, after] = ['whole', 'copied'].map((dir) => recordsIn(join(folder, dir, `${family}.ndjson`)));
      expect(after, family).toEqual(before);
    }
  }, 300_000);

  it('chosen records, twice the same bytes; what they point to is asked for', async () => {
    const first = await succeeded('demo', 'seed from leads:12,17');
    expect((await succeeded('demo', 'seed from lead:17,12,17')).stdout).toBe(first.stdout);
    expect(first.stdout).toContain('  # Blood bank, sample tracking\n  - name: lead_12\n');
    expect(first.stdout).toMatch(/status: Qualified\n/);
    expect(first.stdout).toMatch(/category: \$\{category_inbound\.id\}\n/);
    const byCondition = await succeeded('demo', 'seed from leads --where id=12,17');
    expect(byCondition.stdout).toBe(first.stdout);
  });
});

/** Records without what a copy can't have: ids, stamps, signatures, a conversion; as texts, in the order of their texts. */
function recordsIn(path: string): string[] {
  const others =
    /^(id|dates\.(created|updated|published)|signed|converted|creator_id|project_id|status\.(id|color)|social|role|account_owner)/;
  const flat = (value: unknown, at = ''): [string, unknown][] => {
    if (Array.isArray(value)) return [[at, JSON.stringify(value.map((one) => (typeof one === 'object' ? one.name : one)).sort())]];
    if (typeof value !== 'object' || value === null) return [[at, value]];
    return Object.entries(value).flatMap(([name, one]) => flat(one, at === '' ? name : `${at}.${name}`));
  };
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .filter((record) => !(record.client !== undefined && record.email !== undefined && record.client.id === null))
    .map((record) => (record.role === undefined ? record : { ...record, status: undefined }))
    .map((record) => flat(record).filter(([at]) => !others.test(at) && !/(^|\.)id$/.test(at)))
    .map((members) => JSON.stringify(members))
    .sort();
}

/** A source unlike the demo's. */
function sourceOf(chosen: [Resource, object[]][], reference: Record<string, object[]> = {}): SeedSource {
  return {
    chosen: new Map(chosen.map(([family, records]) => [family, records as { id: number }[]])),
    all: async ({ name }) => (reference[name] ?? []) as { id: number }[],
  };
}
const lead = (id: number, more: object = {}) => ({
  ...{ id, title: `Lead ${id}`, status: { id: 1, title: 'New' }, category: { id: 3, name: 'Web' }, active_state: 'active' },
  ...{ assigned: [], tags: [], contact: {}, address: {}, converted: { is_converted: false } },
  ...more,
});
const categories = [{ id: 3, name: 'Web', type: 'lead' }];

describe('of a service unlike the demo', () => {
  it.each<[string, object, string]>([
    ['braces of the seed language', { title: 'Pay ${run} now' }, 'title: Pay $${run} now'],
    ['texts that look like numbers', { title: '00501', source: 'true' }, 'title: "00501"'],
    ['right-to-left names', { contact: { last_name: 'כהן' } }, 'last-name: כהן'],
    ['an email that the flag refuses', { contact: { email: 'not an email' } }, 'wire:\n      lead_email: not an email'],
    ['a status that is called like a number', { status: { id: 8, title: '2024' } }, 'status: name:2024'],
    ['an archived lead', { active_state: 'archived', tags: ['a'] }, 'then:\n      - tags:\n          - a\n      - archive'],
  ])('%s', async (_what, more, text) => {
    const written = await seedOf(sourceOf([[leads, [lead(4, more)]]], { categories }));
    expect(written.text).toContain(text);
    await parseSeedFile(written.text, 'written.yaml');
  });

  it('counts what a seed can not say', async () => {
    const proposal = {
      ...{ id: 2, title: 'Offer', status: 'accepted', body: '<p>See lead 12 <img src="x"></p>', client: { id: null }, lead: { id: 4 } },
      ...{ category: { id: 5 }, dates: { start: '2027-01-01' }, signed: { date: '2026-01-01' }, tags: [] },
    };
    const converted = lead(4, { converted: { is_converted: true }, mystery: { deep: [1] } });
    const kinds = [...categories, { id: 5, name: 'Web', type: 'proposal' }];
    const blank = { id: 9, description: '', rate: '1.00' };
    const { text, lost, records } = await seedOf(
      sourceOf(
        [
          [leads, [converted]],
          [proposals, [proposal]],
          [items, [blank]],
        ],
        { categories: kinds },
      ),
    );
    expect(lost).toEqual(
      [
        'record without a required value, which is left out',
        'signature',
        'image in a text',
        '2 ids in texts',
        'converted lead, which is made open',
      ].map((one) => (/^\d/.test(one) ? one : `1 ${one}`)),
    );
    expect(records).toBe(2);
    expect(text).toContain('lead: ${lead_4.id}');
    expect(text).toContain('- status: accepted');
  });

  it.each<[string, SeedSource, RegExp]>([
    [
      'a lead that is not chosen',
      sourceOf([[notes, [{ id: 1, title: 'N', description: 'x', resource: { type: 'lead', id: 7 } }]]]),
      /point to leads:7/,
    ],
    [
      'two clients of one name',
      sourceOf([[contacts, [{ id: 1, first_name: 'A', last_name: 'B', email: 'a@b.example', client: { id: 2 } }]]], {
        clients: [
          { id: 2, company_name: 'North' },
          { id: 5, company_name: 'North' },
        ],
      }),
      /2 clients are called "North": 2 and 5/,
    ],
    ['a category that is gone', sourceOf([[leads, [lead(1)]]], { categories: [] }), /There is no category 3/],
  ])('refuses %s', async (_what, source, message) => {
    await expect(seedOf(source)).rejects.toThrow(message);
  });

  it('comments follow, the oldest first, where they are asked for', async () => {
    const source = sourceOf([[leads, [lead(4)]]], { categories });
    const comments = async () => [
      { id: 12, text: 'Then ${this}' },
      { id: 9, text: 'First' },
    ];
    const { text } = await seedOf({ ...source, comments });
    expect(text).toContain('- comment: First\n      - comment: Then $${this}\n');
    expect((await seedOf(source)).text).not.toContain('comment');
  });

  it('a note on a user is of the team, or of a chosen contact', async () => {
    const note = { id: 1, title: 'N', description: 'x', resource: { type: 'user', id: 2 } };
    const contact = { id: 2, first_name: 'A', last_name: 'B', email: 'a@b.example', client: { id: 2 } };
    const clients = [{ id: 2, company_name: 'North' }];
    const ofTeam = await seedOf(sourceOf([[notes, [note]]], { team: [{ id: 2, name: 'Priya Raman' }] }));
    expect(ofTeam.text).toContain('resource: user:${team_priya-raman.id}');
    const ofContact = await seedOf(
      sourceOf(
        [
          [notes, [note]],
          [contacts, [contact]],
        ],
        { clients, team: [] },
      ),
    );
    expect(ofContact.text).toContain('resource: user:${contact_2.id}');
  });
});

it('says what is wrong on the command line, before anything is sent', async () => {
  mkdirSync(join(folder, 'none', 'config'), { recursive: true });
  writeFileSync(join(folder, 'none', 'config', 'config.json'), '{"version": 1, "profiles": {}}', { mode: 0o600 });
  for (const [line, said] of [
    ['seed from leads', 'Say which leads: leads:12,17, or --where.'],
    ['seed from leads:12 notes:x', 'note: "x" is not an id'],
    ['seed from leads 47,48', '"47,48" names no records. Try: crm seed from leads:47,48'],
    ['seed from leads 47 48', '"47" names no records. Try: crm seed from leads:47,48'],
    ['seed from 47', '"47" names no records. Try: crm seed from leads:47'],
    // A file of so long a name can't be looked for (ENAMETOOLONG).
    [`seed from ${'47,'.repeat(100)}48`, `Try: crm seed from leads:47,47,`],
    [`seed from ${'x'.repeat(300)}`, 'There are no records called "xxx'],
    ['seed from none', '"none" names no records. Try: crm seed from ./none'],
    ['seed from people:1', 'There are no records called "people"'],
    ['seed from ./nowhere', 'There is no snapshot ./nowhere.'],
    ['seed from ./nowhere leads:1', 'which stands alone'],
    ['seed from leads:1 --where id=2', '--where goes with one family'],
  ] as const) {
    const { status, stderr } = await run('none', line);
    expect([line, status], stderr).toEqual([line, 2]);
    expect(stderr).toContain(said);
  }
});
