// `crm snapshot --mask`: made-up texts where equal stays equal and different different, and the doors that a masked folder doesn't pass.

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../src/base/values/text/duplicate-key.ts';
import { choice } from '../../src/model/define.ts';
import { allFamilies } from '../../src/model/resources/index.ts';
import { createMask } from '../../src/seed/mask.ts';
import { type OddService, oddLead, oddService } from '../support/odd-service.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-mask-'));
afterAll(() => rmSync(folder, { recursive: true }));
const own = { CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config') };
type Env = Record<string, string>;
const crm = (line: string, env: Env = own) => runHere(line.split(' '), { env, cwd: folder });
async function succeeded(line: string, env: Env = own): Promise<string> {
  const { status, stdout, stderr } = await crm(line, env);
  expect(status, `${line}: ${stderr}`).toBe(0);
  return stdout;
}
const refused = async (line: string, env: Env = own): Promise<string> => {
  const { status, stderr } = await crm(line, env);
  expect(status, stderr).toBe(2);
  return stderr.replaceAll(/\s+/g, ' ');
};
const textOf = (dir: string, name: string): string => readFileSync(join(folder, dir, name), 'utf8');
const recordsOf = (dir: string, name: string): Record<string, unknown>[] =>
  textOf(dir, `${name}.ndjson`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
/** Values at the ends of a record, with their paths. */
const ends = (value: unknown, at = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => ends(one, Array.isArray(value) ? at : at === '' ? name : `${at}.${name}`))
    : [[at, value]];

describe('the demo CRM', () => {
  const families = ['contacts', 'proposals', 'leads', 'items', 'notes', 'clients', 'team', 'categories', 'projects', 'tasks', 'comments'];
  beforeAll(async () => {
    for (const line of ['sandbox init -q', 'snapshot plain --comments -q', 'snapshot masked --comments --mask -q']) await succeeded(line);
    await succeeded('sandbox init -q --profile copy --from masked');
  });

  it('keeps what is on the list, and makes up every other text', () => {
    const kept = [
      /(^|[._])id$/,
      /^dates\.|(^|\.)date$|^last_contacted$/,
      /^(value|rate|progress|count|users_count|.*due_days)$/,
      /^(status|priority)(\.title|\.color)?$|state$|^(type|tax_status|visibility|account_owner|dashboard_access|system_default)$/,
      /^(tags|unit\.name|default_tax\.name|category\.name|resource\.type|converted\.is_converted)$/,
    ];
    let madeUp = 0;
    for (const family of families) {
      const [before, after] = [recordsOf('plain', family), recordsOf('masked', family)];
      expect(after.length, family).toBe(before.length);
      for (const [index, record] of before.entries()) {
        const [was, now] = [ends(record), ends(after[index])];
        expect(now.map(([path]) => path)).toEqual(was.map(([path]) => path));
        for (const [at, [path, value]] of was.entries()) {
          const stays = !/(billing|shipping|address)\.state$/.test(path) && kept.some((one) => one.test(path));
          const isKept = stays || (family === 'categories' && path === 'name') || value === null || value === '';
          if (!isKept) madeUp += 1;
          if (isKept) expect(now[at]?.[1], `${family} ${path}`).toEqual(value);
          else expect(now[at]?.[1], `${family} ${path}`).not.toEqual(value);
        }
      }
    }
    expect(madeUp).toBeGreaterThan(500);
    expect(JSON.parse(textOf('masked', 'manifest.json'))).toMatchObject({ masked: true });
    expect(textOf('plain', 'manifest.json')).not.toContain('masked');
  });

  it('relations keep their names, and another run makes other values', async () => {
    const clients = new Map(recordsOf('masked', 'clients').map((one) => [one.id, one.company_name]));
    for (const contact of recordsOf('masked', 'contacts') as { client: { id: number; company_name: string } }[])
      expect(contact.client.company_name).toBe(clients.get(contact.client.id) ?? null);
    for (const one of recordsOf('masked', 'team')) expect(one.name).toBe(`${one.first_name} ${one.last_name}`);
    await succeeded('snapshot other --family clients --mask -q');
    const [one, other] = [recordsOf('masked', 'clients'), recordsOf('other', 'clients')];
    for (const [index, client] of one.entries()) expect(other[index]?.company_name).not.toBe(client.company_name);
  });

  it('is an embedded CRM, which it is compared with, and a seed that applies there', async () => {
    expect(JSON.parse(await succeeded('diff masked --profile copy --json'))).toEqual([]);
    await succeeded('leads update 1 --title Changed --profile copy');
    expect(JSON.parse(await succeeded('diff masked --profile copy --json'))).toMatchObject([{ id: 1, field: 'title', new: 'Changed' }]);
    await succeeded('seed from ./masked --out masked.yaml -q');
    await succeeded('seed apply masked.yaml --dry-run -q --profile copy');
    expect((await crm('seed apply masked.yaml --dry-run -q --profile sandbox')).status).not.toBe(0);
  });

  it('goes back over nobody', async () => {
    const only = 'can only be compared with an embedded CRM that was made from it';
    expect(await refused('diff masked --profile sandbox')).toContain(only);
    expect(await refused('diff masked plain --profile copy')).toContain(only);
    expect(await refused('diff plain masked --profile copy')).toContain(only);
    expect(await refused('diff masked --family leads --plan plan.csv --profile copy')).toContain('--plan would put made-up values back');
    symlinkSync(join(folder, 'masked', 'leads.ndjson'), join(folder, 'linked.ndjson'));
    writeFileSync(join(folder, 'masked', 'new.csv'), 'title,status,category\nNew,New,Inbound\n');
    const elsewhere = { ...own, CRM_BASE_URL: 'http://127.0.0.1:9', CRM_API_KEY: 'a-key-of-this-test' };
    for (const file of ['masked/leads.ndjson', 'linked.ndjson', 'masked/new.csv'])
      expect(await refused(`leads import ${file} --mode update --dry-run`, elsewhere), file).toContain('only into an embedded CRM');
    await succeeded('leads import masked/new.csv -q --profile copy');
  });
});

describe('a service unlike it', () => {
  let service: OddService;
  const person = (first_name: string, more: object) => ({ first_name, last_name: null, email: null, phone: null, ...more });
  const secrets = ['Zwetschgenmus', 'Quarkbällchen', 'شركة', 'פלוני', 'Xylander', 'qqzz', 'Blumentopf', '17012345', '4711081', 'Wöhrmann'];
  const rows = [
    { contact: person('Zwetschgenmus', { email: 'Qqzz@Xylander.de', phone: '+49 170 1234567', company_name: 'Wöhrmann & Co. KG' }) },
    { contact: person('Zwetschgenmus', { email: 'qqzz+fair@xylander.de', phone: '0170/1234567', company_name: 'WOHRMANN' }) },
    {
      contact: person('שלום פלוני', {
        email: 'פלוני@xylander.example.org',
        phone: '(0170) 1234568',
        company_name: 'شركة النور Sp. z o.o.',
      }),
    },
    { contact: person('Quarkbällchen', { phone: '01234567 Xylander', company_name: 'شركة النور' }) },
    { contact: person('', { email: '', phone: '-', company_name: 'Wöhrmann Blumentopf SA' }) },
  ];
  beforeAll(async () => {
    const leads = rows.map((row, index) => ({
      ...oddLead(index + 1),
      ...row,
      title: 'Xylander Blumentopf',
      description: `<p class="Blumentopf">Wir haben <b>Xylander</b> &amp; Quarkb&auml;llchen besucht<br/> und <i>Zwetschgenmus</i></p><script src="//qqzz.de">Xylander</script>`,
      custom: { Passport: '4711081', Kin: ['Quarkbällchen', { mail: 'QQZZ@xylander.de' }], phone_number: 4711081, isBuyer: true, born: '' },
      custom_fields: [{ id: 4711081, name: 'Blumentopf', value: 'Quarkbällchen' }],
      tags: ['fair'],
      dates: { ...oddLead(index + 1).dates, birthday: '17012345-04-04' },
    }));
    service = await oddService(join(folder, 'odd'), leads);
    for (const dir of ['odd-plain -q', 'odd-masked --mask -q']) await succeeded(`snapshot ${dir} --family leads`, service.env);
  });
  afterAll(() => service.stop());

  it('nothing of a masked member is in the output, whatever the member', () => {
    const text = textOf('odd-masked', 'leads.ndjson').toLowerCase();
    expect(secrets.filter((one) => text.includes(one.toLowerCase()))).toEqual([]);
    const [first, last] = [1, 5].map((id) => recordsOf('odd-masked', 'leads').find((one) => one.id === id));
    const at = (path: string): string => String(ends(first).find(([one]) => one === path)?.[1]);
    expect(first).toMatchObject({ id: 1, tags: ['fair'], status: { title: 'New' }, custom: { isBuyer: true, born: '' } });
    expect(at('contact.email')).toMatch(/^[a-z0-9.]+@[a-z]+\.example$/);
    expect(at('custom.Kin.mail')).toBe(at('contact.email'));
    expect(at('contact.phone')).toMatch(/^\+\d\d \d{3} \d{7}$/);
    expect(at('custom.phone_number')).toMatch(/^[1-9]\d{6}$/);
    expect(at('description')).toMatch(/^<p>\w+ \w+ <b>\w+<\/b> &amp; \w+ \w+<br> \w+ <i>\w+<\/i><\/p>\w+$/);
    expect(last).toMatchObject({ contact: { first_name: '', email: '', phone: '-', last_name: null } });
  });

  it('duplicates finds groups of the same sizes', async () => {
    const sizes = async (name: string): Promise<unknown> => {
      await succeeded(`sandbox init -q --profile ${name} --from ${name}`);
      const found = await succeeded(`leads duplicates --by email --by phone --by company --json --profile ${name}`);
      return (JSON.parse(found) as { group: number; id: number; key: string }[]).map(({ group, id, key }) => [
        group,
        id,
        key.replaceAll(/(\w+) [^,]*/g, '$1'),
      ]);
    };
    const before = await sizes('odd-plain');
    expect(before).toHaveLength(4);
    expect(await sizes('odd-masked')).toEqual(before);
  });
});

const notes = { name: 'notes', record: ['id', 'title', 'description'], columns: [] };
const maskedTexts = (texts: readonly string[], member = 'title'): string[] => {
  const mask = createMask();
  return texts.map((text) => String(ends(mask(notes, { [member]: text }))[0]?.[1]));
};

it('the states of actions and declared choices stay, of every family and of one that nobody lists', () => {
  const star = { verb: 'star', path: 'star', summary: 'Star', reads: { path: 'starred', value: 'yes' } };
  const invented = {
    name: 'invented',
    record: ['starred', 'tier.name', 'title'],
    columns: [],
    types: { 'tier.name': choice('gold') },
    actions: [star],
  };
  const mask = createMask();
  expect(mask(invented, { starred: 'yes', tier: { name: 'gold' }, title: 'Acme' })).toMatchObject({
    starred: 'yes',
    tier: { name: 'gold' },
  });
  expect(mask(invented, { title: 'Acme' })).not.toEqual({ title: 'Acme' });
  const states = allFamilies.flatMap((family) =>
    [...(family.actions ?? []), ...(family.guarded ?? [])].flatMap(({ reads }) => (reads === undefined ? [] : [{ family, ...reads }])),
  );
  expect(states.length).toBeGreaterThan(2);
  for (const { family, path, value } of states) {
    const record = path.split('.').reduceRight<unknown>((held, name) => ({ [name]: held }), value);
    expect(mask(family, record), `${family.name} ${path}`).toEqual(record);
  }
});

it('two thousand companies, phones and numbers are as many afterwards', () => {
  const forms = ['', ' GmbH', ' s r o', ', Inc.'];
  const companies = Array.from({ length: 2000 }, (_, index) => `Firma ${index} für Übersee${forms[index % 4]}`);
  expect(new Set(maskedTexts(companies).map((one) => keyOf.company(one))).size).toBe(2000);
  const phones = Array.from({ length: 2000 }, (_, index) => `${100_000 + index}`);
  expect(new Set(maskedTexts(phones, 'phone')).size).toBe(2000);
  const mask = createMask();
  const numbers = Array.from({ length: 1000 }, (_, index) => JSON.stringify(mask(notes, { score: index })));
  expect([new Set(numbers).size, numbers.filter((one) => /:(\d|[1-9]\d+)\}$/.test(one)).length]).toEqual([1000, 1000]);
});

// biome-ignore format: a table
it.each([
  ['Acme Trading', 'ACME-Trading Sp. z o.o.'], ['Müller & Söhne KG', 'Muller, Sohne'], ['Zoë’s Café Ltd.', 'ZOES CAFE'], ['O/S Limited Co', 'OS Limited'],
  ['Bank of East and West and North', 'bank OF east and west and north GmbH & Co. KG'], ['株式会社 ウ', '株式会社 ウ'],
])('%s stays equal to %s', (one, other) => {
  expect(keyOf.company(one)).toBe(keyOf.company(other));
  const [made, same] = maskedTexts([one, other]).map((text) => keyOf.company(text));
  expect(made).toBe(same);
  expect(made).not.toBe(keyOf.company(one));
});

it('texts keep their number of words and lines', () => {
  const long = 'Wir haben – wie besprochen – am 12.3. mit Frau Dr. O’Neill telefoniert;\nsie ruft zurück 👍, e-mail folgt.\n\nGruß';
  const counts = (text: string): number[] => text.split('\n').map((line) => line.split(/\s+/).length);
  const [made = ''] = maskedTexts([long]);
  expect(counts(made)).toEqual(counts(long));
  expect(maskedTexts(['', ' ', '-', '★'])).toEqual(['', ' ', '-', expect.stringMatching(/^\w+$/)]);
});
