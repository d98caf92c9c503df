import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gap, shareWidth, typicalWidth } from '../../../src/output/tables/column-widths.ts';

const wide = (natural: number, priority = 9, typical = natural) => ({ natural, typical, rigid: false, priority });
const rigid = (natural: number) => ({ natural, typical: natural, rigid: true, priority: 1 });

describe('shareWidth', () => {
  it('leaves columns that fit as they are', () => {
    expect(shareWidth([rigid(3), wide(20), wide(10)], 80, false)).toEqual([3, 20, 10]);
  });

  it('shrinks the widest first, never an id or amount', () => {
    expect(shareWidth([rigid(9), wide(50), wide(20)], 60, false)).toEqual([9, 27, 20]);
    expect(shareWidth([rigid(9), wide(50), wide(50)], 63, false)).toEqual([9, 25, 25]);
  });

  it('leaves columns out rather than make all of them unreadable, the least important first', () => {
    expect(shareWidth([rigid(3), wide(40), wide(40), wide(40), wide(40)], 54, false)).toEqual([3, 23, 24, undefined, undefined]);
    expect(shareWidth([rigid(3), wide(40, 5), wide(40, 2), wide(40, 7), wide(40, 4)], 54, false)).toEqual([
      3,
      undefined,
      23,
      undefined,
      24,
    ]);
  });

  it('leaves idle columns out before another is narrowed, but for columns that were asked for', () => {
    const idle = { ...wide(7, 1), isIdle: true };
    expect(shareWidth([rigid(3), idle, wide(30)], 44, false)).toEqual([3, 7, 30]);
    expect(shareWidth([rigid(3), idle, wide(30)], 43, false)).toEqual([3, undefined, 30]);
    expect(shareWidth([rigid(3), idle, wide(30)], 43, true)).toEqual([3, 7, 29]);
    expect(shareWidth([{ ...rigid(30), isIdle: true }, idle], 30, false)).toEqual([30, undefined]);
  });

  it('cuts single long cells before anything else', () => {
    expect(shareWidth([rigid(3), wide(2000, 2, 30), wide(300, 3, 20), wide(22, 4)], 90, false)).toEqual([3, 30, 29, 22]);
  });

  it('leaves a title wider than the others', () => {
    const title = { ...wide(60, 2), isTitle: true };
    expect(shareWidth([rigid(2), title, wide(60, 3)], 50, false)).toEqual([2, 28, 16]);
  });

  it('shrinks columns that were asked for further before any goes', () => {
    expect(shareWidth([rigid(3), wide(40), wide(40), wide(40), wide(40)], 60, true)).toEqual([3, 12, 12, 12, 13]);
    expect(
      shareWidth(
        Array.from({ length: 20 }, () => wide(40)),
        40,
        true,
      ).filter((width) => width !== undefined),
    ).toEqual([6, 6, 6, 7, 7]);
  });

  it('keeps one column however narrow the terminal is', () => {
    expect(shareWidth([rigid(30), wide(30)], 10, false)).toEqual([10, undefined]);
  });

  it('never exceeds the terminal', () => {
    const width = fc.integer({ min: 1, max: 300 });
    const wish = fc
      .record({ natural: width, other: width, rigid: fc.boolean(), priority: fc.integer({ min: 1, max: 20 }), isTitle: fc.boolean() })
      .map(({ other, ...one }) => ({ ...one, typical: Math.min(one.natural, other) }));
    fc.assert(
      fc.property(
        fc.array(wish, { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 1, max: 250 }),
        fc.boolean(),
        (wishes, available, chosen) => {
          const widths = shareWidth(wishes, available, chosen).filter((one) => one !== undefined);
          expect(widths.length).toBeGreaterThan(0);
          expect(widths.reduce((sum, width) => sum + width + gap, -gap)).toBeLessThanOrEqual(available);
          expect(Math.min(...widths)).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('typicalWidth', () => {
  it.each([
    [[8, 8, 8, 8, 8, 8, 8, 8, 8, 2000], 8],
    [[8, 8, 8, 8, 8, 8, 8, 8, 8, 20], 20],
    [[30, 31, 32, 33, 34, 300], 34],
    [[4, 12], 12],
    [[], 0],
  ])('of %j is %i', (widths, typical) => {
    expect(typicalWidth(widths)).toBe(typical);
  });
});
