// A row of a file, read and checked: what it gives, and by what it finds its record.

import { hash } from 'node:crypto';
import type { Meaning } from '../../names/resolve.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import { valueText } from '../../values/parse.ts';
import { withLineFeeds } from '../../values/text/same-text.ts';
import type { TimeSpan } from '../../values/time/time-span.ts';
import type { FileColumn } from '../columns/columns.ts';
import type { GivenExtra } from '../columns/extras.ts';

/** A cell that counts only beside what the record holds that the row meets. Blank ones are none. */
export interface ComparedCell {
  readonly column: Extract<FileColumn, { kind: 'compared' | 'name' | 'field' | 'wire' }>;
  /** What the column is called. */
  readonly name: string;
  readonly value: unknown;
  /** Of a name: what it means. */
  readonly meaning?: Meaning;
}

export interface Row {
  /** Its place among the file's rows, from 1. */
  readonly number: number;
  /** The line on which it begins. */
  readonly line: number;
  /** The value by which it finds its record, as `fieldKey` makes it; absent in mode `create` and for a blank id. */
  readonly key?: string;
  /** When its record was last changed, as far as the file knows: a record that was changed since is not overwritten. */
  readonly changed?: TimeSpan;
  /** What it gives, by wire name. In mode `create` the whole body. */
  readonly body: Body;
  /** Names of what may be made on the fly, as they stand in the file, by wire name. */
  readonly written?: ReadonlyMap<string, string>;
  /** What it gives beside the body. */
  readonly extras?: readonly GivenExtra[];
  /** Absent in mode `create`. */
  readonly compared?: readonly ComparedCell[];
}

/**
 * 128 bits of a hash of what a row gives, a character a byte: the same for equal rows, wherever they stand and whatever their columns are
 * called. What it gives beside the body doesn't count: mended, it is sent for the record that the row made. A new record has nothing where a blank is sent, so that blanks count only for a row that finds its record. The name
 * of a unit counts as it is written: the import itself may make it, and then it has an id. How lines end doesn't count.
 */
export function digestOf({ key, body, written, compared = [] }: Row): string {
  const entries: [string, string][] = [];
  for (const [wire, value] of body) entries.push([wire, withLineFeeds(written?.get(wire) ?? valueText(value))]);
  for (const { column, value } of compared) if (column.kind === 'name') entries.push([`${column.field.wire} name`, scalarText(value)]);
  const counted = key === undefined ? entries.filter(([, text]) => text !== '') : entries;
  counted.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([key ?? null, counted]), 'latin1').slice(0, 16);
}
