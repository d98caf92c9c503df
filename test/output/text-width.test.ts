import { describe, expect, it } from 'vitest';
import { measureFor } from '../../src/output/text/text-width.ts';

const family = '👩‍👩‍👧‍👦';

describe('width', () => {
  it.each([
    ['plain', 5],
    ['東京', 4],
    ['한국', 4],
    [family, 2],
    ['e\u0301', 1],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['a…', 2],
  ])('%s is %i wide', async (text, width) => {
    expect((await measureFor([text])).width(text)).toBe(width);
  });
});

describe('cut', () => {
  it.each([
    ['fits', 4, 'fits'],
    ['too long', 5, 'too…'],
    ['toolong', 5, 'tool…'],
    ['a', 1, 'a'],
    ['ab', 1, '…'],
    ['東京都', 5, '東京…'],
    ['東京都', 4, '東…'],
    [`${family}${family}${family}`, 5, `${family}${family}…`],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%s to %i', async (text, width, cut) => {
    const measure = await measureFor([text]);
    expect(measure.cut(text, width)).toBe(cut);
    expect(measure.width(cut)).toBeLessThanOrEqual(width);
  });
});

describe('wrap', () => {
  it.each<[string, number, string[]]>([
    ['short', 10, ['short']],
    ['', 10, ['']],
    ['one two three four', 9, ['one two', 'three', 'four']],
    ['abcdefghijkl mn', 5, ['abcde', 'fghij', 'kl mn']],
    ['first↵second↵↵third', 20, ['first↵', 'second↵', '↵', 'third']],
    ['東京都東京都', 5, ['東京', '都東', '京都']],
    ['see https://example.com/a/long/path now', 12, ['see', 'https://example.com/a/long/path', 'now']],
    [`${family}${family}${family}`, 3, [family, family, family]],
  ])('%j in %i', async (text, width, lines) => {
    expect((await measureFor([text])).wrap(text, width)).toEqual(lines);
  });

  it('takes a time that grows with the length alone', async () => {
    const text = 'wörd'.repeat(20_000);
    const lines = (await measureFor([text])).wrap(`${text} ${'as one word '.repeat(1000)}`, 60);
    expect(lines.slice(0, 1_333).every(({ length }) => length === 60)).toBe(true);
    expect(lines.slice(0, 1_334).join('')).toContain(text);
  });

  it('gets past what is wider than the line', async () => {
    expect((await measureFor(['東京'])).wrap('東京', 1).join('')).toBe('東京');
  });
});
