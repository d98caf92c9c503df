// Expressions in the texts of seed files: what they are, and what they stand for.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFake } from '../../src/seed/language/fake.ts';
import { newWords } from '../../src/seed/language/plan.ts';
import { type Owner, Pending, type RunScope, resolveTree } from '../../src/seed/language/scope.ts';
import { parseTemplate } from '../../src/seed/language/template.ts';

const counts = new Map<string, number | undefined>([
  ['lead', undefined],
  ['deal', 3],
]);

const scope: RunScope = {
  run: 'trial',
  randomSeed: 7,
  env: {
    CITY: 'Leeds',
    EMPTY: '',
    CRM_API_KEY: 'secret',
    DATABASE: 'postgres://me:hidden@db/crm',
    KEYBOARD: 'de',
    AUTHOR: 'Kim',
    GH: 'ghp_16C7e42F292c6912',
    PEM: '-----BEGIN RSA PRIVATE KEY-----',
  },
  variable: (name) => {
    if (name === 'domain') return 'x.example';
    throw new Error(`no variable ${name}`);
  },
  fake: await loadFake('2026-01-01'),
  words: newWords(),
  countOf: (name) => {
    if (!counts.has(name)) throw new Error(`no record ${name}`);
    return counts.get(name);
  },
};

const owner: Owner = { name: 'deal', index: 2, part: 'set' };

const resolved = (text: string, whose: Owner = owner): unknown => resolveTree(text, whose, scope);

describe('texts', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a $ b { c } $5', 'a $ b { c } $5'],
    ['$${domain} and $$', '${domain} and $$'],
    ['${domain}', 'x.example'],
    ['a@${domain}', 'a@x.example'],
    ['${index}/${number}', '2/3'],
    ['${run}', 'trial'],
    ['${env:CITY}', 'Leeds'],
    ['${env:CITY|York}', 'Leeds'],
    ['${env:TOWN|York}', 'York'],
    ['${env:KEYBOARD} ${env:AUTHOR}', 'de Kim'],
    ['${env:TOWN|}', ''],
    ['${env:EMPTY|York}', 'York'],
    ['${env:TOWN|a "quote and {}', 'a "quote and {'],
    ['${fake.number.int({"min": 3, "max": 3})}', '3'],
    ['${fake.date.between({"from":"2026-01-01T00:00","to":"2026-01-01T00:01"})}', '2026-01-01'],
    ['${fake.helpers.arrayElement(["}"])}', '}'],
    ['${fake.helpers.arrayElement(["\\"}{"])}', '"}{'],
  ])('%s', (text, expected) => expect(resolved(text)).toBe(expected));

  it.each([
    ['${domain', /no closing brace/],
    ['${}', /not an expression/],
    ['${a b}', /not an expression/],
    ['${lead[x].id}', /not an expression/],
    ['${env:a-b}', /not \$\{env:NAME\}/],
    ['${env:TOWN}', /TOWN is not set/],
    ['${env:EMPTY}', /EMPTY is not set/],
    ['${env:CRM_API_KEY|x}', /CRM_API_KEY looks like a secret/],
    ['${env:AWS_SECRET_ACCESS_KEY|x}', /AWS_SECRET_ACCESS_KEY looks like a secret/],
    ['${env:GITHUB_TOKEN}', /GITHUB_TOKEN looks like a secret/],
    ['${env:npm_config_auth|}', /looks like a secret/],
    ['${env:PGPASSWORD}', /PGPASSWORD looks like a secret/],
    ['${env:DATABASE}', /DATABASE looks like a secret/],
    ['${env:GH}', /GH looks like a secret/],
    ['${env:PEM}', /PEM looks like a secret/],
    ['${env:DB_PW|}', /DB_PW looks like a secret/],
    ['${fake.person.frstName}', /Did you mean "firstName"/],
    ['${fake.persn.firstName}', /Did you mean "person"/],
    ['${fake.person.faker}', /faker has no "person.faker"/],
    ['${fake.constructor.constructor("return 1")}', /faker has no module "constructor"/],
    ['${fake.person.constructor}', /faker has no "person.constructor"/],
    ['${fake.number.int({)}', /has no closing brace/],
    ['${fake.number.int([)}', /not JSON/],
    ['${fake.number.int({"min": 9, "max": 1})}', /fake\.number\.int: /],
    ['${fake.helpers.multiple(1)}', /fake\.helpers\.multiple/],
    ['${fake.date.betweens({"from":"2026-01-01","to":"2026-02-01"})}', /no single value/],
    ['${fake.date.between}', /^fake\.date\.between needs other arguments/],
    ['${fake.finance.amount({"autoFormat":true})}', /autoFormat depends on the machine's language/],
    ['${fake.helpers.fake("{{date.past}}")}', /dates in \{\{…\}\} depend on the machine/],
    ['${fake.helpers.arrayElement}', /^fake\.helpers\.arrayElement needs other arguments/],
    ['${lead[0].id}', /one record: write \$\{lead\.id\}/],
    ['${deal.id}', /say which one, \$\{deal\[0\]\.id\} to \[2\]/],
    ['${deal[3].id}', /numbered from 0 to 2/],
  ])('%s is refused', (text, message) => expect(() => resolved(text)).toThrow(message));

  it('a record without a count has no number', () => {
    const single: Owner = { name: 'lead', part: 'set' };
    expect(() => resolved('${index}', single)).toThrow(/records with a count/);
    expect(() => resolved('${deal[index].id}', single)).toThrow(/records with a count/);
  });

  it('references wait', () => {
    const pending = resolved('lead:${lead.id}, ${deal[1].contact.email}, ${deal[index].id}');
    expect(pending).toBeInstanceOf(Pending);
    expect((pending as Pending).parts).toEqual([
      'lead:',
      { name: 'lead', member: 'id' },
      ', ',
      { name: 'deal', index: 1, member: 'contact.email' },
      ', ',
      { name: 'deal', index: 2, member: 'id' },
    ]);
  });

  it('any text can be written', () => {
    const text = fc.string({ unit: fc.constantFrom('$', '{', '}', '"', 'a', '.', '[', ' ', '|') });
    const escaped = (one: string): string => one.replaceAll('${', () => '$${');
    fc.assert(
      fc.property(text, (one) => {
        expect(resolved(escaped(one))).toBe(one);
      }),
    );
  });

  it('takes text apart once', () => expect(parseTemplate('a${b}c')).toEqual(['a', { kind: 'word', name: 'b' }, 'c']));
});

describe('made-up values', () => {
  const name = '${fake.person.firstName}';

  it('are the same in one part of a record, and each time', () => {
    expect(resolved(`${name}@x`)).toBe(`${resolved(name)}@x`);
    expect(resolved(name)).toBe(resolved(name));
  });

  it('differ between records, parts, seeds and within a text', () => {
    const many = (make: (index: number) => unknown): number => new Set(Array.from({ length: 30 }, (_, index) => make(index))).size;
    expect(many((index) => resolved(name, { ...owner, index }))).toBeGreaterThan(20);
    expect(many((index) => resolved(name, { ...owner, part: `then[${index}]` }))).toBeGreaterThan(20);
    expect(many((randomSeed) => resolveTree(name, owner, { ...scope, randomSeed }))).toBeGreaterThan(20);
    const [first, second] = String(resolved(`${name} ${name}`)).split(' ');
    expect(first).not.toBe(second);
  });

  it('are these for ever: a new faker that changes them changes what runs create', () => {
    expect(resolved(`${name} \${fake.person.lastName}, \${fake.company.name}, \${fake.number.int(99)}`)).toMatchInlineSnapshot(
      `"Noe Glover, Hyatt, Kuphal and Mertz, 28"`,
    );
  });

  it('no date depends on today', () => {
    expect(resolved('${fake.date.recent({"days":30})} ${fake.date.soon({"days":30})} ${fake.date.past()}')).toMatchInlineSnapshot(
      `"2025-12-09 2026-01-24 2025-10-03"`,
    );
  });

  it('[any] is one of them, the same one for every member', () => {
    const pending = resolved('${deal[any].id} ${deal[any].title}') as Pending;
    const [first, second] = pending.targets;
    expect(first?.index).toBeLessThan(3);
    expect(second?.index).toBe(first?.index);
  });
});
