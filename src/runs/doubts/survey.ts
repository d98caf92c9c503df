// What became of records that a run made: there and as the run left them, changed since, somebody else's, or gone. A
// record is the run's own when its id and the second of its creation are those that a list told after it was made.

import { hash } from 'node:crypto';
import type { Api } from '../../api/client.ts';
import { recordsOf } from '../../api/envelope.ts';
import { largestPage } from '../../api/paging.ts';
import { readRecord } from '../../api/read-record.ts';
import { NotFoundError } from '../../errors.ts';
import { familyNamed } from '../../resources/index.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import { isMembers, valueAt } from '../../values/paths.ts';
import type { Run, RunRecord } from '../journal/run.ts';
import { createdOf, creationOrder, idOf, newestPage, recordsListed, timeOf, unlisted, updatedOf } from './newest.ts';

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
export async function* survey(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const { one, record, isListed } of recordsByIds(api, made, signal, (family) => run.uncompared(family) !== undefined)) {
    if (isListed) await learnUncompared(api, run, one, record);
    yield { made: one, standing: standingOf(one, record, run.uncompared(one.family)), ...(record === undefined ? {} : { record }) };
  }
}

/**
 * What a record of the service is to the run that made `one`. Whether it was changed is told by its look, where one was noted; else, and of
 * `uncompared` members, by the time of its last change.
 */
export function standingOf(one: RunRecord, record: unknown, uncompared: readonly string[] = []): Standing {
  if (record === undefined) return 'gone';
  const told = createdOf(record);
  if (!one.sure || timeOf(one.created) === undefined || timeOf(told) === undefined) return 'untold';
  if (isAnother(one.created, told)) return 'other';
  const isTouched = one.updated !== undefined && one.updated !== updatedOf(record);
  if (one.look === undefined) return isTouched ? 'changed' : 'own';
  return one.look === lookOf(record, uncompared) && !(isTouched && uncompared.length > 0) ? 'own' : 'changed';
}

/** Whether what was created at one time is another record than what was created at the other; false where a time isn't told. */
export function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first !== undefined && second !== undefined && Math.floor(first / 1000) !== Math.floor(second / 1000);
}

/** They are compared by themselves. */
const times: ReadonlySet<string> = new Set(['dates.created', 'dates.updated']);

/** How a record looks, as 32 hexadecimal digits: all of it but the times of its creation and last change, and what `uncompared` names. */
export function lookOf(record: unknown, uncompared: readonly string[] = []): string {
  let text = '';
  for (const name of memberNames(record)) {
    if (times.has(name) || uncompared.includes(name)) continue;
    text += `${text === '' ? '' : '\n'}${name}:${sortedText(valueAt(record, name))}`;
  }
  return hash('sha256', text).slice(0, 32);
}

/** The names of a record's members in their order, those of `dates` one by one. */
function memberNames(record: unknown): string[] {
  if (!isMembers(record)) return [];
  const { dates } = record;
  const names = Object.keys(record).filter((name) => name !== 'dates' || !isMembers(dates));
  return (isMembers(dates) ? [...names, ...Object.keys(dates).map((name) => `dates.${name}`)] : names).sort();
}

/** A value as text, whatever the order of its members. It is asked for each record that is made, so it builds no lists. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (!isMembers(value)) return JSON.stringify(value) ?? '';
  let text = '';
  for (const name of Object.keys(value).sort()) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${sortedText(value[name])}`;
  return `{${text}}`;
}

/** The members that a list tells otherwise than a read of the same record: none where that is gone. */
function toldDifferently(listed: unknown, read: unknown): string[] {
  if (read === undefined) return [];
  const names = new Set([...memberNames(listed), ...memberNames(read)]);
  return [...names].filter((name) => sortedText(valueAt(listed, name)) !== sortedText(valueAt(read, name)));
}

/**
 * Notes, of the newest own records, when the service says that they were created, and how they look: one page. `through`: asked before the
 * page is read, gives whether a step is through with its record. Throws what Api.read throws.
 */
export async function stampNewest(api: Api, run: Run, family: string, through?: Through): Promise<void> {
  const resource = familyNamed(family);
  if (resource === undefined) return;
  const isThrough = through?.();
  const page = new Map((await newestPage(api, resource)).map((record) => [scalarText(idOf(record)), record]));
  const all = run.unstamped(family, [...page.keys()], isThrough !== undefined);
  if (all[0] !== undefined) await learnUncompared(api, run, all[0], page.get(scalarText(all[0].id)));
  const uncompared = run.uncompared(family);
  run.stamp(
    all.map(({ step, place, id }) => {
      const record = page.get(scalarText(id));
      return { step, place, created: createdOf(record), look: isThrough?.(step) === false ? undefined : lookOf(record, uncompared) };
    }),
  );
}

/** Gives what tells of the steps as they stand now: whether further ones come for the record of a step. */
type Through = () => (n: number) => boolean;

/** Notes of records when they were created and last changed, and how they look. Throws what Api.read throws. */
export async function stamp(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): Promise<void> {
  for await (const { one, record, isListed } of recordsByIds(api, made, signal)) {
    if (record === undefined) continue;
    if (isListed) await learnUncompared(api, run, one, record);
    const { step, place, family } = one;
    const look = lookOf(record, run.uncompared(family));
    run.stamp([{ step, place, created: createdOf(record), updated: updatedOf(record), look }]);
  }
}

/** Reads one record a family by its id, beside the page that told of it: what the two tell differently doesn't count from then on. */
async function learnUncompared(api: Api, run: Run, { family, id }: Pick<RunRecord, 'family' | 'id'>, listed: unknown): Promise<void> {
  const resource = familyNamed(family);
  if (resource === undefined || run.uncompared(family) !== undefined) return;
  const read = (): Promise<unknown> => recordAt(api, `${resource.path}/${id}`);
  let different = toldDifferently(listed, await read());
  if (different.length > 0) {
    // Somebody may have edited it between the two: what the next two tell alike counts.
    const again = (await newestPage(api, resource)).find((one) => scalarText(idOf(one)) === scalarText(id));
    if (again !== undefined) different = toldDifferently(again, await read()).filter((name) => different.includes(name));
  }
  run.noteUncompared(family, different);
}

/** A page of the list is worth so many records that are read one by one. */
const aPage = 20;

/**
 * Each record beside what has its id now; undefined where nothing has. `isComparable`: a list's record is as good as one that is read, so that
 * its newest pages are read first, as long as that takes fewer requests.
 */
async function* recordsByIds(
  api: Api,
  made: Iterable<RunRecord>,
  signal: AbortSignal,
  isComparable: (family: string) => boolean = () => false,
): AsyncGenerator<{ readonly one: RunRecord; readonly record: unknown; readonly isListed: boolean }> {
  for (const [family, all] of Map.groupBy(made, ({ family }) => family)) {
    const resource = familyNamed(family);
    if (resource === undefined) continue;
    const waiting = new Map(all.filter(({ id }) => id !== undefined).map((one) => [scalarText(one.id), one]));
    const most = isComparable(family) ? Math.ceil(waiting.size / aPage) * largestPage : Number.POSITIVE_INFINITY;
    if (waiting.size > (isComparable(family) ? 1 : mostSingle)) {
      let count = 0;
      const request = { method: 'GET' as const, path: resource.path, query: creationOrder(resource, 'desc') };
      for await (const record of recordsListed(api, request, signal)) {
        count += 1;
        const one = waiting.get(scalarText(idOf(record)));
        if (one !== undefined) {
          waiting.delete(scalarText(one.id));
          yield { one, record, isListed: true };
        }
        if (waiting.size === 0 || count >= most) break;
      }
    }
    // A list may leave out what is there, such as what is archived.
    const rest = [...waiting.values()];
    for (let at = 0; at < rest.length; at += atOnce) {
      signal.throwIfAborted();
      const some = rest.slice(at, at + atOnce);
      const records = await Promise.all(some.map(({ id }) => recordAt(api, `${resource.path}/${id}`)));
      for (const [index, one] of some.entries()) yield { one, record: records[index], isListed: false };
    }
  }
}

/** Whether there is a record of a family with an id. Throws what Api.read throws. */
export const isThere = async (api: Api, family: string, id: Id | undefined): Promise<boolean> =>
  (await recordAt(api, `${familyNamed(family)?.path}/${id}`)) !== undefined;

/**
 * The record at a path; undefined when there is none: it isn't found, the list of its family is, and then it isn't either. Throws
 * UnavailableError where the list isn't found, and what Api.read throws otherwise.
 */
export async function recordAt(api: Api, path: string): Promise<unknown> {
  const found = await recordFound(api, path);
  if (found !== undefined) return found;
  const query = [
    ['limit', '1'],
    ['page', '1'],
  ] as const;
  const list = { method: 'GET' as const, path: path.slice(0, path.lastIndexOf('/')), query };
  const answer = await api.read(list).catch((error: unknown) => {
    throw unlisted(error);
  });
  recordsOf(answer, list);
  return recordFound(api, path);
}

/** The record at a path; undefined where it isn't found. */
export async function recordFound(api: Api, path: string): Promise<unknown> {
  try {
    return await readRecord(api, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
