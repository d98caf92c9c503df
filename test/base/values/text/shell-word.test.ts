// Words of command lines that messages print: bare only where every shell takes them as they stand.

import { expect, it } from 'vitest';
import { quotePosix } from '../../../../src/base/values/text/shell-word.ts';

it.each(['12', './leads.csv', '/tmp/a,b+c-1_2.csv', '--map', 'title=Deal', 'a:b@c', '50%'])('%s stays bare', (word) => {
  expect(quotePosix(word)).toBe(word);
});

it.each([
  ['', "''"],
  ['two words', "'two words'"],
  ["it's", String.raw`'it'\''s'`],
  // zsh looks for a program of that name, fish for a job, and a home folder is nobody's file.
  ['=ls', "'=ls'"],
  ['%self', "'%self'"],
  ['~/leads.csv', "'~/leads.csv'"],
])('%j is quoted', (word, quoted) => {
  expect(quotePosix(word)).toBe(quoted);
});
