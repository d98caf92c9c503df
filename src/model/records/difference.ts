// A difference in one value of a record, and its words. Previews, the results of writes, the history and diff share the type;
// output/differences.ts draws differences.

export interface Difference {
  /** The flag's name; for a value without a flag, the member's path. */
  readonly field: string;
  /** The value before, as tables show values. Empty for no value. */
  readonly old: string;
  /** The value after, in the same form. */
  readonly new: string;
  /** The words that replace old and new. For a set, the elements that come and go: `+hot -cold`. */
  readonly told?: string;
  /** The value before is unknown. */
  readonly isUnread?: true;
}

/** A difference as JSON output has it; null for an empty text. */
export const plainDifference = ({ field, old, new: now }: Difference) => ({ field: field || null, old: old || null, new: now || null });

/** A difference without a value before, in the words of its new value: `comment "Called"`. */
export const newOnly = (field: string, text: string): Difference => ({ field, old: '', new: text, told: text });

/** The text, or `(empty)` for a text of blanks. */
export const orEmpty = (text: string): string => (text.trim() === '' ? '(empty)' : text);

/** A difference in words: `58750.00 -> 61000.00`, `+hot -cold`, `set to Negotiation`. `shown` formats each value. */
export function saying({ old, new: now, told, isUnread }: Difference, arrow = '->', shown = (value: string): string => value): string {
  if (told !== undefined) return told;
  const [before, after] = [old, now].map((value) => shown(orEmpty(value)));
  return isUnread ? `set to ${after}` : `${before} ${arrow} ${after}`;
}
