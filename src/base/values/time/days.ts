// Reads days: words (today, -30d, +2w), and the dates and time stamps of records. Pure.

const dayWords = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

/**
 * The day `YYYY-MM-DD` of a word: today, yesterday, tomorrow, or a number of days, weeks, months or years (`-30d`, `+2w`, `d w m y`).
 * Counted from `now` by this machine's calendar; 31 January `+1m` is the last day of February. Any other text, and a day outside the
 * years 1 to 9999, is returned unchanged.
 */
export function dayOf(text: string, now: Date): string {
  const plain = text.trim().toLowerCase();
  const near = dayWords.get(plain);
  if (near !== undefined) return daysFrom(now, near) ?? text;
  const [, sign, digits, unit] = /^([+-])(\d{1,7})([dwmy])$/.exec(plain) ?? [];
  if (unit === undefined) return text;
  const count = Number(digits) * (sign === '-' ? -1 : 1);
  if (unit === 'd' || unit === 'w') return daysFrom(now, unit === 'w' ? count * 7 : count) ?? text;
  return monthsFrom(now, unit === 'y' ? count * 12 : count) ?? text;
}

function daysFrom(now: Date, days: number): string | undefined {
  return dayText(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() + days));
}

function monthsFrom(now: Date, months: number): string | undefined {
  const [year, month] = [now.getFullYear(), now.getMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayText(Date.UTC(year, month, Math.min(now.getDate(), last)));
}

const monthNames = 'january february march april may june july august september october november december'.split(' ');
/** A time of day behind a day, with its zone. */
const timeBehind =
  /(?:,?\s+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[AP]\.?M\.?)?(?:\s*(?:[A-Z]{1,4}(?:[+-]\d{1,4})?|[+-]\d{2}:?\d{2}))?)?/
    .source;
const month = /(?<month>\p{L}{3,})\.?/u.source;
const weekday = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*[.,]*\s+)?/u.source;
const namedDays = [
  `(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?[\\s/-]*(?:(?:of|de|di|do)\\s+)?${month}[\\s,/-]*(?:de\\s+)?(?<year>\\d{4})`,
  `${month}[\\s/-]*(?<day>\\d{1,2})(?:st|nd|rd|th)?[\\s,/-]+(?<year>\\d{4})`,
  `(?<year>\\d{4})[\\s./-]+${month}[\\s/-]*(?<day>\\d{1,2})`,
].map((form) => new RegExp(`${weekday}${form}${timeBehind}$`, 'iu'));

/**
 * The day of a text with the name of its month: `2026-03-05` for `Mar 5, 2026 8:22 AM`. English names and their three letters are read;
 * '' for any other name. Undefined for a text of another form.
 */
export function dayNamed(text: string): string | undefined {
  const found = namedDays.map((form) => form.exec(text.trim())?.groups).find((one) => one !== undefined);
  if (found === undefined) return undefined;
  const { day = '', month: name = '', year = '' } = found;
  const word = name.toLowerCase();
  const index = monthNames.findIndex((one) => one === word || one.slice(0, 3) === word || (word === 'sept' && one === 'september'));
  return index < 0 ? '' : `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The sentence about a month in another language. */
export const englishMonths = 'months by name are read in English only: write the day as YYYY-MM-DD.';

/** True for a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  // Every month has 28 days.
  if (/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(text)) return true;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** The day of a time by this machine's clock: `YYYY-MM-DD`. Undefined outside the years 1 to 9999. */
export function dayAt(time: Date): string | undefined {
  return dayText(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()));
}

/** The day `YYYY-MM-DD` of a record's date or time stamp, by this machine's clock. Undefined when the text is no date. */
export const dayHeld = (text: string): string | undefined => momentHeld(text)?.day;

/**
 * The day of a record's date or time stamp, as `dayHeld` gives it, and the time of a time stamp. A time without a zone is UTC
 * (interface: Contact, `dates`). Undefined when the text is no date.
 */
export function momentHeld(text: string): { readonly day: string; readonly time?: Date } | undefined {
  const [, day, clock, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const noon = new Date(`${day}T12:00:00Z`);
  if (Number.isNaN(noon.getTime()) || noon.toISOString().slice(0, 10) !== day) return undefined;
  if (clock === undefined) return { day };
  const time = new Date(`${day}T${clock}${zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2')}`);
  const local = dayAt(time);
  return local === undefined ? undefined : { day: local, time };
}

function dayText(time: number): string | undefined {
  const date = new Date(time);
  if (Number.isNaN(time) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return undefined;
  return date.toISOString().slice(0, 10);
}
