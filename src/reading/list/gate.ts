// Gates: bounds for a count. Nightly scripts look at the exit status.

import { FoundError, UsageError } from '../../base/errors.ts';
import { parseInteger, together } from '../../base/values/parse.ts';
import type { GateFlags } from '../flags.ts';

/** The bounds, both included. */
export interface Gate {
  readonly atMost: number;
  readonly atLeast: number;
}

/**
 * The bounds of --at-most and --at-least; undefined if neither flag is given. Throws InvalidValues, and UsageError for bounds that exclude
 * all.
 */
export function gateOf({ 'at-most': most, 'at-least': least }: GateFlags): Gate | undefined {
  if (most === undefined && least === undefined) return undefined;
  const [atMost, atLeast] = together(
    () => (most === undefined ? Number.POSITIVE_INFINITY : parseInteger(most, '--at-most')),
    () => (least === undefined ? 0 : parseInteger(least, '--at-least')),
  );
  if (atLeast > atMost) throw new UsageError(`--at-least ${atLeast} and --at-most ${atMost} can't both hold.`);
  return { atMost, atLeast };
}

/** The error for a count out of bounds; undefined when the gate holds. `text` is the count in words: `12 leads`. */
export function brokenGate(gate: Gate | undefined, count: number, text: string): FoundError | undefined {
  if (gate === undefined || (count <= gate.atMost && count >= gate.atLeast)) return undefined;
  return new FoundError(count > gate.atMost ? `${text}, and --at-most is ${gate.atMost}.` : `${text}, and --at-least is ${gate.atLeast}.`);
}
