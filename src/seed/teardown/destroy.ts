// `crm seed destroy`: deletes the records of a run, newest first. An interrupted destroy can be run again.

import { ConflictError, InterruptedError, NotFoundError, PartialError, UnconfirmedError, withHints } from '../../base/errors.ts';
import { crmWith } from '../../base/values/text/shell-word.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { allGone, type Destroyed } from '../../changes/undo/rows.ts';
import { singularOf } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { isLive, ownCount } from '../../reading/history/done-text.ts';
import type { Run } from '../../runs/journal/run.ts';
import type { Pace } from '../../runs/service.ts';
import { confirm } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { withEngine } from '../../session/engine.ts';
import { seededShape, seedRun } from '../run.ts';
import { destroyRecords, remaining } from './deletion.ts';

/**
 * Deletes the records of a run after a question. `keepChanged`: leaves changed records; `withComments`: deletes comments of others with
 * their lead. Throws NotFoundError for an unknown run.
 */
export async function destroyRun(
  context: Context,
  request: { readonly title: string; readonly pace: Pace; readonly keepChanged: boolean; readonly withComments?: boolean },
): Promise<Result> {
  const { title, pace, keepChanged, withComments } = request;
  const { baseUrl } = await context.settings();
  return withEngine(context, { title: `the end of run "${title}"`, creates: true, pace }, async (engine) => {
    const begun = seedRun(engine.journal, title);
    if (begun === undefined) throw new NotFoundError(`There is no run "${title}" at ${baseUrl}.`, { hint: 'See them all: crm history' });
    if (!isLive(begun) && ownCount(begun, { withGone: true }) === 0)
      return { kind: 'rows', data: [], shape: seededShape, notice: `Nothing of run "${title}" is left to delete.` };
    const run = engine.goOn(begun);
    try {
      const destroyed = await destroyRecords(context, run, engine, {
        keepChanged,
        withComments,
        confirmed: async (count, changed) => {
          const were = `${howMany(changed, 'record')} of run "${title}" ${changed === 1 ? 'was' : 'were'} changed since`;
          if (changed > 0 && context.flags.yes)
            await notice(context.io, context.flags, `${were}; --keep-changed leaves such records.`, 'warning');
          const since = changed === 0 ? '' : ` (${changed} of them changed since; --keep-changed keeps them)`;
          await confirm(context, `Delete the ${howMany(count, 'record')} that run "${title}" created${since}? This can't be undone.`);
        },
      });
      if (context.flags.dryRun) return { kind: 'text', notice: 'Nothing would be sent.' };
      return destroyResult(context, title, destroyed);
    } catch (error) {
      throw unfinished(context, title, run, error);
    }
  });
}

function destroyResult({ flags }: Context, title: string, destroyed: Destroyed): Result {
  const { records, replaced, stays } = destroyed;
  const countEnd = (end: string): number => records.filter(({ outcome, since }) => outcome === end || since === end).length;
  const isAllGone = records.length > 0 && countEnd('gone') === records.length;
  const beside = [
    countEnd('gone') > 0 ? `${countEnd('gone')} gone already` : '',
    countEnd('kept') > 0 ? `${countEnd('kept')} left alone` : '',
  ];
  const sentences = [
    `Run "${title}": ${[`${countEnd('deleted')} deleted`, ...beside.filter(Boolean)].join(', ')}.`,
    isAllGone ? allGone : '',
    countEnd('other') > 0 ? 'Ids of the run belong to other records now; the other records were left alone.' : '',
    countEnd('changed') > 0 ? `${howMany(countEnd('changed'), 'was', 'were')} changed since, and kept.` : '',
    replaced.length > 0
      ? `Former account owners stay replaced. To make them owners again: ${replaced.map((id) => `${crmWith(flags.profile)} contacts account-owner ${id}`).join(', ')}.`
      : '',
    stays.length > 0 ? `A conversion can't be undone over the interface, so this stays: ${[...new Set(stays)].join(', ')}.` : '',
  ];
  const data = records.map(({ name, family, id, outcome }) => ({
    name,
    type: singularOf(family),
    id,
    state: outcome === 'kept' ? 'left' : outcome,
  }));
  const result = { kind: 'rows' as const, data, shape: seededShape, notice: sentences.filter(Boolean).join(' ') };
  const [rest, failed] = [remaining(destroyed), countEnd('failed')];
  if (rest.length === 0) return result;
  const crm = crmWith(flags.profile);
  const again = `${crm} seed destroy --run ${title}`;
  const problem = new PartialError(`${howMany(rest.length, 'record')} ${failed > 0 ? 'could' : 'can'} not be deleted.`, {
    fields: rest.map(({ name, why = '' }) => ({ name, messages: [why] })),
    hint: [
      failed > 0 ? `Try again: ${again}` : '',
      rest.length > failed
        ? `Delete the records of the run by hand, then: ${again}\nIf no such record is the run's, forget the run: ${crm} history forget ${title}`
        : '',
    ]
      .filter(Boolean)
      .join('\n'),
  });
  return { ...result, problem };
}

function unfinished({ signal, flags }: Context, title: string, run: Run, error: unknown): unknown {
  if (!isLive(run) || error instanceof UnconfirmedError || error instanceof ConflictError) return error;
  const count = ownCount(run);
  const note = `${howMany(count, 'record is', 'records are')} to go.`;
  const hint = `Go on with: ${crmWith(flags.profile)} seed destroy --run ${title}`;
  if (signal.aborted) return InterruptedError.by(signal.reason, { note, hint });
  return withHints(error, [note, hint]);
}
