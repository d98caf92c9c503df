// What references to records will stand for, as far as the file itself says it: the members that it sets. For checks only:
// what is sent is read from the service.

import type { ValueType } from '../../values/value-type.ts';
import { type Made, madeName, type PlanPart } from '../made.ts';
import { readPath } from '../records.ts';
import type { Tree } from './file.ts';
import { fill, type Known, type Target, targetsIn, targetText } from './scope.ts';

const single: ReadonlySet<ValueType['kind']> = new Set(['text', 'email', 'id', 'integer', 'decimal', 'date', 'choice']);

export class Expected {
  /** By `lead[3].contact.email`. */
  readonly #texts = new Map<string, string>();
  readonly #parts: ReadonlyMap<string, PlanPart>;

  /** `ordered`: what is referred to comes first. */
  constructor(ordered: readonly PlanPart[]) {
    this.#parts = new Map(ordered.map((part) => [part.name, part]));
    const wanted = new Set(ordered.flatMap(targetsOf).flatMap(({ name, member }) => (member === 'id' ? [] : [name])));
    for (const part of ordered) if (part.kind === 'make' && wanted.has(part.name)) for (const made of part.made) this.#learn(made);
  }

  /** The value with every reference filled, ids by some id; undefined when one isn't known. */
  filled(known: Known): Tree | undefined {
    if (targetsIn(known).some((target) => target.member !== 'id' && this.#textOf(target) === undefined)) return undefined;
    return fill(known, (target) => this.#textOf(target) ?? '1');
  }

  /** A text that is the same for values that will be the same; undefined for what is no text. */
  comparable(known: Known): string | undefined {
    const value = fill(known, (target) => this.#textOf(target) ?? targetText(target));
    return typeof value === 'string' ? value : undefined;
  }

  #learn(made: Made): void {
    for (const { field, known } of made.values) {
      const { read, flag, type } = field;
      // A record that is found by its key has other values, and an action may change a value.
      const isSure = (made.key.length === 0 || made.key.includes(field)) && !made.acts.some(({ action }) => action.verb === flag);
      const value = read !== undefined && isSure && single.has(type.kind) ? this.filled(known) : undefined;
      const isOwn = targetsIn(known).every(({ member }) => member !== 'id');
      if (typeof value === 'string' && value !== '' && isOwn) this.#texts.set(`${madeName(made)}.${read}`, value);
    }
  }

  #textOf(target: Target): string | undefined {
    const part = this.#parts.get(target.name);
    if (part === undefined || part.kind === 'find') return undefined;
    const read = readPath(part.made[0]?.resource, target.member) ?? target.member;
    return this.#texts.get(`${madeName(target)}.${read}`);
  }
}

/** All references of a part. */
function targetsOf(part: PlanPart): readonly Target[] {
  if (part.kind === 'find') return part.found.by.flatMap(({ known }) => targetsIn(known));
  return part.made.flatMap(({ values, wires, acts }) =>
    [...values, ...wires, ...acts.map(({ value }) => value)].flatMap(({ known }) => targetsIn(known)),
  );
}
