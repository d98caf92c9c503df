// Whether a record holds or shows what is given: what is held is not sent again, what is not shown did not go through.

import { describe, expect, it } from 'vitest';
import type { Body, BodyValue } from '../../../src/base/values/body.ts';
import { heldOf, holdsAll, notHeld, tellsAction, tellsGiven, tellsSet } from '../../../src/model/bodies/held.ts';
import type { Action, ReplacedSet, Resource } from '../../../src/model/define.ts';
import { contacts } from '../../../src/model/resources/contacts.ts';
import { items } from '../../../src/model/resources/items.ts';
import { leads } from '../../../src/model/resources/leads.ts';

type Given = Readonly<Record<string, BodyValue>>;

const mapOf = (given: Given): Body => new Map(Object.entries(given));

const item = {
  rate: '450.00',
  notes: '1250',
  unit: { id: 4, name: 'metre' },
  custom_fields: [
    { id: 1, name: 'Code', value: 'A' },
    { id: 2, name: 'Size', value: null },
  ],
};

describe('what is held', () => {
  it.each<[string, Given, boolean]>([
    ['money is the same however many zeros it ends in', { item_rate: '450' }, true],
    ['other money is not', { item_rate: '450.01' }, false],
    ['a text of digits is the same to the letter alone', { item_notes: '1250.00' }, false],
    ['a unit by its id', { item_unit: 4 }, true],
    ['a unit by its name', { item_unit: 'metre' }, true],
    ['another unit by its name', { item_unit: 'day' }, false],
    ['a custom field', { item_custom_field_1: 'A' }, true],
    ['a custom field that holds something else', { item_custom_field_1: 'B' }, false],
    ['a custom field without a value, cleared', { item_custom_field_2: '' }, true],
    ['a custom field that the record does not tell, cleared', { item_custom_field_3: '' }, true],
    ['a custom field that the record does not tell', { item_custom_field_3: 'C' }, false],
    ['what is no declared field', { code: '' }, false],
    ['what only begins like one', { item_notes_2: '' }, false],
    ['one of two is not', { item_rate: '450', item_notes: 'x' }, false],
  ])('of an item: %s', (_name, given, expected) => {
    expect(holdsAll(items.fields, item, mapOf(given))).toBe(expected);
  });

  it('a unit called like a number is not told by that number, which is an id', () => {
    expect(holdsAll(items.fields, { unit: { id: 4, name: '5' } }, mapOf({ item_unit: '5' }))).toBe(false);
    expect(holdsAll(items.fields, { unit: { id: 4, name: 'm5' } }, mapOf({ item_unit: 'm5' }))).toBe(true);
  });

  it('what does not read back never counts as held', () => {
    expect(notHeld(contacts.fields, { send_email: 'yes' }, mapOf({ send_email: 'yes' }))).toEqual([['send_email', 'yes']]);
    expect(holdsAll(contacts.fields, {}, mapOf({ send_email: '' }))).toBe(false);
  });

  it('lines may end either way', () => {
    expect(holdsAll(leads.fields, { description: 'a\r\nb' }, mapOf({ lead_description: 'a\nb' }))).toBe(true);
    expect(holdsAll(leads.fields, { description: 'a\nb' }, mapOf({ lead_description: 'a b' }))).toBe(false);
  });

  it('of the fields that are given alone', () => {
    expect(heldOf(items.fields, item, mapOf({ item_rate: '1', item_custom_field_1: 'B' }))).toEqual({
      item_rate: '450.00',
      item_custom_field_1: 'A',
    });
  });
});

describe('what is shown', () => {
  it.each<[string, Resource, unknown, Given, boolean | undefined]>([
    ['nothing that was asked for reads back', contacts, { id: 1 }, { send_email: 'yes' }, true],
    ['beside what reads back', contacts, { phone: '1' }, { send_email: 'yes', phone: '1' }, true],
    ['a record that tells none of it', leads, { id: 1 }, { lead_title: 'Shop', lead_source: 'Web' }, undefined],
    ['what it tells agrees, and some of it is not told', leads, { title: 'Shop' }, { lead_title: 'Shop', lead_source: 'Web' }, undefined],
    ['one agrees and one differs', leads, { title: 'Shop', source: 'Fair' }, { lead_title: 'Shop', lead_source: 'Web' }, false],
    ['cleared, and its object is gone', leads, { address: null }, { lead_city: '' }, true],
    ['set, and its object is gone', leads, { address: null }, { lead_city: 'Leeds' }, false],
    ['set, and its object does not tell', leads, { address: {} }, { lead_city: 'Leeds' }, undefined],
    ['cleared, and it is null', leads, { source: null }, { lead_source: '' }, true],
    ['cleared, and it is still there', leads, { source: 'Web' }, { lead_source: '' }, false],
    ['a unit by its name', items, { unit: { id: 4, name: 'metre' } }, { item_unit: 'metre' }, true],
    ['a unit that is written otherwise', items, { unit: { id: 4, name: 'metre' } }, { item_unit: 'Metre' }, false],
    ['a unit that was cleared, and has no name', items, { unit: { id: 4, name: '' } }, { item_unit: '' }, false],
    ['a category is told by its id alone', leads, { category: { id: 3, name: '2' } }, { lead_categoryid: 2 }, false],
    ['a custom field', items, item, { item_custom_field_1: 'A' }, true],
    ['a custom field that holds something else', items, item, { item_custom_field_1: 'B' }, false],
    ['custom fields that are not told', items, { rate: '1' }, { item_custom_field_1: 'A' }, undefined],
  ])('%s', (_name, { fields }, record, given, expected) => {
    expect(tellsGiven(fields, record, mapOf(given))).toBe(expected);
  });

  const action = ({ actions = [] }: Resource, verb: string): Action => {
    const found = actions.find((one) => one.verb === verb);
    if (found === undefined) throw new Error(`no action ${verb}`);
    return found;
  };

  it.each<[string, Action, Given | undefined, unknown, boolean | undefined]>([
    ['a status by its id', action(leads, 'status'), { status: 3 }, { status: { id: 3, title: 'Won' } }, true],
    ['another status', action(leads, 'status'), { status: 3 }, { status: { id: 4, title: 'Won' } }, false],
    ['a status that is not told', action(leads, 'status'), { status: 3 }, { id: 1 }, undefined],
    ['a status of nothing', action(leads, 'status'), { status: 3 }, { status: null }, false],
    ['archived', action(leads, 'archive'), undefined, { active_state: 'archived' }, true],
    ['not archived', action(leads, 'archive'), undefined, { active_state: 'active' }, false],
    ['archived or not', action(leads, 'archive'), undefined, {}, undefined],
    ['what no record shows', { verb: 'ring', path: 'ring', summary: 'Ring' }, undefined, {}, true],
  ])('of an action: %s', (_name, one, given, record, expected) => {
    expect(tellsAction(leads, one, given === undefined ? undefined : mapOf(given), record)).toBe(expected);
  });

  it('people by their ids, whether the service tells objects or ids alone', () => {
    const set = leads.sets?.find(({ read }) => read === 'assigned') as ReplacedSet;
    for (const assigned of [
      [5, 6],
      [
        { id: 6, name: 'Ann' },
        { id: 5, name: 'Bob' },
      ],
    ]) {
      expect([tellsSet(set, [5, 6], { assigned }), tellsSet(set, [5], { assigned })]).toEqual([true, false]);
    }
    expect([tellsSet(set, [5], { assigned: 5 }), tellsSet(set, [5], {})]).toEqual([undefined, undefined]);
  });
});
