// How a format shows a number (ECMA-376, numFmts): its sections with their conditions, places of digits and literal texts.

/** Shows a number as its format does. */
interface NumberFormat {
  /** A whole number in a format of digits and literal texts: 2035 as `02035`. Undefined for any other number or format. */
  shown(number: string): string | undefined;
  /** A number with a percent sign, a currency or letters beside it: 12300 as `12.3 k`. Undefined for any other format. */
  amount(number: string): string | undefined;
}

/** `plain`: the digits alone. */
export type NumberLook = 'date' | 'duration' | 'plain' | NumberFormat;

/** A part of a section: a literal text, the place of a digit (`0`, `#`, `?`) or of all (`General`), or a sign with a meaning of its own. */
type FormatPart = { readonly literal: string } | { readonly place: string } | { readonly sign: string };

interface FormatSection {
  readonly parts: readonly FormatPart[];
  readonly condition?: (number: number) => boolean;
}

const token = /"([^"]*)"?|\\(.)|[_*].?|\[([^\]]*)\]?|(general)|(AM\/PM|A\/P|[\s\S])/giu;
const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
};
/** Signs that count, divide or scale digits; `@` is the place of a text. */
const meaningful = /[.,%/@]/;

/** The look of a format. Quoted texts, colours, locales and padding make no date and no duration. */
export function numberLook(code: string): NumberLook {
  if (/^(?:general|0)$/i.test(code.trim())) return 'plain';
  const sections: (FormatSection & { parts: FormatPart[] })[] = [{ parts: [] }];
  let timed: 'date' | 'duration' | undefined;
  const add = (part: FormatPart): void => void sections.at(-1)?.parts.push(part);
  for (const [all, quoted, escaped, bracket, general, sign] of code.matchAll(token)) {
    if (quoted !== undefined || escaped !== undefined) add(literalPart(quoted ?? escaped ?? ''));
    else if (bracket !== undefined) {
      const [, comparison = '', bound = ''] = /^([<>=]+)(-?[\d.]+)$/.exec(bracket) ?? [];
      const compare = comparisons[comparison];
      const symbol = /^\$([^-]*)/.exec(bracket)?.[1] ?? '';
      if (compare !== undefined)
        sections[sections.length - 1] = { ...sections.at(-1), parts: [], condition: (number) => compare(number, Number(bound)) };
      else if (/^(h+|m+|s+)$/i.test(bracket)) timed ??= sections.length === 1 ? 'duration' : undefined;
      else if (symbol !== '') add(/^[\p{L}\p{Sc}]/u.test(symbol) ? { sign: symbol } : { literal: symbol });
    } else if (general !== undefined || /^[0#?]$/.test(sign ?? '')) add({ place: all });
    else if (sign === ';') sections.push({ parts: [] });
    else if (sign !== undefined) {
      if (/[ymdhs]/i.test(sign) && sections.length === 1) timed ??= 'date';
      add(meaningful.test(sign) || /^e$/i.test(sign) ? { sign } : literalPart(sign));
    }
  }
  if (timed !== undefined) return timed;
  const numbers = sections.filter(({ parts }, index) => index < 3 && !parts.some((part) => 'sign' in part && part.sign === '@'));
  const places = numbers.flatMap(({ parts }) => parts).filter((part) => 'place' in part);
  if (places.length === 0) return 'plain';
  const isDigits = numbers.every(({ parts }) => parts.every((part) => !('sign' in part)));
  return {
    shown: (number) => {
      const used = isDigits && /^-?\d+$/.test(number) ? sectionOf(numbers, Number(number)) : undefined;
      return used === undefined ? undefined : used.sign + digitsIn(used.section.parts, number.replace(/^-|^0$/g, ''));
    },
    amount: (number) => {
      const { sign, section } = sectionOf(numbers, Number(number)) ?? {};
      return section === undefined ? undefined : amountText(section.parts, Math.abs(Number(number)), sign ?? '');
    },
  };
}

/** A currency is a sign: a format with it is one of amounts. */
const literalPart = (text: string): FormatPart => (/\p{Sc}/u.test(text) ? { sign: text } : { literal: text });

/** The section that shows a number, and the minus before it. Undefined where no section takes the number. */
function sectionOf(
  sections: readonly FormatSection[],
  number: number,
): { readonly section: FormatSection; readonly sign: string } | undefined {
  const [first, second] = sections;
  const minus = number < 0 ? '-' : '';
  const used = (section: FormatSection | undefined, sign = minus) => (section === undefined ? undefined : { section, sign });
  if (first?.condition === undefined && second?.condition === undefined) {
    if (number < 0 && second !== undefined) return used(second, '');
    return used(number === 0 ? (sections[2] ?? first) : first);
  }
  if (first?.condition?.(number)) return used(first);
  if (second?.condition?.(number)) return used(second);
  return used(sections[first?.condition !== undefined && second?.condition !== undefined ? 2 : 1]);
}

/** Digits in their places, from the last to the first. The first place takes all digits that are left. */
function digitsIn(parts: readonly FormatPart[], digits: string): string {
  let left = digits;
  const first = parts.findIndex((part) => 'place' in part);
  const texts = parts.map((part) => ('literal' in part ? part.literal : ''));
  for (let index = parts.length - 1; index >= first && first >= 0; index -= 1) {
    const part = parts[index];
    if (part === undefined || !('place' in part)) continue;
    const taken = index === first ? left : left.slice(-1);
    left = left.slice(0, left.length - taken.length);
    texts[index] = taken || (part.place === '#' ? '' : part.place === '?' ? ' ' : '0');
  }
  return texts.join('');
}

/** A number between the texts of its section, if these have letters, a currency or a percent sign. */
function amountText(parts: readonly FormatPart[], number: number, sign: string): string | undefined {
  const textOf = (some: readonly FormatPart[]): string =>
    some.map((part) => ('literal' in part ? part.literal : 'sign' in part && !/[.,]/.test(part.sign) ? part.sign : '')).join('');
  const isComma = (part: FormatPart | undefined): boolean => part !== undefined && 'sign' in part && part.sign === ',';
  const [first, last] = [parts.findIndex((part) => 'place' in part), parts.findLastIndex((part) => 'place' in part)];
  const [before, within, after] = [parts.slice(0, Math.max(first, 0)), parts.slice(Math.max(first, 0), last + 1), parts.slice(last + 1)];
  const texts = textOf(before) + textOf(after);
  if (first < 0 || !/[\p{L}\p{Sc}%]/u.test(texts) || within.some((part) => 'sign' in part && /[e/]/i.test(part.sign))) return undefined;
  const point = within.findIndex((part) => 'sign' in part && part.sign === '.');
  const decimals = point < 0 ? 0 : within.length - point - 1;
  // Each comma behind the last place divides by a thousand.
  const thousands = after.findIndex((part) => !isComma(part));
  const scaled = number * 100 ** (texts.split('%').length - 1) * 0.001 ** (thousands < 0 ? after.length : thousands);
  const isGeneral = within.some((part) => 'place' in part && part.place.length > 1);
  return `${sign}${textOf(before)}${isGeneral ? number : scaled.toFixed(decimals)}${textOf(after)}`;
}
