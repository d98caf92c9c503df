// The ids on a page of a list. For a client that reads page after page, the ids of many pages are looked up at once: OFFSET walks
// over every row before the page.

import type { SqlValue, Store } from './store.ts';

/** The ids of consecutive rows, from row `start` (0 is the first). */
interface Stretch {
  start: number;
  ids: readonly number[];
}

const shortestStretch = 1000;
/** 50,000 ids take less than a megabyte. */
const longestStretch = 50_000;

interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** The number of rows of the whole list. */
  readonly total: number;
}

/** The ids of a page. `sql` selects `id` in order, and ends with `LIMIT ? OFFSET ?`. */
export function pageIds(store: Store, sql: string, values: readonly SqlValue[], { offset, limit, total }: PageRange): readonly number[] {
  const end = Math.min(offset + limit, total);
  if (offset >= end) return [];
  const stretch = store.recall<Stretch>(JSON.stringify([sql, values]), () => ({ start: 0, ids: [] }));
  if (offset < stretch.start || end > stretch.start + stretch.ids.length) {
    // Looks up as many ids as there are rows before this page, within bounds: so a whole list needs few look-ups.
    const isReader = stretch.ids.length > 0 && offset > stretch.start;
    const length = isReader ? Math.min(Math.max(offset, shortestStretch), longestStretch) : limit;
    stretch.ids = store.all<{ id: number }>(sql, ...values, Math.max(length, limit), offset).map(({ id }) => id);
    stretch.start = offset;
  }
  return stretch.ids.slice(offset - stretch.start, end - stretch.start);
}
