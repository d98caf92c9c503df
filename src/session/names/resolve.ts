// Resolves a name to an id. The text is compared with the names in the service's lists, or in its records.

import { invalidValue, NotFoundError } from '../../base/errors.ts';
import { type Id, isNumeral, parseId } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { quoteWord } from '../../base/values/text/shell-word.ts';
import { nameNear } from '../../base/values/text/suggest.ts';
import type { Named } from '../../base/values/value-type.ts';
import type { Api } from '../../client/client.ts';
import type { ApiRequest } from '../../client/types.ts';
import { type NamedKind, namedKinds } from '../../model/named.ts';
import type { KnownName } from './known.ts';
import { matchingNames, type NameMatch, plainName } from './matching.ts';
import { counted, firstPages, newestPages } from './pages.ts';
import type { RunNames } from './run-names.ts';
import { idIn } from './seen.ts';

export type { NameMatch } from './matching.ts';

/** The parts of a session that a search for a name uses. */
export interface NameSources {
  api(): Promise<Api>;
  names(): Promise<RunNames>;
  settings(): Promise<{ readonly profile?: string; readonly me?: string | undefined }>;
}

/** The meaning of a text: an id, or the problem of an unknown name. `name` is the text without `name:`. */
export type NameMeaning = { readonly id: Id } | { readonly name: string; readonly problem: string };

/** A text in place of an id. `where`: the flag, argument or column of messages. */
interface AskedName {
  readonly of: Named;
  readonly text: string;
  readonly where: string;
  readonly match: NameMatch;
}

/** The lists that were read, by kind. Undefined for a list that the service doesn't have. */
export type ReadLists = Map<Named, NameList | undefined>;

/** The most names in a message. */
const mostTold = 8;

/**
 * The id of an argument's or a flag's text: the typed id, or the id of the only thing with the typed name. `me` is `@me` here, and not the
 * beginning of a name; in files it is a name. Throws InvalidValues naming `where`, with the candidates.
 */
export async function idNamed(sources: NameSources, asked: AskedName): Promise<Id> {
  const { of, text, where } = asked;
  if (of === 'team' && plainName(text) === 'me') return ownId(sources, of, where, text);
  const meaning = await meaningOf(sources, asked);
  if ('id' in meaning) return meaning.id;
  throw invalidValue(where, meaning.problem, 'name_unknown');
}

/**
 * The meaning of a text. A number is an id; `name:2024` is a name; `@me` is the profile's own team member. Throws InvalidValues naming
 * `where` for an ambiguous name, and the errors of reading the service.
 */
export async function meaningOf(
  sources: NameSources,
  { of, text, where, match }: AskedName,
  lists: ReadLists = new Map(),
): Promise<NameMeaning> {
  if (isNumeral(text)) return { id: parseId(text, where) };
  if (text === '@me') return { id: await ownId(sources, of, where, text) };
  const name = text.startsWith('name:') ? text.slice('name:'.length).trim() : text;
  if (plainName(name) === '') throw invalidValue(where, `"${text}" is no name.`);
  const search: Search = { of, kind: namedKinds[of], name, where, match, lists };
  return search.kind.list === undefined ? inRecords(sources, search) : inList(sources, search, search.kind.list);
}

/** The profile's own team member. `typed`: the word for it. */
async function ownId(sources: NameSources, of: Named, where: string, typed: string): Promise<Id> {
  if (of !== 'team') throw invalidValue(where, `@me is a team member, but this value is a ${namedKinds[of].noun}.`);
  const { me, profile = 'NAME' } = await sources.settings();
  if (me === undefined) throw invalidValue(where, `${typed} is not set. Set it: crm profile set ${quoteWord(profile)} --me USER`);
  return parseId(me, where);
}

interface Search {
  readonly of: Named;
  readonly kind: NamedKind;
  readonly name: string;
  readonly where: string;
  readonly match: NameMatch;
  /** The lists read for other names. Each is read only once. */
  readonly lists: ReadLists;
}

/** A name in a list, with the email of its record. */
interface ListedName extends KnownName {
  readonly email?: string;
}

function onlyOne({ kind, name, where, match }: Search, names: readonly ListedName[]): KnownName | undefined {
  const named = matchingNames(names, name, match, kind.byWord);
  const [first, ...others] =
    named.length > 0 ? named : names.filter(({ email }) => email !== undefined && plainName(email) === plainName(name));
  if (first === undefined || others.length === 0) return first;
  if (named.length === 0) {
    const problem = `several ${kind.plural} have the email "${name}": ${namesInWords([first, ...others], 'and')}. Give the name, or the id.`;
    throw invalidValue(where, problem, 'name_ambiguous');
  }
  const more = plainName(first.name) === plainName(others[0]?.name ?? '') ? 'Give the id.' : 'Give more of the name, or the id.';
  throw invalidValue(where, `"${name}" could be ${namesInWords([first, ...others], 'or')}. ${more}`, 'name_ambiguous');
}

/**
 * Finds a name that has no list (lead statuses, units, tax rates). Looks in the names that this run has read, then in remembered names,
 * then in the newest records.
 */
async function inRecords(sources: NameSources, search: Search): Promise<NameMeaning> {
  const names = await sources.names();
  let found = onlyOne(search, names.shown(search.of)) ?? (await remembered(sources, search));
  const looked: string[] = [];
  for (const { family, path } of found === undefined ? search.kind.seenIn : []) {
    const api = await sources.api();
    const cursor = names.cursor(path, () => newestPages(api, family, path));
    for await (const { records, isLast } of goOn(cursor.pages)) {
      cursor.read += records.length;
      cursor.isWhole = isLast;
      // The search ends at a whole name only: the beginning of a name may also begin another name on the next page. The client notes the
      // names in every page.
      if (matchingNames(names.of(search.of), search.name, 'whole').length > 0) break;
    }
    found = onlyOne(search, names.of(search.of));
    if (found !== undefined) break;
    // When all records were read, the message lists all names and needs no addition.
    if (cursor.read === 0 && names.of(search.of).length === 0) looked.push(`There are no ${family} to read names from`);
    else if (cursor.read > 0 && !cursor.isWhole) looked.push(`Only the newest ${await counted(cursor.read, family)} were looked through`);
  }
  return found ?? unknown(search, names.of(search.of), looked.length === 0 ? undefined : looked.join('. '));
}

/** Reads a record with the remembered id first, because the name may have changed. */
async function remembered(sources: NameSources, search: Search): Promise<KnownName | undefined> {
  const { of, kind, name, match } = search;
  const [names, { familyNamed }] = await Promise.all([sources.names(), import('../../model/resources/index.ts')]);
  for (const { id } of matchingNames(names.of(of), name, match, kind.byWord)) {
    for (const { family, path } of kind.seenIn) {
      const filter = familyNamed(family)?.filters.find(({ type }) => type.kind === 'id' && type.of === of);
      // Without a filter, only the newest records show whether the name is still the same.
      if (filter === undefined) return undefined;
      const query = [[filter.wire, String(id)] as const, ['limit', '1'] as const, ['page', '1'] as const];
      await (await sources.api()).read({ method: 'GET', path, query });
    }
  }
  return onlyOne(search, names.of(of));
}

/** The generator stays open: the next search goes on after the last page. */
async function* goOn<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await pages.next();
    if (next.done) return;
    yield next.value;
  }
}

type ListOf = NonNullable<NamedKind['list']>;

async function inList(sources: NameSources, search: Search, list: ListOf): Promise<NameMeaning> {
  const { of, kind, name, where, lists } = search;
  const read = lists.get(of);
  const isTold = lists.has(of) && read?.isWhole !== false;
  const searched = isTold ? read : await listing(sources, list, [['search', name]]);
  if (searched === undefined) {
    lists.set(of, undefined);
    const known = (await sources.names()).of(of);
    return (
      (await remembered(sources, search)) ??
      unknown(search, known, `This service has no ${list.path}, so crm knows ${search.kind.plural} only from records`)
    );
  }
  // A service may search by other rules, so the whole list is read when the search finds nothing.
  const inAll = onlyOne(search, searched.names) === undefined ? (read ?? (await listing(sources, list))) : undefined;
  if (inAll !== undefined) lists.set(of, inAll);
  const { names, isWhole } = inAll ?? searched;
  const found = onlyOne(search, names);
  const bound = isWhole ? undefined : `Only the first ${names.length} ${kind.plural} were looked through`;
  if (found === undefined) return unknown(search, names, bound);
  if (bound === undefined) return { id: found.id };
  throw invalidValue(where, `${bound}. If ${nameAndId(found)} is meant by "${name}", give its id.`);
}

interface NameList {
  readonly names: readonly ListedName[];
  /** True when all records of the list were read. */
  readonly isWhole: boolean;
}

/** Undefined when the service has no such list. */
async function listing(sources: NameSources, list: ListOf, query: ApiRequest['query'] = []): Promise<NameList | undefined> {
  const api = await sources.api();
  const names = new Map<Id, ListedName>();
  let isWhole = false;
  try {
    for await (const { records, isLast } of firstPages(api, { method: 'GET', path: list.path, query: [...list.query, ...query] })) {
      for (const one of records.flatMap((record) => candidatesIn(list, record))) names.set(one.id, one);
      isWhole = isLast;
    }
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
  return { names: [...names.values()], isWhole };
}

/**
 * The names to choose from: the names in the service's list; without a list, remembered names and the names in the newest records. Throws
 * the errors of reading the service.
 */
export async function namesOffered(sources: NameSources, of: Named): Promise<readonly KnownName[]> {
  const kind = namedKinds[of];
  const [names, api] = await Promise.all([sources.names(), sources.api()]);
  const listed = kind.list === undefined ? undefined : await listing(sources, kind.list);
  if (listed !== undefined) return listed.names;
  for (const { family, path } of kind.seenIn) await newestPages(api, family, path).next();
  return names.of(of);
}

/** A service may ignore the list's query, so a record that doesn't fit the query has no name here. */
function candidatesIn({ name, query, email }: ListOf, record: unknown): ListedName[] {
  const id = isMembers(record) ? idIn(record.id) : undefined;
  const own = valueAt(record, name);
  const isOther = query.some(([member, value]) => (valueAt(record, member) ?? value) !== value);
  const address = email === undefined ? undefined : valueAt(record, email);
  if (id === undefined || typeof own !== 'string' || isOther) return [];
  return [{ id, name: own, ...(typeof address === 'string' ? { email: address } : {}) }];
}

/** `looked` says where the search looked, without a full stop. */
function unknown({ kind, name, match }: Search, names: readonly KnownName[], looked?: string): NameMeaning {
  // A name without a list may exist although crm doesn't know it, so the message speaks only of the records that were read.
  const [seen] = kind.list === undefined ? kind.seenIn : [];
  const none =
    seen === undefined
      ? `no ${kind.noun} is called "${name}".`
      : `none of the ${seen.family} read so far has the ${kind.noun} "${name}"; you can give its id.`;
  const parts = match === 'whole' ? matchingNames(names, name, 'part') : [];
  if (parts.length > 0) return { name, problem: `${none} A write needs the whole name or the id: ${namesInWords(parts, 'or')}.` };
  const near = nearName(names, name);
  const others =
    near === undefined
      ? names.length === 0
        ? ''
        : ` ${seen === undefined ? 'There are' : 'They have'} ${namesInWords(names, 'and')}.`
      : ` Did you mean ${nameAndId(near)}?`;
  return { name, problem: `${none}${others}${looked === undefined ? '' : ` ${looked}.`}` };
}

function nearName(names: readonly KnownName[], name: string): KnownName | undefined {
  const near = nameNear(
    plainName(name),
    names.map((one) => plainName(one.name)),
  );
  return names.find((one) => plainName(one.name) === near);
}

const nameAndId = ({ id, name }: KnownName): string => `${name} (${id})`;

function namesInWords(names: readonly KnownName[], word: 'and' | 'or'): string {
  const texts = names
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .slice(0, mostTold)
    .map(nameAndId);
  if (names.length > texts.length) return `${texts.join(', ')} and ${names.length - texts.length} more`;
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} ${word} ${last}`;
}
