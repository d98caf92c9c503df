import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson, safeLine, safeStringified } from '../../../src/model/records/safe-text.ts';

const unicode = fc.string({ unit: 'binary' });
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
/** Typed out by hand: what must never reach a terminal. */
const forbidden = /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u206f\ufeff]/;

describe('safeLine', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['a\nb', 'a↵b'],
    ['a\r\nb\rc', 'a↵b↵c'],
    ['a\u2028b\u2029c', 'a↵b↵c'],
    ['a\tb', 'a b'],
    ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\x1b]0;title\x07', '\\x1b]0;title\\x07'],
    ['\x9b31mred', '\\x9b31mred'],
    ['\x00\x08\x7f\x85', '\\x00\\x08\\x7f\\x85'],
    ['exe.\u202Egnp', 'exe.\\u202egnp'],
    ['\u2066\u2069\u200e\u200f\u061c', '\\u2066\\u2069\\u200e\\u200f\\u061c'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['not yet\u2065assigned', 'not yet\\u2065assigned'],
    ['\ud800 and \udc00', '\\ud800 and \\udc00'],
    ['hidden \u{e0041}\u{e0042}', 'hidden \\u{e0041}\\u{e0042}'],
    ['\u3164', '\\u3164'],
  ])('%j', (text, safe) => {
    expect(safeLine(text)).toBe(safe);
  });

  it.each([
    'Größe 東京 한국어 नमस्ते مرحبا',
    'میخواهم',
    'क्‍ष',
    '👩‍👩‍👧‍👦 ❤️ 🇩🇪 👍🏽',
    '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    'e\u0301',
  ])('keeps %s', (text) => {
    expect(safeLine(text)).toBe(text);
  });

  it('tells every single character alike, whether it is seen at a glance or looked up', () => {
    const shown = /\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/u;
    const hidden = /\p{Cc}|\p{Zl}|\p{Zp}|\p{Cs}|\p{Cf}|\u034f|[\u115f\u1160\u3164\uffa0]/u;
    const wrong: string[] = [];
    for (let code = 0; code <= 0xffff; code += 1) {
      const one = String.fromCharCode(code);
      // Six of them are a pile, if they are marks.
      const isHarmless = (shown.test(one) || !hidden.test(one)) && !/[\p{M}\p{DI}]/u.test(one);
      if (isHarmless && safeLine(one.repeat(7)) !== one.repeat(7)) wrong.push(`${code.toString(16)} is left alone`);
      if (hidden.test(one) && !shown.test(one) && safeLine(one) === one) wrong.push(`${code.toString(16)} is shown`);
      if (/\p{M}/u.test(one) && safeLine(`e${one.repeat(9)}`) === `e${one.repeat(9)}`) wrong.push(`${code.toString(16)} is piled`);
    }
    expect(wrong).toEqual([]);
  });

  it('leaves nothing dangerous in any text', () => {
    fc.assert(
      fc.property(fc.oneof(unicode, anyUnits), (text) => {
        const safe = safeLine(text);
        expect(safe).not.toMatch(forbidden);
        expect(safe.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('safeJson', () => {
  it('escapes what a terminal would act upon', () => {
    expect(safeJson(JSON.stringify('a\x7f\x9b\u202e\u2028\u{e0041}'))).toBe('"a\\u007f\\u009b\\u202e\\u2028\\udb40\\udc41"');
  });

  it('keeps line feeds between members, and ordinary text', () => {
    const document = JSON.stringify({ a: 'Größe 東京 👩‍👧' }, null, 2);
    expect(safeJson(document)).toBe(document);
  });

  it('is the same JSON value, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const document = safeJson(JSON.stringify(value, null, 2));
        expect(JSON.parse(document)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(document.replaceAll('\n', '')).not.toMatch(forbidden);
      }),
    );
  });
});

describe('safeStringified', () => {
  it.each(['binary', 'binary-ascii'] as const)('is safeJson, for any value whose texts are %s', (stringUnit) => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit }), fc.nat(2), (value, spaces) => {
        const document = JSON.stringify(value, null, spaces);
        expect(safeStringified(document)).toBe(safeJson(document));
      }),
    );
  });

  it('escapes DEL, the one control of ASCII that JSON.stringify leaves', () => {
    const ascii = JSON.stringify(String.fromCharCode(...Array.from({ length: 0x80 }, (_, code) => code)));
    expect(safeStringified(ascii)).toBe(ascii.replace('\x7f', '\\u007f'));
  });
});

describe('marks piled on one letter', () => {
  const pile = (count: number): string => `a${'\u0301'.repeat(count)}b`;

  it('a few stay, the rest is cut', () => {
    expect(safeLine(pile(5))).toBe(pile(5));
    expect(safeLine(pile(6))).toBe(`a${'\u0301'.repeat(5)}…b`);
    expect(safeLine(pile(1000))).toBe(`a${'\u0301'.repeat(5)}…b`);
    expect(safeLine(`a${'\u0301\u200d'.repeat(500)}b`).length).toBeLessThan(10);
  });

  it('scripts and emoji that need several are left alone', () => {
    for (const text of ['שָׁלוֹם', 'नमस्ते', 'ก็ดี', '👩‍❤️‍💋‍👨', '1️⃣', 'བསྒྲུབས']) expect(safeLine(text)).toBe(text);
  });

  it('JSON keeps its value', () => {
    const document = JSON.stringify({ x: pile(1000) });
    expect(JSON.parse(safeJson(document))).toEqual({ x: pile(1000) });
    expect(safeJson(document)).not.toContain('\u0301'.repeat(6));
  });
});
