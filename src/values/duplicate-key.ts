// By what two records are taken for the same person. Pure.

/** An email without regard to case, and without what stands behind a `+` before the @. */
export const emailKey = (email: string): string =>
  email
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*(?=@)/, '');

/** So many digits at the end tell one phone from another: in front stand a country and a zero, written in many ways. */
const tellingDigits = 9;
/** Of fewer digits many phones are made: `110`. */
const leastDigits = 6;

/** The last nine digits of a phone; undefined for what is too short to tell. */
export function phoneKey(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '');
  return digits.length < leastDigits ? undefined : digits.slice(-tellingDigits);
}
