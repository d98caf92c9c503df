// Days: as people say them (today, -30d, +2w), and as records hold them. Pure.

const words = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

/**
 * The day that a word stands for, `YYYY-MM-DD`, counted from `now` by this machine's calendar: today, yesterday, tomorrow, or so many
 * days, weeks, months or years before or after (`-30d`, `+2w`, `d w m y`). Months and years end at the month's last day. What is no such
 * word, or lies outside the years 1 to 9999, stays as it is.
 */
export function dayOf(text: string, now: Date): string {
  const plain = text.trim().toLowerCase();
  const near = words.get(plain);
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

/** The day of a time stamp by this machine's clock: `YYYY-MM-DD`. */
export function dayAt(time: Date): string | undefined {
  return dayText(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()));
}

/**
 * The day of a date or a time stamp that a record holds, `YYYY-MM-DD`; of a time stamp, this machine's day. Undefined for what is neither.
 */
export const dayHeld = (text: string): string | undefined => momentHeld(text)?.day;

/**
 * What a record holds as a date, or as a time stamp: its day as `dayHeld` has it, and the time. A time without a zone is UTC (interface:
 * Contact, `dates`). Undefined for what is neither.
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
