// A table as GitHub shows it, for summaries of jobs: one line a record, with the columns of a table off a terminal.

import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { tableColumns } from '../tables/table.ts';
import type { TableColumn } from '../tables/terminal-table.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** Writes a table of GitHub's Markdown. The first page decides the columns. `sparse`: see `tableColumns`. */
export function markdownWriter(options: WriterOptions, sparse: boolean): RecordWriter {
  const { io } = options;
  let columns: readonly TableColumn[] | undefined;
  const begin = async (records: readonly unknown[]): Promise<readonly TableColumn[]> => {
    const chosen = tableColumns(options, records, sparse);
    if (chosen.length > 0)
      await io.out(line(chosen.map(({ name }) => cell(name))) + line(chosen.map(({ right }) => (right ? '---:' : '---'))));
    return chosen;
  };
  return {
    page: async (records) => {
      if (records.length === 0) return;
      columns ??= await begin(records);
      const paths = columns.map(({ path }) => path);
      await io.out(records.map((record) => line(paths.map((path) => cell(displayText(cellValue(record, path)))))).join(''));
    },
    end: async () => {
      columns ??= await begin([]);
    },
  };
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/** A text that Markdown shows as it is. */
const cell = (text: string): string =>
  safeLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&');
