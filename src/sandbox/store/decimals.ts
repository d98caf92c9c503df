// Decimals travel and are stored as the text that was sent. For sorting and comparing, each has a key: a text whose
// byte order is the numeric order, exact for any number of digits (a float would take 12345678901234567890.10 for .20).

const decimalText = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/;
const longestDecimal = 1000;

/** Whether a text is a decimal number: an optional sign, digits, an optional fraction; no exponent. */
export function isDecimal(text: string): boolean {
  return text.length <= longestDecimal && decimalText.test(text);
}

/** The sort key of a decimal text; null for null and for what is no decimal. Equal numbers have equal keys. */
export function decimalKey(text: string | null): string | null {
  const parts = text === null ? null : decimalText.exec(text);
  if (parts === null) return null;
  const [, sign = '', whole = '', fraction = '', bareFraction = ''] = parts;
  const digits = whole.replace(/^0+/, '');
  const rest = (fraction || bareFraction).replace(/0+$/, '');
  if (digits === '' && rest === '') return 'o';
  const size = String(digits.length).padStart(4, '0') + digits + rest;
  return sign === '-' ? `n${complement(size)}~` : `p${size}`;
}

/** Nine's complement, so that of two negative numbers the larger one comes first; `~` closes it after every digit. */
function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
}
