// Tells when two texts may be the same value, for suggestions and for lost creates. Services trim texts, escape and cut them, and write
// numbers in their own way.

import { withoutZeros } from '../decimal.ts';
import { withoutEntities } from './same-text.ts';

/** A text with at least this many characters may be the beginning of a longer text that the service cut. */
const cuttable = 40;

/** True when two texts differ only by the changes that a service makes: blanks, escapes, a cut end, the form of a number. */
export function areAlike(one: string, other: string): boolean {
  if (one === other) return true;
  if (isDecimal.test(one) && isDecimal.test(other)) return withoutZeros(one) === withoutZeros(other);
  const [a, b] = [plainOf(one), plainOf(other)];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [letters, all] = [lettersOf(short), lettersOf(long)];
  return letters === all || ([...short].length >= cuttable && all.startsWith(letters));
}

/** The key that alike texts share, unless a text is cut or is a number. */
export const plainLetters = (text: string): string => lettersOf(plainOf(text));

const isDecimal = /^-?\d+(\.\d+)?$/;

/** A text in lower case, without tags and accents, with its entities decoded. */
function plainOf(text: string): string {
  return withoutEntities(text)
    .normalize('NFKD')
    .replaceAll(/<\/?[a-z][^<>]*>|\p{M}/giu, '')
    .toLowerCase()
    .trim();
}

/** The letters and digits of a plain text; the text itself when it has none. */
const lettersOf = (plain: string): string => plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain;
