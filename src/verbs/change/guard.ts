// What must still be true of a record when a request leaves: a condition that selected it, or what somebody was shown of it. Pure.

import { ConflictError } from '../../errors.ts';
import { areAlike } from '../../values/alike.ts';
import { scalarText } from '../../values/json.ts';
import { valueAt } from '../../values/paths.ts';

/** What is different of a record, in words: `source is "Theirs" now`; undefined where all is as it was. */
export type Guard = (record: unknown) => string | undefined;

/** The error for a record of which a guard no longer holds: it is not written. Undefined where all hold. */
export function brokenGuard(guards: readonly Guard[], record: unknown): ConflictError | undefined {
  for (const guard of guards) {
    const what = guard(record);
    if (what !== undefined) return new ConflictError(`Changed meanwhile, so left as it is: ${what}.`);
  }
  return undefined;
}

/** A guard of what somebody was shown: the values at these paths. `text`: how a message tells a value. */
export const asShown =
  (shown: unknown, paths: readonly string[], text: (value: unknown) => string): Guard =>
  (record) => {
    const changed = paths.filter((path) => !areAlike(scalarText(valueAt(shown, path)), scalarText(valueAt(record, path))));
    if (changed.length === 0) return undefined;
    const shownText = (value: unknown): string => text(value).trim() || '(empty)';
    return changed
      .map((path) => `${path} was ${shownText(valueAt(shown, path))}, and is ${shownText(valueAt(record, path))} now`)
      .join('; ');
  };
