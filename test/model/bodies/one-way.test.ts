// The same value means the same, however it is given: by a flag, by --data, in a cell of a file, in a seed file.

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import type { Body } from '../../../src/base/values/body.ts';
import { parseJson } from '../../../src/base/values/json.ts';
import { bodyPut } from '../../../src/import/columns/cells.ts';
import { fileColumn, otherColumn } from '../../../src/import/columns/columns.ts';
import type { ImportJob } from '../../../src/import/job.ts';
import { createBody } from '../../../src/model/bodies/create-body.ts';
import { givenBody } from '../../../src/model/bodies/given.ts';
import { asFlag, asMember } from '../../../src/model/bodies/names.ts';
import type { Resource } from '../../../src/model/define.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { items } from '../../../src/model/resources/items.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { notes } from '../../../src/model/resources/notes.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';
import { createShape, updateShape } from '../../../src/model/shape.ts';
import { parseSeedFile } from '../../../src/seed/language/file.ts';
import { fieldNamed, valueEntries, wireValueEntries } from '../../../src/seed/language/values.ts';
import { FileWords } from '../../../src/session/names/file-words.ts';

type Entries = [wire: string, value: unknown][];
type Way = (family: Resource, flag: string, value: unknown) => Promise<Entries>;

const importOf = (resource: Resource, clearBlanks: boolean): ImportJob => ({
  resource,
  mode: 'create',
  format: 'ndjson',
  maps: new Map(),
  constants: [],
  meanings: new Map(),
  notation: {},
  skipInvalid: false,
  clearBlanks,
  csvRaw: false,
  overwritesNewer: false,
  words: new FileWords({ makesNew: true }),
});

const cell =
  (clearBlanks: boolean): Way =>
  async (family, flag, value) => {
    const job = importOf(family, clearBlanks);
    const body: Body = new Map();
    bodyPut(job, fileColumn(job, flag) ?? otherColumn)(value, 'here', body);
    return [...body];
  };

const flag: Way = async (family, name, value) => [...givenBody(createShape(family), { [name]: value as string }, { set: [] })];
const data: Way = async (family, name, value) => [...givenBody(createShape(family), {}, { data: { [name]: value }, set: [] })];
const seed: Way = async (family, name, value) => {
  const text = `version: 1\nrecords:\n  - { name: a, type: ${family.singular}, set: { ${name}: ${JSON.stringify(value)} } }`;
  const [record] = (await parseSeedFile(text, 'test.yaml')).records;
  const tree = record?.kind === 'make' ? record.set[name] : undefined;
  const shape = createShape(family);
  return valueEntries(shape, fieldNamed(shape.fields, name), tree ?? null, 'here');
};

/** What a value comes to, or what is wrong with it, without where that was. */
async function outcome(way: Way, family: Resource, name: string, value: unknown): Promise<Record<string, unknown> | string> {
  try {
    return Object.fromEntries(await way(family, name, value));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.message.replace(/^(here|--(data )?[a-z-]+): /, '');
  }
}

type Case<Value> = readonly [Resource, string, Value, Record<string, unknown> | string];

const texts: readonly Case<string>[] = [
  ...['true', 'yes', 'on', '1', 'YES', ' On '].map((word): Case<string> => [contacts, 'send-email', word, { send_email: 'yes' }]),
  ...['false', 'no', 'off', '0', 'No', ''].map((word): Case<string> => [contacts, 'send-email', word, {}]),
  [contacts, 'send-email', 'maybe', '"maybe" is not yes or no.'],
  [items, 'custom-field', '3=a=b', { item_custom_field_3: 'a=b' }],
  [
    items,
    'custom-field',
    '[{"id":1,"name":"Code","value":"A"},{"id":10,"value":7}]',
    { item_custom_field_1: 'A', item_custom_field_10: '7' },
  ],
  [items, 'custom-field', '{"2":"B"}', { item_custom_field_2: 'B' }],
  [items, 'custom-field', '11=x', '"11=x" is not N=VALUE with N from 1 to 10.'],
  [items, 'custom-field', '[{', 'it is not valid JSON.'],
  [notes, 'resource', 'lead:3', { noteresource_type: 'lead', noteresource_id: 3 }],
  [notes, 'resource', ' lead:3 ', { noteresource_type: 'lead', noteresource_id: 3 }],
  [notes, 'resource', 'house:3', '"house:3" is not TYPE:ID with a type of client, lead, project, task, user.'],
  [leads, 'status', ' 3 ', { lead_status: 3 }],
  [leads, 'status', '12345678901234567890', { lead_status: '12345678901234567890' }],
  [leads, 'status', 'x', '"x" is not an id, a whole number above 0.'],
  [leads, 'value', ' 12.50', { lead_value: '12.50' }],
  [leads, 'email', ' a@b.example ', { lead_email: 'a@b.example' }],
  [leads, 'title', ' A ', { lead_title: ' A ' }],
  [items, 'unit', 'metre', { item_unit: 'metre' }],
  [items, 'unit', '007', { item_unit: 7 }],
  [leads, 'title', 'A\ud800', "it holds half of a character (\\ud800), which can't be sent."],
  [items, 'custom-field', '1=\udc00', "it holds half of a character (\\udc00), which can't be sent."],
];

const named = <Value>([family, name, value, expected]: Case<Value>) => [family.name, name, value, expected, family] as const;

describe('a text', () => {
  it.each(texts.map(named))('%s %s: %j', async (_family, name, value, expected, family) => {
    for (const way of [flag, data, cell(false), cell(true), seed]) expect(await outcome(way, family, name, value)).toEqual(expected);
  });
});

const values: readonly Case<unknown>[] = [
  [contacts, 'send-email', true, { send_email: 'yes' }],
  [contacts, 'send-email', 1, { send_email: 'yes' }],
  [contacts, 'send-email', false, {}],
  [contacts, 'send-email', 0, {}],
  [contacts, 'send-email', null, {}],
  [contacts, 'send-email', ['yes'], 'give a text or a number.'],
  [items, 'custom-field', ['1=A', '2=B'], { item_custom_field_1: 'A', item_custom_field_2: 'B' }],
  [items, 'custom-field', { 1: 'A', 2: 7 }, { item_custom_field_1: 'A', item_custom_field_2: '7' }],
  [items, 'custom-field', [{ id: 1, name: 'Code', value: 'A' }], { item_custom_field_1: 'A' }],
  [items, 'custom-field', [{ 1: 'A' }, '2=B'], { item_custom_field_1: 'A', item_custom_field_2: 'B' }],
  [items, 'custom-field', [], {}],
  [items, 'custom-field', null, {}],
  [items, 'custom-field', { 1: true }, 'give a text or a number.'],
  [items, 'custom-field', { 1: '\ud800' }, "it holds half of a character (\\ud800), which can't be sent."],
  [notes, 'resource', { type: 'client', id: 2 }, { noteresource_type: 'client', noteresource_id: 2 }],
  [notes, 'resource', { type: null, id: null }, {}],
  [notes, 'resource', null, {}],
  [notes, 'resource', { type: 'client' }, '"" is not an id, a whole number above 0.'],
  [leads, 'title', 7, { lead_title: '7' }],
  [leads, 'title', true, 'give a text or a number.'],
  [leads, 'title', ['A'], 'give a text or a number.'],
  [leads, 'status', 3, { lead_status: 3 }],
  [leads, 'status', { id: 3 }, 'give a text or a number.'],
];

describe('a value of JSON or YAML', () => {
  it.each(values.map(named))('%s %s: %j', async (_family, name, value, expected, family) => {
    for (const way of [data, cell(false), seed]) expect(await outcome(way, family, name, value)).toEqual(expected);
  });

  it('keeps every digit', async () => {
    const value = parseJson('12345678901234567890.10');
    for (const way of [data, cell(false)]) expect(await way(leads, 'value', value)).toEqual([['lead_value', '12345678901234567890.10']]);
  });
});

describe('a blank value', () => {
  it.each([
    ['--phone ""', flag, [['lead_phone', '']]],
    ['--data null', data, [['lead_phone', '']]],
    ['a cell', cell(false), []],
    ['a cell that clears', cell(true), [['lead_phone', '']]],
    ['a seed', seed, []],
  ])('%s', async (_name, way, expected) => {
    expect(await way(leads, 'phone', way === data ? null : '')).toEqual(expected);
  });

  it('does not stand for something required', async () => {
    const given = givenBody(createShape(leads), { title: ' ', status: '' }, { set: [] });
    expect(() => createBody(createShape(leads), [...given, ['lead_categoryid', 1]], asFlag)).toThrow(
      expect.objectContaining({
        values: ['--title', '--status'].map((where) => ({ where, problem: 'it is blank, and a new lead needs it.' })),
      }),
    );
    expect(() => createBody(createShape(leads), given, asMember)).toThrow(
      'Missing category. title: it is blank, and a new lead needs it. status: it is blank, and a new lead needs it.',
    );
    expect(() => createBody(updateShape(leads), Object.entries({ lead_title: ' ', lead_status: 1, lead_categoryid: 1 }), asFlag)).toThrow(
      "--title: it is blank, and can't be cleared.",
    );
    expect(await outcome(seed, leads, 'title', ' ')).toBe('it is blank, and a new lead needs it.');
  });

  it('does not count among those of which one is given', () => {
    const dates: Entries = Object.entries({ doc_title: 'T', doc_date_start: '2027-01-01', doc_categoryid: 4 });
    const bodyOf = (...customer: Entries) => createBody(createShape(proposals), [...dates, ...customer] as [string, string][], asMember);
    expect([...bodyOf(['doc_client_id', ''], ['doc_lead_id', 7])]).toEqual([['customer_type', 'lead'], ...dates, ['doc_lead_id', 7]]);
    expect(() => bodyOf(['doc_client_id', ''])).toThrow('Give client or lead.');
  });
});

describe('a wire name', () => {
  const byData = (name: string, value: unknown) => [...givenBody(createShape(contacts), {}, { data: { [name]: value }, set: [] })];
  const bySet = (name: string, value: string) => [...givenBody(createShape(contacts), {}, { set: [`${name}=${value}`] })];
  const bySeed = (name: string, value: string) => wireValueEntries(createShape(contacts), name, value, 'here');

  it.each([
    ['send_email', 'on', [['send_email', 'yes']]],
    ['send_email', 'no', []],
    ['clientid', ' 12 ', [['clientid', 12]]],
  ])('%s=%s', (name, value, expected) => {
    for (const way of [byData, bySet, bySeed]) expect(way(name, value)).toEqual(expected);
  });

  it('of nothing declared is a custom field, for --set and seeds', () => {
    for (const way of [bySet, bySeed]) expect(way('contact_custom_field_1', ' A')).toEqual([['contact_custom_field_1', ' A']]);
    expect(() => byData('clienttid', 1)).toThrow(
      '--data: there is no field "clienttid". Did you mean "client"? Custom fields go into --set.',
    );
    expect(() => bySeed('job_position', 'x')).toThrow('here: its wire name is position. Use set.job-position.');
  });

  it('a switch that --set turns off is off, whatever was given before', () => {
    expect([...givenBody(createShape(contacts), { 'send-email': true }, { set: ['send_email=no'] })]).toEqual([]);
  });
});

it('half of a reference is refused', () => {
  const note = Object.entries({ note_title: 'T', note_description: 'D', noteresource_id: 3 });
  expect(() => createBody(createShape(notes), note, asFlag)).toThrow('--resource: its type is missing beside its id.');
});
