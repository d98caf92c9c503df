// What the check of a file notes of its rows, in memory: which are wrong, which values and which digests stand on which lines.

import { hash } from 'node:crypto';
import type { Journal } from '../../runs/journal/journal.ts';
import type { Run, StepState } from '../../runs/journal/run.ts';

/** How many rows of a file the steps of an earlier run belong to. */
export interface Overlap {
  /** The name of the run. */
  readonly run: string;
  readonly done: number;
  readonly doubts: number;
  readonly failed: number;
  /** Never sent. */
  readonly intended: number;
}

/** A step of an earlier import. */
interface EarlierStep {
  readonly run: string;
  readonly n: number;
  readonly state: StepState;
}

/** What is done comes first, then what is in doubt. */
const order: readonly StepState[] = ['done', 'sent', 'failed', 'intended'];

export class RowNotes {
  /** The lines of values, by their name and a hash of the value. */
  readonly #seen = new Map<string, Map<string, number>>();
  /** The digests of rows that an earlier import may have sent, by the number of the row. */
  readonly #digests: string[] = [];
  /** The lines of these rows, by their number. */
  readonly #lines: number[] = [];
  readonly #invalid = new Map<number, string>();
  /** Steps of earlier imports that give the same as rows, by their digest: those that are done first. */
  #steps = new Map<string, EarlierStep[]>();
  /** The numbers of the rows that have the digest of such a step. */
  readonly #begun = new Map<string, number[]>();

  /** Notes that a value stands on a line; gives the line on which it stood before. */
  see(name: string, value: string, line: number): number | undefined {
    const lines = this.#seen.get(name) ?? new Map<string, number>();
    this.#seen.set(name, lines);
    const key = hashOf(value);
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    return before;
  }

  /** The line on which a value was noted first. */
  lineOf(name: string, value: string): number | undefined {
    return this.#seen.get(name)?.get(hashOf(value));
  }

  /** Notes a row that an earlier import may have sent. */
  addRow(n: number, line: number, digest: string): void {
    this.#digests[n] = digest;
    this.#lines[n] = line;
  }

  /** How many of these rows there are. */
  get rows(): number {
    let count = 0;
    for (const _ of this.#rows()) count += 1;
    return count;
  }

  /** The digests of the rows that turned out to be right. */
  *#rows(): Generator<readonly [n: number, digest: string]> {
    for (const [n, digest] of this.#digests.entries()) if (digest !== undefined && !this.#invalid.has(n)) yield [n, digest];
  }

  /** Notes a row that is wrong, and why; it may be wrong for several reasons. */
  addInvalid(n: number, problem: string): void {
    const before = this.#invalid.get(n);
    this.#invalid.set(n, before === undefined ? problem : `${before} ${problem}`);
  }

  /** Why a row is wrong; undefined: it isn't. */
  invalid(n: number): string | undefined {
    return this.#invalid.get(n);
  }

  get invalidCount(): number {
    return this.#invalid.size;
  }

  /** Reads which steps of earlier imports give the same as rows of the file. */
  compareWith(journal: Journal): void {
    this.#steps = Map.groupBy(journal.withDigests(this.#allDigests()), ({ digest }) => Buffer.from(digest).toString('latin1'));
    for (const steps of this.#steps.values()) steps.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.n - b.n);
    for (const digest of this.#steps.keys()) this.#begun.set(digest, []);
    for (const [n, digest] of this.#rows()) this.#begun.get(digest)?.push(n);
  }

  /** Each digest once. */
  *#allDigests(): Generator<Uint8Array> {
    for (const digest of new Set(Iterator.from(this.#rows()).map(([, one]) => one))) yield Buffer.from(digest, 'latin1');
  }

  /** How many rows of the file each run has done, in doubt, tried in vain, or only intended. */
  overlaps(): Overlap[] {
    const counts = new Map<string, Record<StepState, number>>();
    for (const [key, steps] of this.#steps) {
      for (const [run, own] of Map.groupBy(steps, (step) => step.run)) {
        const count = counts.get(run) ?? { done: 0, sent: 0, failed: 0, intended: 0 };
        counts.set(run, count);
        for (const { state } of own.slice(0, this.#begun.get(key)?.length)) count[state] += 1;
      }
    }
    return [...counts].map(([run, { done, sent, failed, intended }]) => ({ run, done, doubts: sent, failed, intended }));
  }

  /** How many rows of the file some runs have done, all of them together. */
  doneIn(runs: readonly string[]): number {
    let count = 0;
    for (const [key, steps] of this.#steps) {
      const done = steps.filter(({ run, state }) => state === 'done' && runs.includes(run));
      count += Math.min(done.length, this.#begun.get(key)?.length ?? 0);
    }
    return count;
  }

  /** The rows of the file that other runs have done and this one hasn't: which run, and which step of it. */
  *doneElsewhere({ name }: Run): Generator<{ readonly row: number; readonly line: number; readonly run: string; readonly step: number }> {
    for (const [key, steps] of this.#steps) {
      const own = steps.filter(({ run }) => run === name);
      const left = (this.#begun.get(key) ?? []).slice(own.length);
      const done = steps.filter(({ run, state }) => run !== name && state === 'done');
      for (const [place, row] of left.slice(0, done.length).entries()) {
        const { run, n } = done[place] as EarlierStep;
        yield { row, line: this.#lines[row] ?? 0, run, step: n };
      }
    }
  }

  /** The rows of the file that are steps of a run, in the order of equal rows and steps. */
  *pairsWith({ name }: Run): Generator<{ readonly row: number; readonly line: number; readonly step: number }> {
    for (const [key, steps] of this.#steps) {
      const rows = this.#begun.get(key) ?? [];
      for (const [place, { n }] of steps.filter(({ run }) => run === name).entries()) {
        const row = rows[place];
        if (row !== undefined) yield { row, line: this.#lines[row] ?? 0, step: n };
      }
    }
  }
}

/** 64 bits of a hash, a character a byte: of a million values, two have the same with a chance of one in thirty million. */
const hashOf = (value: string): string => hash('sha1', value, 'latin1').slice(0, 8);
