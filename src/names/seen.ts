// What one run sees of names: in the answers to its requests, whatever it made them for.

import { IdSet } from '../api/id-set.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import { namedKinds, titlesSeenIn, type Word, wordsSeenIn } from '../resources/named.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, type Members, valueAt } from '../values/paths.ts';
import type { Named } from '../values/value-type.ts';
import { type Known, type KnownTitle, mostNames, mostTitles } from './known.ts';

/** Longer ones are not remembered: nobody types them. */
const longestName = 200;
/** Titles are cut to so many characters. */
const longestTitle = 120;

/** Where the records of one list tell of names. */
interface Places {
  readonly references: readonly Reference[];
  /** The list is that of a kind itself. */
  readonly own: readonly { readonly kind: Named; readonly name: string; readonly query: readonly (readonly [string, string])[] }[];
  readonly words: readonly { readonly kind: Word; readonly path: string }[];
  readonly title: string | undefined;
}

/** An object with an id and a name, or an array of them. */
interface Reference {
  readonly kind: Named;
  readonly path: string;
  readonly id: string;
  readonly name: string;
}

interface Counted {
  readonly name: string;
  records: number;
}

export class SeenNames {
  readonly #day: string;
  readonly #isSecret: (text: string) => boolean;
  readonly #places = placesByList();
  /** The records that were counted, by list. */
  readonly #counted = new Map<string, IdSet>();
  readonly #names = new Map<Named, Map<Id, Counted & { readonly id: Id }>>();
  readonly #words = new Map<Word, Map<string, Counted>>();
  readonly #titles = new Map<string, Map<Id, KnownTitle>>();

  /** `day`: today, `YYYY-MM-DD`. `isSecret`: what is never kept. */
  constructor(day: string, isSecret: (text: string) => boolean) {
    this.#day = day;
    this.#isSecret = isSecret;
  }

  /** Takes in what an answer shows. There may be a hundred thousand records in a run, so that each has to take next to no time. */
  see(request: Pick<ApiRequest, 'method' | 'path'>, answer: Pick<Answer, 'data'>): void {
    const list = listOf(request);
    const places = list === undefined ? undefined : this.#places.get(list);
    if (list === undefined || places === undefined) return;
    for (const record of Array.isArray(answer.data) ? answer.data : [answer.data])
      if (isMembers(record)) this.#record(list, places, record);
  }

  #record(list: string, { references, own, words, title }: Places, record: Members): void {
    const isFirst = entry(this.#counted, list, () => new IdSet()).add(record.id);
    for (const reference of references) {
      each(valueAt(record, reference.path), (value) => {
        if (isMembers(value)) this.#name(reference.kind, value[reference.id], value[reference.name], isFirst);
      });
    }
    for (const { kind, name, query } of own) {
      if (query.every(([member, value]) => record[member] === value)) this.#name(kind, record.id, record[name], isFirst);
    }
    for (const { kind, path } of words) each(valueAt(record, path), (word) => this.#word(kind, word, isFirst));
    if (title !== undefined) this.#title(list, record, title);
  }

  #name(kind: Named, rawId: unknown, name: unknown, isFirst: boolean): void {
    const names = entry(this.#names, kind, () => new Map<Id, Counted & { readonly id: Id }>());
    const id = idIn(rawId);
    const before = id === undefined ? undefined : names.get(id);
    if (before !== undefined && before.name === name) countRecord(before, isFirst);
    else if (id !== undefined && isName(name) && !this.#isSecret(name)) addTo(names, id, { id, name, records: 1 });
  }

  #word(kind: Word, word: unknown, isFirst: boolean): void {
    if (typeof word !== 'string') return;
    const words = entry(this.#words, kind, () => new Map<string, Counted>());
    const before = words.get(word);
    if (before !== undefined) countRecord(before, isFirst);
    else if (isName(word) && !this.#isSecret(word)) addTo(words, word, { name: word, records: 1 });
  }

  /** The first ones of a long list: what is new comes first. */
  #title(list: string, record: Members, path: string): void {
    const titles = entry(this.#titles, list.slice('/api/'.length), () => new Map<Id, KnownTitle>());
    const id = idIn(record.id);
    if (id === undefined || (titles.size >= mostTitles && !titles.has(id))) return;
    const title = valueAt(record, path);
    if (!isFilled(title) || this.#isSecret(title)) return;
    titles.set(id, { id, title: title.trim().replaceAll(/\s+/g, ' ').slice(0, longestTitle).toWellFormed() });
  }

  /** What was seen so far. */
  known(): Known {
    const words = <T extends Counted>(all: ReadonlyMap<Id, T>) => [...all.values()].map((one) => ({ ...one, seen: this.#day }));
    return {
      names: Object.fromEntries([...this.#names].map(([kind, names]) => [kind, words(names)])),
      words: Object.fromEntries([...this.#words].map(([kind, names]) => [kind, words(names)])),
      titles: Object.fromEntries([...this.#titles].map(([family, titles]) => [family, [...titles.values()]])),
    };
  }
}

/** The list that an answer's records belong to: `/api/leads` for that list, one lead, and whatever sets something of a lead. */
export function listOf({ method, path }: Pick<ApiRequest, 'method' | 'path'>): string | undefined {
  const [, list, below] = /^(\/api\/[a-z-]+)(?:\/\d+(\/.+)?)?$/.exec(path) ?? [];
  // Below a record other things are listed and made: comments, the client of a conversion.
  return below === undefined || method === 'PUT' ? list : undefined;
}

/** What the records of a list tell of one kind. */
export function referencesIn(kind: Named, list: string, record: unknown): readonly { readonly id: Id; readonly name: string }[] {
  if (!isMembers(record)) return [];
  const references = referencesOf(kind).filter(({ list: own }) => own === list);
  return references.flatMap(({ reference }) => namesAt(record, reference).filter(({ name }) => isName(name)) as { id: Id; name: string }[]);
}

function namesAt(record: Members, { path, id, name }: Reference): { readonly id: Id; readonly name: unknown }[] {
  const value = valueAt(record, path);
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
    const own = isMembers(one) ? idIn(one[id]) : undefined;
    return own === undefined || !isMembers(one) ? [] : [{ id: own, name: one[name] }];
  });
}

/** An id as the service sent it: a number where that holds it exactly, else its digits. */
export function idIn(value: unknown): Id | undefined {
  if (Number.isSafeInteger(value)) return Number(value) > 0 ? Number(value) : undefined;
  const text = scalarText(value);
  if (!/^[1-9]\d*$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isName = (value: unknown): value is string => isFilled(value) && value.length <= longestName;

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

/** Where records of lists refer to a kind; the id and the name stand in one object. */
function referencesOf(kind: Named): { readonly list: string; readonly reference: Reference }[] {
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

/** A record counts once, however often it is read. */
function countRecord(one: Counted, isFirst: boolean): void {
  if (isFirst) one.records += 1;
}

/** Adds a name in place of the one that came first, where there are too many. A record that was counted before counts for it. */
function addTo<K, T>(all: Map<K, T>, key: K, one: T): void {
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
