// Characters that nobody sees: they come with text from web pages, chats and phones, and make equal texts differ.

import type { ValueType } from '../value-type.ts';

/** Zero-width characters, marks of the writing direction, soft hyphens. Scripts and emoji may need them within a text. */
const marks = String.raw`\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`;
const mark = new RegExp(`[${marks}]`, 'g');
const edges = new RegExp(`^[\\s${marks}]+|[\\s${marks}]+$`, 'g');
const anywhere = new RegExp(`[${marks}\\u200c\\u200d]`, 'g');
const some = new RegExp(`[${marks}\\u200c\\u200d]`);

/**
 * The text without characters that nobody sees: in an email, a phone, a postal code and a website anywhere, in any other value at its
 * edges. Blanks stay.
 */
export function withoutUnseen(text: string, type?: ValueType): string {
  if (!some.test(text)) return text;
  if (type?.kind === 'email' || (type?.kind === 'text' && type.form !== undefined)) return text.replaceAll(anywhere, '');
  return text.replaceAll(edges, (edge) => edge.replaceAll(mark, ''));
}
