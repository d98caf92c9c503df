// The groupings of a report: the keys by which records are counted, and their order. Pure.

import { scalarText } from '../../base/values/json.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { dayAt, dayHeld } from '../../base/values/time/days.ts';
import type { Column } from '../../model/define.ts';

export interface GroupKey {
  /** Keys with the same id are equal. */
  readonly id: string;
  /** The sort key of the row. Numbers in it are compared by size. */
  readonly rank: string;
  /** The key in JSON. */
  readonly value: unknown;
  /** A record that holds the key as the service sent it. The grouping's column shows the name from this sample. */
  readonly sample: unknown;
}

/** A way to count records: by status, by month. */
export interface Grouping {
  /** The name for --by, and the member of a row with the key. */
  readonly name: string;
  /** A second name for --by: the name that --sort uses. */
  readonly also?: string;
  /** The path of the key in records. */
  readonly path: string;
  /** The members of a key in a row. */
  readonly record: readonly string[];
  /** The column that shows a row's name. The column's path leads to the name in a row and in a sample. */
  readonly column: Column;
  /** The name of the row for records without a key, the last row: `nobody`. */
  readonly none: string;
  /** True when a terminal shows the kinds apart in each row, such as the converted leads of a source. */
  readonly tellsApart: boolean;
  /** The keys of a record from the value at `path`; no keys for an empty value, undefined for an unreadable value. */
  keysOf(value: unknown, now: Date): readonly GroupKey[] | undefined;
}

type GroupName = Pick<Grouping, 'name' | 'none'> & Partial<Pick<Grouping, 'tellsApart' | 'also'>>;

/** Groups by another record, or by several: `{ id, title }`, `[{ id, name }]`. `rank` is the member to sort by. */
export function byRelation({
  title,
  rank,
  ...named
}: GroupName & { readonly title: 'name' | 'title'; readonly rank: 'id' | 'name' }): Grouping {
  const { name } = named;
  const members = { name, title, rank };
  return {
    tellsApart: false,
    ...named,
    path: name,
    record: [`${name}.id`, `${name}.${title}`],
    column: { path: `${name}.${title}`, header: name },
    keysOf: (value) => {
      const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && valueAt(one, 'id') !== null);
      if (!all.every((one) => isMembers(one) && one.id !== undefined)) return undefined;
      const keys = all.map((one) => new RelationKey(one, members));
      return keys.length < 2 ? keys : [...new Map(keys.map((key) => [key.id, key])).values()];
    },
  };
}

/** The name of a grouping, and the members of its records that are shown and sorted by. */
interface KeyMembers {
  readonly name: string;
  readonly title: string;
  readonly rank: string;
}

/** A key that is another record. Every record of a list gets a key, and only the last one of a row is shown: the rest is made on demand. */
class RelationKey implements GroupKey {
  readonly id: string;
  readonly #held: unknown;
  readonly #members: KeyMembers;

  constructor(held: unknown, members: KeyMembers) {
    this.id = scalarText(valueAt(held, 'id'));
    this.#held = held;
    this.#members = members;
  }

  get rank(): string {
    return scalarText(valueAt(this.#held, this.#members.rank));
  }

  get value(): unknown {
    const { title } = this.#members;
    return { id: valueAt(this.#held, 'id'), [title]: valueAt(this.#held, title) ?? null };
  }

  get sample(): unknown {
    return { [this.#members.name]: this.#held };
  }
}

/** Groups by a text, at the path `name` by default. The words in `order` come first, in this order. */
export function byText({
  order = [],
  path,
  ...named
}: GroupName & { readonly path?: string; readonly order?: readonly string[] }): Grouping {
  return simple(named, path ?? named.name, (value) => {
    if (typeof value === 'object' && !JSON.isRawJSON(value)) return undefined;
    const text = scalarText(value);
    const index = order.indexOf(text);
    return { text, rank: order.length === 0 ? text : `${index < 0 ? order.length : index} ${text}` };
  });
}

/** Groups by each text of an array: a record with two tags stands in two groups. */
export function byElement({ path, ...named }: GroupName & { readonly path: string }): Grouping {
  const one = simple(named, path, (value) => ({ text: scalarText(value).trim(), rank: scalarText(value).trim() }));
  return {
    ...one,
    keysOf: (value, now) => {
      if (value !== null && !Array.isArray(value)) return undefined;
      const keys = (value ?? []).flatMap((element: unknown) => one.keysOf(element, now) ?? []);
      return keys.length < 2 ? keys : [...new Map(keys.map((key) => [key.id, key])).values()];
    },
  };
}

/** Groups by the month of a date: `2026-11`. */
export function byMonth({ path, ...named }: GroupName & { readonly path: string }): Grouping {
  return simple(named, path, (value) => {
    const month = typeof value === 'string' ? dayHeld(value)?.slice(0, 7) : undefined;
    return month === undefined ? undefined : { text: month, rank: month };
  });
}

/** The ages, youngest first: the fewest days, and the name. */
const ages = [
  { from: 0, text: '0-6 days' },
  { from: 7, text: '7-29 days' },
  { from: 30, text: '30-89 days' },
  { from: 90, text: '90-179 days' },
  { from: 180, text: '180 days and more' },
];

const day = 24 * 60 * 60 * 1000;

/** Groups by the days since a date, by this machine's calendar. A later date counts as today. */
export function byAge({ path, ...named }: GroupName & { readonly path: string }): Grouping {
  return simple(named, path, (value, now) => {
    const [then, today] = [typeof value === 'string' ? dayHeld(value) : undefined, dayAt(now)];
    if (then === undefined || today === undefined) return undefined;
    const days = Math.max(0, Math.round((Date.parse(today) - Date.parse(then)) / day));
    const rank = ages.findLastIndex(({ from }) => days >= from);
    return { text: ages[rank]?.text ?? '', rank: String(rank) };
  });
}

/** Groups by a single word, made from the value. */
function simple(
  named: GroupName,
  path: string,
  wordOf: (value: unknown, now: Date) => { readonly text: string; readonly rank: string } | undefined,
): Grouping {
  const { name } = named;
  return {
    tellsApart: false,
    ...named,
    path,
    record: [name],
    column: { path: name },
    keysOf: (value, now) => {
      if (value === null || (typeof value === 'string' && value.trim() === '')) return [];
      const word = value === undefined ? undefined : wordOf(value, now);
      return word === undefined ? undefined : [{ id: word.text, rank: word.rank, value: word.text, sample: { [name]: word.text } }];
    },
  };
}
