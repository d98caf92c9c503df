// Decimals as numbers without a limit: what is added, and how it is written.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  isSameDecimal,
  parseDecimal,
  withoutExponent,
  zero,
} from '../../../src/base/values/decimal.ts';

const decimal = (text: string): Decimal => parseDecimal(text) ?? zero;
const sum = (...texts: string[]): string => decimalText(texts.map(decimal).reduce(addDecimals, zero));

describe('a sum', () => {
  it.each([
    [[], '0'],
    [['0.1', '0.2'], '0.3'],
    [['1250', '0.50'], '1250.50'],
    [['12345678901234567890.10', '0.015'], '12345678901234567890.115'],
    [['99.99', '0.01'], '100.00'],
    [['-5.5', '5.50'], '0.00'],
    [['-0.05', '0.01'], '-0.04'],
    [['1e3', '0.5'], '1000.5'],
  ])('%j is %s', (texts, expected) => expect(sum(...texts)).toBe(expected));

  it('of cents is that of whole numbers', () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const written = (number: bigint): string => {
      const digits = String(number < 0n ? -number : number).padStart(3, '0');
      return `${number < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), (all) => {
        expect(sum(...all.map(written))).toBe(written(all.reduce((a, b) => a + b)));
      }),
    );
  });
});

it('is written with as many decimals as are wanted', () => {
  expect(decimalText(decimal('7'), 2)).toBe('7.00');
  expect(decimalText(decimal('-7.5'), 3)).toBe('-7.500');
  expect(decimalText(zero, 2)).toBe('0.00');
});

it.each([
  ['1250', '1250.00', 0],
  ['-0.5', '0.25', -1],
  ['10', '9.99', 1],
  ['1e3', '1000.01', -1],
])('%s beside %s', (one, other, order) => {
  expect(Math.sign(compareDecimals(decimal(one), decimal(other)))).toBe(order);
  expect(Math.sign(compareDecimals(decimal(other), decimal(one)))).toBe(-order || 0);
  expect(isSameDecimal(one, other)).toBe(order === 0);
});

it('what is no number is the same as none', () => {
  expect(isSameDecimal('x', '1')).toBe(false);
  expect(isSameDecimal('1', 'x')).toBe(false);
  expect(isSameDecimal('x', 'x')).toBe(false);
});

it.each([
  ['1e3', '1000'],
  ['1.25e1', '12.5'],
  ['-12E-3', '-0.012'],
  ['5e-1', '0.5'],
  ['1.50e0', '1.50'],
  ['12.50', '12.50'],
  ['e5', 'e5'],
  ['1e9999', '1e9999'],
])('%s without an exponent is %s', (text, plain) => {
  expect(withoutExponent(text)).toBe(plain);
});
