// The remembered names of a service: a small file for each profile, `names/<profile>.json` in the data folder, filled from records that
// commands read anyway. Used for names without a list, and on Tab. A broken file, or a file of another service, is replaced by a new file.

import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eraseFile, makeFolder, replaceOwnFile } from '../../base/files/make-folder.ts';
import { bytesOfFile, longestText, openToRead } from '../../base/files/read-whole.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import type { Named } from '../../base/values/value-type.ts';
import type { Word } from '../../model/named.ts';

export interface KnownName {
  readonly id: Id;
  readonly name: string;
}

/** The title of a record. A long title is cut. */
export interface KnownTitle {
  readonly id: Id;
  readonly title: string;
}

/**
 * The lists of the file, by kind or family, the latest seen first. The file also has `version` (1) and `baseUrl`, the normalised base URL
 * of the service:
 *
 *     { "version": 1, "baseUrl": "https://crm.example",
 *       "names": { "lead-status": [{ "id": 5, "name": "Negotiation" }] },
 *       "words": { "tags": ["hot"] },
 *       "titles": { "leads": [{ "id": 33, "title": "Third-party warehouse" }] } }
 */
export interface KnownNames {
  readonly names: { readonly [kind in Named]?: readonly KnownName[] };
  readonly words: { readonly [kind in Word]?: readonly string[] };
  readonly titles: { readonly [family in string]?: readonly KnownTitle[] };
}

/** The most names of a kind. Older names are dropped. */
export const mostNames = 500;
export const mostTitles = 200;

const version = 1;
const nothing: KnownNames = { names: {}, words: {}, titles: {} };

/** The file of a profile. */
export const knownPath = (dataDir: string, profile: string): string => join(knownFolder(dataDir), `${profile}.json`);

const knownFolder = (dataDir: string): string => join(dataDir, 'names');

/** The remembered names of a service. Empty when the file is missing, broken, or of another base URL. */
export function readKnown(path: string, baseUrl: string): KnownNames {
  const document = documentAt(path);
  if (document === undefined || document.baseUrl !== baseUrl) return nothing;
  return {
    names: listsIn(document.names, nameEntry),
    words: listsIn(document.words, (one) => (typeof one === 'string' ? [one] : [])),
    titles: listsIn(document.titles, titleEntry),
  };
}

/** The remembered names of a kind. Only this list is checked: on a Tab every millisecond counts. */
export const readNames = (path: string, baseUrl: string, kind: Named): readonly KnownName[] =>
  entriesIn(listKept(documentAt(path), baseUrl, 'names', kind), nameEntry);

/** The remembered titles of a family. Only this list is checked. */
export const readTitles = (path: string, baseUrl: string, family: string): readonly KnownTitle[] =>
  entriesIn(listKept(documentAt(path), baseUrl, 'titles', family), titleEntry);

function listKept(document: Members | undefined, baseUrl: string, part: string, name: string): unknown {
  const lists = document?.baseUrl === baseUrl ? document[part] : undefined;
  return isMembers(lists) && Object.hasOwn(lists, name) ? lists[name] : undefined;
}

function documentAt(path: string): Members | undefined {
  try {
    // Opening never waits: a path that is no file throws, or gives no bytes.
    const bytes = bytesOfFile(openToRead(path), longestText);
    const document: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isMembers(document) && document.version === version ? document : undefined;
  } catch {
    return undefined;
  }
}

function listsIn<T>(value: unknown, read: (element: unknown) => T[]): Record<string, T[]> {
  const lists = Object.entries(isMembers(value) ? value : {});
  return Object.fromEntries(lists.map(([kind, list]) => [kind, entriesIn(list, read)]));
}

const entriesIn = <T>(list: unknown, read: (element: unknown) => T[]): T[] => (Array.isArray(list) ? list : []).flatMap(read);

function nameEntry(one: unknown): KnownName[] {
  const { id, name } = isMembers(one) ? one : {};
  return isId(id) && typeof name === 'string' ? [{ id, name }] : [];
}

function titleEntry(one: unknown): KnownTitle[] {
  const { id, title } = isMembers(one) ? one : {};
  return isId(id) && typeof title === 'string' ? [{ id, title }] : [];
}

const isId = (id: unknown): id is Id => Number.isSafeInteger(id) || (typeof id === 'string' && /^\d+$/.test(id));

/**
 * The seen names, then the known names; undefined when nothing is new. `whole`: the kinds of words for which every record was read. Known
 * words of these kinds that were not seen are dropped.
 */
export function withSeen(known: KnownNames, seen: KnownNames, whole: readonly Word[] = []): KnownNames | undefined {
  const left = whole.map((kind) => [kind, (known.words[kind] ?? []).filter((word) => seen.words[kind]?.includes(word))] as const);
  const isFewer = left.some(([kind, words]) => words.length < (known.words[kind]?.length ?? 0));
  const there = isFewer ? { ...known.words, ...Object.fromEntries(left) } : known.words;
  const idOf = ({ id }: { readonly id: Id }): string => String(id);
  const names = mergedLists<KnownName>(known.names, seen.names, idOf, mostNames);
  const words = mergedLists<string>(there, seen.words, (word) => word, mostNames) ?? (isFewer ? there : undefined);
  const titles = mergedLists<KnownTitle>(known.titles, seen.titles, idOf, mostTitles);
  if (names === undefined && words === undefined && titles === undefined) return undefined;
  return { names: names ?? known.names, words: words ?? known.words, titles: titles ?? known.titles };
}

type Lists<T> = { readonly [kind in string]?: readonly T[] };

/** Undefined when nothing is new. */
function mergedLists<T>(known: Lists<T>, seen: Lists<T>, keyOf: (one: T) => string, most: number): Lists<T> | undefined {
  const changed = Object.entries(seen).flatMap(([kind, now = []]) => {
    const before = known[kind] ?? [];
    const there = new Set(before.map((one) => JSON.stringify(one)));
    if (now.every((one) => there.has(JSON.stringify(one)))) return [];
    const all = new Map<string, T>();
    for (const one of [...now, ...before]) if (!all.has(keyOf(one))) all.set(keyOf(one), one);
    return [[kind, [...all.values()].slice(0, most)] as const];
  });
  return changed.length === 0 ? undefined : { ...known, ...Object.fromEntries(changed) };
}

/**
 * Adds seen names to the file of a profile (mode 0600). Writes nothing when nothing is new. Names that another process adds at the same
 * moment may be lost; a later command finds them again. Throws the system's errors.
 */
export function saveKnown(path: string, baseUrl: string, seen: KnownNames, whole?: readonly Word[]): void {
  const known = withSeen(readKnown(path, baseUrl), seen, whole);
  if (known === undefined) return;
  makeFolder(dirname(path));
  replaceOwnFile(path, JSON.stringify({ version, baseUrl, ...known }));
}

/** Overwrites and removes the remembered names of a profile. */
export function forgetKnown(dataDir: string, profile: string): void {
  eraseFile(knownPath(dataDir, profile));
}

/** Overwrites and removes the remembered names of a service, whichever profiles use it. */
export function forgetService(dataDir: string, baseUrl: string): void {
  for (const name of filesIn(knownFolder(dataDir))) {
    const path = join(knownFolder(dataDir), name);
    if (name.endsWith('.json') && documentAt(path)?.baseUrl === baseUrl) eraseFile(path);
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
