// What became of records that a run made: there and as the run left them, changed since, somebody else's, or gone. A
// record is the run's own when its id and the second of its creation are those that a list told after it was made.

import type { Api } from '../api/client.ts';
import { allRecords } from '../api/paging.ts';
import { readRecord } from '../api/read-record.ts';
import { NotFoundError } from '../errors.ts';
import { familyNamed } from '../resources/index.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { createdOf, idOf, newestPage, timeOf, updatedOf } from './newest.ts';
import type { Run, RunRecord } from './run.ts';

/** `other`: what has the id is not the run's. `untold`: nobody can tell, because no list has told when it was created. */
export type Standing = 'own' | 'changed' | 'other' | 'untold' | 'gone';

export interface Surveyed {
  readonly made: RunRecord;
  readonly standing: Standing;
  /** What has the id now; undefined for what is gone. */
  readonly record?: unknown;
}

/** So many records of a family are read one by one; for more, its list is read. */
const mostSingle = 100;
/** How many are read at once; the limiter behind the client may allow fewer. */
const atOnce = 8;

/** Says of each record what became of it, family by family. Throws what Api.read throws. */
export async function* survey(api: Api, made: Iterable<RunRecord>, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const { one, record } of recordsByIds(api, made, signal)) {
    yield { made: one, standing: standingOf(one, record), ...(record === undefined ? {} : { record }) };
  }
}

/** What a record of the service is to the run that made `one`. */
function standingOf(one: RunRecord, record: unknown): Standing {
  if (record === undefined) return 'gone';
  const [noted, told] = [timeOf(one.created), timeOf(createdOf(record))];
  if (!one.sure || noted === undefined || told === undefined) return 'untold';
  if (Math.floor(noted / 1000) !== Math.floor(told / 1000)) return 'other';
  return one.updated === undefined || one.updated === updatedOf(record) ? 'own' : 'changed';
}

/** Notes, of the newest own records, when the service says that they were created: one page. Throws what Api.read throws. */
export async function stampNewest(api: Api, run: Run, family: string): Promise<void> {
  const resource = familyNamed(family);
  if (resource === undefined) return;
  const page = new Map((await newestPage(api, resource)).map((record) => [scalarText(idOf(record)), record]));
  for (const made of run.unstamped(family, [...page.keys()])) {
    run.stamp(made, createdOf(page.get(scalarText(made.id))), undefined);
  }
}

/** Notes of records when they were created and last changed. Throws what Api.read throws. */
export async function stamp(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): Promise<void> {
  for await (const { one, record } of recordsByIds(api, made, signal)) {
    if (record !== undefined) run.stamp(one, createdOf(record), updatedOf(record));
  }
}

/** Each record beside what has its id now; undefined where nothing has. */
async function* recordsByIds(
  api: Api,
  made: Iterable<RunRecord>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly one: RunRecord; readonly record: unknown }> {
  for (const [family, all] of Map.groupBy(made, ({ family }) => family)) {
    const resource = familyNamed(family);
    if (resource === undefined) continue;
    const waiting = new Map(all.filter(({ id }) => id !== undefined).map((one) => [scalarText(one.id), one]));
    if (waiting.size > mostSingle) {
      for await (const record of allRecords(api, { method: 'GET', path: resource.path }, signal)) {
        const id = scalarText(idOf(record));
        const one = waiting.get(id);
        if (one === undefined) continue;
        waiting.delete(id);
        yield { one, record };
      }
    }
    // A list may leave out what is there, such as what is archived.
    const rest = [...waiting.values()];
    for (let at = 0; at < rest.length; at += atOnce) {
      signal.throwIfAborted();
      const some = rest.slice(at, at + atOnce);
      const records = await Promise.all(some.map(({ id }) => recordAt(api, `${resource.path}/${id}`)));
      for (const [index, one] of some.entries()) yield { one, record: records[index] };
    }
  }
}

/** Whether there is a record of a family with an id. Throws what Api.read throws. */
export const isThere = async (api: Api, family: string, id: Id | undefined): Promise<boolean> =>
  (await recordAt(api, `${familyNamed(family)?.path}/${id}`)) !== undefined;

/** The record at a path; undefined when there is none. Throws what Api.read throws otherwise. */
export async function recordAt(api: Api, path: string): Promise<unknown> {
  try {
    return await readRecord(api, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
