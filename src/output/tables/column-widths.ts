// How a table's columns share the width of a terminal. Pure.

export interface Wish {
  /** The width at which nothing is cut. */
  readonly natural: number;
  /** Ids and amounts: cut off, they would read as other values. */
  readonly rigid: boolean;
}

const leastWidth = 6;
/** A column that nobody asked for by name is dropped rather than made narrower than this. */
const readableWidth = 18;
/** Even an id or amount isn't given more than this at the cost of the others. */
const rigidWidth = 24;

/** Between two columns. */
export const gap = 2;

/**
 * The widths of the columns that are shown; columns that don't fit are missing at the end. The widest columns shrink
 * first. `chosen`: the user named the columns, so that they shrink further before any is dropped.
 */
export function shareWidth(wishes: readonly Wish[], available: number, chosen: boolean): number[] {
  const roomy = chosen ? [] : shrink(wishes, available, readableWidth);
  return roomy.length >= Math.min(3, wishes.length) ? roomy : shrink(wishes, available, leastWidth);
}

function shrink(wishes: readonly Wish[], available: number, least: number): number[] {
  const minimums = wishes.map(({ natural, rigid }) => Math.min(natural, rigid ? rigidWidth : least));
  while (minimums.length > 1 && total(minimums) > available) minimums.pop();
  const widths = wishes.slice(0, minimums.length).map(({ natural }) => natural);
  for (let excess = total(widths) - available; excess > 0; excess -= 1) {
    const widest = widestAbove(widths, minimums);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths.map((width) => Math.max(1, Math.min(width, available)));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
}

function widestAbove(widths: readonly number[], minimums: readonly number[]): number | undefined {
  let widest: number | undefined;
  widths.forEach((width, index) => {
    if (width > (minimums[index] ?? 0) && width > (widest === undefined ? 0 : (widths[widest] ?? 0))) widest = index;
  });
  return widest;
}
