// Turns steps with parts into single writes for the runner. The parts of a step follow each other; the step is over when all its writes
// are, and lacks something when a part failed.

import type { CrmError } from '../base/errors.ts';
import { numberOf, type Run } from './journal/run.ts';
import type { Outcome, Plan, Step, StepOutcome, Write, WriteAt } from './step.ts';

/** A write for the runner. `n` is its number in the journal. */
export interface NumberedWrite extends Write {
  readonly n: number;
  readonly after?: readonly (readonly number[])[];
  readonly at: Required<WriteAt>;
  readonly name: string;
  /** The place among the writes of the plan. */
  readonly place: number;
}

/** The functions that tell a front end of its steps. */
interface StepsTold {
  describe?(step: WriteAt, error: CrmError): string;
  settled(step: Pick<Step, 'n' | 'part' | 'key'>, outcome: StepOutcome): void;
}

/** The steps between a step and its parts. By then, the first write is usually done. */
const stepsBetween = 24;

export class StepsUnderWay {
  readonly #plan: Plan;
  readonly #run: Run;
  readonly #told: StepsTold;
  /** Steps with parts: the writes without an outcome yet, and the outcome of the first write. */
  readonly #steps = new Map<number, { readonly key: string; readonly left: Set<number>; outcome?: Outcome }>();
  readonly #groups = new WeakMap<readonly (number | WriteAt)[], readonly number[]>();
  /** Parts without anything to write, for which other writes wait. */
  readonly #idle: Required<WriteAt>[] = [];
  #places = 0;

  constructor(plan: Plan, run: Run, told: StepsTold) {
    this.#plan = plan;
    this.#run = run;
    this.#told = told;
  }

  /** The wanted writes: the first writes in the order of steps, and the parts some steps later. */
  async *writes(isWanted: (number: number) => boolean): AsyncGenerator<NumberedWrite> {
    const isWantedAt = (n: number, part = 0): boolean => isWanted(numberOf({ n, part }));
    const parts: NumberedWrite[] = [];
    let since = 0;
    for await (const step of this.#plan.steps(isWantedAt)) {
      // The step may wait for one of the parts.
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
    return { ...write, ...(after === undefined ? {} : { after }), n: numberOf(at), at, name: '', place: this.#nextPlace() };
  }

  #nextPlace(): number {
    this.#places += 1;
    return this.#places;
  }

  #numbers(group: readonly (number | WriteAt)[]): readonly number[] {
    const numbers = this.#groups.get(group) ?? group.map(numberOf);
    this.#groups.set(group, numbers);
    return numbers;
  }

  /** The wanted parts of a step. */
  #partsOf({ n, key, family, parts = [] }: Step, isWanted: (number: number) => boolean): NumberedWrite[] {
    const before = [n];
    const wanted: NumberedWrite[] = [];
    for (const part of parts) {
      const at = { n, part: part.part };
      const write = { ...part, family, n: numberOf(at), at, after: [[...before]], place: this.#nextPlace() };
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

  /** Notes the outcome of a write. Tells the outcome of its step when the step is over. */
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
    // When an earlier process sent the first write, the journal tells the step's outcome.
    if (under.outcome === undefined) return;
    const lacks = part > 0 && isFailed && 'did' in under.outcome ? { lacks: { name, failed: outcome.failed } } : {};
    this.#told.settled({ n, key: under.key }, { ...under.outcome, ...lacks });
  }

  forgetIdle(): void {
    for (const at of this.#idle) this.#run.forget(at);
  }
}

const inOrder = (a: NumberedWrite, b: NumberedWrite): number => a.n - b.n;

/** The first write of a step. The methods may belong to a class. */
const asWrite = (step: Step): Write => ({
  key: step.key,
  family: step.family,
  ...(step.digest === undefined ? {} : { digest: step.digest }),
  prepare: (world) => step.prepare(world),
  trace: (sent) => step.trace(sent),
});
