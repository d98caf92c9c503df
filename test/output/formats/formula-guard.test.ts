import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guard, unguard } from '../../../src/output/formats/formula-guard.ts';
import { runs } from '../../support/property-runs.ts';

const tricky = fc.string({
  unit: fc.constantFrom("'", '"', ';', '=', '+', '-', '@', '\t', '\r', '\n', '＝', '1', '.', 'a', ' ', '(', '/'),
});

describe('formula guard', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 123', '+49 30 123'],
    ['+49 (0)30/12-3.4', '+49 (0)30/12-3.4'],
    ["'+49 30 123", "''+49 30 123"],
    ['+49 30 ext 5', "'+49 30 ext 5"],
    ['-5+3', '-5+3'],
    ['+1*2', "'+1*2"],
    ['+1\t2', "'+1\t2"],
    ['-2+3!A1', "'-2+3!A1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-cmd', "'-cmd"],
    ['\t1', "'\t1"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    ['\n=1', "'\n'=1"],
    ['a;=1+1', "a;'=1+1"],
    ['a;"=1+1;"', 'a;\'"=1+1;"'],
    ["a;'=1", "a;''=1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['one\r\n-cmd', "one\r\n'-cmd"],
    ['one\n\ntwo; three', 'one\n\ntwo; three'],
    ['hot;-5', 'hot;-5'],
    ['+49 30 1;+49 30 2', "'+49 30 1;+49 30 2"],
    ['=a;=b', "'=a;'=b"],
    ['＝1', "'＝1"],
    ['－1', "'－1"],
    ["'=1", "''=1"],
    ["''-5", "'''-5"],
    ['-5.00', '-5.00'],
    ['-12345678901234567890.10', '-12345678901234567890.10'],
    ['- 5', '- 5'],
    ['12', '12'],
    ["'quoted'", "'quoted'"],
    ["O'Hara", "O'Hara"],
    ['', ''],
  ])('%j is written %j', (cell, written) => {
    expect(guard(cell)).toBe(written);
    expect(unguard(written)).toBe(cell);
  });

  it('is undone exactly, for every text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), tricky);
    const undone = fc.property(texts, (text) => {
      expect(unguard(guard(text))).toBe(text);
    });
    fc.assert(undone, runs(1000));
  });

  it('leaves no cell that starts a formula, but for digits and the signs of a phone number', () => {
    const guarded = fc.property(tricky, (text) => {
      expect(guard(text)).not.toMatch(/^(?![ ()+\-./\d]*$)[=+\-@\t\r\n＝]/);
    });
    fc.assert(guarded);
  });

  it('leaves none where another program ends a cell or a row', () => {
    const guarded = fc.property(tricky, (text) => {
      const [, ...others] = guard(text).split(/[;\t\r\n]/);
      expect(others.filter((part) => /^(?![ ()+\-./\d]*$)"*[=+\-@＝]/.test(part))).toEqual([]);
    });
    fc.assert(guarded, runs(1000));
  });

  it('is undone in files of earlier versions, which guarded phone numbers too', () => {
    const phone = fc.string({ unit: fc.constantFrom('+', '-', '(', ')', '1', ' ', '/', '.') });
    fc.assert(
      fc.property(phone, (text) => {
        expect(unguard(/^[+-]/.test(text) ? `'${text}` : text)).toBe(text);
        expect(guard(text)).toBe(text);
      }),
    );
  });
});
