// Guards: conditions that a record must still meet when a write is sent. Pure.

import { ConflictError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import { valueAt } from '../../base/values/paths.ts';
import { isSameText } from '../../base/values/text/same-text.ts';

/**
 * Tells how a record differs, by the names of its values: `source is Theirs now`. Empty when the guard holds. An error, when the difference
 * has a sentence of its own.
 */
export type Guard = (record: unknown) => Readonly<Record<string, string>> | ConflictError;

/** The error for a record that a guard protects from the write. Names each value once. Undefined when all guards hold. */
export function brokenGuard(guards: readonly Guard[], record: unknown): ConflictError | undefined {
  const different = new Map<string, string>();
  for (const guard of guards) {
    const differences = guard(record);
    if (differences instanceof ConflictError) return differences;
    for (const [name, text] of Object.entries(differences)) if (!different.has(name)) different.set(name, text);
  }
  if (different.size === 0) return undefined;
  return new ConflictError(`Changed meanwhile, so left as it is: ${[...different.values()].join('; ')}.`);
}

/** The guard that holds while the record has the same values at `paths` as the shown record. `text` gives a value as text for messages. */
export const asShown =
  (shown: unknown, paths: readonly string[], text: (value: unknown) => string): Guard =>
  (record) => {
    const changed = paths.filter((path) => !isSameText(scalarText(valueAt(shown, path)), scalarText(valueAt(record, path))));
    const shownText = (value: unknown): string => text(value).trim() || '(empty)';
    return Object.fromEntries(
      changed.map((path) => [path, `${path} was ${shownText(valueAt(shown, path))}, and is ${shownText(valueAt(record, path))} now`]),
    );
  };
