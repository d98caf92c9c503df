// A gate: how many there may be of what a command counts. Scripts that check something every night go by its exit status.

import { FoundError, UsageError } from '../../errors.ts';
import type { Input } from '../../flag.ts';
import { parseInteger, together } from '../../values/parse.ts';

/** The bounds, both included. */
export interface Gate {
  readonly atMost: number;
  readonly atLeast: number;
}

/** What --at-most and --at-least say; undefined without either. Throws InvalidValues, and UsageError for bounds between which there is nothing. */
export function gateOf({ flags }: Input): Gate | undefined {
  const bound = (name: string, standard: number): number => {
    const typed = flags[name];
    return typeof typed === 'string' ? parseInteger(typed, `--${name}`) : standard;
  };
  if (flags['at-most'] === undefined && flags['at-least'] === undefined) return undefined;
  const [atMost, atLeast] = together(
    () => bound('at-most', Number.POSITIVE_INFINITY),
    () => bound('at-least', 0),
  );
  if (atLeast > atMost) throw new UsageError(`--at-least ${atLeast} and --at-most ${atMost} can't both hold.`);
  return { atMost, atLeast };
}

/** The error for a count that is out of bounds; undefined where the gate holds. `text`: the count in words, such as `12 leads`. */
export function brokenGate(gate: Gate | undefined, count: number, text: string): FoundError | undefined {
  if (gate === undefined || (count <= gate.atMost && count >= gate.atLeast)) return undefined;
  return new FoundError(count > gate.atMost ? `${text}, and --at-most is ${gate.atMost}.` : `${text}, and --at-least is ${gate.atLeast}.`);
}
