// Makes texts of the service readable: HTML becomes lines, any other text stays. The parser is loaded only for HTML.

/** Matches the tags that count as HTML. Anything else between `<` and `>` is text. */
const tags =
  /<\/?(?:a|abbr|article|b|big|blockquote|body|br|caption|center|cite|code|dd|del|div|dl|dt|em|figure|font|footer|form|h[1-6]|head|header|hr|html|i|img|ins|li|main|ol|p|pre|q|s|section|small|span|strike|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul)(\s[^<>]*)?\/?>/gi;

/** True if a text holds HTML elements: not `a < b`, not `<john@x>`. */
export function holdsHtml(text: string): boolean {
  if (!text.includes('<')) return false;
  for (const [, inside = ''] of text.matchAll(tags)) if (/^\s*\/?$|=/.test(inside)) return true;
  return false;
}

/**
 * Returns the function that turns HTML into lines and leaves other texts. Loads the parser only if one of `texts` holds HTML. Make the
 * lines safe for a terminal: an entity can be any character.
 */
export async function textReader(texts: Iterable<string>): Promise<(text: string) => string> {
  for (const text of texts) {
    if (!holdsHtml(text)) continue;
    const { htmlLines } = await import('./html-lines.ts');
    return (one) => (holdsHtml(one) ? htmlLines(one) : one);
  }
  return (text) => text;
}
