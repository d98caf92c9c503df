// Steps with parts, for the runner, which knows writes alone. The parts of a step are writes of their own, each after the one before; a step is
// over when all of its writes are, and lacks something where a part failed.

import type { CrmError } from '../errors.ts';
import { numberOf, type Run } from './journal/run.ts';
import type { Outcome, Plan, Step, StepOutcome, Write, WriteAt } from './step.ts';

/** A write as the runner has it: `n` is its number in the journal. */
export interface NumberedWrite extends Write {
  readonly n: number;
  readonly after?: readonly (readonly number[])[];
  readonly at: Required<WriteAt>;
  /** What a part writes. */
  readonly name: string;
}

/** What a front end hears of its steps. */
interface StepsTold {
  describe?(step: WriteAt, error: CrmError): string;
  settled(step: Pick<Step, 'n' | 'part' | 'key'>, outcome: StepOutcome): void;
}

/** The parts of a step come so many steps later: their record's write need not be waited for then. */
const stepsBetween = 24;
/** So many steps that are over are remembered: of more nobody asks. */
const mostOver = 8192;

export class StepsUnderWay {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #told: StepsTold;
  /** Steps that have parts: which have no outcome yet, and that of the first write. */
  readonly #steps = new Map<number, { readonly key: string; readonly left: Set<number>; outcome?: Outcome }>();
  /** Steps that are over, with when that was, by their count. */
  readonly #over = new Map<number, number>();
  readonly #groups = new WeakMap<readonly (number | WriteAt)[], readonly number[]>();
  /** Parts that had nothing to write: others waited for them, and nobody wants to know. */
  readonly #idle: Required<WriteAt>[] = [];
  #count = 0;

  constructor(plan: Plan, run: Run, told: StepsTold) {
    this.#plan = plan;
    this.#run = run;
    this.#told = told;
  }

  /** The writes that are asked for by their numbers: the first ones of steps in their order, the parts of each behind those of others. */
  async *writes(isWanted: (number: number) => boolean): AsyncGenerator<NumberedWrite> {
    const isWantedAt = (n: number, part = 0): boolean => isWanted(numberOf({ n, part }));
    const parts: NumberedWrite[] = [];
    let since = 0;
    for await (const step of this.#plan.steps(isWantedAt)) {
      // It may wait for one of them.
      if (step.after !== undefined) yield* parts.splice(0).toSorted(inOrder);
      parts.push(...this.#partsOf(step, isWanted));
      if (isWantedAt(step.n, step.part)) yield this.#written(step);
      since += 1;
      if (since < stepsBetween) continue;
      yield* parts.splice(0).toSorted(inOrder);
      since = 0;
    }
    yield* parts.toSorted(inOrder);
  }

  #written(step: Step): NumberedWrite {
    const { after, ...write } = { ...asWrite(step), after: step.after?.map((group) => this.#numbers(group)) };
    const at = { n: step.n, part: step.part ?? 0 };
    return { ...write, ...(after === undefined ? {} : { after }), n: numberOf(at), at, name: '' };
  }

  #numbers(group: readonly (number | WriteAt)[]): readonly number[] {
    const numbers = this.#groups.get(group) ?? group.map(numberOf);
    this.#groups.set(group, numbers);
    return numbers;
  }

  /** The parts of a step that are asked for. */
  #partsOf({ n, key, family, parts = [] }: Step, isWanted: (number: number) => boolean): NumberedWrite[] {
    const before = [n];
    const wanted: NumberedWrite[] = [];
    for (const part of parts) {
      const at = { n, part: part.part };
      const write = { ...part, family, n: numberOf(at), at, after: [[...before]] };
      before.push(write.n);
      if (isWanted(write.n)) wanted.push(write);
    }
    if (wanted.length === 0) return [];
    const under = this.#steps.get(n) ?? { key, left: new Set() };
    this.#steps.set(n, under);
    for (const { at } of wanted) under.left.add(at.part);
    return wanted;
  }

  describe({ at }: NumberedWrite, error: CrmError): string {
    return this.#told.describe?.(at, error) ?? error.message;
  }

  /** Takes in the outcome of a write, and tells that of its step once that is over. */
  settled({ at: { n, part }, key, name }: NumberedWrite, outcome: Outcome): void {
    if (part > 0 && 'did' in outcome && outcome.did === 'unchanged') this.#idle.push({ n, part });
    const under = this.#steps.get(n);
    if (under === undefined) {
      this.#told.settled({ n, part, key }, outcome);
      return;
    }
    if (part === 0) under.outcome = outcome;
    else under.left.delete(part);
    const isFailed = 'failed' in outcome;
    if (!isFailed && under.left.size > 0) return;
    this.#steps.delete(n);
    this.#count += 1;
    this.#over.set(n, this.#count);
    for (const [oldest] of this.#over) {
      if (this.#over.size <= mostOver) break;
      this.#over.delete(oldest);
    }
    // A step whose first write an earlier process sent is told from the journal.
    if (under.outcome === undefined) return;
    const lacks = part > 0 && isFailed && 'did' in under.outcome ? { lacks: { name, failed: outcome.failed } } : {};
    this.#told.settled({ n, key: under.key }, { ...under.outcome, ...lacks });
  }

  /** Gives which steps are over by now: of those nothing more is written. */
  through(): (n: number) => boolean {
    const now = this.#count;
    return (n) => !this.#steps.has(n) && (this.#over.get(n) ?? 0) <= now;
  }

  forgetIdle(): void {
    for (const at of this.#idle) this.#run.forget(at);
  }
}

const inOrder = (a: NumberedWrite, b: NumberedWrite): number => a.n - b.n;

/** A step's own write: its methods may stand on a class. */
const asWrite = (step: Step): Write => ({
  key: step.key,
  family: step.family,
  ...(step.digest === undefined ? {} : { digest: step.digest }),
  prepare: (world) => step.prepare(world),
  trace: (sent) => step.trace(sent),
});
