// What became of each row so far, in a byte a row: the sum of a journal's entries, whether they are read back or just
// written. A row with an intent and no outcome is in doubt: it may have been sent.

import { IdSet } from '../api/id-set.ts';
import { scalarText } from '../values/json.ts';
import type { Members } from '../values/paths.ts';

export type Did = 'created' | 'updated' | 'unchanged';

export interface Tally {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

/** From and to, both included. */
export type Span = readonly [first: number, last: number];

/** One line of an import's journal, behind its header. */
export type RowEntry =
  /** The highest id in the service before the first row was sent. */
  | { readonly before: number }
  /** These rows may be sent from now on; `above`: the highest id known by then, which what they create is above. */
  | { readonly intent: readonly Span[]; readonly above: number }
  /** These rows were not sent after all, or turned out not to have arrived. */
  | { readonly unsent: readonly Span[] }
  | { readonly row: number; readonly did: Did; readonly id?: unknown }
  /** The service refused the row, or there is no record for it; the status is null when nothing was sent. */
  | { readonly row: number; readonly did: 'failed'; readonly status: number | null; readonly error: string }
  /** The row was sent, and its answer is lost. */
  | { readonly row: number; readonly did: 'unknown' }
  | { readonly end: Tally };

const untouched = 0;
const intended = 1;
const unknown = 2;
const done = 3;
const failed = 4;
/** Created, and the answer didn't say which record. */
const nameless = 5;

const outcomes = { created: done, updated: done, unchanged: done, failed, unknown } as const;

export class RowStates {
  /** The records that rows made. */
  readonly claimed = new IdSet();
  readonly rows: number;
  readonly #states: Uint8Array;
  readonly #counts = new Uint32Array(6);
  readonly #tally = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  readonly #intents: { readonly span: Span; readonly above: number }[] = [];
  #before: number | undefined;
  #highest = 0;
  #hasEnded = false;

  constructor(rows: number) {
    this.rows = rows;
    this.#states = new Uint8Array(rows + 1);
    this.#counts[untouched] = rows;
  }

  /** Takes an entry of the journal into account; what is no RowEntry changes nothing. */
  apply(entry: RowEntry | Members): void {
    if ('before' in entry) this.#begin(Number(entry.before));
    else if ('intent' in entry) this.#intend(entry.intent as readonly Span[], Number(entry.above));
    else if ('unsent' in entry) this.#each(entry.unsent as readonly Span[], untouched);
    else if ('row' in entry) this.#settle(Number(entry.row), entry.did as keyof typeof outcomes, 'id' in entry ? entry.id : undefined);
    else if ('end' in entry) this.#hasEnded = true;
  }

  get tally(): Tally {
    return { ...this.#tally };
  }

  /** Rows of which something may have been sent, and nobody knows what became of it. */
  get inDoubt(): number {
    return (this.#counts[intended] ?? 0) + (this.#counts[unknown] ?? 0);
  }

  /** Rows that have an outcome. */
  get settled(): number {
    return (this.#counts[done] ?? 0) + (this.#counts[failed] ?? 0) + this.nameless;
  }

  /** Rows that created a record of which nobody knows which it is. */
  get nameless(): number {
    return this.#counts[nameless] ?? 0;
  }

  /** Every row has its outcome, and the journal says so. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether some row may have been sent. */
  get hasBegun(): boolean {
    return this.inDoubt + this.settled > 0;
  }

  /** The highest id in the service before the first row was sent; undefined before anybody looked. */
  get before(): number | undefined {
    return this.#before;
  }

  /** The highest id that is known by now. */
  get highest(): number {
    return this.#highest;
  }

  isSettled(row: number): boolean {
    return (this.#states[row] ?? untouched) >= done;
  }

  isFailed(row: number): boolean {
    return this.#states[row] === failed;
  }

  isNameless(row: number): boolean {
    return this.#states[row] === nameless;
  }

  isInDoubt(row: number): boolean {
    return this.#states[row] === intended || this.#states[row] === unknown;
  }

  /** Whether the row was sent for certain, and its answer lost. */
  wasSent(row: number): boolean {
    return this.#states[row] === unknown;
  }

  /** The rows with an intent that were never sent. */
  unsentSpans(): Span[] {
    return this.#spans(intended);
  }

  /** What a row in doubt created has a higher id than this. */
  floorOf(row: number): number {
    return this.#intents.findLast(({ span: [first, last] }) => first <= row && row <= last)?.above ?? 0;
  }

  #begin(before: number): void {
    this.#before = before;
    this.#raise(before);
  }

  #intend(spans: readonly Span[], above: number): void {
    this.#each(spans, intended);
    this.#intents.push(...spans.map((span) => ({ span, above })));
  }

  #settle(row: number, did: keyof typeof outcomes, id: unknown): void {
    const isNameless = did === 'created' && (id === undefined || id === null);
    this.#set(row, isNameless ? nameless : (outcomes[did] ?? untouched));
    if (did in this.#tally) this.#tally[did as keyof Tally] += 1;
    if (did !== 'created' || isNameless) return;
    this.claimed.add(id);
    this.#raise(Number(scalarText(id)));
  }

  #raise(id: number): void {
    if (id > this.#highest) this.#highest = id;
  }

  #each(spans: readonly Span[], state: number): void {
    for (const [first, last] of spans) for (let row = first; row <= last; row += 1) this.#set(row, state);
  }

  #set(row: number, state: number): void {
    const before = this.#states[row] ?? untouched;
    this.#counts[before] = (this.#counts[before] ?? 0) - 1;
    this.#counts[state] = (this.#counts[state] ?? 0) + 1;
    this.#states[row] = state;
  }

  #spans(state: number): Span[] {
    const spans: [number, number][] = [];
    for (let row = this.#states.indexOf(state); row >= 0; row = this.#states.indexOf(state, row)) {
      const first = row;
      while (this.#states[row] === state) row += 1;
      spans.push([first, row - 1]);
    }
    return spans;
  }
}

/** Row numbers in ascending order as spans. */
export function spansOf(rows: readonly number[]): Span[] {
  const spans: [number, number][] = [];
  for (const row of rows) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else spans.push([row, row]);
  }
  return spans;
}
