// When two texts are the same value: services trim, escape, cut and write numbers in their own way.

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

/** Texts with the same key are alike. Those that a service cut have others, and so has a number that a service wrote with words. */
export const alikeKey = (text: string): string => (isDecimal.test(text) ? `#${plainDecimal(text)}` : lettersOf(plainOf(text)));

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

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Entities undone, as often as they were done. */
function unescaped(text: string): string {
  for (let before = text; ; ) {
    const after = before.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (all, decimal, hexadecimal, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? all;
      const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    });
    if (after === before) return after;
    before = after;
  }
}
