// Random numbers that repeat: the same seed gives the same numbers.

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True with this probability, from 0 to 1. */
  chance(of: number): boolean;
}

/** A generator with a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    pick: <T>(choices: readonly T[]) => choices[between(0, choices.length - 1)] as T,
    chance: (of) => next() < of,
  };
}
