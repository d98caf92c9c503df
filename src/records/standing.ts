// What a record is for a reader: a lead is converted, archived, or open. One rule for lists, records, reports and --where. Pure.

import type { Standing, StandingWord } from '../resources/define.ts';
import { isMembers, valueAt } from '../values/paths.ts';

/** What a record is: the first word that fits it. Undefined where it lacks a member that would tell. */
export function standingWord({ words }: Standing, record: unknown): StandingWord | undefined {
  for (const word of words) {
    const { path, is } = word;
    if (path === undefined) return word;
    const held = isMembers(record) ? valueAt(record, path) : undefined;
    if (held === undefined) return undefined;
    if (sameWord(held, is ?? '')) return word;
  }
  return undefined;
}

/** Services tell true and false as 1 and 0, too, and words in capitals. */
function sameWord(held: unknown, wanted: string): boolean {
  const text = String(held).toLowerCase();
  return text === wanted || (wanted === 'true' && text === '1');
}
