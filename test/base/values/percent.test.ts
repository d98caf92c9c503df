import { expect, it } from 'vitest';
import { isPercent, raised } from '../../../src/base/values/percent.ts';

it.each([
  ['100.00', '+3%', '103.00'],
  ['100.00', '-10%', '90.00'],
  ['58750', '+2.5%', '60218.75'],
  // Two places at least, and as many as the value has.
  ['10', '+3%', '10.30'],
  ['0.1250', '+3%', '0.1288'],
  // Half up; a tie of what is below 0 goes away from 0.
  ['0.50', '+1%', '0.51'],
  ['1.50', '-1%', '1.49'],
  ['-0.50', '+1%', '-0.51'],
  ['0.49', '+1%', '0.49'],
  // No float has these.
  ['12345678901234567890.10', '+3%', '12716049268271604926.80'],
  ['0.29', '+100%', '0.58'],
  ['50.00', '-100%', '0.00'],
  ['0.00', '+3%', '0.00'],
])('%s %s is %s', (held, percent, is) => {
  expect(raised(held, percent)).toBe(is);
});

it.each(['', 'null', '1,250.00', 'n/a'])('there is no percent of "%s"', (held) => {
  expect(raised(held, '+3%')).toBeUndefined();
});

it('a percent has a sign and a point', () => {
  expect(['+3%', '-10%', '+0.25%'].every(isPercent)).toBe(true);
  expect(['3%', '-500', '+3', '+3,5%', '+%', '+3 %', '++3%'].some(isPercent)).toBe(false);
});
