import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gap, shareWidth } from '../../../src/output/tables/column-widths.ts';

const wide = (natural: number) => ({ natural, rigid: false });
const rigid = (natural: number) => ({ natural, rigid: true });

describe('shareWidth', () => {
  it('leaves columns that fit as they are', () => {
    expect(shareWidth([rigid(3), wide(20), wide(10)], 80, false)).toEqual([3, 20, 10]);
  });

  it('shrinks the widest first, never an id or amount', () => {
    expect(shareWidth([rigid(9), wide(50), wide(20)], 60, false)).toEqual([9, 27, 20]);
    expect(shareWidth([rigid(9), wide(50), wide(50)], 63, false)).toEqual([9, 25, 25]);
  });

  it('drops trailing columns rather than make all of them unreadable', () => {
    expect(shareWidth([rigid(3), wide(40), wide(40), wide(40), wide(40)], 60, false)).toEqual([3, 26, 27]);
  });

  it('shrinks columns that were asked for further before any goes', () => {
    expect(shareWidth([rigid(3), wide(40), wide(40), wide(40), wide(40)], 60, true)).toEqual([3, 12, 12, 12, 13]);
    expect(
      shareWidth(
        Array.from({ length: 20 }, () => wide(40)),
        40,
        true,
      ),
    ).toEqual([6, 6, 6, 7, 7]);
  });

  it('keeps one column however narrow the terminal is', () => {
    expect(shareWidth([rigid(30), wide(30)], 10, false)).toEqual([10]);
  });

  it('never exceeds the terminal', () => {
    const wish = fc.record({ natural: fc.integer({ min: 1, max: 300 }), rigid: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(wish, { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 1, max: 250 }),
        fc.boolean(),
        (wishes, available, chosen) => {
          const widths = shareWidth(wishes, available, chosen);
          expect(widths.length).toBeGreaterThan(0);
          expect(widths.reduce((sum, width) => sum + width + gap, -gap)).toBeLessThanOrEqual(available);
          expect(Math.min(...widths)).toBeGreaterThan(0);
        },
      ),
    );
  });
});
