// The distance of a day or a time from now, in words: 3 days ago, tomorrow, in 2 months. Pure.

import { inThousands } from '../../limits.ts';
import { dayAt, momentHeld } from './days.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** From this many days on, the distance is in months or years of the calendar, rounded down. */
const countedDays = 100;

/** The words of `Intl.RelativeTimeFormat('en', { numeric: 'auto' })`, which takes longer to load than most commands may. */
function relativeTime(count: number, unit: 'minute' | 'hour' | 'day' | 'month' | 'year'): string {
  const [distance, days] = [Math.abs(count), ['yesterday', 'today', 'tomorrow']];
  if (unit === 'day' && distance < 2) return days[count + 1] ?? '';
  const words = `${inThousands(distance)} ${unit}${distance === 1 ? '' : 's'}`;
  return count < 0 ? `${words} ago` : `in ${words}`;
}

/**
 * The distance of a record's date or time stamp from now. Days are this machine's; within 12 hours, a time stamp counts by minutes or
 * hours. Undefined when the text is no date.
 */
export function ageOf(text: string, now: Date): string | undefined {
  const [held, today] = [momentHeld(text), dayAt(now)];
  if (held === undefined || today === undefined) return undefined;
  const { day: then, time } = held;
  const days = Math.round((Date.parse(then) - Date.parse(today)) / day);
  if (time !== undefined && Math.abs(time.getTime() - now.getTime()) < 12 * hour) return recently(time.getTime() - now.getTime());
  if (Math.abs(days) < countedDays) return relativeTime(days, 'day');
  const months = wholeMonths(then, today);
  return Math.abs(months) < 24 ? relativeTime(months, 'month') : relativeTime(Math.trunc(months / 12), 'year');
}

function recently(milliseconds: number): string {
  if (Math.abs(milliseconds) < minute) return 'just now';
  return Math.abs(milliseconds) < hour
    ? relativeTime(Math.trunc(milliseconds / minute), 'minute')
    : relativeTime(Math.trunc(milliseconds / hour), 'hour');
}

/** Below 0 when `then` is earlier. */
function wholeMonths(then: string, today: string): number {
  const [later, earlier] = then > today ? [then, today] : [today, then];
  const parts = (text: string): number[] => text.split('-').map(Number);
  const [[y1 = 0, m1 = 0, d1 = 0], [y2 = 0, m2 = 0, d2 = 0]] = [parts(earlier), parts(later)];
  const months = (y2 - y1) * 12 + (m2 - m1) - (d2 < d1 ? 1 : 0);
  return then > today ? months : -months;
}
