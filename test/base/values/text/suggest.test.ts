// What is taken for a slip of the fingers, and what is not.

import { describe, expect, it } from 'vitest';
import { stepsBetween, suggestion } from '../../../../src/base/values/text/suggest.ts';

describe('steps between two names', () => {
  it.each([
    ['', '', 0],
    ['title', 'title', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['titel', 'title', 1],
    ['tile', 'title', 1],
    ['tittle', 'title', 1],
    ['tible', 'title', 1],
    ['emial', 'email', 1],
    ['kitten', 'sitting', 3],
  ])('%s, %s: %i', (a, b, steps) => {
    expect(stepsBetween(a, b)).toBe(steps);
    expect(stepsBetween(b, a)).toBe(steps);
  });
});

describe('a suggestion', () => {
  const names = ['title', 'status', 'category', 'last-contacted'];

  it.each([
    ['titel', ' Did you mean "title"?'],
    ['STATUS', ' Did you mean "status"?'],
    ['last_contacted', ' Did you mean "last-contacted"?'],
    ['contacted', ' Did you mean "last-contacted"?'],
    ['colour', ' There are title, status, category, last-contacted.'],
  ])('%s', (name, text) => expect(suggestion(name, names)).toBe(text));

  it('says nothing where there are no names', () => expect(suggestion('x', [])).toBe(''));

  it('is quick over a text of megabytes, and none', () => {
    const long = 'title '.repeat(2_000_000);
    expect(suggestion(long, names)).toBe(' There are title, status, category, last-contacted.');
    expect(suggestion('titel', [long, 'title'])).toBe(' Did you mean "title"?');
  });
});
