// Which values are the same to the letter, and which are only alike: typed by hand.

import { describe, expect, it } from 'vitest';
import { areAlike } from '../../../../src/base/values/text/alike.ts';
import { isSameText } from '../../../../src/base/values/text/same-text.ts';

describe('the same text', () => {
  it.each([
    ['Meyer', 'Meyer'],
    ['Meyer ', ' Meyer'],
    ['a\r\nb', 'a\nb\n'],
    ['R&D', 'R&amp;D'],
    ['R&D', 'R&amp;amp;D'],
    ["O'Hara", 'O&#039;Hara'],
    ["O'Hara", 'O&#x27;Hara'],
    ['a < b', 'a &lt; b'],
    ['', '  '],
  ])('%j and %j', (one, other) => {
    expect([isSameText(one, other), isSameText(other, one)]).toEqual([true, true]);
  });

  const long = 'A text of more than forty characters, to which';

  it.each([
    ['meyer', 'Meyer'],
    ['Mueller Soehne', 'Mueller-Soehne'],
    ['Cafe', 'Café'],
    ['+49 891 234', '+49 (891) 234'],
    ['ann.lee@x.example', 'annlee@x.example'],
    ['Discount -5%', 'Discount 5%'],
    [long, `${long} somebody added`],
    ['<b>Shop</b>', 'Shop'],
  ])('is not the alike one: %j and %j', (one, other) => {
    expect([isSameText(one, other), isSameText(other, one), areAlike(one, other)]).toEqual([false, false, true]);
  });

  it.each([
    ['a b', 'a  b'],
    ['01234', '1234'],
    ['1.50', '1.5'],
    ['&unknown;', 'unknown'],
    ['a\nb', 'a b'],
  ])('is no other: %j and %j', (one, other) => {
    expect(isSameText(one, other)).toBe(false);
  });
});
