// `crm <family> delete ID…`: one question, then one DELETE for each record. The journal keeps the records, unless --forget is given.

import { CrmError } from '../base/errors.ts';
import type { Flag, FlagValues, Input } from '../base/flag.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { howMany } from '../base/values/text/wording.ts';
import type { Resource } from '../model/define.ts';
import type { Result } from '../output/result.ts';
import { subjectOf, titleIn } from '../output/subject.ts';
import type { SelectionFlags } from '../reading/flags.ts';
import { type Chosen, choose, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { changeEach, isWatched } from './change-each.ts';
import { keepingText, keptOf } from './kept-record.ts';
import { confirmChange } from './question.ts';

export const forgetFlag = {
  name: 'forget',
  help: 'Keep nothing of the records in the journal, and name the runs that still hold values of theirs',
} as const satisfies Flag;
type DeleteFlags = SelectionFlags & FlagValues<readonly [typeof forgetFlag]>;

/** Deletes records. A failure does not stop the rest. A record that changed since it was shown is not deleted. */
export async function deleteRecords(resource: Resource, outer: Context, input: Input<DeleteFlags>): Promise<Result> {
  const { forget = false } = input.flags;
  const selection = selectionOf(resource, input, { areIds: true });
  // With --forget the journal keeps no condition, in which a person's email may stand.
  const context: Context = forget ? { ...outer, argv: [resource.name, 'delete', '--forget'] } : outer;
  const isKept = !forget && (selection.kind !== 'one' || isWatched(context));
  const chosen = await choose(resource, context, selection);
  const confirmed = await confirmChange(resource, context, selection, chosen, {
    says: (records) => `Delete ${records}`,
    isFinal: true,
    isDelete: true,
    ...(isKept ? { note: keepingText(true) } : {}),
  });
  const { yes, dryRun } = context.flags;
  // Said only if a record was read, and so kept.
  const kept = isKept && yes && !dryRun ? keepingText(true) : undefined;
  if (forget && !dryRun) await tellHolding(resource, context, chosen);
  return changeEach(
    resource,
    context,
    { selection, chosen: confirmed },
    {
      kind: 'delete',
      reads: 'watched',
      write: () => ({ method: 'DELETE' }),
      holds: () => false,
      tells: () => undefined,
      valuesIn: (record) => record,
      keeps: (record) => {
        if (kept !== undefined && !context.afterwards.includes(kept)) context.afterwards.push(kept);
        return forget ? undefined : keptOf(resource, record);
      },
      effect: ({ id, record }, before) => ({
        subject: subjectOf(resource.singular, id),
        done: 'deleted',
        ...titleIn(resource, record, before),
      }),
    },
  );
}

/** Names the runs that hold values of the records, and the commands that overwrite these values. Without a readable journal: no runs. */
async function tellHolding(resource: Resource, context: Context, chosen: readonly Chosen[]): Promise<void> {
  const { afterwards, flags } = context;
  const ids = chosen.map(({ id }) => id);
  const { withJournal } = await import('../session/engine.ts');
  const runs = await withJournal(context, (journal) => journal?.holding(resource.name, ids) ?? []).catch((error: unknown) => {
    if (error instanceof CrmError) return [];
    throw error;
  });
  const crm = crmWith(flags.profile);
  const whose = ids.length === 1 ? `${resource.singular} ${ids[0]}` : 'these records';
  const them = runs.length === 1 ? 'the run' : 'the runs';
  if (runs.length > 0)
    afterwards.push(
      `${howMany(runs.length, 'run still holds', 'runs still hold')} values of ${whose}. This overwrites all values of ${them}, ` +
        `which can't be undone any more: ${crm} history forget ${runs.join(' ')}`,
    );
  const { profile } = await context.settings();
  if (profile !== undefined) afterwards.push(`Remembered names and titles are erased by: ${crm} names --forget`);
}
