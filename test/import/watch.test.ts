// What is known of rows that are under way, and who is told of it.

import { expect, it } from 'vitest';
import { watchFor } from '../../src/import/preview/watch.ts';
import type { Row } from '../../src/import/rows/row.ts';

it('a row that is taken up anew, as after a pause, begins once for whoever lists it', () => {
  const told: string[] = [];
  const sink = {
    begins: ({ number }: Row) => void told.push(`begins ${number}`),
    takes: ({ number }: Row, { id }: { id?: unknown }) => void told.push(`takes ${number} as ${id}`),
  };
  const watch = watchFor(sink, () => undefined);
  const row: Row = { number: 1, line: 2, body: new Map() };
  // What an earlier run sent of it is known before it begins.
  watch.isAbout(row, { id: 7, given: row.body });
  for (const id of [8, 9]) {
    watch.begins(row);
    watch.isAbout(row, { id, given: row.body });
  }
  watch.ends(1, { did: 'updated', made: [] });
  expect(told).toEqual(['begins 1', 'takes 1 as 9']);
});
