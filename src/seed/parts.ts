// Steps in parts: each part waits for all parts before it.

import type { World } from '../runs/step.ts';

/**
 * Resolves once every step before a part has its outcome. `wanted`: `done`, it resolves false when one of them is not
 * done; `over`, whatever became of them. Whoever asks second waits with whoever asked first.
 */
export function partBarriers(
  parts: readonly (readonly number[])[],
  wanted: 'done' | 'over',
): (world: World, part: number) => Promise<boolean> {
  const over = new Map<number, Promise<boolean>>();
  const partIsOver = (world: World, part: number): Promise<boolean> => {
    if (part === 0) return Promise.resolve(true);
    const known = over.get(part) ?? isOver(world, part);
    over.set(part, known);
    return known;
  };
  const isOver = async (world: World, part: number): Promise<boolean> => {
    if (!(await partIsOver(world, part - 1))) return false;
    for (const n of parts[part - 1] ?? []) if (!(await world.over(n)) && wanted === 'done') return false;
    return true;
  };
  return partIsOver;
}
