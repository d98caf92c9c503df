// Characters that nobody sees.

/** Zero-width characters, byte order marks, soft hyphens, and marks of the writing direction. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** The text without characters that nobody sees. */
export const withoutUnseen = (text: string): string => text.replaceAll(unseen, '');
