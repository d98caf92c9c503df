// Days, texts and columns as spreadsheets have them, there and back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnLetters, columnNumber, dateOf, escapedCell, serialOf, unescapedCell } from '../../../../src/base/values/text/spreadsheet.ts';

describe('days', () => {
  it('from March 1900 on come back from their numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 61, max: 2_958_465 }), (serial) => {
        expect(serialOf(dateOf(serial) ?? '')).toBe(serial);
      }),
    );
  });

  it('time stamps come back to the millisecond, in UTC', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1900-03-01'), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
        const serial = serialOf(date.toISOString());
        if (date.getTime() % 86_400_000 === 0) {
          expect(serial).toBe(undefined);
          return;
        }
        const [day, time = '00:00:00'] = dateOf(serial ?? 0)?.split(' ') ?? [];
        const back = Date.parse(`${day}T${time}Z`);
        expect(Math.abs(back - date.getTime())).toBeLessThanOrEqual(1);
      }),
    );
    expect(dateOf(serialOf('2026-11-18T16:30:00.250000+02:00') ?? 0)).toBe('2026-11-18 14:30:00.250');
  });

  it.each([
    [61, '1900-03-01'],
    [60.99, undefined],
    [2_958_465, '9999-12-31'],
    [2_958_466, undefined],
    [-1, undefined],
    [1, undefined],
    [0.999994, '23:59:59'],
    [46347.99999999, '2026-11-22'],
    [46347.000011574, '2026-11-21 00:00:01'],
  ])('%f is %s', (serial, text) => expect(dateOf(serial)).toBe(text));
});

it('texts come back from cells, whatever is in them, and cells hold what XML can', () => {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(...[...'_x00aAfF\r\n'].map((one) => one.charCodeAt(0))));
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = String.fromCharCode(...units);
      const cell = escapedCell(text);
      expect(unescapedCell(cell)).toBe(text);
      expect(cell).toMatch(/^[\t\n\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
    }),
  );
});

it('columns', () => {
  expect([1, 26, 27, 702, 703, 16_384].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
  fc.assert(fc.property(fc.integer({ min: 1, max: 16_384 }), (column) => columnNumber(columnLetters(column)) === column));
});
