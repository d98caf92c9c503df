// What is known of rows that are under way, and who is told of it.

import { expect, it } from 'vitest';
import type { ImportPlan } from '../../src/import/plan.ts';
import { Preview } from '../../src/import/preview/preview.ts';
import type { Row } from '../../src/import/rows/row.ts';
import { leads } from '../../src/resources/leads.ts';

it('a row that is taken up anew, as after a pause, begins once for whoever lists it', async () => {
  const told: string[] = [];
  const out = {
    room: async () => void told.push('begins'),
    put: ({ line, id }: { line: number; id: unknown }) => void told.push(`line ${line} as ${id}`),
  };
  const preview = new Preview({ resource: leads } as ImportPlan, () => undefined, out);
  const row: Row = { number: 1, line: 2, body: new Map() };
  // What an earlier run sent of it is known before it begins.
  preview.isAbout(row, { id: 7, given: row.body });
  for (const id of [8, 9]) {
    await preview.begins(row);
    preview.isAbout(row, { id, given: row.body });
  }
  preview.ends(1, { did: 'updated', made: [] });
  expect(told).toEqual(['begins', 'line 2 as 9']);
});
