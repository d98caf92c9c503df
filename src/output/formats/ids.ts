// The ids format: one id a line, for `xargs` and loops.

import { UnavailableError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * Writes ids. With `isRead` throws UnavailableError for a record without a numeric id: the printed ids would not be the whole list. After
 * a write, leaves such records out.
 */
export function idsWriter({ io }: WriterOptions, isRead: boolean): RecordWriter {
  return {
    page: (records) => {
      const ids = records.map(printedId);
      const odd = ids.indexOf(undefined);
      if (isRead && odd >= 0) throw noId(records[odd]);
      return io.out(
        ids
          .filter((id) => id !== undefined)
          .map((id) => `${id}\n`)
          .join(''),
      );
    },
    end: async () => {},
  };
}

function printedId(record: unknown): string | undefined {
  const id = cellValue(record, 'id');
  const text = typeof id === 'string' || typeof id === 'number' || JSON.isRawJSON(id) ? scalarText(id) : '';
  return /^\d+$/.test(text) ? text : undefined;
}

function noId(record: unknown): UnavailableError {
  const id = cellValue(record, 'id');
  const held = id === undefined || id === null ? 'without an id' : `with the id "${displayText(id).slice(0, 100)}", which is not a number`;
  return new UnavailableError(`The service listed a record ${held}: the printed ids would not be the whole list.`);
}
