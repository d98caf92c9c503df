// What other runs of the same service made: a record that this run looks for is none of theirs.

import { journals } from './folder.ts';
import type { Journal } from './journal.ts';

/**
 * Tells of some ids of a family those that other runs of the journal's service made or found. Runs that ended before
 * this one began claim nothing: what is new to this run can't be theirs, and a service that was reset gives ids anew.
 */
export function claimsElsewhere(folder: string, own: Journal): (family: string, ids: readonly string[]) => ReadonlySet<string> {
  return (family, ids) => {
    const claimed = new Set<string>();
    for (const journal of journals(folder, own.header.service, () => {})) {
      if (journal.path === own.path || journal.lastBegan < own.header.began) continue;
      for (const id of journal.claims(family, ids).keys()) claimed.add(id);
    }
    return claimed;
  };
}
