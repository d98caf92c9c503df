// Decimal numbers as text, compared exactly: money never becomes a float. Pure.

/**
 * What is said of a number that could be one of thousands, `145.000` or `145,000`: how both are written so that nobody can be mistaken.
 * Undefined for any other text.
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

const longest = 2000;

/** Reads `1250`, `-0.50`, `1e3` as JSON has it; undefined for what is no number, or one of thousands of digits. */
export function parseDecimal(text: string): Decimal | undefined {
  const [all, sign = '', whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (all === undefined || all.length > longest || Math.abs(Number(exponent)) > longest) return undefined;
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** Below 0 where `a` is less than `b`, 0 where they are equal, else above 0. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [left, right] = [scaled(a, scale), scaled(b, scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether two texts are the same number: `1250` and `1250.00`; what is no number is not. */
export function isSameDecimal(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  return a !== undefined && b !== undefined && compareDecimals(a, b) === 0;
}

const scaled = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale);

export const zero: Decimal = { digits: 0n, scale: 0 };

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: scaled(a, scale) + scaled(b, scale), scale };
}

/** As text, `-30140.00`, with so many decimals; no fewer than the number's own scale. */
export function decimalText(number: Decimal, scale = number.scale): string {
  const digits = scaled(number, scale);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${digits < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}
