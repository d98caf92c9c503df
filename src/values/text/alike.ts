// When two texts may be the same value, for suggestions and doubts: services trim, escape, cut and write numbers in their own way.

import { unescaped } from './same-text.ts';

/** From this length on a text may be the beginning of the other: services cut. */
const cuttable = 40;

/** Whether two texts are the same but for what a service may do to them: trim, escape, cut, write numbers otherwise. */
export function areAlike(one: string, other: string): boolean {
  if (isDecimal.test(one) && isDecimal.test(other)) return plainDecimal(one) === plainDecimal(other);
  const [a, b] = [plainOf(one), plainOf(other)];
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const [letters, all] = [lettersOf(short), lettersOf(long)];
  return letters === all || ([...short].length >= cuttable && all.startsWith(letters));
}

const isDecimal = /^-?\d+(\.\d+)?$/;

/** A decimal without needless zeros. */
function plainDecimal(text: string): string {
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short.replace(/^(-?)0+(?=\d)/, '$1').replace(/^-0$/, '0');
}

/** A text without tags, entities and accents, lower case. */
function plainOf(text: string): string {
  return unescaped(text)
    .normalize('NFKD')
    .replaceAll(/<\/?[a-z][^<>]*>|\p{M}/giu, '')
    .toLowerCase()
    .trim();
}

/** The letters and digits of a plain text; the text itself where it has none. */
const lettersOf = (plain: string): string => plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain;
