// What became of a run's records in the service, and whether this key sees anything of them.

import type { Api } from '../api/client.ts';
import type { Context } from '../context.ts';
import { ConflictError } from '../errors.ts';
import { familyNamed } from '../resources/index.ts';
import { Fitting } from '../runs/fit.ts';
import { createdOf, isNew, updatedOf } from '../runs/newest.ts';
import type { Run, RunRecord } from '../runs/run.ts';
import { lookOf, type Surveyed, survey } from '../runs/survey.ts';
import { isLive } from './run.ts';

/**
 * What became of records of a run. One that no list has told of yet is the run's where nothing that it was sent with says otherwise. How it
 * looks is noted only where it tells itself that it was never changed.
 */
export async function* surveyRun(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const one of survey(api, run, made, signal)) {
    const isFound = one.standing === 'untold' && isAsSent(run, one);
    if (!isFound && !isUnread(run, one)) {
      yield one;
      continue;
    }
    const { record } = one;
    const [created, updated] = [createdOf(record), updatedOf(record)];
    const look = updated !== undefined && updated === created ? lookOf(record, run.uncompared(one.made.family)) : undefined;
    const { step, place } = one.made;
    if (isFound || look !== undefined) run.stamp([{ step, place, created, ...(look === undefined ? {} : { updated, look }) }]);
    yield { ...one, made: look === undefined ? one.made : { ...one.made, look }, standing: 'own' };
  }
}

/** Whether a record of an import was noted, and never looked at. */
const isUnread = (run: Run, { made, standing }: Surveyed): boolean =>
  standing === 'own' && made.look === undefined && made.updated === undefined && run.header.kind !== 'seed';

/** Whether a record has the id that an answer told, came about since the run began, and says what was sent. */
function isAsSent(run: Run, { made, record }: Surveyed): boolean {
  const resource = familyNamed(made.family);
  const [body, baseline] = [run.bodyOf(made.step), run.baseline(made.family)];
  if (resource === undefined || body === undefined || baseline === undefined || !made.sure || made.place > 0) return false;
  return createdOf(record) !== undefined && isNew(record, baseline) && new Fitting(resource, []).isAlike(record, body);
}

/**
 * Lets a live run be gone on with by the profile that began it, and by another one that sees something of it: one address
 * may keep the data of several keys apart. Throws ConflictError otherwise.
 */
export async function refuseOtherProfile(context: Context, api: Api, title: string, run: Run): Promise<void> {
  const { profile = null } = await context.settings();
  const before = run.details.profile ?? null;
  if (!isLive(run) || before === profile) return;
  const own = [...run.records()].filter((made) => made.own);
  for await (const { standing } of surveyRun(api, run, own, context.signal)) {
    if (standing === 'own' || standing === 'changed') return;
  }
  const began = before === null ? 'without a profile' : `with profile "${before}"`;
  throw new ConflictError(
    `Run "${title}" was applied ${began}, and ${profile === null ? 'this key' : `profile "${profile}"`} sees nothing of it.`,
    {
      hint:
        before === null
          ? 'Use the key that it was applied with, or give another --run.'
          : `Use --profile ${before}, or give another --run.`,
    },
  );
}
