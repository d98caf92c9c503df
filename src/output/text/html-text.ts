// Texts of the service as people read them: HTML, where a text holds any, as lines, and every other text as it is. The parser is loaded
// only for HTML.

/** The elements that texts of the service are made of: anything else between `<` and `>` is no HTML. */
const tags =
  /<\/?(?:a|abbr|article|b|big|blockquote|body|br|caption|center|cite|code|dd|del|div|dl|dt|em|figure|font|footer|form|h[1-6]|head|header|hr|html|i|img|ins|li|main|ol|p|pre|q|s|section|small|span|strike|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul)(\s[^<>]*)?\/?>/gi;

/** Whether a text holds elements of HTML: `a < b` and `<john@x>` do not. */
export function holdsHtml(text: string): boolean {
  if (!text.includes('<')) return false;
  for (const [, inside = ''] of text.matchAll(tags)) if (/^\s*\/?$|=/.test(inside)) return true;
  return false;
}

/**
 * What reads texts: of HTML the text in lines, any other text as it is. The parser is loaded when one of them holds HTML. What comes out
 * has to be made safe for a terminal: an entity can stand for any character.
 */
export async function textReader(texts: Iterable<string>): Promise<(text: string) => string> {
  for (const text of texts) {
    if (!holdsHtml(text)) continue;
    const { htmlLines } = await import('./html-lines.ts');
    return (one) => (holdsHtml(one) ? htmlLines(one) : one);
  }
  return (text) => text;
}
