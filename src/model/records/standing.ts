// The standing of a record: a lead is converted, archived or open. Lists, records, reports and --where share this rule. Pure.

import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Standing, StandingWord } from '../define.ts';

/** The first standing word that fits a record. Undefined when the record lacks a member that is asked before a word fits. */
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

/** Some services send 1 and 0 for true and false, or words in capitals. */
function sameWord(held: unknown, wanted: string): boolean {
  const text = String(held).toLowerCase();
  return text === wanted || (wanted === 'true' && text === '1');
}
