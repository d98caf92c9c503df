// Compares texts whatever their case, in every language. Pure.

/**
 * A text for comparing without regard to case; accents stay. Lower case alone would keep ß and ss apart, and ς and σ. The Turkish İ is the
 * upper case of i, and ı the lower case of I, so all four are one letter.
 */
export const caseless = (text: string): string =>
  isAscii.test(text) ? text.toUpperCase() : text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC').replaceAll('\u0130', 'I');

const isAscii = /^[\0-\x7f]*$/;
