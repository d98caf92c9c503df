// Percents by which an update raises or lowers a decimal: `+3%`, `-12.5%`. Pure.

import { decimalText, parseDecimal } from './decimal.ts';

const form = /^([+-])(\d+(?:\.\d+)?)%$/;

/** True for a typed percent with its sign. */
export const isPercent = (text: string): boolean => form.test(text);

/**
 * A decimal raised or lowered by a percent, calculated exactly. Rounded half away from 0, to as many decimals as `held` has, and at
 * least two. Undefined when `held` is no decimal.
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
