// Shares the width of a terminal among the columns of a table. Pure functions; all widths are in columns of the terminal.

export interface ColumnNeed {
  /** The width of the widest cell. */
  readonly natural: number;
  /** The width of most cells, at most `natural`, so that a single long cell takes no room from other columns. */
  readonly typical: number;
  /** True for ids and amounts: cut, they would read as other values. */
  readonly rigid: boolean;
  /** True for a column whose short texts are not cut, such as the outcome of a run. */
  readonly isWhole?: boolean;
  /** The column with the titles stays wider than the others. */
  readonly isTitle?: boolean;
  /** The cells tell nothing: all are empty, or have a value that the reader knows. */
  readonly isIdle?: boolean;
  /** A column with a smaller number stays longer. */
  readonly priority: number;
}

/** A column that the user didn't choose is left out rather than made narrower than this. */
const roomy = { other: 20, title: 28 };
/** The smallest widths on a terminal of less than 100 columns. */
const readable = { other: 16, title: 28 };
/** The smallest widths if fewer than `fewColumns` columns would remain. */
const narrow = { other: 12, title: 12 };
const least = { other: 6, title: 6 };
/** The number of columns that a reader needs to tell records apart. */
const fewColumns = 3;
/** Up to this many columns, ids and amounts keep their whole width when columns are narrowed. */
const rigidWidth = 24;

/** The blanks between two columns. */
export const gap = 2;

/**
 * The width of each column; undefined for a column that is left out. First idle columns are left out, then the least important ones. Then
 * the widest columns are narrowed, beginning with columns that have single long cells. `chosen`: the user named the columns, so they are
 * narrowed further before any is left out.
 */
export function shareWidth(needs: readonly ColumnNeed[], available: number, chosen: boolean): (number | undefined)[] {
  const telling = needs.filter(({ isIdle }) => !isIdle);
  if (!chosen && telling.length > 0 && telling.length < needs.length && total(needs.map(({ natural }) => natural)) > available) {
    const widths = shareWidth(telling, available, chosen);
    return needs.map((need) => widths[telling.indexOf(need)]);
  }
  const steps = chosen ? [least] : [available < 100 ? readable : roomy, narrow, least];
  const wanted = Math.min(fewColumns, needs.length);
  for (const step of steps) {
    const widths = shrink(needs, available, step);
    if (widths.filter((width) => width !== undefined).length >= wanted) return widths;
  }
  return shrink(needs, available, least);
}

function shrink(needs: readonly ColumnNeed[], available: number, floor: typeof least): (number | undefined)[] {
  const minimums = needs.map(({ typical, natural, rigid, isWhole, isTitle }) => {
    if (rigid) return Math.min(natural, rigidWidth);
    return isWhole && natural <= short ? natural : Math.min(typical, isTitle ? floor.title : floor.other);
  });
  const fitting = fittingColumns(needs, minimums, available);
  const widths = fitting.map((index) => needs[index]?.natural ?? 0);
  const narrowTo = (floors: readonly number[]): void => {
    for (let excess = total(widths) - available; excess > 0; excess -= 1) {
      const widest = widestAbove(widths, floors);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  };
  narrowTo(fitting.map((index) => Math.max(minimums[index] ?? 0, needs[index]?.typical ?? 0)));
  narrowTo(fitting.map((index) => minimums[index] ?? 0));
  const result: (number | undefined)[] = needs.map(() => undefined);
  for (const [at, index] of fitting.entries()) result[index] = Math.max(1, Math.min(widths[at] ?? 0, available));
  return result;
}

/** Their indexes, in order; at least one. */
function fittingColumns(needs: readonly ColumnNeed[], minimums: readonly number[], available: number): number[] {
  const byImportance = [...needs.keys()].sort((a, b) => (needs[a]?.priority ?? 0) - (needs[b]?.priority ?? 0) || a - b);
  while (byImportance.length > 1 && total(byImportance.map((index) => minimums[index] ?? 0)) > available) byImportance.pop();
  return byImportance.sort((a, b) => a - b);
}

/** The width of columns beside each other, with the gaps. */
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

/** The width that nine tenths of the cells fit into. For short or few cells, the width of the widest. */
export function typicalWidth(widths: readonly number[]): number {
  const sorted = widths.toSorted((a, b) => a - b);
  const natural = sorted.at(-1) ?? 0;
  const most = sorted[Math.floor(sorted.length * 0.9) - 1] ?? natural;
  return natural <= short || sorted.length < few ? natural : most;
}

const short = 20;

/** Among fewer cells than this no width is unusual. */
const few = 5;
