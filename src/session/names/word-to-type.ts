// Gives the word to type for a thing with a name. Pure and light, because a Tab loads this file.

import { isNumeral } from '../../base/values/parse.ts';
import { isDangerous } from '../../model/records/safe-text.ts';
import type { KnownName } from './known.ts';
import { plainName } from './matching.ts';

/** The word to type for each thing: the name, or the id if the name is not unique or would not be read as a name. */
export function wordsFor(things: readonly KnownName[]): string[] {
  const plain = things.map(({ name }) => plainName(name));
  const counts = new Map<string, number>();
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return things.map(({ id, name }, index) => (isPlain(name) && counts.get(plain[index] ?? '') === 1 ? name : String(id)));
}

/** True for a name that can be typed and is read as a name: not as an id, a flag, `@me` or `name:…`. */
const isPlain = (name: string): boolean =>
  name !== '' && name === name.trim() && !isNumeral(name) && !/^([-@]|name:)/i.test(name) && !isDangerous(name);
