// What a narrow terminal shows whole: the reasons of an undo, and the part of a text that differs.

import { expect, it } from 'vitest';
import { previewLayout, wrappedLines } from '../../src/output/differences.ts';
import { fakeIo } from '../support/fake-io.ts';

const io = fakeIo({ tty: true, columns: 80 });

it('a reason of an undo is wrapped below its words, never cut', async () => {
  const why = 'source, value, last-contacted changed by run k7f2: undo run k7f2 first: 35, 57, 81, 102, 110, 140';
  const text = await wrappedLines(
    [
      { lead: ['put back', '399', 'leads'], text: 'source Website -> web' },
      { lead: ['kept', '6', 'leads'], text: why },
    ],
    io,
  );
  const lines = text.trimEnd().split('\n');
  expect(lines[0]).toBe('put back  399  leads  source Website -> web');
  expect(lines[1]).toMatch(/^kept {8}6 {2}leads {2}source, value, last-contacted changed/);
  expect(lines.every((line) => line.length < 80)).toBe(true);
  expect(
    lines
      .slice(1)
      .map((line) => line.slice(22))
      .join(' '),
  ).toBe(why);
});

it.each([80, 120, 200])('texts that begin alike are shown where they differ, at %i columns', (columns) => {
  const beginning = 'Tender expected before the end of the quarter, in the month of ';
  const change = { field: 'description', old: `${beginning}January`, new: `${beginning}February` };
  const layout = previewLayout('table', { ...io, stdout: { ...io.stdout, columns } }, false);
  const [row] = layout.records([{ line: 2, id: 12, title: 'Blood bank', outcome: 'would_change', changes: [change], error: null }]);
  expect(row).toMatchObject({ details: expect.stringMatching(/^….*January → ….*February$/) });
});

it('a title has the room that the values leave', () => {
  const layout = previewLayout('table', { ...io, stdout: { ...io.stdout, columns: 80 } }, false);
  const title = 'Reporting add-on for three sites';
  const titleBeside = (old: string): string => {
    const changes = [{ field: 'rate', old, new: [...old].reverse().join('') }];
    return (layout.records([{ line: 2, id: 25, title, outcome: 'would_change', changes, error: null }])[0] as { title: string }).title;
  };
  expect(titleBeside('75.00')).toBe(title);
  expect(titleBeside('a very long value that takes all the room')).toBe('Reporting add-on …');
});
