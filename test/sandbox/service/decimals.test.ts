// The keys by which decimals are sorted must order as the numbers do, digit for digit.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalKey, isDecimal, money } from '../../../src/sandbox/store/decimals.ts';
import { runs } from '../../support/property-runs.ts';

const scale = 10n ** 8n;
const exact = (text: string): bigint => {
  const [, sign, whole = '0', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  const size = BigInt(whole || '0') * scale + BigInt(fraction.padEnd(8, '0'));
  return sign === '-' ? -size : size;
};
const decimal = fc
  .tuple(fc.constantFrom('', '-', '+'), fc.bigInt({ min: 0n, max: 10n ** 22n }), fc.option(fc.stringMatching(/^\d{1,8}$/)))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);

describe('decimalKey', () => {
  it('orders like the numbers', () => {
    fc.assert(
      fc.property(decimal, decimal, (left, right) => {
        const [a, b] = [decimalKey(left) ?? '', decimalKey(right) ?? ''];
        const [x, y] = [exact(left), exact(right)];
        return x < y ? a < b : x > y ? a > b : a === b;
      }),
      runs(2000),
    );
  });

  it('tells apart what a float cannot', () => {
    expect((decimalKey('12345678901234567890.10') ?? '') < (decimalKey('12345678901234567890.11') ?? '')).toBe(true);
  });

  it('has no key for null', () => {
    expect(decimalKey(null)).toBeNull();
  });
});

describe('money', () => {
  it('is the nearest number of cents, and of two as near the one further from nothing', () => {
    const cent = scale / 100n;
    fc.assert(
      fc.property(decimal, (text) => {
        const [sent, kept] = [exact(text), exact(money(text) ?? '')];
        const off = sent - kept;
        expect(money(text)).toMatch(/^-?(0|[1-9]\d*)\.\d\d$/);
        return kept % cent === 0n && off * 2n < cent && off * 2n > -cent ? true : 2n * (sent > 0n ? kept - sent : sent - kept) === cent;
      }),
      runs(2000),
    );
  });

  it('is nothing for what is no decimal', () => expect(money('1e5')).toBeUndefined());
});

describe('isDecimal', () => {
  it.each(['0', '1.50', '-3', '+2', '.5', '7.', '00012'])('takes %s', (text) => expect(isDecimal(text)).toBe(true));
  it.each(['', '.', '-', '1e5', '1,50', '0x1', ' 1', '1.2.3', 'NaN'])('refuses "%s"', (text) => expect(isDecimal(text)).toBe(false));
});
