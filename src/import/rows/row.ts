// A row of a file after its check: the values that it gives, and the key of its record.

import { hash } from 'node:crypto';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { withoutZeros } from '../../base/values/decimal.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueText } from '../../base/values/parse.ts';
import { withLineFeeds } from '../../base/values/text/same-text.ts';
import type { TimeSpan } from '../../base/values/time/time-span.ts';
import type { ValueType } from '../../base/values/value-type.ts';
import { exactKey } from '../../model/field-key.ts';
import type { NameMeaning } from '../../session/names/resolve.ts';
import type { FileColumn } from '../columns/columns.ts';
import type { GivenExtra } from '../columns/extras.ts';
import type { Spelling } from '../columns/text-care.ts';
import type { ImportJob } from '../job.ts';

/** A cell that is compared with the record. Blank cells are left out. */
export interface ComparedCell {
  readonly column: Extract<FileColumn, { kind: 'compared' | 'name' | 'field' | 'wire' }>;
  /** The column's name. */
  readonly name: string;
  readonly value: unknown;
  /** The meaning of a name. */
  readonly meaning?: NameMeaning;
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
  /** Names of units, which the import may create: as they stand in the file, by wire name. */
  readonly unitNames?: ReadonlyMap<string, string>;
  /** Other spellings of values, by wire name. */
  readonly spellings?: ReadonlyMap<string, Spelling>;
  /** Members written by endpoints of their own. */
  readonly extras?: readonly GivenExtra[];
  /** Absent in mode `create`. */
  readonly compared?: readonly ComparedCell[];
}

/** The digests of a row. */
export interface RowDigests {
  readonly own: string;
  /** The digest in journals of version 0.2. */
  was(): string;
}

/**
 * Returns a function that gives 128 bits of a hash of a row's values, one character a byte. Equal rows have equal digests, wherever they
 * stand, whatever their columns are called, and however a spreadsheet writes their values: decimals count by value, emails without case,
 * texts without line ends and blanks at their edges, sets in any order, relations by id. Extras don't count: a corrected extra is sent to
 * the record that the row made. Blank values count only for a row with a key: a new record gets nothing for a blank. A unit counts by name,
 * since the import may create the unit, and the unit then has an id.
 */
export function rowDigests({ resource, match }: Pick<ImportJob, 'resource' | 'match'>): (row: Row) => RowDigests {
  const matched = match?.kind === 'field' ? match.field : undefined;
  const kinds = new Map(resource.fields.map(({ wire, type }) => [wire, type.kind]));
  const textOf = ({ unitNames }: Row, wire: string, value: BodyValue): string => withLineFeeds(unitNames?.get(wire) ?? valueText(value));
  const named = ({ compared = [] }: Row) =>
    compared.flatMap(({ column, value, meaning }) => (column.kind === 'name' ? [{ wire: column.field.wire, value, meaning }] : []));
  const before = (row: Row): string => {
    const values = new Map<string, string>();
    for (const [wire, value] of row.body) values.set(wire, textOf(row, wire, value));
    for (const [wire, spelling] of row.spellings ?? []) values.set(wire, withLineFeeds(spelling.was));
    for (const { wire, value } of named(row)) values.set(`${wire} name`, scalarText(value));
    const { key } = row;
    return digestOf(key === undefined || matched === undefined ? key : exactKey(matched, values.get(matched.wire) ?? key), values);
  };
  return (row) => {
    const values = new Map<string, string>();
    for (const [wire, value] of row.body) {
      const isSet = typeof value === 'object';
      values.set(wire, isSet ? valueText(value.map(String).toSorted()) : valueAsHeld(kinds.get(wire), textOf(row, wire, value)));
    }
    for (const { wire, value, meaning } of named(row)) {
      if (meaning === undefined || !('id' in meaning)) values.set(`${wire} name`, scalarText(value));
      else if ((values.get(wire) ?? '') === '') values.set(wire, String(meaning.id));
    }
    return { own: digestOf(row.key, values), was: () => before(row) };
  };
}

function digestOf(key: string | undefined, values: ReadonlyMap<string, string>): string {
  const counted = [...values].filter(([, text]) => key !== undefined || text !== '').sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([key ?? null, counted]), 'latin1').slice(0, 16);
}

/** A value as records hold it: `100` for `100.00`. */
function valueAsHeld(kind: ValueType['kind'] | undefined, text: string): string {
  if (kind === 'email') return text.toLowerCase();
  if (kind !== 'decimal') return text.trim();
  return withoutZeros(text);
}
