// The end of a change whose answer was lost, by the record as read later: typed by hand.

import { describe, expect, it } from 'vitest';
import { areSameValues, endOfLost } from '../../../src/model/bodies/lost-write.ts';

type Values = Readonly<Record<string, unknown>>;

/** A write of texts; a record shows the write when it has all of them. */
const ended = (before: Values, given: Readonly<Record<string, string>>, now: Values, isTold = true): string => {
  const valuesIn = (record: unknown): unknown =>
    Object.fromEntries(Object.entries(record as Values).filter(([name]) => name in before || name in given));
  const tells = (record: unknown): boolean | undefined =>
    isTold ? Object.entries(given).every(([name, value]) => (record as Values)[name] === value) : undefined;
  return endOfLost({ tells, valuesIn, before, given: new Map(Object.entries(given)) }, now);
};

describe('a lost change', () => {
  it.each<[string, before: Values, given: Readonly<Record<string, string>>, now: Values, end: string]>([
    ['the old value is there', { city: 'Rome' }, { city: 'Oslo' }, { city: 'Rome' }, 'absent'],
    ['the new value is there', { city: 'Rome' }, { city: 'Oslo' }, { city: 'Oslo' }, 'found'],
    ['a third value', { city: 'Rome' }, { city: 'Oslo' }, { city: 'Bonn' }, 'conflict'],
    ['a value like the new one', { city: 'Rome' }, { city: 'Sao Paulo' }, { city: 'São-Paulo' }, 'unknown'],
    ['a value like the new one, as the old one was', { city: 'oslo' }, { city: 'Oslo' }, { city: 'OSLO' }, 'conflict'],
    ['one of two values is there', { city: 'Rome', zip: '1' }, { city: 'Oslo', zip: '2' }, { city: 'Oslo', zip: '1' }, 'unknown'],
    [
      'one of two is there, and the other is a third',
      { city: 'A', zip: '1' },
      { city: 'B', zip: '2' },
      { city: 'A', zip: '3' },
      'conflict',
    ],
    ['nothing was there, and nothing is', {}, { city: 'Oslo' }, {}, 'absent'],
    ['nothing was there, and the new value is', {}, { city: 'Oslo' }, { city: 'Oslo' }, 'found'],
    ['a set with an element of somebody else', { tags: ['a'] }, { tags: 'a,b' }, { tags: ['a', 'c'] }, 'unknown'],
    ['a set as it was, in another order', { tags: ['a', 'b'] }, { tags: 'c' }, { tags: ['b', 'a'] }, 'absent'],
  ])('%s', (_, before, given, now, end) => {
    expect(ended(before, given, now)).toBe(end);
  });

  it.each<[string, before: Values, now: Values, end: string]>([
    ['as before', { city: 'Rome' }, { city: 'Rome' }, 'absent'],
    ['changed', { city: 'Rome' }, { city: 'Oslo' }, 'found'],
    ['nothing told, before and now', {}, {}, 'unknown'],
  ])("a record that doesn't tell all values: %s", (_, before, now, end) => {
    expect(ended(before, { city: 'Oslo' }, now, false)).toBe(end);
  });
});

describe('values of a journal', () => {
  it.each<[unknown, unknown, boolean]>([
    ['a &amp; b', 'a & b', true],
    ['a', 'A', false],
    [null, '', true],
    [[{ id: 1, name: 'Ana' }], [{ id: 1, name: 'Anna' }], true],
    [[{ id: 1 }], [{ id: 2 }], false],
    [[{ name: 'Ana' }], [{ name: 'Tom' }], false],
    [[{ name: 'Ana' }], [{ name: 'Ana' }], true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1, b: null }, { a: 1 }, true],
    [{ id: 1 }, '1', true],
  ])('%j and %j', (one, other, isSame) => expect(areSameValues(one, other)).toBe(isSame));
});
