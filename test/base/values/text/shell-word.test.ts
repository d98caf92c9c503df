// Words of command lines that messages print: bare only where every shell takes them as they stand.

import { describe, expect, it } from 'vitest';
import { quoteWord } from '../../../../src/base/values/text/shell-word.ts';
import { on } from '../../../support/on-platform.ts';

it.each(['12', './leads.csv', '/tmp/a,b+c-1_2.csv', '--map', 'title=Deal', 'a:b@c', '50%'])('%s stays bare', (word) => {
  expect(quoteWord(word)).toBe(word);
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
  expect(quoteWord(word)).toBe(quoted);
});

describe('on Windows, for cmd and PowerShell alike', () => {
  it.each([
    ['12', '12'],
    [String.raw`C:\leads.csv`, String.raw`C:\leads.csv`],
    ['source=Fair', 'source=Fair'],
    ['', '""'],
    ['two words', '"two words"'],
    ["it's", `"it's"`],
    // An array in PowerShell.
    ['id,title', '"id,title"'],
    ['@me', '"@me"'],
    ['a & b | c', '"a & b | c"'],
    ['50%', 'VALUE'],
    ['$HOME', 'VALUE'],
    ['a "b"', 'VALUE'],
    ['a “b”', 'VALUE'],
    ['a`b', 'VALUE'],
    ['two\nlines', 'VALUE'],
    [`C:\\my files\\`, 'VALUE'],
  ])('%j is %s', async (word, quoted) => {
    expect(await on('win32', () => quoteWord(word))).toBe(quoted);
  });

  it('what can’t be written is a FILE where it is one', async () => {
    expect(await on('win32', () => quoteWord('100%.csv', 'FILE'))).toBe('FILE');
  });
});
