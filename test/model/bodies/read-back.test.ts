// What a record holds goes back as it is, what it didn't tell is said, and nothing is sent that only a new record may have.

import { describe, expect, it } from 'vitest';
import { UnavailableError, UsageError } from '../../../src/base/errors.ts';
import { parseJson } from '../../../src/base/values/json.ts';
import { actionBody, setElement } from '../../../src/model/bodies/operations.ts';
import { absentFields, completedBody, mergeBody, readBack, withoutCreateOnly } from '../../../src/model/bodies/read-back.ts';
import { elementsOf } from '../../../src/model/bodies/replaced-set.ts';
import { isKnownSigned, isSigned } from '../../../src/model/bodies/signed.ts';
import type { Field, ReplacedSet, Resource } from '../../../src/model/define.ts';
import { accountOwner, contacts } from '../../../src/model/resources/contacts.ts';
import { items } from '../../../src/model/resources/items.ts';
import { leads } from '../../../src/model/resources/leads.ts';
import { notes } from '../../../src/model/resources/notes.ts';
import { proposals } from '../../../src/model/resources/proposals.ts';
import { updateShape } from '../../../src/model/shape.ts';

const field = ({ fields }: Resource, name: string): Field => {
  const found = fields.find(({ flag }) => flag === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};
const set = (name: string): ReplacedSet => leads.sets?.find(({ read }) => read === name) as ReplacedSet;

describe('what a record holds of a field', () => {
  it.each<[string, Resource, string, unknown, unknown[]]>([
    ['an id stays a number', leads, 'status', { status: { id: 3 } }, [['lead_status', 3]]],
    ['so does the id of a unit', items, 'unit', { unit: { id: 4, name: 'metre' } }, [['item_unit', 4]]],
    ['money keeps its zeros', items, 'rate', { rate: '450.00' }, [['item_rate', '450.00']]],
    ['null is nothing', leads, 'source', { source: null }, []],
    ['nor is what is not told', leads, 'source', {}, []],
    ['what does not read back', contacts, 'send-email', { send_email: 'yes' }, []],
    [
      'custom fields by their numbers, those that hold something',
      items,
      'custom-field',
      { custom_fields: [{ id: 1, value: 'A' }, { id: 2, value: null }, { id: 3 }, null, 'x', { id: 10, value: 7 }] },
      [
        ['item_custom_field_1', 'A'],
        ['item_custom_field_10', '7'],
      ],
    ],
    ['custom fields of another form', items, 'custom-field', { custom_fields: { 1: 'A' } }, []],
  ])('%s', (_name, family, name, record, expected) => {
    expect(readBack(field(family, name), record)).toEqual(expected);
  });

  it('what is no single value is not sent back: it has to be given', () => {
    expect(() => readBack(field(leads, 'title'), { title: { en: 'Shop' } })).toThrow(UsageError);
    expect(() => readBack(field(leads, 'title'), { title: ['Shop'] })).toThrow("The record's title is not a single value: give --title.");
  });
});

describe('a whole update body', () => {
  it('is what is held, under what is given', () => {
    const record = { title: 'Shop', status: { id: 3 }, category: { id: 2 }, source: 'Web', value: null };
    const body = mergeBody(
      leads.fields,
      record,
      new Map([
        ['lead_source', ''],
        ['lead_value', '5'],
        ['lead_custom_field_1', 'A'],
      ]),
    );
    expect(Object.fromEntries(body)).toEqual({
      lead_title: 'Shop',
      lead_status: 3,
      lead_categoryid: 2,
      lead_source: '',
      lead_value: '5',
      lead_custom_field_1: 'A',
    });
  });

  it('leaves out what is sent only when it is given', () => {
    const record = { title: 'T', body: '<p>A</p>' };
    expect(mergeBody(proposals.fields, record, new Map()).has('doc_body')).toBe(false);
    expect(mergeBody(proposals.fields, record, new Map([['doc_body', 'B']])).get('doc_body')).toBe('B');
  });

  it('names the fields that the record did not tell, and that would be cleared', () => {
    const absent = (given: [string, string][], record: object): string[] =>
      absentFields([field(leads, 'title'), field(leads, 'source'), field(leads, 'city')], record, new Map(given)).map(({ flag }) => flag);
    expect(absent([], { title: 'Shop' })).toEqual(['source', 'city']);
    expect(absent([['lead_source', '']], { title: 'Shop' })).toEqual(['city']);
    expect(absent([], { title: 'Shop', source: null, address: { city: null } })).toEqual([]);
    expect(absentFields([field(proposals, 'body'), field(contacts, 'send-email')], {}, new Map())).toEqual([]);
  });

  it('has nothing of what is for creation alone', () => {
    const given = new Map<string, string | number>([
      ['note_title', 'T'],
      ['noteresource_type', 'lead'],
      ['noteresource_id', 3],
      ['noteresource', 'x'],
      ['note_custom', 'y'],
    ]);
    expect([...withoutCreateOnly(updateShape(notes), given).keys()]).toEqual(['note_title', 'note_custom']);
  });
});

it('a copy is called one, and has nothing that is blank', () => {
  const copied = (record: object): unknown => Object.fromEntries(completedBody(leads.fields, record, new Map([['lead_source', '']])));
  expect(copied({ title: 'Shop', value: '5.00', description: ' ' })).toEqual({
    lead_title: 'Shop (copy)',
    lead_value: '5.00',
    lead_source: '',
  });
  expect(copied({ title: ' ' })).toEqual({ lead_source: '' });
});

describe('a set that is read to be changed', () => {
  it('is sent back as it is, with every digit of an id', () => {
    expect(elementsOf(set('assigned'), { assigned: [{ id: 5, name: 'Ann' }, { id: '6' }] }, '')).toEqual([5, 6]);
    expect(elementsOf(set('assigned'), parseJson('{"assigned":[{"id":12345678901234567890}]}'), '')).toEqual(['12345678901234567890']);
    expect(elementsOf(set('assigned'), { assigned: null }, '')).toEqual([]);
  });

  it.each([[[null]], [[{ name: 'Ann' }]], [[{ id: 'x' }]], [[{ id: 0 }]], [[{ id: true }]], [5], [{ id: 5 }]])(
    'is not changed where that is not possible: %j',
    (assigned) => {
      expect(() => elementsOf(set('assigned'), { assigned }, '--all')).toThrow(UnavailableError);
      expect(() => elementsOf(set('assigned'), { assigned }, '--all')).toThrow('with an unknown form of');
    },
  );

  it('nor where the record does not tell it', () => {
    expect(() => elementsOf(set('tags'), {}, '--all')).toThrow("The service answered without the record's tags; nothing was changed.");
  });

  it('has no empty element', () => {
    expect(() => setElement(set('tags'), ' ', '--add')).toThrow("--add: a tag can't be empty.");
    expect(() => setElement(set('assigned'), '', '--add', ': leave it out')).toThrow("--add: a person can't be empty: leave it out.");
    expect([setElement(set('tags'), ' hot ', '--add'), setElement(set('assigned'), ' 5 ', '--add')]).toEqual([' hot ', 5]);
  });
});

it('an action without a value takes none', () => {
  for (const given of [undefined, null, true]) expect(actionBody(accountOwner, given, 'here')).toBeUndefined();
  for (const given of [false, 'yes', 1]) expect(() => actionBody(accountOwner, given, 'here')).toThrow('here: it takes no value.');
});

describe('a signature', () => {
  it.each<[unknown, boolean]>([
    [{ date: '2027-01-01', first_name: 'Ann', last_name: 'Lee' }, true],
    [{ date: null, first_name: 'Ann', last_name: null }, true],
    [{ date: null, first_name: null, last_name: null }, false],
    [{ date: '', first_name: '' }, false],
    [{ date: undefined }, false],
    ['2027-01-01', true],
    [true, true],
    ['', false],
    [false, false],
    [null, false],
  ])('%j', (signed, expected) => {
    expect([isSigned({ signed }), isKnownSigned({ signed }, 5)]).toEqual([expected, expected]);
  });

  it('of which nothing is told is not taken for none', () => {
    expect(isSigned({})).toBe(false);
    expect(() => isKnownSigned({ id: 5 }, 5)).toThrow('The service does not tell whether proposal 5 is signed; nothing was changed.');
  });
});
