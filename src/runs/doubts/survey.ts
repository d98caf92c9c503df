// Compares the records of a run with the service: unchanged, changed since, another record's id, or gone. A record is the run's own when
// its id and the second of its creation are those that a list told.

import { hash } from 'node:crypto';
import { NotFoundError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import type { Api } from '../../client/client.ts';
import { recordsOf } from '../../client/envelope.ts';
import { largestPage } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { Run, RunRecord } from '../journal/run.ts';
import { createdOf, creationOrder, idOf, newestPage, recordsListed, timeOf, unlisted, updatedOf } from './newest.ts';

/** `other`: the id now belongs to another record. `untold`: unknown, because no list has told the time of creation. */
export type Standing = 'own' | 'changed' | 'other' | 'untold' | 'gone';

export interface Surveyed {
  readonly made: RunRecord;
  readonly standing: Standing;
  /** The record with the id now; undefined when gone. */
  readonly record?: unknown;
}

/** The most records of a family that are read singly. For more, the list is read. */
const mostSingle = 100;
/** The reads at once. The client's limiter may allow fewer. */
const atOnce = 8;

/** The standing of each record, family by family. Throws the errors of Api.read. */
export async function* survey(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): AsyncGenerator<Surveyed> {
  for await (const { one, record, isListed } of recordsByIds(api, made, signal, (family) => run.uncompared(family) !== undefined)) {
    if (isListed) await learnUncompared(api, run, one, record);
    yield { made: one, standing: standingOf(one, record, run.uncompared(one.family)), ...(record === undefined ? {} : { record }) };
  }
}

/**
 * The standing of a record of the service for the run that made `one`. A change shows in the look, when one was noted. Otherwise, and
 * for `uncompared` members, the time of the last change decides.
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

/** True when two times of creation belong to different records. False when a time is missing. */
export function isAnother(one: string | undefined, other: string | undefined): boolean {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first !== undefined && second !== undefined && Math.floor(first / 1000) !== Math.floor(second / 1000);
}

/** The times, which are compared separately. */
const times: ReadonlySet<string> = new Set(['dates.created', 'dates.updated']);

/**
 * The look of a record, a hash of 32 hexadecimal digits. Leaves out the times of creation and last change, and the `uncompared` members.
 */
export function lookOf(record: unknown, uncompared: readonly string[] = []): string {
  let text = '';
  for (const name of memberNames(record)) {
    if (times.has(name) || uncompared.includes(name)) continue;
    text += `${text === '' ? '' : '\n'}${name}:${sortedText(valueAt(record, name))}`;
  }
  return hash('sha256', text).slice(0, 32);
}

/** The names of a record's members in their order, with those of `dates` singly. */
function memberNames(record: unknown): string[] {
  if (!isMembers(record)) return [];
  const { dates } = record;
  const names = Object.keys(record).filter((name) => name !== 'dates' || !isMembers(dates));
  return (isMembers(dates) ? [...names, ...Object.keys(dates).map((name) => `dates.${name}`)] : names).sort();
}

/** A value as text, in the same order of members each time. Called for each created record, so it builds no lists. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  if (!isMembers(value)) return JSON.stringify(value) ?? '';
  let text = '';
  for (const name of Object.keys(value).sort()) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${sortedText(value[name])}`;
  return `{${text}}`;
}

/** The members that a list and a read of the same record show differently; none when the record is gone. */
function toldDifferently(listed: unknown, read: unknown): string[] {
  if (read === undefined) return [];
  const names = new Set([...memberNames(listed), ...memberNames(read)]);
  return [...names].filter((name) => sortedText(valueAt(listed, name)) !== sortedText(valueAt(read, name)));
}

/**
 * Notes times of creation and looks of the newest own records, from a page of their list. `through` is called before the page is read,
 * and tells whether a step is finished with its record. Throws the errors of Api.read.
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

/** Returns a function that is true when no further write follows to the record of a step. */
type Through = () => (n: number) => boolean;

/** Notes times of creation and last change, and looks. Throws the errors of Api.read. */
export async function stamp(api: Api, run: Run, made: Iterable<RunRecord>, signal: AbortSignal): Promise<void> {
  for await (const { one, record, isListed } of recordsByIds(api, made, signal)) {
    if (record === undefined) continue;
    if (isListed) await learnUncompared(api, run, one, record);
    const { step, place, family } = one;
    const look = lookOf(record, run.uncompared(family));
    run.stamp([{ step, place, created: createdOf(record), updated: updatedOf(record), look }]);
  }
}

/** Reads a record of each family by its id, and compares it with the list. Members that differ are not compared from then on. */
async function learnUncompared(api: Api, run: Run, { family, id }: Pick<RunRecord, 'family' | 'id'>, listed: unknown): Promise<void> {
  const resource = familyNamed(family);
  if (resource === undefined || run.uncompared(family) !== undefined) return;
  const read = (): Promise<unknown> => recordAt(api, `${resource.path}/${id}`);
  let different = toldDifferently(listed, await read());
  if (different.length > 0) {
    // The record may have been edited between the two reads, so the list is read again.
    const again = (await newestPage(api, resource)).find((one) => scalarText(idOf(one)) === scalarText(id));
    if (again !== undefined) different = toldDifferently(again, await read()).filter((name) => different.includes(name));
  }
  run.noteUncompared(family, different);
}

/** The single reads that a page of the list replaces. */
const aPage = 20;

/**
 * Each record with the record that has its id now; undefined when there is none. `isComparable`: a list's record is as good as a single
 * read, so the newest pages are read first, while that takes fewer requests.
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
    // A list may leave records out, such as archived ones.
    const rest = [...waiting.values()];
    for (let at = 0; at < rest.length; at += atOnce) {
      signal.throwIfAborted();
      const some = rest.slice(at, at + atOnce);
      const records = await Promise.all(some.map(({ id }) => recordAt(api, `${resource.path}/${id}`)));
      for (const [index, one] of some.entries()) yield { one, record: records[index], isListed: false };
    }
  }
}

/** True when a family has a record with this id. Throws the errors of Api.read. */
export const isThere = async (api: Api, family: string, id: Id | undefined): Promise<boolean> =>
  (await recordAt(api, `${familyNamed(family)?.path}/${id}`)) !== undefined;

/**
 * The record at a path. Undefined when neither the record is found, nor again after its list was found. Throws UnavailableError when the
 * list isn't found, and the errors of Api.read.
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

/** The record at a path; undefined when it isn't found. */
export async function recordFound(api: Api, path: string): Promise<unknown> {
  try {
    return await readRecord(api, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
