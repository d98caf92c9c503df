// What to type for a thing whose name is known. Pure, and light: a Tab needs it.

import { isDangerous } from '../records/safe-text.ts';
import type { KnownName } from './known.ts';
import { isNumber, plainName } from './matching.ts';

/** The words for some things: each one's name, or its id where the name would be read as something else or is that of several. */
export function wordsFor(things: readonly KnownName[]): string[] {
  const plain = things.map(({ name }) => plainName(name));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return things.map(({ id, name }, index) => (isPlain(name) && counts.get(plain[index] ?? '') === 1 ? name : String(id)));
}

/** Whether a name can be typed, and is read as a name: not as an id, a flag, `@me`, or with `name:` before it. */
const isPlain = (name: string): boolean =>
  name !== '' && name === name.trim() && !isNumber(name) && !/^([-@]|name:)/i.test(name) && !isDangerous(name);
