// Notes about the rows of a file, in memory: invalid rows, and the lines of values and digests.

import { textHash } from '../../base/values/text/text-hash.ts';
import type { EarlierStep, Journal } from '../../runs/journal/journal.ts';
import type { Run, StepState } from '../../runs/journal/run.ts';
import type { RowDigests } from './row.ts';

/** Counts of the rows of a file, by their state in an earlier run. */
export interface Overlap {
  readonly run: string;
  readonly done: number;
  readonly lost: number;
  readonly failed: number;
  /** Never sent. */
  readonly intended: number;
  /** Created, and deleted since. Such rows count in no other state. */
  readonly deleted: number;
}

/** A row that another run did. */
interface DoneElsewhere {
  readonly row: number;
  readonly line: number;
  readonly run: string;
  readonly step: number;
  readonly wasSent: boolean;
  /** True when the record of the row was deleted since. */
  readonly isDeleted: boolean;
}

/** The order in which equal steps are matched to rows. Steps whose records were deleted come last. */
const order: readonly StepState[] = ['done', 'sent', 'failed', 'intended'];

export class RowNotes {
  /** The first line of each value, by name, then by the value's hash: a text would keep its whole chunk in memory. */
  readonly #seen = new Map<string, Map<number, number>>();
  /** Digests of rows that an earlier import may have sent, by row number; empty for other rows. */
  readonly #digests: string[] = [];
  /** The digest of a row, by its digest in journals of version 0.2. */
  readonly #digestsNow = new Map<string, string>();
  /** The lines of the rows in `#digests`, by row number. */
  readonly #lines: number[] = [];
  readonly #invalid = new Map<number, string>();
  /** Steps of earlier imports by digest, in `order`. */
  #steps = new Map<string, EarlierStep[]>();
  /** The numbers of the rows with the digest of an earlier step, by digest. */
  readonly #begun = new Map<string, number[]>();

  /** Notes the line of a value. Returns the line where the value stood first, if any. */
  see(name: string, value: string, line: number): number | undefined {
    const lines = this.#seen.get(name) ?? new Map<number, number>();
    this.#seen.set(name, lines);
    const hash = textHash(value);
    const before = lines.get(hash);
    if (before === undefined) lines.set(hash, line);
    return before;
  }

  /** Notes the line of a key by `alikeKey`, of a row whose exact key stands once. */
  seeAlike(key: string | undefined, line: number): void {
    const before = key === undefined ? undefined : this.see(' alike', key, line);
    if (key !== undefined && before !== undefined) this.see(' alike again', key, line);
  }

  /** The first other line with an alike key. */
  lineAlike(key: string | undefined, line: number): number | undefined {
    const lines = [' alike', ' alike again'].map((name) => (key === undefined ? undefined : this.#seen.get(name)?.get(textHash(key))));
    return lines.find((one) => one !== line);
  }

  /** Notes a row that an earlier import may have sent. */
  addRow(n: number, line: number, { own, was }: RowDigests): void {
    this.#digests[n] = own;
    const before = was();
    if (before !== own) this.#digestsNow.set(before, own);
    this.#lines[n] = line;
  }

  /** The number of valid rows noted with `addRow`. */
  get rows(): number {
    let count = 0;
    for (const _ of this.#rows()) count += 1;
    return count;
  }

  /** The digests of valid rows. */
  *#rows(): Generator<readonly [n: number, digest: string]> {
    for (const [n, digest] of this.#digests.entries()) if (digest !== undefined && !this.#invalid.has(n)) yield [n, digest];
  }

  /** Notes the problems of a row. */
  addInvalid(n: number, problem: string): void {
    this.#invalid.set(n, problem);
  }

  /** The problems of a row; undefined for a valid row. */
  invalid(n: number): string | undefined {
    return this.#invalid.get(n);
  }

  get invalidCount(): number {
    return this.#invalid.size;
  }

  /** Reads the steps of earlier imports with the digests of this file's rows. */
  compareWith(journal: Journal): void {
    const digests = new Set(Iterator.from(this.#rows()).map(([, digest]) => digest));
    for (const digest of this.#digestsNow.keys()) digests.add(digest);
    const steps = journal.withDigests(digests.values().map((digest) => Buffer.from(digest, 'latin1')));
    this.#steps = Map.groupBy(steps, ({ digest }) => {
      const text = Buffer.from(digest).toString('latin1');
      return this.#digestsNow.get(text) ?? text;
    });
    for (const own of this.#steps.values())
      own.sort((a, b) => Number(a.isDeleted) - Number(b.isDeleted) || order.indexOf(a.state) - order.indexOf(b.state) || a.n - b.n);
    for (const digest of this.#steps.keys()) this.#begun.set(digest, []);
    for (const [n, digest] of this.#rows()) this.#begun.get(digest)?.push(n);
  }

  /** Counts the rows of the file in each earlier run, by state. */
  overlaps(): Overlap[] {
    const counts = new Map<string, Record<StepState | 'deleted', number>>();
    for (const [key, steps] of this.#steps) {
      for (const [run, own] of Map.groupBy(steps, (step) => step.run)) {
        const count = counts.get(run) ?? { done: 0, sent: 0, failed: 0, intended: 0, deleted: 0 };
        counts.set(run, count);
        for (const { state, isDeleted } of own.slice(0, this.#begun.get(key)?.length)) count[isDeleted ? 'deleted' : state] += 1;
      }
    }
    return [...counts].map(([run, { sent, ...count }]) => ({ run, ...count, lost: sent }));
  }

  /** The number of rows that the given runs have done together, without deleted records. */
  doneIn(runs: readonly string[]): number {
    let count = 0;
    for (const [key, steps] of this.#steps) {
      const done = steps.filter(({ run, state, isDeleted }) => state === 'done' && !isDeleted && runs.includes(run));
      count += Math.min(done.length, this.#begun.get(key)?.length ?? 0);
    }
    return count;
  }

  /** Rows done by other runs and not begun by `run`, with the run and step that did each. `wasSent`: `run` sent the row, and doesn't know its outcome. */
  *doneElsewhere({ name }: Run): Generator<DoneElsewhere> {
    for (const [key, steps] of this.#steps) {
      const own = steps.filter(({ run }) => run === name);
      const done = steps.filter(({ run, state }) => run !== name && state === 'done').values();
      for (const [index, row] of (this.#begun.get(key) ?? []).entries()) {
        const step = own[index];
        if (step !== undefined && step.state !== 'sent') continue;
        const { value } = done.next();
        if (value === undefined) break;
        yield { row, line: this.#lines[row] ?? 0, run: value.run, step: value.n, wasSent: step !== undefined, isDeleted: value.isDeleted };
      }
    }
  }

  /** Rows of the file beside their steps in a run. Equal rows and steps are paired in order. */
  *pairsWith({
    name,
  }: Run): Generator<{ readonly row: number; readonly line: number; readonly step: number; readonly isDeleted: boolean }> {
    for (const [key, steps] of this.#steps) {
      const rows = this.#begun.get(key) ?? [];
      for (const [index, { n, isDeleted }] of steps.filter(({ run }) => run === name).entries()) {
        const row = rows[index];
        if (row !== undefined) yield { row, line: this.#lines[row] ?? 0, step: n, isDeleted };
      }
    }
  }

  /** The lines of the rows that a run created and whose records were deleted since, by row number. */
  deletedIn(run: Run): ReadonlyMap<number, number> {
    return new Map(
      Iterator.from(this.pairsWith(run))
        .filter(({ isDeleted }) => isDeleted)
        .map(({ row, line }) => [row, line]),
    );
  }
}
