import { describe, expect, it, vi } from 'vitest';
import { ageOf } from '../../../../src/base/values/time/age.ts';

const now = new Date(2026, 10, 21, 10, 0);
const stamp = (...parts: [number, number, number, number, number]): string => new Date(...parts).toISOString();

describe('the age of a day', () => {
  it.each([
    ['2026-11-21', 'today'],
    ['2026-11-20', 'yesterday'],
    ['2026-11-22', 'tomorrow'],
    ['2026-11-10', '11 days ago'],
    ['2026-08-14', '99 days ago'],
    ['2026-08-13', '3 months ago'],
    ['2025-11-22', '11 months ago'],
    ['2024-11-22', '23 months ago'],
    ['2024-11-21', '2 years ago'],
    ['2027-03-21', 'in 4 months'],
    ['2026-12-01', 'in 10 days'],
  ])('%s is %s', (day, age) => {
    expect(ageOf(day, now)).toBe(age);
  });
});

describe('the words', () => {
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const pad = (number: number): string => String(number).padStart(2, '0');
  const day = (days: number): string => {
    const then = new Date(2026, 10, 21 + days);
    return `${then.getFullYear()}-${pad(then.getMonth() + 1)}-${pad(then.getDate())}`;
  };

  it('are those of Intl, for each day of 99 before and after', () => {
    for (let days = -99; days < 100; days += 1) expect(ageOf(day(days), now)).toBe(words.format(days, 'day'));
  });

  it('are those of Intl, for minutes, hours, months and years', () => {
    for (let minutes = 1; minutes < 60; minutes += 1) {
      expect(ageOf(new Date(now.getTime() - minutes * 60_000).toISOString(), now)).toBe(words.format(-minutes, 'minute'));
      expect(ageOf(new Date(now.getTime() + minutes * 60_000).toISOString(), now)).toBe(words.format(minutes, 'minute'));
    }
    for (let hours = 1; hours < 12; hours += 1)
      expect(ageOf(new Date(now.getTime() - hours * 3_600_000).toISOString(), now)).toBe(words.format(-hours, 'hour'));
    for (let months = 4; months < 24; months += 1)
      expect(ageOf(`${2026 - Math.floor((months + 1) / 12)}-${pad(12 - ((months + 1) % 12))}-21`, now)).toBe(
        words.format(-months, 'month'),
      );
    for (let years = 2; years < 2026; years += 1)
      expect(ageOf(`${String(2026 - years).padStart(4, '0')}-11-21`, now)).toBe(words.format(-years, 'year'));
  });
});

describe('the age of a time stamp', () => {
  it.each([
    [stamp(2026, 10, 21, 9, 59), '1 minute ago'],
    [stamp(2026, 10, 21, 10, 0), 'just now'],
    [stamp(2026, 10, 21, 7, 30), '2 hours ago'],
    [stamp(2026, 10, 20, 21, 0), 'yesterday'],
    [stamp(2026, 10, 18, 1, 0), '3 days ago'],
    [stamp(2026, 10, 21, 12, 30), 'in 2 hours'],
  ])('%s is %s', (time, age) => {
    expect(ageOf(time, now)).toBe(age);
  });

  it.each(['2026-11-21 07:30:00', '2026-11-21T07:30', '2026-11-21T07:30:00.000000'])('%s, without a zone, is UTC', (text) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(ageOf(text, new Date('2026-11-21T10:00:00Z'))).toBe('2 hours ago');
    vi.unstubAllEnvs();
  });

  it('counts by the clock within half a day, across midnight', () => {
    expect(ageOf(stamp(2026, 10, 20, 23, 0), now)).toBe('11 hours ago');
  });
});

it.each(['', 'soon', '2026-13-01', '2026-11-10x', '12:00', '2026'])('%j has none', (text) => {
  expect(ageOf(text, now)).toBeUndefined();
});
