// Compares and adds decimal texts exactly: money never becomes a float. Pure.

/**
 * The message for a number that could be thousands (`145.000`, `145,000`): names a clear way to write each of the two meanings. Undefined
 * for any other text.
 */
export function thousandsDoubt(text: string): string | undefined {
  const [, whole = '', fraction = ''] = /^(-?[1-9]\d{0,2})[.,](\d{3})$/.exec(text.trim()) ?? [];
  if (whole === '') return undefined;
  const decimals = fraction.endsWith('0') ? fraction.slice(0, 2) : `${fraction}0`;
  return `"${text.trim()}" could be thousands: write ${whole}.${decimals} or ${whole}${fraction}`;
}

/** A number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const longestDecimal = 2000;

/** Reads `1250`, `-0.50`, `1e3`. Undefined for a text that is no number, or longer than 2,000 characters. */
export function parseDecimal(text: string): Decimal | undefined {
  const [all, sign = '', whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (all === undefined || all.length > longestDecimal || Math.abs(Number(exponent)) > longestDecimal) return undefined;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** A number of JSON by value, without an exponent: `1000` for `1e3`. Any other text unchanged. */
export function withoutExponent(text: string): string {
  const number = /\de/i.test(text) ? parseDecimal(text) : undefined;
  if (number === undefined) return text;
  const digits = String(number.digits)
    .replace('-', '')
    .padStart(number.scale + 1, '0');
  const whole = digits.slice(0, digits.length - number.scale);
  return `${text.startsWith('-') ? '-' : ''}${whole}${number.scale === 0 ? '' : `.${digits.slice(-number.scale)}`}`;
}

/** A decimal without needless zeros: `1.5` for `01.50`, `0` for `-0.0`. Other texts keep their last zeros. Rows are told apart by this text. */
export function withoutZeros(text: string): string {
  const whole = /^-?0/.test(text) ? text.replace(/^(-?)0+(?=\d)/, '$1') : text;
  const number = whole.endsWith('0') ? withoutLastZeros(whole) : whole;
  return number === '-0' ? '0' : number;
}

/** By hand, because an import does this for each row: an expression that replaces takes several times as long. */
function withoutLastZeros(text: string): string {
  const point = text.lastIndexOf('.');
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  const decimals = text.slice(point + 1, end);
  if (point < 0 || end <= point || /\D/.test(decimals)) return text;
  return text.slice(0, decimals === '' ? point : end);
}

/** A decimal's text with groups of thousands, for people: `886,520.50`. */
export function inGroups(text: string): string {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.');
}

/** Below 0 when `a` is less than `b`, 0 when they are equal, else above 0. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** True when two texts are the same number: `1250` and `1250.00`. False when a text is no number. */
export function isSameDecimal(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  return a !== undefined && b !== undefined && compareDecimals(a, b) === 0;
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint => (scale === to ? digits : digits * 10n ** BigInt(to - scale));

export const zero: Decimal = { digits: 0n, scale: 0 };

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: scaled(a, scale) + scaled(b, scale), scale };
}

/** A decimal as text with `scale` decimals: `-30140.00`. `scale` must be at least the decimal's own. */
export function decimalText(number: Decimal, scale = number.scale): string {
  const digits = scaled(number, scale);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}
