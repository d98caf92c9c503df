// The ids format: one id a line, for `xargs` and loops.

import { invalidValue, UnavailableError } from '../../base/errors.ts';
import { type Format, formatFacts } from '../../base/global-flags.ts';
import { scalarText } from '../../base/values/json.ts';
import { withArticle } from '../../base/values/text/wording.ts';
import { cellValue } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import type { Shape } from '../result.ts';
import type { RecordWriter, WriterOptions } from './writer.ts';

/**
 * Writes ids. With `isRead` throws InvalidValues for records that have no ids by their shape, and UnavailableError for a record without a
 * numeric id: the printed ids would not be the whole list. After a write, leaves such records out.
 */
export function idsWriter({ io, shape }: WriterOptions, isRead: boolean): RecordWriter {
  if (isRead) checkHasIds('ids', shape);
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

/** Throws InvalidValues for a format of ids when the documented members of the records hold no id of the service. */
export function checkHasIds(format: Format, { singular = 'row', record }: Pick<Shape, 'singular' | 'record'>): void {
  if (formatFacts[format].holds !== 'id' || record.length === 0 || record.includes('id')) return;
  throw invalidValue('--output', `${withArticle(singular)} has no id of the service; json, csv and others show it.`);
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
