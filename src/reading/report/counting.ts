// Counts records for a report: for each row and for all, the number, the sum of the values, and the number without a value. Sums are exact,
// and no records are kept. Pure.

import { UnavailableError } from '../../base/errors.ts';
import { addDecimals, type Decimal, parseDecimal, zero } from '../../base/values/decimal.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueAt } from '../../base/values/paths.ts';
import { capitalised } from '../../base/values/text/wording.ts';
import { testOf } from '../../base/values/where.ts';
import type { Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { heldReader } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import type { Grouping, GroupKey } from './groupings.ts';

/** The family that a report counts, its sum, and its groupings. */
export interface ReportDefinition {
  readonly resource: Resource;
  /** The path of the decimal to sum up. Absent: records are only counted. */
  readonly value?: string;
  /** Kinds of records with figures of their own, which the main figures leave out. A record of several kinds counts in the first. */
  readonly apart: readonly {
    readonly name: string;
    readonly path: string;
    /** The value of these records at the path. */
    readonly is: string;
  }[];
  /** The groupings for --by; the first is the default. */
  readonly groupings: readonly [Grouping, ...Grouping[]];
}

export interface Figures {
  count: number;
  sum: Decimal;
  without: number;
}

/** The key of a grouping; undefined for records without a key. */
export type RowKey = GroupKey | undefined;

/** The figures of a row: of the counted records, then of each kind apart. */
export interface RowTally {
  /** A key for each grouping, as last read. Empty for the total. */
  keys: readonly RowKey[];
  readonly figures: readonly [Figures, ...Figures[]];
}

export interface Counting {
  readonly rows: readonly RowTally[];
  readonly total: RowTally;
  /** The most decimals of any value. All sums are shown with this many decimals. */
  readonly scale: number;
  /** The number of counted records that stand in several rows. */
  readonly several: number;
  /** Counts a record. Throws UnavailableError when the record lacks a member that decides where it counts. */
  add(record: unknown): void;
}

/** An empty counting, with a row for each group; of two groupings, a row for each pair. Ages are counted from `now`. */
export function countingOf(definition: ReportDefinition, groupings: readonly Grouping[], now: Date): Counting {
  const { resource, apart, value } = definition;
  const kinds = apart.map(({ name, path, is }) => {
    const member = memberNamed(resource, path);
    const condition = { text: '', field: path, operator: '=' as const, value: is };
    return neededMember(resource, path, testOf(condition, member !== undefined && 'type' in member ? member.type : undefined, name, now));
  });
  const keysOf = groupings.map(({ path, keysOf }) => neededMember(resource, path, (held) => keysOf(held, now)));
  const numberOf = value === undefined ? undefined : decimalOf(resource, value);
  const rows = new Map<string | undefined, RowTally>();
  const total = emptyTally(kinds.length);
  let several = 0;
  const rowOf = (keys: readonly RowKey[]): RowTally => {
    // Only the names of pairs are put together: every record is counted here.
    const name = keys.length === 1 ? keys[0]?.id : JSON.stringify(keys.map((key) => key?.id ?? null));
    let row = rows.get(name);
    if (row === undefined) {
      row = emptyTally(kinds.length);
      rows.set(name, row);
    }
    row.keys = keys;
    return row;
  };
  const count = ({ figures }: RowTally, kind: number, number: Decimal | undefined): void => {
    const counted = figures[kind];
    if (counted === undefined) return;
    counted.count += 1;
    if (number === undefined) counted.without += 1;
    else counted.sum = addDecimals(counted.sum, number);
  };
  return {
    get rows() {
      return [...rows.values()].toSorted(byRank());
    },
    total,
    get scale() {
      return Math.max(...total.figures.map(({ sum }) => sum.scale));
    },
    get several() {
      return several;
    },
    add: (record) => {
      const kind = 1 + kinds.findIndex((isOfKind) => isOfKind(record));
      const [own = [], second] = keysOf.map((keys) => orNone(keys(record)));
      const keys = second === undefined ? own.map((key) => [key]) : own.flatMap((key) => second.map((other) => [key, other]));
      const number = numberOf?.(record);
      if (kind === 0 && keys.length > 1) several += 1;
      count(total, kind, number);
      for (const one of keys) count(rowOf(one), kind, number);
    },
  };
}

function emptyTally(kinds: number): RowTally {
  const none = (): Figures => ({ count: 0, sum: zero, without: 0 });
  return { keys: [], figures: [none(), ...Array.from({ length: kinds }, none)] };
}

/** Sorts rows by rank, the same in every language. Rows without a key come last. */
function byRank(): (a: RowTally, b: RowTally) => number {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const compareOne = (a: RowKey, b: RowKey): number => {
    if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
    return compare(a.rank, b.rank) || compare(a.id, b.id);
  };
  return (a, b) => a.keys.reduce((order, key, at) => order || compareOne(key, b.keys[at]), 0);
}

/** The keys of a record; a record without a key stands in the row of these. */
const orNone = (keys: readonly RowKey[]): readonly RowKey[] => (keys.length === 0 ? [undefined] : keys);

/** Returns a function that reads a member of records. It throws UnavailableError when `read` can't read the value. */
function neededMember<T>(resource: Resource, path: string, read: (held: unknown) => T | undefined): (record: unknown) => T {
  const held = heldReader(path);
  return (record) => {
    const value = held(record);
    return read(value) ?? cantTell(resource, record, path, value);
  };
}

function decimalOf(resource: Resource, path: string): (record: unknown) => Decimal | undefined {
  const held = heldReader(path);
  return (record) => {
    const value = held(record);
    const text = scalarText(value).trim();
    if (text === '' && value !== undefined) return undefined;
    // An exponent could make a value longer than all others together.
    return (/e/i.test(text) ? undefined : parseDecimal(text)) ?? cantTell(resource, record, path, value);
  };
}

function cantTell({ singular, name }: Resource, record: unknown, path: string, value: unknown): never {
  const id = displayText(valueAt(record, 'id'));
  const held = value === undefined ? `without ${path}` : `with ${path} "${displayText(value).slice(0, 100)}"`;
  const sentence = `${capitalised(singular)} ${id} came ${held}, so the report can't count this record.`;
  // An id that is no number could be unsafe in a shell.
  const hint = /^\d+$/.test(id) ? { hint: `To leave it out: --where id!=${id}. To see it: crm ${name} get ${id}` } : {};
  throw new UnavailableError(sentence, hint);
}
