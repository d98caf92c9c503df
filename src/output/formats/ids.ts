// The ids format: one id a line, for `xargs` and loops.

import { scalarText } from '../../values/json.ts';
import { cellValue } from '../columns.ts';
import { safeLine } from '../streams/safe-text.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/** A record without an id is left out. */
export function idsWriter({ io }: WriterOptions): RecordWriter {
  return {
    page: (records) =>
      io.out(
        records
          .map(idOf)
          .filter((id) => id !== '')
          .map((id) => `${id}\n`)
          .join(''),
      ),
    end: async () => {},
  };
}

function idOf(record: unknown): string {
  return safeLine(scalarText(cellValue(record, 'id')));
}
