// When two texts are the same to the letter, but for what forms and databases do to every text. Pure.

/** Whether two texts are the same: blanks at their edges, how lines end and HTML entities don't count. */
export const isSameText = (one: string, other: string): boolean => one === other || textKey(one) === textKey(other);

/** The text without blanks at its edges, with its entities undone and its lines ended by line feeds: texts that are the same have the same key. */
export const textKey = (text: string): string => withLineFeeds(unescaped(text)).trim();

/** A text with line breaks of one kind. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

/** Entities undone, as often as they were done. */
export function unescaped(text: string): string {
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
