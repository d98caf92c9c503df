// A value of a record that differs. Previews, the results of writes, the history and diff share this type; output/differences.ts draws it.

export interface Difference {
  /** The name of the flag; where there is none, that of the member. */
  readonly field: string;
  /** As people read them; empty for nothing. */
  readonly old: string;
  readonly new: string;
  /** Said in place of old and new: of a set what comes and what goes, `+hot -cold`. */
  readonly told?: string;
  /** Nobody knows what was there before. */
  readonly isUnread?: true;
  /** The service answered another value than was sent, so that nothing is different. */
  readonly isRefused?: true;
}

/** The members of a difference that a program reads; null for nothing. */
export const plainDifference = ({ field, old, new: now }: Difference) => ({ field: field || null, old: old || null, new: now || null });

/** A difference that is told by its new value alone: `comment "Called"`. */
export const newOnly = (field: string, text: string): Difference => ({ field, old: '', new: text, told: text });

/** A value, or `(empty)` where nothing stands. */
export const orEmpty = (text: string): string => (text.trim() === '' ? '(empty)' : text);

/** How a difference is said: `58750.00 -> 61000.00`, `+hot -cold`, `set to Negotiation`. `shown`: how a value stands in that. */
export function saying({ old, new: now, told, isUnread }: Difference, arrow = '->', shown = (value: string): string => value): string {
  if (told !== undefined) return told;
  const [before, after] = [old, now].map((value) => shown(orEmpty(value)));
  return isUnread ? `set to ${after}` : `${before} ${arrow} ${after}`;
}
