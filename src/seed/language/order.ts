// In which order things are done that need each other: each comes after what it needs, otherwise as they are given. Pure.

import type { PlanPart } from './planned.ts';
import { type Target, targetsIn } from './scope.ts';

export interface Order<T> {
  readonly ordered: readonly T[];
  /** Circles among them, the last of each needing its first; with one, there is no order. */
  readonly cycles: readonly (readonly T[])[];
}

/** The things in order, and the circles that stand in the way. Works without recursion: a chain may be long. */
export function orderOf<T>(things: readonly T[], needsOf: (thing: T) => Iterable<T>): Order<T> {
  const ordered = new Set<T>();
  const cycles: T[][] = [];
  const path: { readonly thing: T; readonly needs: Iterator<T> }[] = [];
  const onPath = new Set<T>();

  const enter = (thing: T): void => {
    if (onPath.has(thing)) {
      const start = path.findIndex((step) => step.thing === thing);
      cycles.push(path.slice(start).map((step) => step.thing));
    } else if (!ordered.has(thing)) {
      path.push({ thing, needs: needsOf(thing)[Symbol.iterator]() });
      onPath.add(thing);
    }
  };

  for (const first of things) {
    enter(first);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const need = step.needs.next();
      if (need.done !== true) {
        enter(need.value);
        continue;
      }
      path.pop();
      onPath.delete(step.thing);
      ordered.add(step.thing);
    }
  }
  return { ordered: [...ordered], cycles };
}

/**
 * The parts of the work in order, each that has actions followed by a part for those. What needs an id alone comes after
 * its record's creation; what needs anything else, after its actions too.
 */
export function orderOfParts(parts: readonly PlanPart[]): Order<PlanPart> {
  const acting = new Map(parts.filter(hasActs).map((part): [string, PlanPart] => [part.name, { ...part, kind: 'act' }]));
  const creating = new Map(parts.map((part) => [part.name, part]));
  const needsOf = (part: PlanPart): readonly PlanPart[] => {
    const needs = targetsOf(part).map(({ name, member }) => (member === 'id' ? undefined : acting.get(name)) ?? creating.get(name));
    return [...new Set([part.kind === 'act' ? creating.get(part.name) : undefined, ...needs])].filter((need) => need !== undefined);
  };
  const all = parts.flatMap((part) => [part, ...(acting.has(part.name) ? [acting.get(part.name) ?? part] : [])]);
  return orderOf(all, needsOf);
}

const hasActs = (part: PlanPart): part is Exclude<PlanPart, { kind: 'find' }> =>
  part.kind !== 'find' && part.made.some(({ acts }) => acts.length > 0);

/** A circle in words; a record and its actions are one name: `a → b → a`. */
export function cycleText(cycle: readonly PlanPart[]): string {
  const names = cycle.map(({ name }) => name);
  const [first = ''] = names;
  const others = names.filter((name, index) => index > 0 && name !== names[index - 1]);
  return [first, ...(others.at(-1) === first ? others : [...others, first])].join(' → ');
}

function targetsOf(part: PlanPart): readonly Target[] {
  if (part.kind === 'find') return part.found.by.flatMap(({ resolved }) => targetsIn(resolved));
  if (part.kind === 'act') return part.made.flatMap(({ acts }) => acts.flatMap(({ value }) => targetsIn(value.resolved)));
  return part.made.flatMap(({ values, wires }) => [...values, ...wires].flatMap(({ resolved }) => targetsIn(resolved)));
}
