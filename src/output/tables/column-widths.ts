// How a table's columns share the width of a terminal. Pure.

export interface ColumnNeed {
  /** The width at which nothing is cut. */
  readonly natural: number;
  /** The width that most cells need, at most `natural`: a single long cell takes no room that another column could have. */
  readonly typical: number;
  /** Ids and amounts: cut off, they would read as other values. */
  readonly rigid: boolean;
  /** What the table is about: it stays wider than the others. */
  readonly isTitle?: boolean;
  /** Which columns stay when room is short: the smaller ones. */
  readonly priority: number;
}

/** Columns that nobody asked for by name are left out rather than made narrower than this; the title is worth more. */
const roomy = { other: 20, title: 28 };
/** The same on a terminal of less than a hundred columns, where one column more is worth a few letters. */
const readable = { other: 16, title: 28 };
/** The same where that would leave hardly a column. */
const narrow = { other: 12, title: 12 };
const least = { other: 6, title: 6 };
/** Fewer columns than this don't tell the records apart. */
const fewColumns = 3;
/** Even an id or amount isn't given more than this at the cost of the others. */
const rigidWidth = 24;

/** Between two columns. */
export const gap = 2;

/**
 * The width of each column; undefined: it is left out. The least important are left out first, then the widest are narrowed, those that
 * hold single long cells before the others. `chosen`: the user named the columns, so that they are narrowed further before any is left out.
 */
export function shareWidth(needs: readonly ColumnNeed[], available: number, chosen: boolean): (number | undefined)[] {
  const steps = chosen ? [least] : [available < 100 ? readable : roomy, narrow, least];
  const wanted = Math.min(fewColumns, needs.length);
  for (const step of steps) {
    const widths = shrink(needs, available, step);
    if (widths.filter((width) => width !== undefined).length >= wanted) return widths;
  }
  return shrink(needs, available, least);
}

function shrink(needs: readonly ColumnNeed[], available: number, floor: typeof least): (number | undefined)[] {
  const minimums = needs.map(({ typical, natural, rigid, isTitle }) =>
    rigid ? Math.min(natural, rigidWidth) : Math.min(typical, isTitle ? floor.title : floor.other),
  );
  const kept = keptColumns(needs, minimums, available);
  const widths = kept.map((index) => needs[index]?.natural ?? 0);
  const narrowTo = (floors: readonly number[]): void => {
    for (let excess = total(widths) - available; excess > 0; excess -= 1) {
      const widest = widestAbove(widths, floors);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  };
  narrowTo(kept.map((index) => Math.max(minimums[index] ?? 0, needs[index]?.typical ?? 0)));
  narrowTo(kept.map((index) => minimums[index] ?? 0));
  const result: (number | undefined)[] = needs.map(() => undefined);
  for (const [place, index] of kept.entries()) result[index] = Math.max(1, Math.min(widths[place] ?? 0, available));
  return result;
}

/** The places of the columns that fit, in their order; at least one. */
function keptColumns(needs: readonly ColumnNeed[], minimums: readonly number[], available: number): number[] {
  const byImportance = [...needs.keys()].sort((a, b) => (needs[a]?.priority ?? 0) - (needs[b]?.priority ?? 0) || a - b);
  while (byImportance.length > 1 && total(byImportance.map((index) => minimums[index] ?? 0)) > available) byImportance.pop();
  return byImportance.sort((a, b) => a - b);
}

/** How wide columns stand beside each other. */
export function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
}

function widestAbove(widths: readonly number[], floors: readonly number[]): number | undefined {
  let widest: number | undefined;
  widths.forEach((width, index) => {
    if (width > (floors[index] ?? 0) && width > (widest === undefined ? 0 : (widths[widest] ?? 0))) widest = index;
  });
  return widest;
}

/** The width that nine tenths of some cells need, rounded down; of short or very few cells, the width that all of them need. */
export function typicalWidth(widths: readonly number[]): number {
  const sorted = widths.toSorted((a, b) => a - b);
  const natural = sorted.at(-1) ?? 0;
  const most = sorted[Math.floor(sorted.length * 0.9) - 1] ?? natural;
  return natural <= short || sorted.length < few ? natural : most;
}

const short = 20;

/** Among fewer cells than this none can be called unusual. */
const few = 5;
