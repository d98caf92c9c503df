// Facts of spreadsheets (ECMA-376, Office Open XML): days as numbers, escapes in texts, letters of columns, the largest sizes. Pure.

import { isDay } from '../time/days.ts';

/** The most UTF-16 units of a cell's text. */
export const longestCell = 32_767;
export const mostRows = 1_048_576;
export const mostColumns = 16_384;
/** The digits that a spreadsheet keeps of a number. */
export const spreadsheetDigits = 15;

const dayLength = 86_400_000;
const dayZero = Date.UTC(1899, 11, 30);
/** 1 March 1900. Programs disagree about earlier days: one has a 29 February 1900. */
const firstSureDay = 61;

/**
 * The serial number of a day `YYYY-MM-DD` or of a time stamp, in UTC, to the millisecond. Undefined for other texts, for a time stamp at
 * midnight, and before March 1900.
 */
export function serialOf(text: string): number | undefined {
  const stamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  // At midnight, a time stamp and its day have the same number.
  if (!Number.isNaN(stamp)) return stamp % dayLength === 0 ? undefined : sureSerial((stamp - dayZero) / dayLength);
  return isDay(text) ? sureSerial((Date.parse(`${text}T00:00:00Z`) - dayZero) / dayLength) : undefined;
}

const sureSerial = (serial: number): number | undefined => (serial < firstSureDay ? undefined : serial);

/**
 * The date of a serial number: `YYYY-MM-DD`, or with a time `YYYY-MM-DD HH:MM:SS` (and milliseconds when there are any), or the time
 * alone `HH:MM:SS`. Undefined before March 1900 and after 9999.
 */
export function dateOf(serial: number): string | undefined {
  const exact = Math.round(serial * dayLength);
  const second = Math.round(exact / 1000) * 1000;
  // Some programs keep fewer digits: 1 ms beside a whole second is the second.
  const sinceZero = Math.abs(exact - second) <= 1 ? second : exact;
  if (sinceZero >= 0 && sinceZero < dayLength) return new Date(sinceZero).toISOString().slice(11, 19);
  const time = sinceZero + dayZero;
  if (!(time >= dayZero + firstSureDay * dayLength && time <= Date.UTC(9999, 11, 31, 23, 59, 59))) return undefined;
  const text = new Date(time).toISOString();
  if (sinceZero % dayLength === 0) return text.slice(0, 10);
  return text.slice(0, sinceZero % 1000 === 0 ? 19 : 23).replace('T', ' ');
}

/** The characters to escape: XML can't hold them, or a reader changes them. Also the `_` at the start of a text such as `_x000D_`. */
const unwritable = /[\0-\x08\x0B-\x1F\uFFFE\uFFFF]|\p{Surrogate}|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Escapes a text for a cell: `_x000D_` for a carriage return. */
export const escapedCell = (text: string): string =>
  text.replace(unwritable, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

/** Undoes `escapedCell`. */
export const unescapedCell = (text: string): string =>
  text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text;

/** The letters of a column: `A` for 1, `AB` for 28. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return letters;
}

/** The number of a column: 1 for `A`, 28 for `AB`. */
export const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
