// What a new record must have, what a flag overrules, and what its wire names mean.

import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import type { BodyValue } from '../../../src/base/values/body.ts';
import { bodyCheck, checkGiven, createBody } from '../../../src/model/bodies/create-body.ts';
import { bodyEntries, wireEntries } from '../../../src/model/bodies/entries.ts';
import { givenBody } from '../../../src/model/bodies/given.ts';
import { asFlag } from '../../../src/model/bodies/names.ts';
import type { Field, Resource } from '../../../src/model/define.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { items } from '../../../src/model/resources/items.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { notes } from '../../../src/model/resources/notes.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';
import { createShape, updateShape, wiresOf } from '../../../src/model/shape.ts';

type Given = Readonly<Record<string, BodyValue>>;

const errorOf = (work: () => unknown): UsageError => {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it went well');
};
const refusal = (family: Resource, given: Given): UsageError =>
  errorOf(() => createBody(createShape(family), Object.entries(given), asFlag));
const field = ({ fields }: Resource, name: string): Field => fields.find(({ flag }) => flag === name) as Field;

const proposal = { doc_title: 'T', doc_categoryid: 4, doc_date_start: '2027-02-01' };

describe('something new', () => {
  it('has no blank where something is required, be it given as nothing at all', () => {
    for (const title of ['', ' ']) {
      const error = refusal(leads, { lead_title: title, lead_status: 1, lead_categoryid: 1 });
      expect(error.message).toBe('--title: it is blank, and a new lead needs it.');
    }
  });

  it('is told all that it lacks, and what could be asked for', () => {
    const lacking = refusal(leads, { lead_title: 'T' });
    expect(lacking.message).toBe('Missing --status, --category.');
    expect(lacking).toMatchObject({
      values: [
        { where: '--status', code: 'missing_value' },
        { where: '--category', code: 'missing_value' },
      ],
      details: { missing: [['--status'], ['--category']] },
    });
    expect(refusal(proposals, proposal)).toMatchObject({
      message: 'Give --client or --lead.',
      details: { missing: [['--client', '--lead']] },
    });
  });

  it('is not asked for what it lacks where something else is wrong, too', () => {
    const blank = refusal(leads, { lead_title: ' ', lead_status: 1 });
    expect(blank.message).toBe('Missing --category. --title: it is blank, and a new lead needs it.');
    expect(blank.details.missing).toBeUndefined();
  });

  it.each([
    ['noteresource_type', '--resource: its id is missing beside its type.'],
    ['noteresource_id', '--resource: its type is missing beside its id.'],
  ])('has both halves of a reference: %s', (wire, message) => {
    expect(refusal(notes, { note_title: 'T', note_description: 'D', [wire]: 'lead' }).message).toBe(message);
  });

  it('ends no earlier than it starts', () => {
    const ending = (end: string): Given => ({ ...proposal, doc_lead_id: 7, doc_date_end: end });
    expect(refusal(proposals, ending('2027-01-31')).message).toBe('--end: 2027-01-31 is before --start 2027-02-01.');
    for (const end of ['2027-02-01', ''])
      expect(createBody(createShape(proposals), Object.entries(ending(end)), asFlag).get('doc_date_end')).toBe(end);
  });
});

it('what is wrong already is not missing as well', () => {
  const problems = (family: Resource, given: Given, ...wrong: string[]): string[] =>
    bodyCheck(createShape(family))(new Map(Object.entries(given)), (wire) => wrong.includes(wire)).map(({ kind }) => kind);
  expect(problems(leads, { lead_title: 'T', lead_status: 1 }, 'lead_categoryid')).toEqual([]);
  expect(problems(proposals, proposal, 'doc_lead_id')).toEqual([]);
  expect(problems(proposals, { ...proposal, doc_client_id: 5 }, 'doc_lead_id')).toEqual(['several-of']);
  const note = { note_title: 'T', note_description: 'D' };
  expect(problems(notes, { ...note, noteresource_type: 'lead' }, 'noteresource_id')).toEqual([]);
  expect(problems(notes, note, 'noteresource_id')).toEqual(['half']);
});

it('a change may clear a text that is given as nothing, and no other value', () => {
  const shape = updateShape(leads);
  expect(() => checkGiven(shape, new Map([['lead_title', '']]), asFlag)).not.toThrow();
  for (const wrong of [{ lead_title: ' ' }, { lead_status: '' }])
    expect(errorOf(() => checkGiven(shape, new Map(Object.entries(wrong)), asFlag)).message).toContain(
      "it is blank, and can't be cleared.",
    );
});

it('a change that lacks something is not asked for it', () => {
  const error = errorOf(() => createBody(updateShape(leads), [['lead_title', 'T']], asFlag));
  expect([error.message, error.details.missing]).toEqual(['Missing --status, --category.', undefined]);
});

it('custom fields travel under their numbers, a reference in two halves', () => {
  expect(wiresOf(field(items, 'custom-field'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `item_custom_field_${n}`));
  expect([wiresOf(field(notes, 'resource')), wiresOf(field(notes, 'title'))]).toEqual([
    ['noteresource_type', 'noteresource_id'],
    ['note_title'],
  ]);
});

describe('of some fields of which one goes', () => {
  const given = (flags: Record<string, string>, data: Record<string, unknown>, ...set: string[]): unknown =>
    Object.fromEntries(givenBody(createShape(proposals), flags, { data, set }));

  it('the flag overrules the other of --data, and what tells which it is', () => {
    expect(given({ lead: '3' }, { client: 5, customer_type: 'client', title: 'T' })).toEqual({ doc_lead_id: 3, doc_title: 'T' });
    expect(given({ client: '3' }, { lead: 5 })).toEqual({ doc_client_id: 3 });
  });

  it('--data alone stays', () => {
    expect(given({ title: 'T' }, { client: 5 })).toEqual({ doc_title: 'T', doc_client_id: 5 });
  });

  it('a setting goes over both', () => {
    expect(given({ title: 'T' }, { title: 'D' }, 'doc_title=S', 'x=y=z')).toEqual({ doc_title: 'S', x: 'y=z' });
    for (const set of ['=x', 'x', '']) expect(errorOf(() => given({}, {}, set)).message).toBe(`--set: "${set}" is not name=value.`);
  });
});

it('wrong words in --data are told', () => {
  const wrong = [{ where: '--data status', problem: 'no status is called "Nwe".' }];
  expect(errorOf(() => givenBody(createShape(leads), {}, { data: {}, set: [], wrong })).message).toContain('no status is called "Nwe".');
});

it('what is for creation alone is told so, by either name', () => {
  for (const name of ['client', 'clientid'])
    expect(errorOf(() => givenBody(updateShape(contacts), {}, { data: { [name]: 5 }, set: [] })).message).toBe(
      `--data ${name}: it can't be changed after creation.`,
    );
});

describe('a wire name', () => {
  it.each<[Resource, string, unknown, unknown]>([
    [items, 'item_custom_field_1', ' A', [['item_custom_field_1', ' A']]],
    [items, 'item_custom_field_10', 7, [['item_custom_field_10', '7']]],
    [notes, 'noteresource_type', 'lead', [['noteresource_type', 'lead']]],
    [notes, 'noteresource_id', '3', [['noteresource_id', 3]]],
    [proposals, 'customer_type', 'lead', [['customer_type', 'lead']]],
    [leads, 'lead_value', ' 5.00 ', [['lead_value', '5.00']]],
  ])('%s %s', (family, name, value, expected) => {
    expect(wireEntries(createShape(family), name, value, { where: 'here', named: asFlag })).toEqual(expected);
    expect([...givenBody(createShape(family), {}, { data: { [name]: value }, set: [] })]).toEqual(expected);
  });

  it.each<[Resource, string, unknown]>([
    [notes, 'noteresource_type', 'house'],
    [notes, 'noteresource_id', 'x'],
    [proposals, 'customer_type', 'house'],
  ])('%s %s is checked: %s', (family, name, value) => {
    expect(() => wireEntries(createShape(family), name, value, { where: 'here', named: asFlag })).toThrow(/^here: /);
  });

  it.each(
    'item_custom_field_0 item_custom_field_11 item_custom_field_01 item_custom_field_ item_custom_field_x abcdefghijklmnopqr3 1'.split(' '),
  )('%s is none', (name) => {
    expect(() => givenBody(createShape(items), {}, { data: { [name]: 'x' }, set: [] })).toThrow(`there is no field "${name}".`);
  });

  it('a name that is near is offered, be it of the wire or of a record, and is a flag then', () => {
    const offered = (name: string, family = items): string | undefined =>
      /Did you mean "(.*?)"/.exec(errorOf(() => givenBody(createShape(family), {}, { data: { [name]: 1 }, set: [] })).message)?.[1];
    expect(offered('positoin', contacts)).toBe('job-position');
    expect(['descripton', 'item_ratee', 'unit_idd', 'estimation_note', 'colour'].map((name) => offered(name))).toEqual([
      'description',
      'rate',
      'unit',
      'estimation-notes',
      undefined,
    ]);
  });
});

describe('custom fields', () => {
  const custom = field(items, 'custom-field');

  it('without a value are cleared, or left alone where blanks are none', () => {
    for (const value of ['2=', { 2: '' }, { id: 2, name: 'Size', value: null }, [{ 2: '' }], '{"2":""}']) {
      expect(bodyEntries(custom, value, 'here', 'send')).toEqual([['item_custom_field_2', '']]);
      expect(bodyEntries(custom, value, 'here', 'skip')).toEqual([]);
    }
  });

  it('with a value are sent either way', () => {
    for (const value of ['2=B', { 2: 'B' }, { id: 2, value: 'B' }])
      expect(bodyEntries(custom, value, 'here', 'skip')).toEqual([['item_custom_field_2', 'B']]);
  });

  it('an empty cell gives none, an empty text none that could be sent', () => {
    for (const nothing of [null, undefined]) expect(bodyEntries(custom, nothing, 'here')).toEqual([]);
    expect(bodyEntries(custom, ' ', 'here', 'skip')).toEqual([]);
    expect(() => bodyEntries(custom, ' ', 'here', 'send')).toThrow('is not N=VALUE');
  });
});

describe('a reference', () => {
  const on = field(notes, 'resource');

  it('to nothing is none; half of one is wrong', () => {
    for (const none of [null, undefined, { type: null, id: null }, { type: '', id: '' }]) expect(bodyEntries(on, none, 'here')).toEqual([]);
    for (const half of [{ type: null, id: 5 }, { type: 'lead', id: null }, { type: 'lead' }])
      expect(() => bodyEntries(on, half, 'here')).toThrow(/^here: /);
  });

  it('an empty cell gives none, an empty text is no reference', () => {
    expect(bodyEntries(on, ' ', 'here', 'skip')).toEqual([]);
    expect(() => bodyEntries(on, ' ', 'here', 'send')).toThrow('is not TYPE:ID');
    expect(bodyEntries(on, 'lead:5', 'here', 'skip')).toEqual([
      ['noteresource_type', 'lead'],
      ['noteresource_id', 5],
    ]);
  });
});
