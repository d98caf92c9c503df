// Decimal numbers as text. Money is stored with two decimals (vendor facts: decimals). Sorts and bounds use a key: a text whose byte order is
// the numeric order. The key is exact for any number of digits: as floats, 12345678901234567890.10 and 12345678901234567890.20 are equal.

const decimalText = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;
const longestDecimal = 1000;

/** True for a decimal number: an optional sign, digits, an optional fraction, no exponent. */
export function isDecimal(text: string): boolean {
  return text.length <= longestDecimal && decimalText.test(text);
}

/** A decimal text rounded to two decimals, half away from zero. Undefined when the text is no decimal. */
export function money(text: string): string | undefined {
  const parts = decimalParts(text);
  if (parts === undefined) return undefined;
  const { sign, whole, fraction } = parts;
  const cents = BigInt(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`) + (fraction.charAt(2) >= '5' ? 1n : 0n);
  const digits = String(cents).padStart(3, '0');
  return `${sign === '-' && cents > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The sort key of a decimal text. Equal numbers have equal keys. Null when the text is null or no decimal. */
export function decimalKey(text: string | null): string | null {
  const parts = text === null ? undefined : decimalParts(text);
  if (parts === undefined) return null;
  const { sign, whole, fraction } = parts;
  const digits = whole.replace(/^0+/, '');
  const rest = fraction.replace(/0+$/, '');
  if (digits === '' && rest === '') return 'o';
  const size = String(digits.length).padStart(4, '0') + digits + rest;
  if (sign !== '-') return `p${size}`;
  // Each digit taken from 9, so that -5 sorts before -3; `~` sorts after every digit.
  return `n${size.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

function decimalParts(text: string): { sign: string; whole: string; fraction: string } | undefined {
  const [all, sign = '', whole = '', fraction = '', bareFraction = ''] = decimalText.exec(text) ?? [];
  return all === undefined ? undefined : { sign, whole, fraction: fraction || bareFraction };
}
