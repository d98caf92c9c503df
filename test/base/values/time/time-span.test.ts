// Times as files tell them: how exact they are, and which of two is surely the later one.

import { expect, it } from 'vitest';
import { isLater, timeSpanOf } from '../../../../src/base/values/time/time-span.ts';

const second = 1_000_000;
const at = (text: string): number => Date.parse(text) * 1000;

it.each([
  ['2026-11-18T09:12:44.123456Z', at('2026-11-18T09:12:44Z') + 123_456, 1],
  ['2026-11-18 09:12:44', at('2026-11-18T09:12:44Z'), second],
  ['2026-11-18T09:12', at('2026-11-18T09:12:00Z'), 60 * second],
  ['2026-11-18T10:12:44+01:00', at('2026-11-18T09:12:44Z'), second],
  ['2026-11-18T07:42:44-01:30', at('2026-11-18T09:12:44Z'), second],
  ['2026-11-18 23:59:59', at('2026-11-18T23:59:59Z'), second],
  ['18.11.2026 9:12', at('2026-11-18T09:12:00Z'), 60 * second],
  ['11/18/2026', at('2026-11-18T00:00:00Z'), 86_400 * second],
  ['11.11.2026', at('2026-11-11T00:00:00Z'), 86_400 * second],
])('%s', (text, from, length) => {
  expect(timeSpanOf(text)).toEqual({ from, until: from + length });
});

it.each([
  '',
  'today',
  '05.06.2026',
  '2026-02-30',
  '2026-11-18 24:00',
  '2026-11-18 09:60',
  '2026-11-18 09:12:60',
  '2026-11-18T09:12:44 CET',
  '45979.38',
])('"%s" is no time', (text) => {
  expect(timeSpanOf(text)).toBeUndefined();
});

it('the order of day and month is as it is said', () => {
  expect(timeSpanOf('05.06.2026', 'dmy')?.from).toBe(at('2026-06-05T00:00:00Z'));
  expect(timeSpanOf('05/06/2026', 'mdy')?.from).toBe(at('2026-05-06T00:00:00Z'));
  expect(timeSpanOf('11/18/2026', 'dmy')).toBeUndefined();
  expect(timeSpanOf('05.06.2026', 'ymd')).toBeUndefined();
});

it('only what lies behind all that the other may mean is later', () => {
  const minute = timeSpanOf('2026-11-18 09:12') ?? { from: 0, until: 0 };
  expect(isLater('2026-11-18T09:12:59.999999Z', minute)).toBe(false);
  expect(isLater('2026-11-18T09:13:00.000000Z', minute)).toBe(true);
  expect(isLater('2026-11-18', minute)).toBe(false);
  expect(isLater('never', minute)).toBe(false);
});
