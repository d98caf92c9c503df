// Sets that a record holds: changed and compared, however large; beyond a size refused.

import { describe, expect, it } from 'vitest';
import { changedElements, elementsOf } from '../../src/bodies/replaced-set.ts';
import { holdsSet, showsSet } from '../../src/bodies/shown.ts';
import { leads } from '../../src/resources/leads.ts';
import { togetherEach } from '../../src/values/parse.ts';
import { setChange } from '../../src/verbs/effect.ts';

const [tags] = (leads.sets ?? []).filter(({ read }) => read === 'tags');
if (tags === undefined) throw new Error('leads have tags');

const many = (count: number, word = 't'): string[] => Array.from({ length: count }, (_, index) => `${word}${index}`);

it('a set keeps its order, new elements come at the end, and each stands once', () => {
  expect(changedElements(['b', 'a', 'b', 'c'], { add: ['d', 'a'], remove: ['c'] })).toEqual(['b', 'a', 'd']);
});

// Each would take minutes if every element were looked for among all others.
it('a set is shown as the service writes it: cut, with entities, numbers otherwise', () => {
  const long = 'the beginning of a long tag that services cut';
  const held = { tags: [long.slice(0, 41), 'a &amp; b', '1.5', 'B'] };
  expect(showsSet(tags, [long, 'A & B', '1.50', 'b'], held)).toBe(true);
  for (const wanted of [[long], [long, 'a & b', '15', 'b'], [long, 'a & b', '1.5', 'b', 'c']])
    expect(showsSet(tags, wanted, held)).toBe(false);
  expect(holdsSet(tags, ['B', '1.5', 'a &amp; b', long.slice(0, 41)], held)).toBe(true);
  expect([showsSet(tags, [], {}), holdsSet(tags, [], {}), holdsSet(tags, [], { tags: null })]).toEqual([undefined, false, true]);
});

describe('a hundred thousand elements', () => {
  it('are changed', () => {
    const changed = changedElements(many(100_000), { add: many(100_000, 'n'), remove: many(100_000) });
    expect([changed.length, changed[0]]).toEqual([100_000, 'n0']);
  });

  it('are compared', () => {
    const [change] = setChange(tags, { tags: many(100_000) }, { tags: [...many(100_000), 'hot'] }, []);
    expect(change).toEqual({ name: 'tags', text: '+hot' });
    const [all] = setChange(tags, { tags: many(100_000) }, { tags: many(100_000, 'n') }, []);
    expect(all).toMatchObject({ text: expect.stringMatching(/^\+n0 .* \+n99999 -t0 .* -t99999$/) });
  });

  it('are found in what the service answered, as it writes them, or missed', () => {
    const wanted = many(100_000, 'Two ');
    const held = wanted.map((one) => one.toLowerCase().replace(' ', '&nbsp;'));
    expect([showsSet(tags, wanted, { tags: held }), holdsSet(tags, wanted, { tags: held })]).toEqual([true, false]);
    expect(showsSet(tags, [...wanted, 'hot'], { tags: held })).toBe(false);
    const long = many(20_000, 'the beginning of a long tag that services cut ');
    expect(showsSet(tags, long, { tags: long.map((one) => one.slice(0, -1)) })).toBe(false);
  });

  it('are checked one by one, and a larger set is refused before anything is sent', () => {
    expect(togetherEach(many(300_000), (one) => one)).toHaveLength(300_000);
    expect(elementsOf(tags, { tags: many(100_000) }, '')).toHaveLength(100_000);
    expect(() => elementsOf(tags, { tags: many(100_001) }, '--clear')).toThrow(
      'The record holds 100001 tags, and a set of more than 100000 is not changed.',
    );
  });
});
