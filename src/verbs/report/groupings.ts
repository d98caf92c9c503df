// What records of a report have in common: the keys by which they are counted, and the order of these. Pure.

import type { Column } from '../../resources/define.ts';
import { scalarText } from '../../values/json.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import { dayAt, dayHeld } from '../../values/time/days.ts';

/** What a row of a report stands for. */
export interface GroupKey {
  /** Keys of the same id are one. */
  readonly id: string;
  /** Rows stand in the order of their ranks, numbers in them by their size. */
  readonly rank: string;
  /** What JSON shows of it. */
  readonly value: unknown;
  /** A record that holds it as the service sent it, where the grouping's column finds what it is called. */
  readonly sample: unknown;
}

/** A way to count records: by status, by month. */
export interface Grouping {
  /** What --by calls it; in a row, the member that holds the key. */
  readonly name: string;
  /** What --by takes as well: what --sort calls it. */
  readonly also?: string;
  /** Where a record holds what it is counted by. */
  readonly path: string;
  /** The members of a key in a row. */
  readonly record: readonly string[];
  /** What a row is called: the member that a table shows, in a row as in a sample. */
  readonly column: Column;
  /** What the row of those without a key is called: nobody. It is the last one. */
  readonly none: string;
  /** A terminal shows in each row how many records are told apart: of a source, how many were converted. */
  readonly tellsApart: boolean;
  /** The keys of a record that holds this value; none where it has none, undefined where that can't be told. */
  keysOf(value: unknown, now: Date): readonly GroupKey[] | undefined;
}

type GroupName = Pick<Grouping, 'name' | 'none'> & Partial<Pick<Grouping, 'tellsApart' | 'also'>>;

/** By another record, or by several: `{ id, title }`, `[{ id, name }]`. `rank`: the member that the order goes by. */
export function byRelation({
  title,
  rank,
  ...named
}: GroupName & { readonly title: 'name' | 'title'; readonly rank: 'id' | 'name' }): Grouping {
  const { name } = named;
  const keyOf = (value: unknown): GroupKey => {
    const id = valueAt(value, 'id');
    return {
      id: scalarText(id),
      rank: scalarText(valueAt(value, rank)),
      value: { id, [title]: valueAt(value, title) ?? null },
      sample: { [name]: value },
    };
  };
  return {
    tellsApart: false,
    ...named,
    path: name,
    record: [`${name}.id`, `${name}.${title}`],
    column: { path: `${name}.${title}`, header: name },
    keysOf: (value) => {
      const all = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && valueAt(one, 'id') !== null);
      if (!all.every((one) => isMembers(one) && one.id !== undefined)) return undefined;
      return [...new Map(all.map(keyOf).map((key) => [key.id, key])).values()];
    },
  };
}

/** By a text, each as it is written. `order`: known words, which come first, in this order. */
export function byText({ order = [], ...named }: GroupName & { readonly order?: readonly string[] }): Grouping {
  return simple(named, named.name, (value) => {
    if (typeof value === 'object' && !JSON.isRawJSON(value)) return undefined;
    const text = scalarText(value);
    const place = order.indexOf(text);
    return { text, rank: order.length === 0 ? text : `${place < 0 ? order.length : place} ${text}` };
  });
}

/** By the month of a date: `2026-11`. */
export function byMonth({ path, ...named }: GroupName & { readonly path: string }): Grouping {
  return simple(named, path, (value) => {
    const month = typeof value === 'string' ? dayHeld(value)?.slice(0, 7) : undefined;
    return month === undefined ? undefined : { text: month, rank: month };
  });
}

/** The fewest days of each age, and what it is called. Youngest first. */
const ages = [
  { from: 0, text: '0-6 days' },
  { from: 7, text: '7-29 days' },
  { from: 30, text: '30-89 days' },
  { from: 90, text: '90-179 days' },
  { from: 180, text: '180 days and more' },
];

const day = 24 * 60 * 60 * 1000;

/** By the days since a date, by this machine's calendar; one to come counts as today. */
export function byAge({ path, ...named }: GroupName & { readonly path: string }): Grouping {
  return simple(named, path, (value, now) => {
    const [then, today] = [typeof value === 'string' ? dayHeld(value) : undefined, dayAt(now)];
    if (then === undefined || today === undefined) return undefined;
    const days = Math.max(0, Math.round((Date.parse(today) - Date.parse(then)) / day));
    const rank = ages.findLastIndex(({ from }) => days >= from);
    return { text: ages[rank]?.text ?? '', rank: String(rank) };
  });
}

/** By one word, made of what a record holds. */
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
