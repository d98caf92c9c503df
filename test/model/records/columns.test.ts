import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/base/values/json.ts';
import { allPaths, cellValue, leafPaths, pathWords, selectFields } from '../../../src/model/records/columns.ts';

describe('leafPaths', () => {
  it('finds members in the order of appearance, arrays as one', () => {
    expect(
      leafPaths([
        { id: 1, a: { b: 1, c: [1] } },
        { id: 2, d: [{ e: 1 }] },
      ]),
    ).toEqual(['id', 'a.b', 'a.c', 'd']);
  });

  it('leaves out a null where another record has members', () => {
    expect(leafPaths([{ lead: null }, { lead: { id: 1 } }])).toEqual(['lead.id']);
    expect(leafPaths([{ lead: {} }, { lead: { id: 1 } }])).toEqual(['lead.id']);
  });

  it('keeps a null that is all there is, and a scalar beside members', () => {
    expect(leafPaths([{ lead: null }])).toEqual(['lead']);
    expect(leafPaths([{ lead: 5 }, { lead: { id: 1 } }])).toEqual(['lead', 'lead.id']);
  });

  it('has the empty path for plain values', () => {
    expect(leafPaths(['a', 'b'])).toEqual(['']);
    expect(leafPaths([])).toEqual([]);
  });
});

describe('allPaths', () => {
  it('puts the documented paths first, whether or not they are there', () => {
    expect(allPaths(['id', 'a.b'], [{ z: 1, a: { b: 1, x: 2 }, id: 3 }])).toEqual(['id', 'a.b', 'z', 'a.x']);
    expect(allPaths(['id', 'a.b'], [])).toEqual(['id', 'a.b']);
  });

  it('adds nothing for a null in place of documented members, but keeps a value there', () => {
    expect(allPaths(['a.b'], [{ a: null }])).toEqual(['a.b']);
    expect(allPaths(['a.b'], [{ a: 'new' }])).toEqual(['a.b', 'a']);
  });

  it('adds nothing below a documented path', () => {
    expect(allPaths(['source'], [{ source: { id: 1 } }])).toEqual(['source']);
  });
});

describe('selectFields', () => {
  const record = { id: 1, status: { id: 2, title: 'New', color: 'red' }, assigned: [{ id: 3, name: 'Tom' }, { id: 4 }], empty: null };

  it('keeps the order of the fields and merges a common start', () => {
    const selected = selectFields(record, ['status.title', 'id', 'status.id']);
    expect(JSON.stringify(selected)).toBe('{"status":{"title":"New","id":2},"id":1}');
  });

  it('goes through arrays', () => {
    expect(selectFields(record, ['assigned.name'])).toEqual({ assigned: [{ name: 'Tom' }, { name: null }] });
  });

  it('is null where the record has nothing', () => {
    expect(selectFields(record, ['nope', 'empty.a', 'far.away'])).toEqual({ nope: null, empty: { a: null }, far: { away: null } });
  });

  it('takes the whole member when both it and a part are named', () => {
    expect(selectFields({ a: { b: 1, c: 2 } }, ['a.b', 'a'])).toEqual({ a: { b: 1, c: 2 } });
  });

  const custom = {
    custom: [
      { id: 1, name: 'SKU', value: 'AB-1' },
      { id: 2, name: 'Net. weight', value: null },
    ],
  };

  it('takes named values by their names, as a record view shows them', () => {
    expect(selectFields(custom, ['custom.SKU', 'custom.Net. weight'])).toEqual({ custom: { SKU: 'AB-1', 'Net. weight': null } });
    expect(selectFields(custom, ['custom.Colour'])).toEqual({ custom: { Colour: null } });
    expect(cellValue(custom, 'custom.SKU')).toBe('AB-1');
    expect(cellValue(custom, 'custom.Net. weight')).toBe(null);
    expect(cellValue(custom, 'custom.Colour')).toBe(undefined);
  });

  it('takes the members of named values as those of any array', () => {
    expect(selectFields(custom, ['custom.id'])).toEqual({ custom: [{ id: 1 }, { id: 2 }] });
    expect(cellValue(custom, 'custom.value')).toEqual(['AB-1', null]);
  });

  it('prefers a member whose own name holds the dots', () => {
    expect(selectFields({ 'a.b': 1, a: { b: 2 } }, ['a.b'])).toEqual({ 'a.b': 1 });
  });

  it('makes own members of hostile names, and keeps exact numbers', () => {
    const hostile = parseJson('{"__proto__": {"x": 1}, "n": 12345678901234567890.10}');
    expect(JSON.stringify(selectFields(hostile, ['__proto__.x', 'n']))).toBe('{"__proto__":{"x":1},"n":12345678901234567890.10}');
    expect(selectFields({}, ['constructor', 'toString'])).toEqual({ constructor: null, toString: null });
  });
});

describe('pathWords', () => {
  it.each([
    ['contact.company_name', 'contact company name'],
    ['id', 'id'],
    ['', 'value'],
  ])('%j is %j', (path, words) => expect(pathWords(path)).toBe(words));
});
