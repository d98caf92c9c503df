// The ids on a page of a list. A client that reads page after page gets them from a longer stretch that is looked up at once,
// because OFFSET walks over every row before the page, each time anew.

import type { SqlValue, Store } from '../store/store.ts';

/** The ids at the places from `start` on. */
interface Stretch {
  start: number;
  ids: readonly number[];
}

const shortestStretch = 1000;
/** This many ids take less than a megabyte. */
const longestStretch = 50_000;

interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** How many there are in all. */
  readonly total: number;
}

/** The ids of a page. `sql` selects `id`, in order, and ends with LIMIT ? OFFSET ?. */
export function pageIds(store: Store, sql: string, values: readonly SqlValue[], { offset, limit, total }: PageRange): readonly number[] {
  const end = Math.min(offset + limit, total);
  if (offset >= end) return [];
  const stretch = store.recall<Stretch>(JSON.stringify([sql, values]), () => ({ start: 0, ids: [] }));
  if (offset < stretch.start || end > stretch.start + stretch.ids.length) {
    // Each stretch is as long as all before it, so that a whole list costs a few walks.
    const isReader = stretch.ids.length > 0 && offset > stretch.start;
    const length = isReader ? Math.min(Math.max(offset, shortestStretch), longestStretch) : limit;
    stretch.ids = store.all<{ id: number }>(sql, ...values, Math.max(length, limit), offset).map(({ id }) => id);
    stretch.start = offset;
  }
  return stretch.ids.slice(offset - stretch.start, end - stretch.start);
}
