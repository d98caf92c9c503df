import { expect, it } from 'vitest';
import { firstOf, quotedWord } from '../../../../src/base/values/text/wording.ts';

it.each([
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('the first of %j are told, and how many there are besides', (words, told) => {
  expect(firstOf(words, 3)).toBe(told);
});

it('a word with a blank stands in quotes', () => {
  expect(['hot', 'big deal'].map(quotedWord)).toEqual(['hot', '"big deal"']);
});
