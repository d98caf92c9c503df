// Texts as markup of HTML: the one place where a text becomes markup.

import { safeLine } from '../../model/records/safe-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' };

/** The text as HTML shows it, in an element and in a quoted attribute. Lines stay lines; control characters become visible. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .split(/\r\n|\r|\n/)
    .map(safeLine)
    .join('\n')
    .replaceAll(/[&<>"'`]/g, (one) => entities[one] ?? one);

/** The markup of a text: a link for an address of the web or of email, else only the text. */
export function linked(text: string): string {
  const isWeb = /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
  const isEmail = /^[^\s@<>"'()&?:/\\]+@[^\s@<>"'()&?:/\\]+\.[^\s@<>"'()&?:/\\]+$/.test(text);
  if (!isWeb && !isEmail) return escapeHtml(text);
  return `<a href="${escapeHtml(isWeb ? text : `mailto:${text}`)}" rel="noreferrer">${escapeHtml(text)}</a>`;
}
