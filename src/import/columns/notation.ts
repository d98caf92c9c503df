// The notation of decimal numbers and days in a file. An ambiguous value is refused until --decimal-mark or --date-order decides. Pure.

import { NotationError } from '../../base/files/problems.ts';
import { checkChoice } from '../../base/values/parse.ts';
import { dayNamed, englishMonths, isDay } from '../../base/values/time/days.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import type { ChangeFileFlags } from '../../changes/flags.ts';
import { plainName } from '../../session/names/matching.ts';

export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
type DateOrder = (typeof dateOrders)[number];

/** The notation of numbers and days; absent members are unknown. */
export interface Notation {
  readonly decimalMark?: DecimalMark;
  readonly dateOrder?: DateOrder;
}

/** The notation that flags give. Throws InvalidValues. */
export function notationOf({ 'decimal-mark': mark, 'date-order': order }: ChangeFileFlags): Notation {
  return {
    ...(mark === undefined ? {} : { decimalMark: checkChoice(mark, decimalMarks, '--decimal-mark') }),
    ...(order === undefined ? {} : { dateOrder: checkChoice(order, dateOrders, '--date-order') }),
  };
}

/**
 * The text of a cell as requests write it: `1.250,00` as `1250.00`, `31.12.2026` as `2026-12-31`. Other types and texts that are no number
 * or day stay unchanged. Throws NotationError for an ambiguous value, and for a value in another notation.
 */
export function plainText(type: ValueType, text: string, notation: Notation): string {
  if (type.kind === 'decimal') return plainDecimal(text.trim(), notation.decimalMark);
  if (type.kind === 'choice') return choiceMeant(type.values, text);
  return type.kind === 'date' ? plainDay(text.trim(), notation.dateOrder) : text;
}

/** True for a day with which Excel, its copies and MySQL write that there is none. */
export const isNoDay = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:1899-12-3[01]|1900-01-00|0000-00-00)(?:[T ]00:00(?::00)?\S*)?$/.test(value.trim());

/** The word of a choice that a text means, whatever its case; any other text unchanged. */
export const choiceMeant = (words: readonly string[], text: string): string =>
  words.find((word) => plainName(word) === plainName(text)) ?? text;

const plainNumber = /^-?\d+(?:\.\d+)?$/;
/** Apostrophes only separate thousands, so the point behind them is a decimal point: `71'500.00`. */
const swissNumber = /^-?\d{1,3}(?:['’]\d{3})+(?:\.\d+)?$/;
/** Blanks between thousands: space, no-break, thin and narrow no-break space. */
const blank = '[\\u0020\\u00a0\\u2009\\u202f]';
/** A number with a decimal mark. In India, only the last three digits are apart, then pairs: `1,00,000.00`. */
const numberWith = (thousands: string, decimal: string): RegExp => {
  const grouped = `\\d{1,3}(?<mark>${thousands}|['’]|${blank})\\d{3}(?:\\k<mark>\\d{3})*`;
  const indian = `\\d{1,2}(?:${thousands}\\d{2})+${thousands}\\d{3}`;
  return new RegExp(`^(?<whole>-?(?:${grouped}|${indian}|\\d+))(?:${decimal}(?<decimals>\\d+))?$`);
};
const withMark: Readonly<Record<DecimalMark, RegExp>> = { point: numberWith(',', '\\.'), comma: numberWith('\\.', ',') };

const currencyBefore = /^([+-]?)\s*([^\d\s.,'’()+-][^\d\s,'’()+-]*)\s*([+-]?.*)$/s;
const currencyAfter = /^(.*[\d)])\s*([^\d\s.,'’()+-][^\d\s,'’()+-]*)$/s;

/**
 * The number in a cell of amounts as written, with a hyphen for a negative number, and the currency beside the number: `70.289,00 €`,
 * `(350.00)`, `−350`, `+1250`, `R$ 12`. A text with other letters is returned unchanged.
 */
export function amountIn(said: string): { readonly number: string; readonly currency?: string } {
  if (plainNumber.test(said)) return { number: said };
  const text = said.trim().replaceAll('\u2212', '-');
  const outer = withoutBrackets(text);
  const [, sign = '', word, amount = ''] = currencyBefore.exec(outer) ?? [];
  const [, ahead = outer, last] = word === undefined ? (currencyAfter.exec(outer) ?? []) : [];
  const beside = word ?? last;
  const currency = beside === undefined ? undefined : currencyOf(beside);
  if (beside !== undefined && currency === undefined) return { number: said };
  const inner = withoutBrackets(word === undefined ? ahead : `${sign}${amount}`);
  const number = inner.replace(/^\+\s*(?=\d)/, '').replace(/^-\s+/, '-');
  const isNegative = outer !== text || inner !== (word === undefined ? ahead : `${sign}${amount}`);
  if (isNegative && !/^\d/.test(number)) return { number: said };
  return { number: isNegative ? `-${number}` : number, ...(currency === undefined ? {} : { currency }) };
}

/** The text between brackets, which stand for a minus in accounts; any other text unchanged. */
const withoutBrackets = (text: string): string => /^\(\s*([^()]*\S)\s*\)$/.exec(text)?.[1] ?? text;

function plainDecimal(said: string, mark: DecimalMark | undefined): string {
  const text = amountIn(said).number;
  if (mark === undefined && plainNumber.test(text)) return text;
  if (mark === undefined && swissNumber.test(text)) return text.replaceAll(/['’]/g, '');
  const { whole = '', decimals } = (mark === undefined ? null : withMark[mark].exec(text))?.groups ?? {};
  if (whole !== '')
    return `${whole.startsWith('-') ? '-' : ''}${whole.replaceAll(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`;
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

/** The serial numbers of days from 1954 to 2118. */
const serialDay = /^[2-7]\d{4}(?:\.\d+)?$/;
/** A time and its zone: `8:22:13 AM GMT+1`. */
const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AP]M)?(?:\s*(?:Z|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2}))?`;
const stamp = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2})[T ]${time}$`, 'i');
const parts = new RegExp(String.raw`^(\d{1,4})(?:[./-]|\s+)(\d{1,2})(?:[./-]|\s+)(\d{1,4})(?:,?\s+${time})?$`, 'i');
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const places: Readonly<Record<DateOrder, readonly [year: number, month: number, day: number]>> = {
  ymd: [0, 1, 2],
  dmy: [2, 1, 0],
  mdy: [2, 0, 1],
};
const orderWords: Readonly<Record<DateOrder, string>> = { ymd: 'year, month, day', dmy: 'day, month, year', mdy: 'month, day, year' };

function plainDay(text: string, order: DateOrder | undefined): string {
  if (isNoDay(text))
    throw new NotationError('no day', `"${text}" is how programs write no day: clear the cell, or give the word '' in a mapping.`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const day = stamp.exec(text)?.[1];
  if (day !== undefined) return day;
  const digits = compact.exec(text)?.slice(1).join('-');
  if (digits !== undefined && isDay(digits)) {
    if (order === 'ymd') return digits;
    throw new NotationError('compact', `"${text}" is not written YYYY-MM-DD: --date-order ymd reads it as ${digits}.`);
  }
  if (serialDay.test(text))
    throw new NotationError(
      'serial',
      `"${text}" is a number by which spreadsheets count days: show the column as dates there, and save it again.`,
    );
  const named = dayNamed(text);
  if (named === '') throw new NotationError('month', `"${text}": ${englishMonths}`);
  if (named !== undefined) {
    if (isDay(named)) return named;
    throw new NotationError('named day', `"${text}" is not a day of the calendar.`);
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
  const [year = '', month = '', dayOfMonth = ''] = places[order].map((index) => numbers[index]);
  const plain = `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  if (isDay(plain)) return plain;
  throw new NotationError(
    `date-order ${order}`,
    `"${text}" is not a day of the calendar, read as ${orderWords[order]} (--date-order ${order}).`,
  );
}

/** The codes of ISO 4217. */
const currencyCodes =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE ' +
  'CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES ' +
  'KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD ' +
  'OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY ' +
  'TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL';

/** Words and signs that belong to one currency, and `kr`, which several countries write. */
const currencyWords: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  euro: 'EUR',
  r$: 'BRL',
  us$: 'USD',
  a$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  nz$: 'NZD',
  hk$: 'HKD',
  s$: 'SGD',
  mx$: 'MXN',
  nt$: 'TWD',
  kr: 'kr',
  zł: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  fr: 'CHF',
  sfr: 'CHF',
  лв: 'BGN',
  руб: 'RUB',
  грн: 'UAH',
  lei: 'RON',
  tl: 'TRY',
  rs: 'Rs',
  rp: 'IDR',
  rm: 'MYR',
  元: 'CNY',
  円: 'JPY',
};

/** The currency that a word beside a number means: an ISO code, a currency sign or a word of the table. Undefined for other words. */
function currencyOf(word: string): string | undefined {
  if (/^[A-Z]{3}$/.test(word)) return currencyCodes.includes(word) ? word : undefined;
  return currencyWords[word.replace(/\.$/, '').toLowerCase()] ?? (/^\p{Sc}$/u.test(word) ? word : undefined);
}
