// Percents by which an update raises or lowers a decimal: `+3%`, `-12.5%`. Pure.

import { decimalText, parseDecimal } from './decimal.ts';

const form = /^([+-])(\d+(?:\.\d+)?)%$/;

/** Whether a typed value is a percent. One without a sign is none. */
export const isPercent = (text: string): boolean => form.test(text);

/**
 * A decimal raised or lowered by a percent: exact, rounded half up (a tie goes away from 0) to the places that the decimal has, two at
 * least. Undefined for what is no decimal.
 */
export function raised(held: string, percent: string): string | undefined {
  const [, sign = '', typed = ''] = form.exec(percent) ?? [];
  const [value, rate] = [parseDecimal(held), parseDecimal(typed)];
  if (value === undefined || rate === undefined) return undefined;
  const whole = 100n * 10n ** BigInt(rate.scale);
  const factor = sign === '-' ? whole - rate.digits : whole + rate.digits;
  const places = Math.max(2, value.scale);
  const exact = value.digits * 10n ** BigInt(places - value.scale) * factor;
  const size = exact < 0n ? -exact : exact;
  const rounded = (2n * size + whole) / (2n * whole);
  return decimalText({ digits: exact < 0n ? -rounded : rounded, scale: places });
}
