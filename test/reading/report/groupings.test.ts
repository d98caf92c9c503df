// What records are counted by: keys, and where a day ends.

import { describe, expect, it } from 'vitest';
import { byAge, byMonth, byRelation, byText, type Grouping } from '../../../src/reading/report/groupings.ts';

/** Noon, by this machine's clock. */
const now = new Date(2026, 10, 21, 12);

const shown = (grouping: Grouping, value: unknown): unknown => grouping.keysOf(value, now)?.map((key) => key.value);

describe('an age', () => {
  const age = byAge({ name: 'age', path: 'dates.created', none: 'no date' });
  it.each([
    ['2026-11-21', '0-6 days'],
    ['2026-12-24', '0-6 days'],
    ['2026-11-15', '0-6 days'],
    ['2026-11-14', '7-29 days'],
    ['2026-10-23', '7-29 days'],
    ['2026-10-22', '30-89 days'],
    ['2026-08-24', '30-89 days'],
    ['2026-08-23', '90-179 days'],
    ['2026-05-26', '90-179 days'],
    ['2026-05-25', '180 days and more'],
    ['1999-12-31', '180 days and more'],
  ])('of what was created on %s is %s', (day, expected) => expect(shown(age, day)).toEqual([expected]));

  it('goes by the day of this machine, at its last second and its first', () => {
    const at = (...time: [number, number, number, number, number, number]): string => new Date(...time).toISOString();
    expect(shown(age, at(2026, 10, 14, 23, 59, 59))).toEqual(['7-29 days']);
    expect(shown(age, at(2026, 10, 15, 0, 0, 0))).toEqual(['0-6 days']);
  });

  it.each([[undefined], ['soon'], ['2026-02-30'], [20_261_121], [{}]])('of %j is nobody’s to say', (value) =>
    expect(shown(age, value)).toBe(undefined),
  );
  it('of null there is none', () => expect(shown(age, null)).toEqual([]));
});

it('a month is that of the day', () => {
  const month = byMonth({ name: 'month', path: 'dates.start', none: 'no date' });
  expect(['2026-11-30', '2026-12-01', null, '', '2026-13-01'].map((value) => shown(month, value))).toEqual([
    ['2026-11'],
    ['2026-12'],
    [],
    [],
    undefined,
  ]);
});

describe('another record', () => {
  const crew = byRelation({ name: 'crew', title: 'name', rank: 'name', none: 'nobody' });
  it('is one key, and each of several is one, once', () => {
    expect(shown(crew, { id: 5, name: 'Sam', rank: 1 })).toEqual([{ id: 5, name: 'Sam' }]);
    expect(
      shown(crew, [
        { id: 5, name: 'Sam' },
        { id: '6', name: null },
        { id: 5, name: 'Sam Hill' },
      ]),
    ).toEqual([
      { id: 5, name: 'Sam Hill' },
      { id: '6', name: null },
    ]);
  });
  it('may be none', () => expect([null, [], { id: null, name: null }].map((value) => shown(crew, value))).toEqual([[], [], []]));
  it.each([[undefined], ['Sam'], [7], [{ name: 'Sam' }], [['Sam']]])('is not %j', (value) => expect(shown(crew, value)).toBe(undefined));
});

describe('a text', () => {
  const port = byText({ name: 'port', none: 'no port', order: ['Rotterdam', 'Bergen'] });
  it('is a key as it is written, in the order of the known ones', () => {
    const ranks = ['Ålesund', 'Bergen', 'bergen', 'Rotterdam'].flatMap((value) => port.keysOf(value, now)?.map(({ rank }) => rank));
    expect(ranks).toEqual(['2 Ålesund', '1 Bergen', '2 bergen', '0 Rotterdam']);
  });
  it('may be none', () => expect([null, '', ' '].map((value) => shown(port, value))).toEqual([[], [], []]));
  it.each([[undefined], [{}], [['Bergen']]])('is not %j', (value) => expect(shown(port, value)).toBe(undefined));
});

it('a group of other records has a column of their names under its own name, and members by id', () => {
  const { column, record, path } = byRelation({ name: 'status', title: 'title', rank: 'id', none: 'no status' });
  expect([column, record, path]).toEqual([{ path: 'status.title', header: 'status' }, ['status.id', 'status.title'], 'status']);
});
