// The notation of decimal numbers and days in a file. An ambiguous value is refused until --decimal-mark or --date-order decides. Pure.

import { NotationError } from '../../base/files/problems.ts';
import type { Input } from '../../base/flag.ts';
import { checkChoice } from '../../base/values/parse.ts';
import { isDay } from '../../base/values/time/days.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { plainName } from '../../session/names/matching.ts';

export const decimalMarks = ['point', 'comma'] as const;
type DecimalMark = (typeof decimalMarks)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
type DateOrder = (typeof dateOrders)[number];

/** The notation of numbers and days; absent members are unknown. */
export interface Notation {
  readonly decimalMark?: DecimalMark;
  readonly dateOrder?: DateOrder;
}

/** The notation that flags give. Throws InvalidValues. */
export function notationOf({ 'decimal-mark': mark, 'date-order': order }: Input['flags']): Notation {
  return {
    ...(typeof mark === 'string' ? { decimalMark: checkChoice(mark, decimalMarks, '--decimal-mark') } : {}),
    ...(typeof order === 'string' ? { dateOrder: checkChoice(order, dateOrders, '--date-order') } : {}),
  };
}

/**
 * The text of a cell as requests write it: `1.250,00` as `1250.00`, `31.12.2026` as `2026-12-31`. Other types and texts that are no number
 * or day stay unchanged. Throws NotationError for an ambiguous value, and for a value in another notation.
 */
export function plainText(type: ValueType, text: string, notation: Notation): string {
  if (type.kind === 'decimal') return plainDecimal(text.trim(), notation.decimalMark);
  if (type.kind === 'choice') return choiceMeant(type.values, text);
  if (type.kind === 'email') return text.replace(/^\s*mailto:/i, '');
  return type.kind === 'date' ? plainDay(text.trim(), notation.dateOrder) : text;
}

/** The word of a choice that a text means, whatever its case; any other text unchanged. */
export const choiceMeant = (words: readonly string[], text: string): string =>
  words.find((word) => plainName(word) === plainName(text)) ?? text;

const plainNumber = /^-?\d+(?:\.\d+)?$/;
/** Apostrophes only separate thousands, so the point behind them is a decimal point: `71'500.00`. */
const swissNumber = /^-?\d{1,3}(?:['’]\d{3})+(?:\.\d+)?$/;
/** Blanks between thousands: space, no-break, thin and narrow no-break space. */
const blank = '[\\u0020\\u00a0\\u2009\\u202f]';
const groups = (marks: string): RegExp => new RegExp(`^(-?\\d{1,3}(?:(${marks}|['’]|${blank})\\d{3})(?:\\2\\d{3})*|-?\\d+)`);
const withMark: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(`${groups(',').source}(?:\\.(\\d+))?$`),
  comma: new RegExp(`${groups('\\.').source}(?:,(\\d+))?$`),
};
const isNoDigit = /\D/g;

const besideNumber = /^(?:(-?)\s*(\p{Sc}|[A-Z]{3})\s*(-?\d.*)|(-?\d.*\d|-?\d)\s*(\p{Sc}|[A-Z]{3}))$/u;
/** Currency signs that belong to exactly one currency. */
const currencies: Readonly<Record<string, string>> = { '\u20ac': 'EUR', '\u00a3': 'GBP' };

/** Splits a number from the currency beside it: `70.289,00 €`, `EUR 12`. Undefined without a currency. */
export function currencyIn(text: string): { readonly currency: string; readonly number: string } | undefined {
  if (plainNumber.test(text)) return undefined;
  const [, minus = '', before, behind, number, after] = besideNumber.exec(text.trim()) ?? [];
  const sign = before ?? after;
  return sign === undefined ? undefined : { currency: currencies[sign] ?? sign, number: number ?? `${minus}${behind}` };
}

function plainDecimal(said: string, mark: DecimalMark | undefined): string {
  const text = currencyIn(said)?.number ?? said;
  if (mark === undefined && plainNumber.test(text)) return text;
  if (mark === undefined && swissNumber.test(text)) return text.replaceAll(/['’]/g, '');
  const [all, whole = '', , decimals] = (mark === undefined ? null : withMark[mark].exec(text)) ?? [];
  if (all !== undefined) {
    return `${whole.startsWith('-') ? '-' : ''}${whole.replaceAll(isNoDigit, '')}${decimals === undefined ? '' : `.${decimals}`}`;
  }
  if (withMark.point.test(text) || withMark.comma.test(text)) {
    const what =
      mark === undefined
        ? 'has a comma, or marks between thousands: say with --decimal-mark comma or point which one divides the decimals.'
        : `is not a number whose decimals come after a ${mark} (--decimal-mark ${mark}).`;
    throw new NotationError('decimal-mark', `"${text}" ${what}`);
  }
  return said;
}

/** Throws NotationError for a long number that a spreadsheet shortened to `4.93012E+11`. */
export function refuseShortened(text: string): void {
  if (!text.includes('E+') || !/^-?\d(?:[.,]\d+)?E\+\d{2}$/.test(text.trim())) return;
  const why = 'is a number that a spreadsheet has shortened: write all of its digits, with the column as text.';
  throw new NotationError('shortened', `"${text.trim()}" ${why}`);
}

/** Error values of failed formulas, in English and German. */
const spreadsheetErrors = /^#(?:NULL!|DIV\/0!|VALUE!|WERT!|REF!|BEZUG!|NAME\?|NUM!|ZAHL!|N\/A|NV)$/;

/** Throws NotationError for the error value of a failed formula. */
export function refuseFailedFormula(text: string): void {
  if (!text.includes('#') || !spreadsheetErrors.test(text.trim())) return;
  throw new NotationError('failed formula', `"${text.trim()}" is a formula that failed, not a value: mend it in the spreadsheet.`);
}

const stamp = /^(\d{4}-\d{2}-\d{2})[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?$/i;
const parts =
  /^(\d{1,4})(?:[./-]|\s+)(\d{1,2})(?:[./-]|\s+)(\d{1,4})(?:,?\s+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AP]M)?(?:\s*(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?$/i;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const places: Readonly<Record<DateOrder, readonly [year: number, month: number, day: number]>> = {
  ymd: [0, 1, 2],
  dmy: [2, 1, 0],
  mdy: [2, 0, 1],
};
const orderWords: Readonly<Record<DateOrder, string>> = { ymd: 'year, month, day', dmy: 'day, month, year', mdy: 'month, day, year' };

function plainDay(text: string, order: DateOrder | undefined): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const day = stamp.exec(text)?.[1];
  if (day !== undefined) return day;
  const digits = compact.exec(text)?.slice(1).join('-');
  if (digits !== undefined && isDay(digits)) {
    if (order === 'ymd') return digits;
    throw new NotationError('compact', `"${text}" is not written YYYY-MM-DD: --date-order ymd reads it as ${digits}.`);
  }
  const numbers = parts.exec(text)?.slice(1, 4);
  if (numbers === undefined) return text;
  if (numbers.every((one) => one.length <= 2)) {
    const advice = order === undefined ? ', and say with --date-order dmy, mdy or ymd in which order day, month and year stand.' : '.';
    throw new NotationError('short-year', `"${text}" has a year of two digits: write it with four${advice}`);
  }
  if (order === undefined) {
    const sentence = `"${text}" is not written YYYY-MM-DD: say with --date-order dmy, mdy or ymd in which order day, month and year stand.`;
    throw new NotationError('date-order', sentence);
  }
  const [year = '', month = '', dayOfMonth = ''] = places[order].map((place) => numbers[place]);
  const plain = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  if (isDay(plain)) return plain;
  throw new NotationError(
    `date-order ${order}`,
    `"${text}" is not a day of the calendar, read as ${orderWords[order]} (--date-order ${order}).`,
  );
}
