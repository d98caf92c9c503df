// Seed files as they are read and planned: their form, what is checked before anything is sent, and the order of work.

import { describe, expect, it } from 'vitest';
import { CrmError } from '../../src/base/errors.ts';
import { parseSeedFile } from '../../src/seed/language/file.ts';
import { type SeedElements, seedElements } from '../../src/seed/records.ts';
import { runOf } from '../../src/seed/run.ts';

async function plan(text: string): Promise<SeedElements> {
  const file = await parseSeedFile(text, 'test.yaml');
  return seedElements(file, { run: 'test', randomSeed: 1, today: '2026-01-01', env: { PLACE: 'Leeds' } });
}

const lead = (name: string, more: string, acts = '[]'): string =>
  `  - { name: ${name}, type: lead, set: { title: ${name} title, status: 1, category: 1, ${more} }, then: ${acts} }\n`;

/** What is wrong with a file: `line N, place: message`. */
async function problems(text: string): Promise<string[]> {
  try {
    await plan(text);
    return [];
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    expect(error.exitStatus).toBe(2);
    const fields = error.details.fields ?? [];
    return fields.length === 0 ? [error.message] : fields.map(({ name, messages }) => `${name}: ${messages.join(' ')}`);
  }
}

const head = 'version: 1\nrecords:\n';
const note = (name: string, description: string): string =>
  `  - { name: ${name}, type: note, set: { title: T, description: '${description}' } }\n`;

describe('the form', () => {
  // biome-ignore format: a table
  it.each([
    ['', ['line 1: A seed file has version and records.']],
    ['version: 2\nrecords: []', ['test.yaml was written by a newer crm (format 2; this one knows 1): update crm.']],
    ['version: 0\nrecords: []', ['line 1, version: This version of crm reads version: 1.', 'line 2, records: Give at least one record.']],
    ['a: 1\na: 2', ['line 2: Map keys must be unique.']],
    ['version: 1\nrecords:\n  - name: a\n   type: b', ['line 4: Sequence item without - indicator.']],
    [`${head}  - { name: a, type: note, set: { title: T \${run}, description: x } }`,
      ["line 3: Unexpected flow-map-start at node end. Within { } and [ ], texts with ${…} need quotes: '${…}'."]],
    ['version: 1\nrecords: []\n---\nversion: 1', ['line 3: A second document begins here: a file holds one.']],
    ['version: 1\nrecords: [~, { name: a, type: note, key: [] }]',
      ['line 2, records[0]: Give the name and the type of a record, and the values to set.',
      'line 2, a.key: Give a flag name.']],
    [`version: 1\nrecords: ${'['.repeat(20_000)}`, ['line 2: It is nested too deeply.']],
    [`${head}  - { name: a }`, ['line 3, a.type: Give the type of a record to create, or find an existing record.']],
    [`${head}  - { type: note }`, ['line 3, records[0].name: It is missing.']],
    [`${head}  - { name: a, typ: note, type: note, set: { title: x, description: y } }`, ['line 3, a.typ: There is no such member here.']],
    [`${head}  - { name: a, count: 2, find: { type: lead, by: { id: 3 } } }`,
      ['line 3, a.count: There is no such member here.']],
    [`${head}  - { name: a, find: { type: lead, by: {} } }`, ['line 3, a.find.by: Give at least one value that identifies the record.']],
    [`${head}${note('a', 'x')}${note('a', 'x')}`, ['line 4, a.name: "a" is the name of a variable or another record already.']],
    [`${head}${note('index', 'x')}`, ['line 3, index.name: "index" is a word of the seed language.']],
    [`version: 1\nvars: { a b: 1 }\nrecords: []`,
      ['line 2, vars.a b: A name has letters, digits, hyphens and underscores, and begins with a letter.',
      'line 3, records: Give at least one record.']],
  ])('%s', async (text, expected) => expect(await problems(text)).toEqual(expected));

  it('numbers are their digits, in YAML and in JSON', async () => {
    const text =
      '{\n\t"version": 1, "records": [{"name": "l", "type": "lead", "set": {"title": "J\\u00e4", "status": 1,\n\t"category": 01, "value": 12.50, "zip": 00501}}]}';
    const [element] = (await plan(text)).elements;
    const values = element?.kind === 'make' ? element.values.map(({ tree }) => tree) : [];
    expect(values).toEqual(['Jä', '1', '01', '12.50', '00501']);
  });

  it('aliases and merged maps work, and their problems have a line', async () => {
    const text = `version: 1\nrecords:\n  - name: a\n    type: note\n    set: &base { title: T, description: D }\n  - name: b\n    type: note\n    set:\n      <<: *base\n      visibility: secret\n`;
    expect(await problems(text)).toEqual(['line 10, b.set.visibility: "secret" is not one of public, private.']);
  });

  it("aliases have yaml's own bounds", async () => {
    const records = (count: number): string =>
      Array.from({ length: count }, (_, index) => `  - { name: r${index}, type: note, set: { <<: *base } }\n`).join('');
    const base = '  - { name: a, type: note, set: &base { title: T, description: D } }\n';
    expect(await problems(head + base + records(99))).toEqual([]);
    const much = ['test.yaml: One alias is used more than 99 times. Use count, or write the values out.'];
    expect(await problems(head + base + records(100))).toEqual(much);
    const level = (name: string, of: string): string => `  ${name}: &${name} [${Array(9).fill(`*${of}`).join()}]\n`;
    const levels = [...'bcdefgh'].map((name, index) => level(name, 'abcdefg'[index] ?? '')).join('');
    expect(await problems(`version: 1\nvars:\n  a: &a [x]\n${levels}`)).toEqual(much);
  });
});

describe('what is checked before anything is sent', () => {
  // biome-ignore format: a table
  it.each([
    ['an unknown type', `${head}  - { name: a, type: leed }`, ['line 3, a.type: There is no type "leed" to create. Did you mean "lead"?']],
    ['an unknown flag', `${head}  - { name: a, type: note, set: { titel: x } }`,
      ['line 3, a.set.titel: There is no "titel" here. Did you mean "title"?']],
    ['a wire name, which is not what people type', `${head}  - { name: a, type: note, set: { note_title: x } }`,
      ['line 3, a.set.note_title: There is no "note_title" here. Did you mean "title"?']],
    ['what is required and empty',
      `version: 1\nvars: { none: '' }\nrecords:\n  - { name: a, type: lead, set: { title: ' ', status: '\${none}', category: 1 } }`,
      ['line 4, a.set.title: it is blank, and a new lead needs it.', 'line 4, a.set.status: it is blank, and a new lead needs it.']],
    ['an empty key', `${head}  - { name: a, type: lead, key: email, set: { title: x, status: 1, category: 1, email: ~ } }`,
      ["line 3, a.set.email: It is the record's key and can't be empty."]],
    ['members that records do not have, or that are no single value',
      `${head}${note('b', 'x')}${note('c', '${b.titel}')}${note('d', '${b.colour}')}${note('e', '${b.dates}')}${note('f', '${b.tags}')}`,
      ['line 4, c.set.description: notes have no "titel" (${b.titel}). Did you mean "title"?',
      expect.stringMatching(/^line 5, d.set.description: notes have no "colour" \(\$\{b.colour\}\)\. There are id, title, /),
      'line 6, e.set.description: "dates" is not a single value (${b.dates}): there are dates.created, dates.updated.',
      'line 7, f.set.description: "tags" is not a single value (${b.tags}).']],
    ['a default with an expression of its own', `${head}${note('a', '${env:NOPE|${run}}')}`,
      ['line 3, a.set.description: "${env:NOPE|${run": a default is a plain text, without expressions of its own.']],
    [
      'references to a count of none',
      `${head}  - { name: a, type: note, count: 0, set: { title: x, description: y } }\n${['${a.id}', '${a[0].id}', '${a[any].id}']
        .map((text, index) => note(`n${index}`, text))
        .join('')}`,
      [4, 5, 6].map((line) => `line ${line}, n${line - 4}.set.description: There is no a[0]: its count is 0.`),
    ],
    [
      'all of it at once',
      `${head}  - { name: a, type: note, count: -1, set: { title: x, description: y } }\n${note('b', '${a[7].id}')}${note('c', '${d.id}')}${note('d', '${c.id}')}${note('e', '${e.id}')}  - { name: f, type: note, set: { title: x } }\n`,
      [
        'line 3, a.count: -1 is negative; give 0 or more.',
        'line 5, c.set.description: c refers to `d`, which stands below it: put it above.',
        'line 7, e.set.description: e refers to itself.',
        'line 8, f: Missing description.',
      ],
    ],
    ['what is missing', `${head}  - { name: a, type: lead, set: { title: x } }`, ['line 3, a: Missing status, category.']],
    ['one of two', `${head}  - { name: a, type: proposal, set: { title: x, start: 2026-01-01, category: 4 } }`,
      ['line 3, a: Give client or lead.']],
    ['both of two', `${head}  - { name: a, type: proposal, set: { title: x, start: 2026-01-01, category: 4, client: 1, lead: 2 } }`,
      ['line 3, a: Give only one of client and lead.']],
    ['the order of dates',
      `${head}  - { name: a, type: proposal, set: { title: x, start: 2026-02-01, end: 2026-01-01, category: 4, client: 1 } }`,
      ['line 3, a: end: 2026-01-01 is before start 2026-02-01.']],
    ['values with ids to come',
      `${head}${note('a', 'x')}  - { name: b, type: contact, set: { first-name: A, last-name: B, client: 1, email: '\${a.id}' } }`,
      ['line 4, b.set.email: "1" is not an email address.']],
    ['equal keys',
      `${head}${['Fair', 'FAIR'].map((title, index) => `  - { name: k${index}, type: lead, key: title, set: { title: ${title}, status: 1, category: 1 } }\n`).join('')}`,
      ['line 4, k1.set.title: k1 and k0 have the same title.']],
    [
      'keys that refer to others',
      `${head}  - { name: f, find: { type: lead, by: { id: 3 } } }\n${lead('l', '')}${['${f.title}', '${f.title}', '${l.title}', 'L TITLE']
        .map((title, index) => `  - { name: k${index}, type: lead, key: title, set: { title: '${title}', status: 1, category: 1 } }\n`)
        .join('')}`,
      [5, 6, 7].map((line) => `line ${line}, k${line - 5}.set.title: It is the record's key, and a key takes nothing of other records but an id.`),
    ],
    [
      'emails',
      `${head}  - { name: c, type: contact, set: { first-name: A, last-name: B, client: 1, email: E@x.example } }\n` +
        '  - { name: d, type: contact, set: { first-name: A, last-name: B, client: 1, email: e@x.example } }\n',
      ['line 4, d.set.email: d and c have the same email.'],
    ],
    ['a conversion that would delete its lead',
      `${head}${lead('a', 'first-name: A, last-name: B, email: a@x.example', '[convert: { delete-lead: true }]')}`,
      [expect.stringMatching(/^line 3, a\.then\[0\]\.convert: There is no "delete-lead" here\./)]],
    [
      'a value that is set twice',
      `${head}  - { name: a, type: lead, set: { first-name: A, first_name: B, title: T, status: 1, category: 1 }, wire: { lead_title: X } }`,
      ['line 3, a.set.first_name: It sets the same field as "first-name".', 'line 3, a.wire.lead_title: It sets the same field as "title".'],
    ],
    ['a name that no object can have', `${head}  - { name: a, type: note, set: { title: x, description: y, __proto__: z } }`,
      ['line 3: Nothing can be called "__proto__".']],
    [
      'variables that grow',
      `version: 1\nvars:\n  v0: ${'z'.repeat(1000)}\n${Array.from({ length: 40 }, (_, index) => `  v${index + 1}: '\${v${index}}\${v${index}}'\n`).join('')}records:\n${note('n', 'x')}`,
      expect.arrayContaining(['line 13, vars.v10: It has 1024000 characters; the most is 1000000.']),
    ],
    [
      'counts that are too much together',
      `${head}${[1, 2, 3].map((n) => `  - { name: n${n}, type: note, count: 100000, set: { title: x, description: y } }\n`).join('')}`,
      ['test.yaml: The file has 300000 records; the most is 200000. Nothing was sent.'],
    ],
    ['an unknown record', `${head}${note('a', '${b.id}')}`, ['line 3, a.set.description: There is no record "b". There are a.']],
    ['an unknown variable', `version: 1\nvars: { domain: x }\nrecords:\n${note('a', '${domian}')}`,
      ['line 4, a.set.description: There is no variable "domian". Did you mean "domain"?']],
    ['a record without a member', `${head}${note('b', 'x')}${note('a', '${b}')}`,
      ['line 4, a.set.description: "b" is a record: write ${b.id}.']],
    ['a variable of one below it', `version: 1\nvars:\n  a: \${b}\n  b: \${a}\n  c: \${c}\nrecords:\n${note('n', 'x')}`,
      ['line 3, vars.a: a refers to `b`, which stands below it: put it above.',
      'line 5, vars.c: c refers to `c`, which stands below it: put it above.']],
    ['a list in place of one of it, and one of what is no list',
      `version: 1\nvars: { some: [a, b], one: c }\nrecords:\n${note('n', '${some}')}${note('m', '${one[any]}')}${note('o', '${some[2]}')}`,
      ['line 4, n.set.description: "some" is a list: write ${some[any]} for a random element.',
      'line 5, m.set.description: "one" is a text, not a list: write ${one}.',
      'line 6, o.set.description: There is no some[2]: the numbers go from 0 to 1.']],
    ['a variable of records', `version: 1\nvars: { a: '\${n.id}' }\nrecords:\n${note('n', 'x')}`,
      ["line 2, vars.a: Variables and counts can't refer to records."]],
    ['an unknown action', `${head}  - { name: a, type: note, set: { title: x, description: y }, then: [archive] }`,
      ['line 3, a.then[0]: "archive" can\'t be done with notes. There are tags.']],
    ["an action's value",
      `${head}  - { name: a, type: lead, set: { title: x, status: 1, category: 1 }, then: [status: 0, assign: ['1.5'], comment: ''] }`,
      ['line 3, a.then[0].status: "0" is not an id, a whole number above 0.',
      'line 3, a.then[1].assign: "1.5" is not an id, a whole number above 0.', "line 3, a.then[2].comment: a comment can't be empty."]],
    ['what a conversion needs',
      `${head}  - { name: a, type: lead, set: { title: x, status: 1, category: 1, first-name: A }, then: [convert: { email: a@b.c }] }`,
      ["line 3, a.then[0].convert: To convert, give last-name here or in the record's set."]],
    ['what a conversion needs, of values that are empty',
      `${head}  - { name: a, type: lead, set: { title: x, status: 1, category: 1, first-name: '', last-name: ~, email: a@b.c }, then: [convert] }`,
      ["line 3, a.then[0].convert: To convert, give first-name, last-name here or in the record's set."]],
    ['nothing that a conversion has',
      `${head}  - { name: a, type: lead, set: { title: x, status: 1, category: 1, first-name: A }, then: [convert: { email: a@b.c, last-name: B }] }`,
      []],
    ['a conversion of a list',
      `${head}  - { name: a, type: lead, set: { title: x, status: 1, category: 1 }, then: [convert: [email]] }`,
      ['line 3, a.then[0].convert: Give flags of convert, or nothing.']],
    ['twice the same of what is unique',
      `${head}  - { name: a, type: contact, count: 2, set: { first-name: A, last-name: B, client: 1, email: A@b.c } }`,
      ['line 3, a.set.email: a[1] and a[0] have the same email.']],
    ['a key that is not set', `${head}  - { name: a, type: note, key: visibility, set: { title: x, description: y } }`,
      ['line 3, a.key: "visibility" is not set, so it can\'t tell the record from others.']],
    ['a count', `${head}  - { name: a, type: note, count: many, set: { title: x, description: y } }`,
      ['line 3, a.count: "many" is not a whole number.']],
    ['what can not be found', `${head}  - { name: a, find: { type: thing, by: { id: 1 } } }`,
      expect.arrayContaining([expect.stringMatching(/^line 3, a\.find\.type: There is no type "thing"\./)])],
    ['by what', `${head}  - { name: a, find: { type: contact, by: { mail: x } } }`,
      ['line 3, a.find.by.mail: There is no "mail" here. Did you mean "email"?']],
    [
      'the API key',
      `version: 1\nvars: { k: '\${env:CRM_API_KEY|}' }\nrecords:\n${note('n', 'x')}`,
      [
        'line 2, vars.k: A seed file reads only variables that begin with CRM_SEED_. To let this one read CRM_API_KEY: --env CRM_API_KEY',
      ],
    ],
  ])('%s', async (_name, text, expected) => expect(await problems(text)).toEqual(expected));

  it('a count of many is told once', async () => {
    expect(await problems(`${head}  - { name: a, type: lead, count: 50, set: { title: x, status: 1.5, category: 1 } }`)).toHaveLength(1);
  });
});

describe('the order', () => {
  const acting = (then: string): string =>
    `  - { name: lead, type: lead, set: { title: x, status: 1, category: 1 }, then: [comment: '${then}'] }\n`;

  // biome-ignore format: a table
  it.each([
    ['what stands above may be referred to', note('a', 'x') + note('b', '${a.title}'), []],
    ['what stands below may not', note('a', '${b.id}') + note('b', 'x'),
      ['line 3, a.set.description: a refers to `b`, which stands below it: put it above.']],
    ['in `then` neither', acting('${b.id}') + note('b', 'x'),
      ['line 3, lead.then[0].comment: lead refers to `b`, which stands below it: put it above.']],
    ['in `then` a record knows its own id', acting('${lead.id}'), []],
    ['and nothing else of itself', acting('${lead.title}'),
      ['line 3, lead.then[0].comment: lead refers to itself: only its id is known in its own `then`.']],
    ['nor in its values', note('a', '${a.id}'), ['line 3, a.set.description: a refers to itself.']],
    ['also of a count', "  - { name: a, type: note, count: 3, set: { title: x, description: '${a[0].id}' } }\n",
      ['line 3, a.set.description: a refers to itself.']],
    ['what is found stands in the order, too', "  - { name: f, find: { type: lead, by: { title: '${a.title}' } } }\n" + note('a', 'x'),
      ['line 3, f.find.by.title: f refers to `a`, which stands below it: put it above.']],
  ])('%s', async (_name, records, expected) => expect(await problems(head + records)).toEqual(expected));

  it('a long chain is none too long', async () => {
    const chain = Array.from({ length: 2000 }, (_, index) => note(`n${index}`, index === 0 ? 'x' : `\${n${index - 1}.id}`));
    expect((await plan(head + chain.join(''))).elements).toHaveLength(2000);
  });
});

it.each([
  ['examples/sales-team.yaml', 'sales-team'],
  ['/a/b.c/Team-Nord.yml', 'Team-Nord'],
  ['x.json', 'x'],
])('the run of %s is %s', async (path, run) => expect(runOf(path, await parseSeedFile(head + note('a', 'x'), path), undefined)).toBe(run));

it.each(['Team Nord.yml', '..yaml'])('%s names no run', async (path) => {
  const file = await parseSeedFile(head + note('a', 'x'), path);
  expect(() => runOf(path, file, undefined)).toThrow("can't be the name of a run");
});

describe('what is told together', () => {
  it('what a file may hold comes first, then what its values mean, each in the order of lines', async () => {
    const text = `version: 1
colour: red
records:
  - { name: a, type: note, set: { titel: A, description: x } }
  - { name: b, type: note, count: -1, set: { title: B, description: x } }
`;
    await expect(plan(text)).rejects.toMatchObject({
      message: '1 problem in test.yaml; nothing was sent.',
      details: { fields: [{ name: 'line 2, colour', messages: ['There is no such member here.'] }] },
    });
    await expect(plan(text.replace('colour: red', ''))).rejects.toMatchObject({
      message: '2 problems in test.yaml; nothing was sent.',
      details: {
        fields: [{ name: 'line 4, a.set.titel' }, { name: 'line 5, b.count', messages: ['-1 is negative; give 0 or more.'] }],
      },
    });
  });

  it('a day that is none is refused at its line', async () => {
    await expect(plan('version: 1\ntoday: 2026-02-30\nrecords: [{ name: a, type: note }]\n')).rejects.toMatchObject({
      details: { fields: [{ name: 'line 2, today', messages: ['Give a day, YYYY-MM-DD.'] }] },
    });
  });
});
