// In which order things are done that need each other: each comes after what it needs, otherwise as they are given. Pure.

import type { PlanPart } from './made.ts';
import { type Target, targetsIn } from './scope.ts';

export type Order<T> =
  | { readonly kind: 'order'; readonly ordered: readonly T[] }
  | { readonly kind: 'cycle'; readonly cycle: readonly T[] };

/** The things in order; or a cycle among them, whose last needs its first. */
export function orderOf<T>(things: readonly T[], needsOf: (thing: T) => Iterable<T>): Order<T> {
  const ordered = new Set<T>();
  const path: T[] = [];

  const visit = (thing: T): readonly T[] | undefined => {
    if (ordered.has(thing)) return undefined;
    const start = path.indexOf(thing);
    if (start >= 0) return path.slice(start);
    path.push(thing);
    for (const need of needsOf(thing)) {
      const cycle = visit(need);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    ordered.add(thing);
    return undefined;
  };

  for (const thing of things) {
    const cycle = visit(thing);
    if (cycle !== undefined) return { kind: 'cycle', cycle };
  }
  return { kind: 'order', ordered: [...ordered] };
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

type Making = Exclude<PlanPart, { kind: 'find' }>;

const hasActs = (part: PlanPart): part is Making => part.kind !== 'find' && part.made.some(({ acts }) => acts.length > 0);

/** A circle in words; a record and its actions are one name: `a → b → a`. */
export function cycleText(cycle: readonly PlanPart[]): string {
  const names = cycle.map(({ name }) => name);
  const [first = ''] = names;
  const others = names.filter((name, index) => index > 0 && name !== names[index - 1]);
  return [first, ...(others.at(-1) === first ? others : [...others, first])].join(' → ');
}

function targetsOf(part: PlanPart): readonly Target[] {
  if (part.kind === 'find') return part.found.by.flatMap(({ known }) => targetsIn(known));
  if (part.kind === 'act') return part.made.flatMap(({ acts }) => acts.flatMap(({ value }) => targetsIn(value.known)));
  return part.made.flatMap(({ values, wires }) => [...values, ...wires].flatMap(({ known }) => targetsIn(known)));
}
