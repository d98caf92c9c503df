// A row of a file after its check: the values that it gives, and the key of its record.

import { hash } from 'node:crypto';
import type { Body } from '../../base/values/body.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { withLineFeeds } from '../../base/values/text/same-text.ts';
import type { TimeSpan } from '../../base/values/time/time-span.ts';
import type { Meaning } from '../../session/names/resolve.ts';
import type { FileColumn } from '../columns/columns.ts';
import type { GivenExtra } from '../columns/extras.ts';

/** A cell that is compared with the record. Blank cells are left out. */
export interface ComparedCell {
  readonly column: Extract<FileColumn, { kind: 'compared' | 'name' | 'field' | 'wire' }>;
  /** The column's name. */
  readonly name: string;
  readonly value: unknown;
  /** The meaning of a name. */
  readonly meaning?: Meaning;
}

export interface Row {
  /** The row's number in the file, from 1. */
  readonly number: number;
  /** The line on which the row begins. */
  readonly line: number;
  /** The key of the row's record, by `fieldKey`; absent in mode `create` and for a blank id. */
  readonly key?: string;
  /** The time of the record's last change, as the file gives it. A record changed later is not overwritten. */
  readonly changed?: TimeSpan;
  /** The values by wire name; in mode `create` the complete body. */
  readonly body: Body;
  /** Names that the import may create (units), as they stand in the file, by wire name. */
  readonly written?: ReadonlyMap<string, string>;
  /** Members written by endpoints of their own. */
  readonly extras?: readonly GivenExtra[];
  /** Absent in mode `create`. */
  readonly compared?: readonly ComparedCell[];
}

/**
 * 128 bits of a hash of a row's values, one character a byte. Equal rows have equal digests, wherever they stand and whatever their columns
 * are called. Extras don't count: a corrected extra is sent to the record that the row made. Blank values count only for a row with a key:
 * a new record gets nothing for a blank. A unit counts by name, since the import may create the unit, and the unit then has an id. Line
 * ends in values don't count.
 */
export function rowDigest({ key, body, written, compared = [] }: Row): string {
  const entries: [string, string][] = [];
  for (const [wire, value] of body) entries.push([wire, withLineFeeds(written?.get(wire) ?? valueText(value))]);
  for (const { column, value } of compared) if (column.kind === 'name') entries.push([`${column.field.wire} name`, scalarText(value)]);
  const counted = key === undefined ? entries.filter(([, text]) => text !== '') : entries;
  counted.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([key ?? null, counted]), 'latin1').slice(0, 16);
}
