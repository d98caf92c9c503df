// The values of records as crm compares and shows them, of records as odd services send them.

import { describe, expect, it } from 'vitest';
import type { Resource } from '../../src/model/define.ts';
import { items } from '../../src/model/resources/items.ts';
import { leads } from '../../src/model/resources/leads.ts';
import { notes } from '../../src/model/resources/notes.ts';
import { isOfTitle, memberPath, namedText, numberedField, numbersIn, valueNamed, valuesOf } from '../../src/model/values.ts';

const value = (family: Resource, name: string) => valueNamed(family, name);

describe('a value of a record', () => {
  it.each<[Resource, string, unknown, unknown, string]>([
    // family, value, record: the compared text, the shown one
    [leads, 'title', { title: 'A' }, 'A', 'A'],
    [leads, 'title', {}, undefined, ''],
    [leads, 'title', { title: null }, '', ''],
    [leads, 'title', { title: { a: 1 } }, '{"a":1}', '{"a":1}'],
    [leads, 'title', { title: [{ id: 7 }, { a: 1 }, 'x'] }, ['7', '{"a":1}', 'x'], '[{"id":7},{"a":1},"x"]'],
    [leads, 'status', { status: { id: 2, title: 'Won' } }, '2', 'Won'],
    [leads, 'status', { status: null }, '', ''],
    [leads, 'tags', { tags: ['a', 'b'] }, ['a', 'b'], 'a; b'],
    [leads, 'tags', { tags: null }, [], ''],
    [leads, 'tags', { tags: 'a' }, undefined, 'a'],
    [
      leads,
      'assigned',
      {
        assigned: [
          { id: 3, name: 'Ana' },
          { id: 4, name: '5' },
        ],
      },
      ['3', '4'],
      'Ana; 4',
    ],
    [
      items,
      'custom-field-2',
      {
        custom_fields: [
          { id: 1, value: 'x' },
          { id: 2, value: 'y' },
        ],
      },
      'y',
      'y',
    ],
    [items, 'custom-field-3', { custom_fields: [{ id: 1, value: 'x' }] }, undefined, ''],
    [items, 'custom-field-1', { custom_fields: null }, undefined, ''],
  ])('%$', (family, name, record, key, shown) => {
    const { keyOf, shownOf } = value(family, name);
    expect([keyOf(record), shownOf(record)]).toEqual([key, shown]);
  });

  it('of a note: what it is attached to, by type and id', () => {
    const attached = valuesOf(notes).find(({ type }) => type?.kind === 'reference');
    const of = (record: unknown) => [attached?.keyOf(record), attached?.shownOf(record)];
    const path = attached?.path ?? '';
    expect(of({ [path]: { type: 'lead', id: 7 } })).toEqual(['lead:7', 'lead:7']);
    expect(of({ [path]: { type: 'lead', id: null } })).toEqual(['', '']);
    expect(of({ [path]: { type: 'lead' } })).toEqual([undefined, '']);
  });

  it('is the same to the letter by its type, a set by its elements in any order', () => {
    expect(value(leads, 'value').isSame('1250.00', '1250')).toBe(true);
    expect(value(leads, 'title').isSame('1250.00', '1250')).toBe(false);
    const { isSame } = value(leads, 'tags');
    expect([isSame(['a', 'b'], ['b', 'a']), isSame(['a'], ['a', 'b']), isSame(['a'], 'a'), isSame('', []), isSame(['a'], '')]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('a name', () => {
  const client = { kind: 'id', of: 'client' } as never;
  it.each<[unknown, string]>([
    ['Northgate', 'Northgate'],
    ['', '7'],
    ['-', '7'],
    [' Northgate', '7'],
    ['2024', '7'],
    [null, '7'],
  ])('%j of a relation is shown as %s', (name, shown) => expect(namedText(client, name, 7)).toBe(shown));

  it('of a value that has none is never shown', () => expect(namedText({ kind: 'text' }, 'Northgate', 7)).toBe('7'));

  it.each<[string, string]>([
    ['company-name', 'company_name'],
    ['company_name', 'company_name'],
    ['status', 'status'],
    ['dates.created', 'dates.created'],
    ['nothing', 'nothing'],
  ])('%s of leads is the path %s', (name, path) => expect(memberPath(leads, name)).toContain(path));

  it('of a custom field has its number', () => {
    expect(numberedField(items, 'custom_field_12')).toMatchObject({ number: '12', field: { flag: 'custom-field' } });
    expect([numberedField(items, 'custom-field'), numberedField(items, 'rate-1'), numberedField(leads, 'custom-field-1')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const { field } = numberedField(items, 'custom-field-1') ?? {};
    expect(field && [numbersIn(field, { custom_fields: [{ id: 1 }, 'x', { id: 5 }] }), numbersIn(field, { custom_fields: 'x' })]).toEqual([
      ['1', '5'],
      [],
    ]);
  });

  it('is of the title or not', () => {
    expect([isOfTitle(leads, 'title'), isOfTitle(leads, 'source'), isOfTitle(leads, 'first-name')]).toEqual([true, false, false]);
  });
});
