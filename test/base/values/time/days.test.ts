// Days as people say them, by this machine's calendar.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValue } from '../../../../src/base/values/parse.ts';
import { dayAt, dayOf, momentHeld } from '../../../../src/base/values/time/days.ts';

/** Late on a day, by this machine's clock: in most time zones another day in UTC. */
const lateOn = (year: number, month: number, day: number): Date => new Date(year, month - 1, day, 23, 59, 59);

describe('a day', () => {
  it.each([
    ['today', '2026-11-21'],
    ['yesterday', '2026-11-20'],
    ['tomorrow', '2026-11-22'],
    ['Today', '2026-11-21'],
    ['-0d', '2026-11-21'],
    ['-30d', '2026-10-22'],
    ['+2w', '2026-12-05'],
    ['-1m', '2026-10-21'],
    ['+2m', '2027-01-21'],
    ['-5y', '2021-11-21'],
  ])('%s', (word, day) => expect(dayOf(word, lateOn(2026, 11, 21))).toBe(day));

  it.each([
    ['+1m', lateOn(2027, 1, 31), '2027-02-28'],
    ['+1m', lateOn(2028, 1, 31), '2028-02-29'],
    ['-1m', lateOn(2027, 3, 31), '2027-02-28'],
    ['+13m', lateOn(2026, 12, 31), '2028-01-31'],
    ['-1y', lateOn(2028, 2, 29), '2027-02-28'],
    ['+4y', lateOn(2028, 2, 29), '2032-02-29'],
  ])('%s ends at the month’s last day', (word, now, day) => expect(dayOf(word, now)).toBe(day));

  it.each(['30d', '-30', '-d', '-3.5d', '- 3d', '-3h', 'last week', '', '2026-02-30', '-9999y', '+9999y', '-9999999d'])(
    'is not said as %j',
    (text) => expect(dayOf(text, lateOn(2026, 11, 21))).toBe(text),
  );

  const anyDay = fc.date({ min: new Date(1970, 0, 1), max: new Date(2100, 0, 1), noInvalidDate: true });

  it('is a real day, and so many days away', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -40_000, max: 40_000 }), (now, count) => {
        const day = dayOf(`${count < 0 ? '-' : '+'}${Math.abs(count)}d`, now);
        expect(parseValue({ kind: 'date' }, day, '--start')).toBe(day);
        const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
        const away = Date.UTC(year, month - 1, date) - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
        expect(away / 86_400_000).toBe(count);
      }),
    );
  });

  it('of another month is the same day there, or its last', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 600 }), fc.constantFrom('-', '+'), (now, count, sign) => {
        const [year = 0, month = 0, date = 0] = dayOf(`${sign}${count}m`, now).split('-').map(Number);
        expect(year * 12 + month - 1).toBe(now.getFullYear() * 12 + now.getMonth() + (sign === '-' ? -count : count));
        const last = new Date(year, month, 0).getDate();
        expect(date).toBe(Math.min(now.getDate(), last));
      }),
    );
  });
});

it('the last day that there is', () => {
  expect(dayOf('today', lateOn(9999, 12, 31))).toBe('9999-12-31');
  expect(dayOf('tomorrow', lateOn(9999, 12, 31))).toBe('tomorrow');
});

describe('what a record holds', () => {
  it('is a day without a time', () => expect(momentHeld('2026-02-28')).toEqual({ day: '2026-02-28' }));

  it.each([
    ['2026-11-18T09:12:44Z', '2026-11-18T09:12:44.000Z'],
    ['2026-11-18 09:12', '2026-11-18T09:12:00.000Z'],
    ['2026-11-18T09:12:44.250+0130', '2026-11-18T07:42:44.250Z'],
  ])('is a time, and its day by this machine: %s', (text, time) => {
    const at = new Date(time);
    expect(momentHeld(text)).toEqual({ day: dayAt(at), time: at });
  });

  it.each(['2026-02-30', '2026-13-01', '2026-02-30T09:00', '2026-11-18T25:00', '18.11.2026', ''])('is no day: "%s"', (text) => {
    expect(momentHeld(text)).toBeUndefined();
  });
});
