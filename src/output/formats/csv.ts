// CSV (RFC 4180): a header, then one record a row. Columns have a fixed order, and formulas are guarded. On a terminal control characters
// are made visible.

import { cellColumns, textOfCell } from '../../model/records/cells.ts';
import { cellReader } from '../../model/records/columns.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { flatColumns } from '../fields.ts';
import { notice } from '../streams/notice.ts';
import { guard } from './formula-guard.ts';
import { columnWriter, type RecordWriter, type WriterOptions } from './writer.ts';

/** Writes CSV. The first page decides the columns. */
export function csvWriter({ io, flags, shape }: WriterOptions): RecordWriter {
  let hasHalves = false;
  const guarded = (text: string): string => (flags.csvRaw ? text : guard(text));
  const cell = io.stdout.isTTY ? (text: string) => safeLine(guarded(text)) : guarded;
  return columnWriter({
    begin: async (records) => {
      const columns = cellColumns(flatColumns(flags.fields, shape, records), shape);
      if (columns.length > 0) await io.out(csvLine(columns.map(({ header }) => cell(header === '' ? 'value' : header))));
      return columns.map(({ path }) => cellReader(path));
    },
    page: async (records, readers) => {
      const text = records.map((record) => csvLine(readers.map((read) => cell(textOfCell(read(record)))))).join('');
      hasHalves ||= !text.isWellFormed();
      await io.out(text);
    },
    end: async () => {
      if (hasHalves) await notice(io, { quiet: flags.quiet ?? false }, halves, 'warning');
    },
  });
}

const halves = 'A text holds half a character. CSV has U+FFFD in its place; --json keeps it. An import leaves such a value as it is.';

/** A lonely empty cell is quoted, because an empty line would be no row. */
function csvLine(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map(quoted).join(',')}\r\n`;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
