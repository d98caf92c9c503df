// Reads times from texts, exact or rounded by a spreadsheet, as spans: `09:12` is a minute long. An ambiguous text is no time.

/** A span in microseconds since 1970 (UTC). `until` is the first microsecond after the span. */
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
 * The span of a text: `2026-11-18T09:12:44.000000Z`, `2026-11-18 09:12`, `18.11.2026`. A text without a zone is UTC. `order` says
 * whether day or month comes first when the year is last; without `order`, `3.4.2026` is ambiguous. Undefined when the text is no time,
 * or ambiguous.
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
  const length = hours === undefined ? perDay : seconds === undefined ? perMinute : 10 ** Math.max(0, 6 - fraction.length);
  return { from, until: from + length };
}

/** Microseconds ahead of UTC. */
function zoneOf(zone = 'Z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * perMinute;
}

/** True when the time of a text is later than the whole of another span. False when the text is no time. */
export function isLater(one: string, other: TimeSpan): boolean {
  const span = timeSpanOf(one);
  return span !== undefined && span.from >= other.until;
}

/** True when two texts tell the same time; a day means its first moment. False when one of them is no time. */
export function isSameTime(one: string, other: string): boolean {
  const span = timeSpanOf(one);
  return span !== undefined && span.from === timeSpanOf(other)?.from;
}
