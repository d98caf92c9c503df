// Rows of changed values carried out as one run, and the question before it.

import { pluralOf, type Resource } from '../../model/define.ts';
import type { Outcome } from '../../output/result.ts';
import { progress } from '../../output/streams/progress.ts';
import { confirm } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { outcomesOfRun, type RunLook } from '../change-run.ts';
import type { RecordWrites } from '../record-change.ts';
import type { ChangeOfRow } from './target.ts';

/**
 * Carries changes out as one run, and yields the outcomes in order. `isPreview`: nothing is sent. Throws the errors of
 * outcomesOfRun.
 */
export function outcomesOfChanges(
  resource: Resource,
  context: Context,
  changes: readonly ChangeOfRow[],
  how: RunLook,
): AsyncGenerator<Outcome> {
  const byOne = new Map(changes.map(({ one, change }) => [one, change]));
  return outcomesOfRun(resource, context, [...byOne.keys()], (one) => byOne.get(one) as RecordWrites, how);
}

/** The most records shown before the question. */
const mostShown = 20;

/**
 * Shows the changes of the records, then asks. Only the first records of a long file are shown. Asks nothing when nothing would change.
 * `question`: of the number of records that would change, as far as they were looked at. Throws UnconfirmedError, and the errors of
 * outcomesOfRun.
 */
export async function agreeTo(
  resource: Resource,
  context: Context,
  changes: readonly ChangeOfRow[],
  question: (records: number) => string,
): Promise<void> {
  const { io, flags } = context;
  const preview = Array.fromAsync(outcomesOfChanges(resource, context, changes.slice(0, mostShown), { isPreview: true }));
  const outcomes = await progress(io, flags).during(`Looking at the ${pluralOf(resource)}`, preview);
  const { isDifferent, writeChanges } = await import('../../output/differences.ts');
  if (changes.length <= mostShown && !outcomes.some(isDifferent)) return;
  await writeChanges(io, outcomes, changes.length);
  // A row that asks for nothing is only read.
  const others = changes.slice(mostShown).filter(({ row }) => row.changes.length > 0);
  await confirm(context, question(outcomes.filter(isDifferent).length + others.length));
}
