// Lists in the order of creation: so that records that are added meanwhile come at one end.

import type { Resource } from '../../resources/define.ts';

/** The query that lists a family's oldest or newest records first; empty for one that can't be sorted so. */
export function creationOrder({ sort }: Resource, order: 'asc' | 'desc'): [string, string][] {
  if (sort.created === undefined) return [];
  return [
    ['sort', sort.created],
    ['order', order],
  ];
}
