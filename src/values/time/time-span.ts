// A time as a text tells it: to the microsecond, or as roughly as a spreadsheet leaves it. Nothing is guessed.

/** Microseconds since 1970 (UTC): the first that a text may mean, and the one behind the last. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

const clock = /(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/.source;
const yearFirst = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${clock}`, 'i');
const yearLast = new RegExp(`^(\\d{1,2})([./-])(\\d{1,2})\\2(\\d{4})${clock}`, 'i');

const perMillisecond = 1000;
const perSecond = 1_000_000;
const perMinute = 60 * perSecond;
const perDay = 24 * 60 * perMinute;

/**
 * When a text says that something was: `2026-11-18T09:12:44.000000Z`, `2026-11-18 09:12`, `18.11.2026`. Without a zone it is UTC.
 * `order`: which of day and month comes first where the year is last; unsaid, what could stand either way is no time. Undefined for
 * what is none.
 */
export function timeSpanOf(text: string, order?: 'ymd' | 'dmy' | 'mdy'): TimeSpan | undefined {
  const plain = text.trim();
  const first = yearFirst.exec(plain);
  if (first !== null) return spanOf([Number(first[1]), Number(first[2]), Number(first[3])], first.slice(4));
  const last = yearLast.exec(plain);
  if (last === null) return undefined;
  const [one, other, year] = [Number(last[1]), Number(last[3]), Number(last[4])];
  const isDayFirst = order === 'dmy' || (order === undefined && (one > 12 || one === other));
  if (isDayFirst) return spanOf([year, other, one], last.slice(5));
  return order === 'mdy' || (order === undefined && other > 12) ? spanOf([year, one, other], last.slice(5)) : undefined;
}

function spanOf(
  [year, month, day]: readonly [number, number, number],
  [hours, minutes, seconds, fraction = '', zone]: readonly (string | undefined)[],
): TimeSpan | undefined {
  const [h, m, s] = [hours, minutes, seconds].map((part) => Number(part ?? 0)) as [number, number, number];
  const start = new Date(Date.UTC(year, month - 1, day));
  if (start.getUTCMonth() !== month - 1 || start.getUTCDate() !== day || h > 23 || m > 59 || s > 59) return undefined;
  const clockTime = (h * 60 + m) * perMinute + s * perSecond + Number(fraction.padEnd(6, '0').slice(0, 6));
  const from = start.getTime() * perMillisecond + clockTime - zoneOf(zone);
  return { from, until: from + precision(hours, seconds, fraction) };
}

function precision(hours: string | undefined, seconds: string | undefined, fraction: string): number {
  if (hours === undefined) return perDay;
  return seconds === undefined ? perMinute : 10 ** Math.max(0, 6 - fraction.length);
}

/** How far a zone is ahead of UTC. */
function zoneOf(zone = 'Z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * perMinute;
}

/** Whether one text tells a time that is surely later than the other's. False where one of them tells none. */
export function isLater(one: string, other: TimeSpan): boolean {
  const span = timeSpanOf(one);
  return span !== undefined && span.from >= other.until;
}

/** Whether two texts tell the same time, a day being its beginning. False where one of them tells none. */
export function isSameTime(one: string, other: string): boolean {
  const span = timeSpanOf(one);
  return span !== undefined && span.from === timeSpanOf(other)?.from;
}
