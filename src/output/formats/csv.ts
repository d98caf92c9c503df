// CSV (RFC 4180): a header, then one record a row. Columns have a fixed order, and formulas are guarded. On a terminal control characters
// are made visible.

import { type CellColumn, cellColumns, cellText } from '../../model/records/cells.ts';
import { safeLine } from '../../model/records/safe-text.ts';
import { flatColumns } from '../fields.ts';
import { guard } from './formula-guard.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** Writes CSV. The first page decides the columns. */
export function csvWriter({ io, flags, shape }: WriterOptions): RecordWriter {
  let columns: readonly CellColumn[] | undefined;
  const cell = cellFormat(flags.csvRaw, io.stdout.isTTY);
  const begin = async (records: readonly unknown[]): Promise<readonly CellColumn[]> => {
    const all = cellColumns(flatColumns(flags.fields, shape, records), shape);
    if (all.length > 0) await io.out(await csvText([all.map(({ header }) => cell(header === '' ? 'value' : header))]));
    return all;
  };
  return {
    page: async (records) => {
      if (records.length === 0) return;
      columns ??= await begin(records);
      const paths = columns.map(({ path }) => path);
      await io.out(await csvText(records.map((record) => paths.map((path) => cell(cellText(record, path))))));
    },
    end: async () => {
      columns ??= await begin([]);
    },
  };
}

function cellFormat(raw: boolean, isTTY: boolean): (text: string) => string {
  const guarded = (text: string): string => (raw ? text : guard(text));
  return isTTY ? (text) => safeLine(guarded(text)) : guarded;
}

async function csvText(rows: readonly (readonly string[])[]): Promise<string> {
  if (rows.length === 0) return '';
  const { stringify } = await import('csv-stringify/sync');
  const lonely = rows[0]?.length === 1;
  return stringify([...rows], { record_delimiter: 'windows', quoted_match: /[\r\n]/, quoted_empty: lonely });
}
