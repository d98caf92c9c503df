// Collects the names in the answers of a run.

import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../../base/values/paths.ts';
import type { Named } from '../../base/values/value-type.ts';
import type { Answer, ApiRequest } from '../../client/types.ts';
import { namedKinds, titlesSeenIn, type Word, wordsSeenIn } from '../../model/named.ts';
import { type KnownName, type KnownNames, type KnownTitle, mostNames, mostTitles } from './known.ts';

/** The longest name that is remembered. */
const longestName = 200;
/** The characters after which a title is cut. */
const longestTitle = 120;

/** The places of names in the records of a list. */
interface Places {
  readonly references: readonly ReferencePath[];
  /** The kinds whose own list this is. */
  readonly own: readonly { readonly kind: Named; readonly name: string; readonly query: readonly (readonly [string, string])[] }[];
  readonly words: readonly { readonly kind: Word; readonly path: string }[];
  readonly title: string | undefined;
}

/** Where records hold an object with id and name, or an array of such objects. */
interface ReferencePath {
  readonly kind: Named;
  readonly path: string;
  readonly id: string;
  readonly name: string;
}

export class SeenNames {
  readonly #isSecret: (text: string) => boolean;
  readonly #places = placesByList();
  readonly #names = new Map<Named, Map<Id, KnownName>>();
  readonly #words = new Map<Word, Map<string, string>>();
  readonly #titles = new Map<string, Map<Id, KnownTitle>>();

  /** `isSecret` is true for a text that is never remembered. */
  constructor(isSecret: (text: string) => boolean) {
    this.#isSecret = isSecret;
  }

  /** Collects the names in an answer. A run may see 100,000 records, so each must take very little time. */
  see(request: Pick<ApiRequest, 'method' | 'path'>, answer: Pick<Answer, 'data'>): void {
    const list = listRead(request);
    const places = list === undefined ? undefined : this.#places.get(list);
    if (list === undefined || places === undefined) return;
    for (const record of Array.isArray(answer.data) ? answer.data : [answer.data])
      if (isMembers(record)) this.#record(list, places, record);
  }

  #record(list: string, { references, own, words, title }: Places, record: Members): void {
    for (const reference of references) {
      each(valueAt(record, reference.path), (value) => {
        if (isMembers(value)) this.#name(reference.kind, value[reference.id], value[reference.name]);
      });
    }
    for (const { kind, name, query } of own) {
      if (query.every(([member, value]) => record[member] === value)) this.#name(kind, record.id, record[name]);
    }
    for (const { kind, path } of words) each(valueAt(record, path), (word) => this.#word(kind, word));
    if (title !== undefined) this.#title(list, record, title);
  }

  #name(kind: Named, rawId: unknown, name: unknown): void {
    const names = entry(this.#names, kind, () => new Map<Id, KnownName>());
    const id = idIn(rawId);
    if (id === undefined || names.get(id)?.name === name) return;
    if (isNameToKeep(name) && !this.#isSecret(name)) addBounded(names, id, { id, name });
  }

  #word(kind: Word, word: unknown): void {
    const words = entry(this.#words, kind, () => new Map<string, string>());
    if (isNameToKeep(word) && !words.has(word) && !this.#isSecret(word)) addBounded(words, word, word);
  }

  /** Only the first titles of a long list are kept: new records come first. */
  #title(list: string, record: Members, path: string): void {
    const titles = entry(this.#titles, list.slice('/api/'.length), () => new Map<Id, KnownTitle>());
    const id = idIn(record.id);
    if (id === undefined || (titles.size >= mostTitles && !titles.has(id))) return;
    const title = valueAt(record, path);
    if (!isFilled(title) || this.#isSecret(title)) return;
    titles.set(id, { id, title: title.trim().replaceAll(/\s+/g, ' ').slice(0, longestTitle).toWellFormed() });
  }

  /** The names collected so far. */
  known(): KnownNames {
    const lists = <T>(all: ReadonlyMap<string, ReadonlyMap<unknown, T>>): Record<string, T[]> =>
      Object.fromEntries([...all].map(([kind, some]) => [kind, [...some.values()]]));
    return { names: lists(this.#names), words: lists(this.#words), titles: lists(this.#titles) };
  }
}

/** The list of an answer's records: `/api/leads` for the list, for a lead, and for a PUT below a lead. Undefined for other paths. */
function listRead({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string | undefined {
  const [, list, below] = /^(\/api\/[a-z-]+)(?:\/\d+(\/.+)?)?$/.exec(path) ?? [];
  // Other requests below a record answer with records of another kind: comments, the client of a conversion.
  return below === undefined || method === 'PUT' ? list : undefined;
}

/** An id in an answer: a number when safe, else its digits. Undefined for other values. */
export function idIn(value: unknown): Id | undefined {
  if (Number.isSafeInteger(value)) return Number(value) > 0 ? Number(value) : undefined;
  const text = scalarText(value);
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isNameToKeep = (value: unknown): value is string => isFilled(value) && value.length <= longestName;

function placesByList(): ReadonlyMap<string, Places> {
  const kinds = Object.keys(namedKinds) as Named[];
  const references = kinds.flatMap(referencesOf);
  const words = (Object.keys(wordsSeenIn) as Word[]).flatMap((kind) =>
    wordsSeenIn[kind].map(({ path, word }) => ({ list: path, kind, path: word })),
  );
  const own = kinds.flatMap((kind) => {
    const { list } = namedKinds[kind];
    return list === undefined ? [] : [{ list: list.path, kind, name: list.name, query: list.query }];
  });
  const lists = new Set([...references, ...words, ...own].map(({ list }) => list).concat(titlesSeenIn.map(({ path }) => path)));
  return new Map(
    [...lists].map((list) => [
      list,
      {
        references: references.filter((one) => one.list === list).map(({ reference }) => reference),
        own: own.filter((one) => one.list === list),
        words: words.filter((one) => one.list === list),
        title: titlesSeenIn.find(({ path }) => path === list)?.title,
      },
    ]),
  );
}

/** The paths at which the records of each list refer to a kind. Id and name stand in the same object. */
function referencesOf(kind: Named): { readonly list: string; readonly reference: ReferencePath }[] {
  return namedKinds[kind].seenIn.map(({ path: list, id, name }) => {
    const dot = id.lastIndexOf('.');
    return { list, reference: { kind, path: id.slice(0, dot), id: id.slice(dot + 1), name: name.slice(dot + 1) } };
  });
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

function addBounded<K, T>(all: Map<K, T>, key: K, one: T): void {
  for (const first of all.keys()) {
    if (all.size < mostNames) break;
    all.delete(first);
  }
  all.set(key, one);
}

function each(value: unknown, work: (one: unknown) => void): void {
  if (Array.isArray(value)) for (const one of value) work(one);
  else work(value);
}
