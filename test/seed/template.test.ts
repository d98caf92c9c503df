// Expressions in the texts of seed files: what they are, and what they stand for.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Evaluated, evaluate, type Owner, type ReferenceTarget, type Scope, targetText } from '../../src/seed/language/evaluate.ts';
import { createFake } from '../../src/seed/language/fake.ts';
import { parseSeedFile } from '../../src/seed/language/file.ts';
import { parseTemplate } from '../../src/seed/language/template.ts';

const scope: Scope = {
  file: await parseSeedFile('version: 1\nrecords: [{ name: lead, type: lead }, { name: deal, type: lead, count: 3 }]', 'test.yaml'),
  run: 'trial',
  randomSeed: 7,
  env: { CITY: 'Leeds', EMPTY: '', CRM_API_KEY: 'secret', DATABASE: 'postgres://crm.example/crm', CRM_SEED_KEY: 'de', JWT: 'secret' },
  readable: ['CITY', 'TOWN', 'EMPTY', 'DATABASE', 'constructor', 'toString', '__proto__'],
  fake: createFake('2026-01-01'),
  variables: new Map<string, string | string[]>([
    ['domain', 'x.example'],
    ['sources', ['Fair', 'Web', 'Referral']],
  ]),
  records: new Map([
    ['lead', { place: 0, count: undefined }],
    ['deal', { place: 1, count: 3 }],
    ['last', { place: 2, count: undefined }],
  ]),
};

const owner: Owner = { name: 'last', index: 2, part: 'set' };

const evaluated = (text: string, whose: Owner = owner, within: Scope = scope): Evaluated => evaluate(text, whose, within, () => undefined);
const resolved = (text: string, whose?: Owner, within?: Scope): unknown => evaluated(text, whose, within).value;

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
    ['${env:CRM_SEED_KEY} ${env:CRM_SEED_NONE|x}', 'de x'],
    ['${env:TOWN|}', ''],
    ['${env:EMPTY|York}', 'York'],
    ['${env:DATABASE}', 'postgres://crm.example/crm'],
    ['${env:TOWN|a "quote and {}', 'a "quote and {'],
    ['${fake.number.int({"min": 3, "max": 3})}', '3'],
    ['${sources[0]} ${sources[index]}', 'Fair Referral'],
    ['${env:constructor|none} ${env:toString|none}', 'none none'],
  ])('%s', (text, expected) => expect(resolved(text)).toBe(expected));

  it.each([
    ['${domain', /no closing brace/],
    ['${}', /not an expression/],
    ['${a b}', /not an expression/],
    ['${lead[x].id}', /not an expression/],
    ['${env:a-b}', /not \$\{env:NAME\}/],
    ['${env:TOWN}', /TOWN is not set/],
    ['${env:EMPTY}', /EMPTY is not set/],
    ['${env:CRM_API_KEY|x}', /reads only variables that begin with CRM_SEED_\. To let this one read CRM_API_KEY: --env CRM_API_KEY/],
    ['${env:JWT}', /reads only .* --env JWT$/],
    ['${env:DATABASE_URL|x}', /reads only .* --env DATABASE_URL$/],
    ['${env:STRIPE_SK|}', /reads only .* --env STRIPE_SK$/],
    ['${env:crm_seed_x|}', /reads only .* --env crm_seed_x$/],
    ['${env:constructor}', /constructor is not set/],
    ['${env:__proto__}', /__proto__ is not set/],
    ['${fake.person.frstName}', /There is no made-up value fake\.person\.frstName\. Did you mean "person\.firstName"\?/],
    ['${fake.constructor.constructor("return 1")}', /There is no made-up value/],
    ['${fake.helpers.arrayElement(["a"])}', /There is no made-up value/],
    ['${fake.number.int({)}', /has no closing brace/],
    ['${fake.number.int([)}', /fake\.number\.int: Write options as \{"name": number\} in the parentheses/],
    ['${fake.number.int({"min": 9, "max": 1})}', /fake\.number\.int: min 9 is above max 1\./],
    ['${fake.number.int({"max": 1000000001})}', /fake\.number\.int: max is a whole number from -1000000000 to 1000000000\./],
    ['${fake.number.int({"max": 1.5})}', /max is a whole number/],
    ['${fake.number.int({"most": 5})}', /fake\.number\.int: It takes min and max, not "most"\./],
    ['${fake.lorem.paragraph(100000000)}', /Write options as \{"name": number\} in the parentheses/],
    ['${fake.lorem.sentence({"words": 5})}', /It takes nothing in parentheses/],
    ['${fake.lorem.paragraphs(100000000)}', /Did you mean "lorem\.paragraph"/],
    ['${fake.string.alphanumeric({"length": 101})}', /length is a whole number from 1 to 100\./],
    ['${sources}', /"sources" is a list/],
    ['${domain[any]}', /"domain" is a text, not a list/],
    ['${lead[0].id}', /one record: write \$\{lead\.id\}/],
    ['${deal.id}', /say which record, \$\{deal\[0\]\.id\} to \[2\]/],
    ['${deal[3].id}', /the numbers go from 0 to 2/],
  ])('%s is refused', (text, message) => expect(() => resolved(text)).toThrow(message));

  it('a record without a count has no number', () => {
    const single: Owner = { name: 'last', part: 'set' };
    expect(() => resolved('${index}', single)).toThrow(/records with a count/);
    expect(() => resolved('${deal[index].id}', single)).toThrow(/records with a count/);
  });

  it('what is not known yet stands as it is written', () => {
    expect(evaluated('lead:${lead.id}, ${deal[1].contact.email}, ${deal[index].id}')).toEqual({
      value: 'lead:${lead.id}, ${deal[1].contact.email}, ${deal[2].id}',
      isOpen: true,
    });
    const known = (target: ReferenceTarget): string => `<${targetText(target)}>`;
    expect(evaluate({ a: ['${lead.id}'] }, owner, scope, known)).toEqual({ value: { a: ['<${lead.id}>'] }, isOpen: false });
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
    expect(many((randomSeed) => resolved(name, owner, { ...scope, randomSeed }))).toBeGreaterThan(20);
    const [first, second] = String(resolved(`${name} ${name}`)).split(' ');
    expect(first).not.toBe(second);
  });

  it('are these for ever: words that are added change what runs create', () => {
    expect(resolved(`${name} \${fake.person.lastName}, \${fake.company.name}, \${fake.number.int({"max": 99})}`)).toMatchInlineSnapshot(
      `"Carlos Lopez, Keller Electrics and Sons, 44"`,
    );
  });

  it('no date depends on today', () => {
    expect(resolved('${fake.date.recent({"days":30})} ${fake.date.soon({"days":30})}')).toMatchInlineSnapshot(`"2025-12-05 2026-01-10"`);
  });

  it('have a name in the topic on seeds each, within its bounds', async () => {
    const topic = readFileSync(new URL('../../src/cli/topics/seeds.txt', import.meta.url), 'utf8');
    const names = [...topic.matchAll(/^ {2}fake\.(\w+\.\w+)/gm)].map(([, one = '']) => one);
    expect(names.length).toBeGreaterThan(20);
    for (const one of names) expect(String(resolved(`\${fake.${one}}`)), one).toMatch(/^.{1,300}$/);
    const ints = Array.from({ length: 200 }, (_, index) => Number(resolved('${fake.number.int({"min":-2,"max":2})}', { ...owner, index })));
    expect([...new Set(ints)].toSorted((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
  });

  it('[any] is one of them, the same one for every member', () => {
    const [first, second] = String(resolved('${deal[any].id} ${deal[any].title}')).split(' ');
    expect(first).toMatch(/^\$\{deal\[[012]\]\.id\}$/);
    expect(second).toBe(first?.replace('.id', '.title'));
    const picked = (index: number): unknown => resolved('${sources[any]}', { ...owner, index });
    expect(new Set(Array.from({ length: 30 }, (_, index) => picked(index)))).toEqual(new Set(['Fair', 'Web', 'Referral']));
    expect(picked(4)).toBe(picked(4));
  });
});
