// In which order things are done that need each other: each comes after what it needs, otherwise as they are given. Pure.

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
