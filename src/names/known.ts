// What is known of names: a small file per profile, `names/<profile>.json` in the data folder, gathered from records that
// commands read anyway. It serves what no list can be asked for, and completion on Tab. It is a memory, never the truth:
// a file that is broken, or another service's, is begun anew.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError } from '../errors.ts';
import { makeFolder, makeOwnFile, replaceOwnFile } from '../files/make-folder.ts';
import type { Word } from '../resources/named.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, type Members } from '../values/paths.ts';
import type { Named } from '../values/value-type.ts';

/** A word that records hold, and the names below. */
export interface KnownWord {
  readonly name: string;
  /** The most records that one command saw it in; after `crm names --refresh`, those that it read. */
  readonly records: number;
  /** The last day on which it was seen, `YYYY-MM-DD`. */
  readonly seen: string;
}

export interface KnownName extends KnownWord {
  readonly id: Id;
}

/** What a record is called; cut where it is long. */
export interface KnownTitle {
  readonly id: Id;
  readonly title: string;
}

/**
 * What the file holds, beside `version` (1) and `baseUrl`, the normalised base URL of the service that it is about:
 *
 *     { "version": 1, "baseUrl": "https://crm.example",
 *       "names": { "lead-status": [{ "id": 5, "name": "Negotiation", "records": 3, "seen": "2026-11-21" }] },
 *       "words": { "tags": [{ "name": "hot", "records": 7, "seen": "2026-11-21" }] },
 *       "titles": { "leads": [{ "id": 33, "title": "Third-party warehouse" }] } }
 */
export interface Known {
  /** By kind, the latest seen first. */
  readonly names: { readonly [kind in Named]?: readonly KnownName[] };
  readonly words: { readonly [kind in Word]?: readonly KnownWord[] };
  /** By family, the latest seen last. */
  readonly titles: { readonly [family in string]?: readonly KnownTitle[] };
}

/** More of a kind are not remembered. */
export const mostNames = 500;
export const mostTitles = 200;

const version = 1;
const nothing: Known = { names: {}, words: {}, titles: {} };

/** The file of a profile. */
export const knownPath = (dataDir: string, profile: string): string => join(knownFolder(dataDir), `${profile}.json`);

const knownFolder = (dataDir: string): string => join(dataDir, 'names');

/** What is known of a service: nothing where there is no file, a broken one, or that of another base URL. */
export function readKnown(path: string, baseUrl: string): Known {
  const document = documentAt(path);
  if (document === undefined || document.baseUrl !== baseUrl) return nothing;
  return {
    names: listsIn(document.names, nameIn),
    words: listsIn(document.words, (one) => (isWord(one) ? [wordOf(one)] : [])),
    titles: listsIn(document.titles, titleIn),
  };
}

/** The names of one kind out of what readKnown reads; the other lists aren't checked, for on a Tab every millisecond counts. */
export const readNames = (path: string, baseUrl: string, kind: Named): readonly KnownName[] =>
  listIn(memberOf(documentAt(path), baseUrl, 'names', kind), nameIn);

/** The titles of one family, like `readNames`. */
export const readTitles = (path: string, baseUrl: string, family: string): readonly KnownTitle[] =>
  listIn(memberOf(documentAt(path), baseUrl, 'titles', family), titleIn);

function memberOf(document: Members | undefined, baseUrl: string, part: string, name: string): unknown {
  const lists = document?.baseUrl === baseUrl ? document[part] : undefined;
  return isMembers(lists) && Object.hasOwn(lists, name) ? lists[name] : undefined;
}

function documentAt(path: string): Members | undefined {
  try {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isMembers(document) && document.version === version ? document : undefined;
  } catch {
    return undefined;
  }
}

function listsIn<T>(value: unknown, read: (element: Members) => T[]): Record<string, T[]> {
  const lists = Object.entries(isMembers(value) ? value : {});
  return Object.fromEntries(lists.map(([kind, list]) => [kind, listIn(list, read)]));
}

const listIn = <T>(list: unknown, read: (element: Members) => T[]): T[] =>
  (Array.isArray(list) ? list : []).flatMap((one: unknown) => (isMembers(one) ? read(one) : []));

const nameIn = (one: Members): KnownName[] => (isId(one.id) && isWord(one) ? [{ id: one.id, ...wordOf(one) }] : []);

const titleIn = ({ id, title }: Members): KnownTitle[] => (isId(id) && typeof title === 'string' ? [{ id, title }] : []);

const isId = (id: unknown): id is Id => Number.isSafeInteger(id) || (typeof id === 'string' && /^\d+$/.test(id));

const isWord = (one: Members): one is Members & KnownWord =>
  typeof one.name === 'string' && typeof one.records === 'number' && typeof one.seen === 'string';

const wordOf = ({ name, records, seen }: KnownWord): KnownWord => ({ name, records, seen });

/**
 * What is known with what was seen now; undefined when that is nothing new. `recount`: what was seen now is all that counts, and of these
 * words, whose every record was read, all that there is.
 */
export function withSeen(known: Known, seen: Known, recount?: readonly Word[]): Known | undefined {
  const byId = ({ id }: { readonly id: Id }): string => String(id);
  const counts = recount !== undefined;
  const names = mergedLists(known.names, seen.names, (before, now) => mergedWords<KnownName>(before, now, byId, counts));
  const seenWords = { ...seen.words, ...Object.fromEntries((recount ?? []).map((kind) => [kind, seen.words[kind] ?? []])) };
  const words = mergedLists(known.words, seenWords, (before, now, kind) => {
    const isAll = recount?.some((one) => one === kind) === true;
    const left = isAll ? before.filter(({ name }) => now.some((one) => one.name === name)) : before;
    return mergedWords(left, now, ({ name }) => name, counts) ?? (left.length < before.length ? left : undefined);
  });
  const titles = mergedLists(known.titles, seen.titles, mergedTitles);
  return names === undefined && words === undefined && titles === undefined
    ? undefined
    : { names: names ?? known.names, words: words ?? known.words, titles: titles ?? known.titles };
}

type Lists<T> = { readonly [kind in string]?: readonly T[] };

/** The lists of each kind, merged; undefined when none changed. */
function mergedLists<T>(
  known: Lists<T>,
  seen: Lists<T>,
  merge: (known: readonly T[], seen: readonly T[], kind: string) => readonly T[] | undefined,
): Lists<T> | undefined {
  const changed = Object.entries(seen).flatMap(([kind, now = []]) => {
    const merged = merge(known[kind] ?? [], now, kind);
    return merged === undefined ? [] : [[kind, merged] as const];
  });
  return changed.length === 0 ? undefined : { ...known, ...Object.fromEntries(changed) };
}

function mergedWords<T extends KnownWord>(
  known: readonly T[],
  seen: readonly T[],
  keyOf: (one: T) => string,
  recount: boolean,
): readonly T[] | undefined {
  const all = new Map(known.map((one) => [keyOf(one), one]));
  let isNew = false;
  for (const one of seen) {
    const before = all.get(keyOf(one));
    const isSame = before !== undefined && before.name === one.name;
    const records = isSame && !recount ? Math.max(before.records, one.records) : one.records;
    if (isSame && before.records === records && before.seen >= one.seen) continue;
    all.set(keyOf(one), { ...one, records });
    isNew = true;
  }
  if (!isNew) return undefined;
  const latestFirst = (a: T, b: T): number => (a.seen === b.seen ? b.records - a.records : a.seen < b.seen ? 1 : -1);
  return [...all.values()].sort(latestFirst).slice(0, mostNames);
}

function mergedTitles(known: readonly KnownTitle[], seen: readonly KnownTitle[]): readonly KnownTitle[] | undefined {
  const all = new Map(known.map((one) => [String(one.id), one]));
  let isNew = false;
  for (const one of seen) {
    const key = String(one.id);
    if (all.get(key)?.title === one.title) continue;
    all.delete(key);
    all.set(key, one);
    isNew = true;
  }
  return isNew ? [...all.values()].slice(-mostTitles) : undefined;
}

/**
 * Adds what was seen to the file of a profile, readable by its owner only; it is left alone when that is nothing new. What another
 * process adds at the same time stays. Throws what the system says, and ConflictError when another process doesn't let go of it.
 */
export async function saveKnown(path: string, baseUrl: string, seen: Known, recount?: readonly Word[]): Promise<void> {
  if (withSeen(readKnown(path, baseUrl), seen, recount) === undefined) return;
  makeFolder(dirname(path));
  const release = await lockFile(`${path}.lock`);
  try {
    const known = withSeen(readKnown(path, baseUrl), seen, recount);
    if (known !== undefined) replaceOwnFile(path, JSON.stringify({ version, baseUrl, ...known }));
  } finally {
    release();
  }
}

/** How long another process may take, and after how long it must have been killed in the middle, in milliseconds. */
const patience = 2000;
const stale = 10_000;
const between = 10;

async function lockFile(path: string): Promise<() => void> {
  const began = performance.now();
  while (!makeOwnFile(path)) {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts !== undefined && Date.now() - facts.mtimeMs > stale) rmSync(path, { force: true });
    else if (performance.now() - began > patience) throw new ConflictError(`Another crm is writing beside ${path}.`);
    else await sleep(between);
  }
  return () => rmSync(path, { force: true });
}

/** Drops what is known under a profile's name. */
export function forgetKnown(dataDir: string, profile: string): void {
  rmSync(knownPath(dataDir, profile), { force: true });
}

/** Drops what is known of a service, whichever profiles are for it. */
export function forgetService(dataDir: string, baseUrl: string): void {
  for (const name of namesIn(knownFolder(dataDir))) {
    const path = join(knownFolder(dataDir), name);
    if (name.endsWith('.json') && documentAt(path)?.baseUrl === baseUrl) rmSync(path, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
