// The work of a run, by its journal: in words, and the number of the records that it made.

import { howMany } from '../../base/values/text/wording.ts';
import { familyNamed } from '../../model/resources/index.ts';
import { changeVerb, type Run, type Tally } from '../../runs/journal/run.ts';

/**
 * A run's work in words: `399 leads changed, 3 leads unchanged, 1 failed, 60 not sent`. The journal's counts, by state and word:
 *
 * | state | word | text |
 * | --- | --- | --- |
 * | done | `changed` | `399 leads changed`; of an undo `put back`, of a merge `merged` |
 * | done | another | `3 leads unchanged` |
 * | failed | any: a conflict | `1 left out` |
 * | failed | none | `1 failed`; as many as --skip-invalid left out count as left out |
 * | sent | | `1 of unknown outcome` |
 * | not begun | | `60 not sent`, unless the run has ended |
 *
 * `isTroubleFirst`: what is not done comes first, for a column that may be cut.
 */
export function doneText(run: Run, isTroubleFirst = false): string {
  const tallies = run.tally();
  const changed = run.header.kind === 'undo' ? 'put back' : changeVerb(run.header) === 'merge' ? 'merged' : 'changed';
  const done = tallies
    .filter(({ state }) => state === 'done')
    .map(({ family, did, count }) => {
      const { singular = family, name = undefined } = familyNamed(family) ?? {};
      return `${howMany(count, singular, name)} ${did === 'changed' ? changed : did}`;
    });
  const sum = (some: readonly Tally[]): number => some.reduce((total, { count }) => total + count, 0);
  const conflicts = sum(tallies.filter(({ state, did }) => state === 'failed' && did !== undefined));
  const notDone = sum(tallies.filter(({ state, did }) => state === 'failed' && did === undefined));
  // An import notes the rows that --skip-invalid left out.
  const leftOut = Math.min(Number(run.details.left_out ?? 0), notDone);
  const failed = notDone - leftOut;
  const unknown = sum(tallies.filter(({ state }) => state === 'sent'));
  const open = run.ended === undefined ? notSent(run, tallies) : 0;
  const others = [
    conflicts + leftOut > 0 ? `${conflicts + leftOut} left out` : '',
    failed > 0 ? `${failed} failed` : '',
    unknown > 0 ? `${unknown} of unknown outcome` : '',
    open > 0 ? `${open} not sent` : '',
  ].filter(Boolean);
  return (isTroubleFirst ? [...others.toReversed(), ...done] : [...done, ...others]).join(', ') || 'nothing';
}

/** The work of single writes in words: `9 changed, 3 created`. */
export function doneTogether(runs: readonly Run[]): string {
  const all = Map.groupBy(
    runs.flatMap((run) => run.tally()),
    ({ did }) => did,
  );
  return [...all].map(([did, tallies]) => `${tallies.length} ${did}`).join(', ');
}

/** The number of steps that were not sent. For a seed, only prepared steps are known. */
function notSent(run: Run, tallies: readonly Tally[]): number {
  const { total } = run.details;
  if (total === undefined) return tallies.find(({ state }) => state === 'intended')?.count ?? 0;
  const { done, failed, lost } = run.counts('steps');
  return Math.max(0, Number(total) - done - failed - lost);
}

/** The number of records that the run made and that stand, by its journal. Clients of conversions don't count. `withGone`: as in `Run.records`. */
export function ownCount(run: Run, { withGone = false } = {}): number {
  let count = 0;
  for (const { own, family } of run.records({ withGone })) if (own && family !== 'client') count += 1;
  return count;
}

/** True when records of the run may exist. */
export const isLive = (run: Run): boolean => ownCount(run) > 0 || run.counts().lost > 0;
