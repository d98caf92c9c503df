// Sets that a record holds: changed and compared, however large; beyond a size refused.

import { describe, expect, it } from 'vitest';
import { togetherEach } from '../../../src/base/values/parse.ts';
import { setChange } from '../../../src/changes/what-changed.ts';
import { tellsSet } from '../../../src/model/bodies/held.ts';
import { changedElements, elementsOf, elementsShown, elementTexts, hasAlike } from '../../../src/model/bodies/replaced-set.ts';
import { leads } from '../../../src/model/resources/leads.ts';

const [tags] = (leads.sets ?? []).filter(({ read }) => read === 'tags');
if (tags === undefined) throw new Error('leads have tags');

const many = (count: number, word = 't'): string[] => Array.from({ length: count }, (_, index) => `${word}${index}`);

it('a set keeps its order, new elements come at the end, and each stands once', () => {
  expect(changedElements(['b', 'a', 'b', 'c'], { add: ['d', 'a'], remove: ['c'] })).toEqual(['b', 'a', 'd']);
});

it('a tag that the service escapes is the same, with its own spelling where it stays', () => {
  expect(changedElements(['a &amp; b', 'c'], { add: ['a & b'], remove: ['c '] })).toEqual(['a &amp; b']);
  expect(changedElements(['a &amp; b', 'a & b'], { add: ['d'], remove: [] })).toEqual(['a &amp; b', 'a & b', 'd']);
});

it('a set is shown to the letter, in any order, whatever entities it is told with', () => {
  const held = { tags: ['a &amp; b', '1.5', 'B'] };
  expect(tellsSet(tags, ['B', 'a & b', '1.5'], held)).toBe(true);
  for (const wanted of [
    ['b', 'a & b', '1.5'],
    ['B', 'A & b', '1.5'],
    ['B', 'a & b', '1.50'],
    ['B', 'a & b'],
  ])
    expect(tellsSet(tags, wanted, held)).toBe(false);
  expect([tellsSet(tags, [], {}), tellsSet(tags, [], { tags: null })]).toEqual([undefined, true]);
});

const [people] = (leads.sets ?? []).filter(({ read }) => read === 'assigned');
if (people === undefined) throw new Error('leads have assigned');

it('of people, names are shown, and ids are sent', () => {
  const held = {
    assigned: [
      { id: '007', name: 'Ana' },
      { id: 8, name: '' },
    ],
  };
  expect([elementsShown(people, held.assigned), elementTexts(people, held), elementsOf(people, held, '--to')]).toEqual([
    ['Ana', '8'],
    ['007', '8'],
    [7, 8],
  ]);
  expect([elementsShown(people, null), elementTexts(people, {}), elementTexts(people, { assigned: null })]).toEqual([[], undefined, []]);
});

it.each<[unknown, string]>([
  [undefined, "without the record's assigned"],
  ['7', "with an unknown form of the record's assigned"],
  [[{ id: 7 }, 'Ana'], "with an unknown form of the record's assigned"],
  [[{ id: 'Ana' }], "with an unknown form of the record's assigned"],
  [[{ id: 0 }], "with an unknown form of the record's assigned"],
  [[{ id: null }], "with an unknown form of the record's assigned"],
])('%j can not be sent back, so nothing is changed', (assigned, how) => {
  expect(() => elementsOf(people, { assigned }, '--to 1,2')).toThrow(
    expect.objectContaining({
      message: `The service answered ${how}; nothing was changed.`,
      details: expect.objectContaining({ hint: 'Give the whole new set, which needs no read: --to 1,2' }),
    }),
  );
});

it('a sent element that is missing may stand there in another form, if that came with the write', () => {
  expect([hasAlike(['Café'], [], ['cafe']), hasAlike(['Café'], ['cafe'], ['cafe']), hasAlike(['Café'], [], ['Café', 'cafe'])]).toEqual([
    true,
    false,
    false,
  ]);
  expect(hasAlike(['Café'], [], ['tea'])).toBe(false);
});

// Each would take minutes if every element were looked for among all others.

describe('a hundred thousand elements', () => {
  it('are changed', () => {
    const changed = changedElements(many(100_000), { add: many(100_000, 'n'), remove: many(100_000) });
    expect([changed.length, changed[0]]).toEqual([100_000, 'n0']);
  });

  it('are compared', () => {
    const [change] = setChange(tags, { tags: many(100_000) }, { tags: [...many(100_000), 'hot'] }, []);
    expect(change).toMatchObject({ field: 'tags', told: '+hot' });
    const [all] = setChange(tags, { tags: many(100_000) }, { tags: many(100_000, 'n') }, []);
    expect(all).toMatchObject({ told: expect.stringMatching(/^\+n0 .* \+n99999 -t0 .* -t99999$/) });
  });

  it('are found in what the service answered, as it writes them, or missed', () => {
    const wanted = many(100_000, 'Two ');
    const held = wanted.map((one) => ` ${one.replace('T', '&#84;')}`);
    expect(tellsSet(tags, wanted, { tags: held })).toBe(true);
    expect(tellsSet(tags, [...wanted, 'hot'], { tags: held })).toBe(false);
  });

  it('are checked one by one, and a larger set is refused before anything is sent', () => {
    expect(togetherEach(many(300_000), (one) => one)).toHaveLength(300_000);
    expect(elementsOf(tags, { tags: many(100_000) }, '')).toHaveLength(100_000);
    expect(() => elementsOf(tags, { tags: many(100_001) }, '--clear')).toThrow(
      'The record holds 100001 tags, and a set of more than 100000 is not changed.',
    );
  });
});
