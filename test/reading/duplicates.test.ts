// Which records stand twice. The people are made from a seed, in six languages; which of them are planted twice is noted as they are
// planted, and nothing here knows how keys are made.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leads as kept } from '../../src/sandbox/store/families.ts';
import { save, wholeRecord } from '../../src/sandbox/store/records.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { randomFrom } from '../support/random.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-twice-'));
const env = (name: string) => ({
  CRM_BASE_URL: `sandbox:${join(folder, `${name}.sqlite`)}`,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
});

interface Row {
  readonly group: number;
  readonly key: string;
  readonly keep: number | null;
  readonly id: number;
}

const crm = (name: string, ...words: string[]) => runHere(['leads', 'duplicates', ...words], { env: env(name) });
async function groupsOf(name: string, ...words: string[]): Promise<{ key: string; keep: number | null; ids: number[] }[]> {
  const ended = await crm(name, ...words, '--json');
  expect(ended.status, ended.stderr).toBe(0);
  const rows = JSON.parse(ended.stdout) as Row[];
  return [...Map.groupBy(rows, ({ group }) => group).values()].map((some) => ({
    key: some[0]?.key ?? '',
    keep: some[0]?.keep ?? null,
    ids: some.map(({ id }) => id),
  }));
}

interface Lead {
  readonly title?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly company_name?: string;
  readonly active_state?: string;
  readonly converted?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly created?: string;
}

/** The file of a new CRM, also where the tests run a second time. */
function fresh(name: string, demo: boolean): string {
  const file = join(folder, `${name}.sqlite`);
  rmSync(file, { force: true });
  makeSandbox(file, { demo });
  return file;
}

/** A CRM with these leads; gives their ids. */
function fill(name: string, leads: readonly Lead[]): number[] {
  const file = fresh(name, false);
  const store = openStore(file, { mode: 'open' });
  const ids: number[] = [];
  store.transaction(() => {
    for (const [index, { created, converted, title = `Lead ${index}`, active_state = 'active', ...contact }] of leads.entries()) {
      const time = created ?? new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString().replace('Z', '000Z');
      const record = {
        ...{ title, active_state, contact, status: { id: 1, title: 'New' }, category: { id: 1, name: 'Inbound' } },
        ...{ converted: { is_converted: converted !== undefined, date: converted ?? null }, dates: { created: time, updated: time } },
      };
      ids.push(save(store, kept, wholeRecord(kept, record)).id);
    }
  });
  store.close();
  return ids;
}

afterAll(() => rmSync(folder, { recursive: true }));

// biome-ignore format: a table
const people = {
  english: [['Oliver', 'Amelia', 'Harriet'], ['Whitaker', "O'Neill", 'Ashworth'], ['ashworth-mills.example', 'mail.example']],
  german: [['Jörg', 'Käthe', 'Anneliese'], ['Müller', 'Groß', 'von der Heide'], ['müller-bau.example', 'post.example']],
  polish: [['Łukasz', 'Małgorzata', 'Żaneta'], ['Wiśniewski', 'Dąbrowska', 'Zięba'], ['drewno.example', 'poczta.example']],
  french: [['François', 'Zoë', 'Anaïs'], ['Lefèvre', 'Bénoît', "d'Ormesson"], ['ateliers-lefevre.example', 'courriel.example']],
  greek: [['Νίκος', 'Ελένη', 'Δημήτρης'], ['Παπαδόπουλος', 'Οικονόμου', 'Αγγελή'], ['nautilia.example', 'tachydromeio.example']],
  japanese: [['太郎', '花子', '健一'], ['佐藤', '鈴木', '高橋'], ['sato-kogyo.example', 'yubin.example']],
} as const;

/** The same address as people write it. */
const spellings: readonly ((local: string, domain: string) => string)[] = [
  (local, domain) => `${local}@${domain}`.toUpperCase(),
  (local, domain) => `${local}+fair@${domain}`,
  (local, domain) => ` ${local}@${domain} `,
  (local, domain) => `${local.charAt(0).toUpperCase()}${local.slice(1)}+2025-spring@${domain}`,
  (local, domain) => `${local}@${domain}`,
];

describe('2,000 people in six languages', () => {
  const random = randomFrom(23);
  const leads: Lead[] = [];
  /** Which places hold the same person. */
  const planted: number[][] = [];
  const customers: number[] = [];
  let ids: number[] = [];

  beforeAll(() => {
    const languages = Object.values(people);
    for (let number = 0; leads.length < 2000; number += 1) {
      const [firsts, lasts, domains] = random.pick(languages);
      const [first, last, domain] = [random.pick(firsts), random.pick(lasts), random.pick(domains)];
      const local = `${random.pick(['info', 'office', 'kontakt', 'hello', 'vente'])}.${number}`;
      const person = { first_name: first, last_name: last, title: `${last}, ${number}` };
      const place = leads.push({ ...person, email: `${local}@${domain}` }) - 1;
      const chance = random.next();
      const again = (more: Lead = {}) => leads.push({ ...person, email: random.pick(spellings)(local, domain), ...more }) - 1;
      if (chance < 0.06) planted.push([place, ...Array.from({ length: random.between(1, 4) }, () => again())]);
      // What looks alike and is somebody else: another domain, a dot more, the number in another place.
      else if (chance < 0.12) leads.push({ ...person, email: `${local}@other-${domain}` }, { ...person, email: `${local}.@${domain}` });
      else if (chance < 0.15) leads.push({ ...person, email: '' }, { ...person, email: 'n/a' }, { ...person, email: 'n/a' });
      else if (chance < 0.18) again({ active_state: 'archived' });
      else if (chance < 0.21) {
        again({ converted: '2025-01-01T00:00:00.000000Z', ...(random.chance(0.5) && { active_state: 'archived' }) });
        customers.push(place);
      }
    }
    ids = fill('people', leads);
  });

  const idsAt = (places: readonly number[]): number[] => places.map((place) => ids[place] ?? 0);

  it('those that share an email are found, all of them and nobody else; the oldest is kept', async () => {
    expect(planted.length).toBeGreaterThan(60);
    const found = await groupsOf('people', '--by', 'email');
    const inOrder = (groups: readonly (readonly number[])[]) => groups.map(String).toSorted();
    expect(inOrder(found.map((one) => one.ids))).toEqual(inOrder(planted.map(idsAt)));
    expect(found.map(({ keep, ids: [first] }) => keep === first)).not.toContain(false);
  });

  it('those that match a converted one are told in a line of their own, and are in no group', async () => {
    const { stderr } = await crm('people', '--by', 'email', '--csv');
    const [first = [], second] = [idsAt(customers).toReversed().slice(0, 10), customers.length - 10];
    expect(stderr).toContain(
      `${customers.length} leads match a converted lead (existing customers): ${first.join(', ')} and ${second} more.`,
    );
  });

  it('is a gate on the number of groups', async () => {
    const count = planted.length;
    const end = async (...words: string[]) => (await crm('people', '--by', 'email', '-q', ...words)).status;
    expect([await end('--at-most', `${count}`), await end('--at-most', `${count - 1}`), await end('--at-least', `${count + 1}`)]).toEqual([
      0, 11, 11,
    ]);
  });
});

describe('groups', () => {
  it('a phone goes by its last nine digits, and tells nobody whom to keep', async () => {
    const [a, b, c] = fill('phones', [
      { phone: '+49 (0)30 901820-17' },
      { phone: '030/90182017' },
      { phone: '+49 30 90182017' },
      { phone: '+49 30 90182018' },
      { phone: '110' },
      { phone: '110' },
    ]);
    expect(await groupsOf('phones')).toEqual([{ key: 'phone 090182017', keep: null, ids: [a, b, c] }]);
  });

  it('a company goes without its legal form, and only when it is asked for', async () => {
    // biome-ignore format: a table
    const [a, b, c, d, e, f] = fill('companies', [
      { company_name: 'Müller & Söhne GmbH & Co. KG' }, { company_name: 'MULLER SOHNE' }, { company_name: 'Carpat Logistic S.R.L.' },
      { company_name: 'Carpat Logistic' }, { company_name: 'Drewno Sp. z o.o.' }, { company_name: 'Drewno S.A.' },
      { company_name: 'Nordisk A/S' }, { company_name: 'Nordisk Foods A/S' }, { company_name: 'AG' }, { company_name: '---' },
      { company_name: '---' },
    ]);
    expect(await groupsOf('companies')).toEqual([]);
    expect(await groupsOf('companies', '--by', 'company')).toEqual([
      { key: 'company drewno', keep: null, ids: [e, f] },
      { key: 'company carpat logistic', keep: null, ids: [c, d] },
      { key: 'company muller sohne', keep: null, ids: [a, b] },
    ]);
  });

  it('who shares an email and a phone is one group; who shares only one of them another; nothing is chained', async () => {
    const [a, b, c, d, e] = fill('both', [
      { email: 'ann@north.example', phone: '555 123 456', created: '2025-03-01T00:00:00.000000Z' },
      { email: 'ANN@north.example', phone: '555-123-456', created: '2024-03-01T00:00:00.000000Z' },
      { email: 'bob@north.example', phone: '444 999 000' },
      // Of two that were made at once, the one with the lower id is kept.
      { email: 'carl@north.example', phone: '444 999 000', created: '2025-05-01T00:00:00.000000Z' },
      { email: 'carl@north.example', phone: '333 999 000', created: '2025-05-01T00:00:00.000000Z' },
    ]);
    expect(await groupsOf('both')).toEqual([
      { key: 'email carl@north.example', keep: d, ids: [d, e] },
      { key: 'email ann@north.example, phone 555123456', keep: b, ids: [b, a] },
      { key: 'phone 444999000', keep: null, ids: [c, d] },
    ]);
  });

  it('none is said, and is an empty list', async () => {
    fill('none', [{ email: 'a@x.example' }, { email: 'b@x.example' }]);
    const [table, json] = [await crm('none'), await crm('none', '--json')];
    expect([table.status, table.stderr, json.status, json.stdout]).toEqual([0, 'No duplicates found.\n', 0, '[]\n']);
  });

  it('a row of CSV tells the group, the key, the one to keep, and what is different', async () => {
    fill('csv', [
      { title: 'Harbour', email: 'ann@north.example', first_name: 'Ann', company_name: 'North' },
      { title: '=Harbour', email: 'Ann@north.example', phone: '+44 20 7946 0958' },
    ]);
    const [header, ...rows] = (await crm('csv', '--csv', '-q')).stdout.trimEnd().split(/\r?\n/);
    expect(header).toBe(
      'group,key,keep,id,title,status.title,value,contact.company_name,last_contacted,contact.email,source,assigned,assigned.id,tags,contact.first_name,contact.last_name,contact.phone,dates.created,' +
        'status.id,status.color,active_state,category.id,category.name,description,contact.job_position,contact.website,address.street,' +
        'address.city,address.state,address.zip,address.country,converted.is_converted,converted.client_id,converted.date,dates.updated',
    );
    expect(rows).toEqual([
      expect.stringContaining('1,email ann@north.example,1,1,Harbour,New,,North,,ann@north.example,,,,,Ann,,,2024-01-01T00:00:00.000000Z,'),
      expect.stringContaining(
        "1,email ann@north.example,1,2,'=Harbour,New,,,,Ann@north.example,,,,,,,+44 20 7946 0958,2024-01-01T00:01:00.000000Z,",
      ),
    ]);
  });

  it('contacts have neither a state nor a company to go by', async () => {
    fresh('contacts', true);
    const contacts = (...words: string[]) => runHere(['contacts', ...words], { env: env('contacts') });
    expect((await contacts('duplicates', '--json')).stdout).toBe('[]\n');
    const [known] = JSON.parse((await contacts('list', '--limit', '1', '--json')).stdout) as { id: number; email: string }[];
    const [local, domain] = (known?.email ?? '').split('@');
    const made = ['create', '--first-name', 'A', '--last-name', 'B', '--client', '1', '--email', `${local}+again@${domain}`, '--json'];
    const { id } = JSON.parse((await contacts(...made)).stdout) as { id: number };
    const rows = JSON.parse((await contacts('duplicates', '--json')).stdout) as Row[];
    expect(rows.map((row) => [row.keep, row.id])).toEqual([
      [known?.id, known?.id],
      [known?.id, id],
    ]);
    const refused = await contacts('duplicates', '--by', 'company');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('is not one of email, phone')]);
  });
});
