// A table as GitHub shows it, for summaries of jobs: one line a record, with the columns of a table off a terminal.

import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { tableColumns } from '../tables/table.ts';
import { columnWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/** Writes a table of GitHub's Markdown. The first page decides the columns. `sparse`: see `tableColumns`. */
export function markdownWriter(options: WriterOptions, sparse: boolean): RecordWriter {
  const { io, chart } = options;
  return columnWriter({
    begin: async (records) => {
      const columns = tableColumns(options, records, sparse);
      const marks = columns.map(({ right }) => (right ? '---:' : '---'));
      if (columns.length > 0) await io.out(line(columns.map(({ name }) => cell(name))) + line(marks));
      return columns;
    },
    page: (records, columns) =>
      io.out(records.map((record) => line(columns.map(({ path }) => cell(displayText(cellValue(record, path)))))).join('')),
    end: (_columns, isEmpty) => io.out(isEmpty ? '' : (chart?.notes ?? []).map((note) => `\n${cell(note)}\n`).join('')),
  });
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** A text that Markdown shows as it is. */
const cell = (text: string): string =>
  safeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&');
