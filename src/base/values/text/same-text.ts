// Compares texts exactly, except for changes that forms and databases make to every text. Pure.

/** True when two texts are the same but for blanks at their edges, line endings and HTML entities. */
export const isSameText = (one: string, other: string): boolean => one === other || textKey(one) === textKey(other);

/** The key that equal texts share: entities decoded, line feeds at line ends, no blanks at the edges. */
export const textKey = (text: string): string => withLineFeeds(withoutEntities(text)).trim();

/** A text with line feeds in place of CR LF. */
export const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

/** The text with its entities decoded, repeatedly: `&amp;lt;` becomes `<`. */
export function withoutEntities(text: string): string {
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
