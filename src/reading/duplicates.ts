// `crm <family> duplicates`: groups of records that share an email, a phone or a company. Reads the whole list once. Memory holds only
// hashes of the keys; the records wait in a temporary file.

import type { FileHandle } from 'node:fs/promises';
import { invalidValue, UnavailableError } from '../base/errors.ts';
import { openUnnamed, throwTemporary } from '../base/files/unnamed-file.ts';
import { parseJson, scalarText } from '../base/values/json.ts';
import { checkChoice, togetherEach } from '../base/values/parse.ts';
import { isMembers, type Members, valueAt } from '../base/values/paths.ts';
import { type KeyName, keyNameOf, keyNames, keyOf } from '../base/values/text/duplicate-key.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { textHash } from '../base/values/text/text-hash.ts';
import { howMany } from '../base/values/text/wording.ts';
import { listPages } from '../client/paging.ts';
import type { Answer, ApiRequest } from '../client/types.ts';
import type { Field, Resource } from '../model/define.ts';
import { selectFields } from '../model/records/columns.ts';
import { idText } from '../model/records/display.ts';
import { standingWord } from '../model/records/standing.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { duplicateKeys, duplicateShape } from './duplicate-shape.ts';
import { brokenGate, type Gate } from './list/gate.ts';
import { favourMemory } from './list/lean-memory.ts';
import { isLookedAt } from './list/list-facts.ts';

/** The most records that a printed page has. */
const pageSize = 100;
/** The most ids in a message. */
const mostIdsNamed = 10;

/** What the groups are asked for. `limit`: the most groups. `merges`: the family can be merged, by --plan. */
interface Asked {
  readonly by: readonly string[] | undefined;
  readonly gate: Gate | undefined;
  readonly limit?: number | undefined;
  readonly merges: boolean;
}

/**
 * Lists the groups. `plan` gets the records of each group that has a record to keep; that record comes first. Throws InvalidValues, and
 * UnavailableError when the list can't be read completely.
 */
export async function duplicates(
  resource: Resource,
  context: Context,
  { by: typed = [], gate, limit = Number.POSITIVE_INFINITY, merges }: Asked,
  plan?: (groups: AsyncIterable<readonly unknown[]>) => Promise<void>,
): Promise<Result> {
  const { io, flags } = context;
  const keys = togetherEach(typed, (one) => {
    const parts = one.split(',');
    const own: readonly string[] = duplicateKeys(resource);
    if (parts.length === 1 || !parts.every((part) => own.includes(part))) return checkChoice(one, duplicateKeys(resource), '--by');
    throw invalidValue('--by', `give each by itself: ${parts.map((part) => `--by ${part}`).join(' ')}.`);
  });
  const by: readonly string[] = keys.length > 0 ? keys : ['email', 'phone'];
  const fields = resource.fields.filter((field) => by.includes(keyNameOf(field) ?? ''));
  favourMemory('young', 'old');
  const file = await openUnnamed().catch(throwTemporary);
  try {
    const seen = await read(resource, context, fields, file);
    const { groups, customers } = await groupsOf(seen, fields);
    const shown = groups.slice(0, limit);
    const isCut = shown.length < groups.length;
    const facts = groups.length === 0 ? [] : [`${isCut ? `${shown.length} of ` : ''}${howMany(groups.length, 'group')}`];
    if (isCut) facts.push(`More: --limit ${Math.min(2 * shown.length, groups.length)}`);
    if (customers.length > 0) facts.push(await customersText(resource, seen, customers));
    if (facts.length > 0 && !isLookedAt(context)) await notice(io, flags, `${facts.join('. ')}.`);
    await plan?.(groupsToMerge(seen, groups));
    const problem = brokenGate(gate, groups.length, `${howMany(groups.length, 'group')} of duplicates`);
    const shape = duplicateShape(resource);
    const own = duplicatesCommand(resource, context, typed);
    const canPlan = merges && groups.some(({ keys }) => hasKeep(keys));
    const workOn = canPlan ? `To merge those that share an email: ${own} --plan merge.csv` : `To work on them: ${own} --csv`;
    return {
      kind: 'records',
      pages: pagesOfGroups(seen, shown, shape.record.slice(3)),
      shape,
      empty: () => 'No duplicates found.',
      facts: () => [...facts, ...(groups.length === 0 || plan !== undefined ? [] : [workOn])],
      ...(problem === undefined ? {} : { problem }),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The command that lists the groups, with the typed keys. */
export const duplicatesCommand = ({ name }: Resource, { flags }: Context, by: readonly string[] = []): string =>
  [`${crmWith(flags.profile)} ${name} duplicates`, ...by.map((one) => `--by ${one}`)].join(' ');

/** The keys by hash, each with the place of its record. A customer's record is compared but not listed: its place is -1. */
interface KeyIndex {
  readonly file: FileHandle;
  readonly hashes: number[];
  readonly places: number[];
  /** The start of each record in the file, in bytes, and the end of the last record. */
  readonly begins: number[];
}

async function read(resource: Resource, context: Context, fields: readonly Field[], file: FileHandle): Promise<KeyIndex> {
  const seen: KeyIndex = { file, hashes: [], places: [], begins: [0] };
  const request: ApiRequest = { method: 'GET', path: resource.path };
  let end = 0;
  for await (const { data } of listPages(await context.api(), request, { kind: 'all', complete: true }, context.signal)) {
    let page = '';
    for (const record of data as readonly unknown[]) {
      const keys = keysIn(fields, record);
      const standing = keys.length === 0 ? 'left out' : standingIn(resource, record);
      if (standing === 'left out') continue;
      for (const key of keys) {
        seen.hashes.push(textHash(key.text));
        seen.places.push(standing === 'open' ? seen.begins.length - 1 : -1);
      }
      if (standing !== 'open') continue;
      const text = JSON.stringify(record);
      page += text;
      end += Buffer.byteLength(text);
      seen.begins.push(end);
    }
    await file.appendFile(page).catch(throwTemporary);
  }
  return seen;
}

/** A key of a record: `email ann@north.example`. */
interface RecordKey {
  readonly name: KeyName;
  readonly text: string;
}

function keysIn(fields: readonly Field[], record: unknown): RecordKey[] {
  return fields.flatMap((field) => {
    const name = keyNameOf(field);
    const text = name === undefined ? undefined : keyOf[name](scalarText(valueAt(record, field.read ?? '')));
    return name === undefined || text === undefined ? [] : [{ name, text: `${name} ${text}` }];
  });
}

/**
 * `open` for a record to compare and list, `customer` for a customer's, else `left out`. Throws UnavailableError when the record doesn't
 * show its standing.
 */
function standingIn({ standing, singular }: Resource, record: unknown): 'open' | 'customer' | 'left out' {
  if (standing === undefined) return 'open';
  const word = standingWord(standing, record);
  if (word === undefined) {
    const paths = standing.words.flatMap(({ path }) => path ?? []);
    const which = `${singular} ${idText(record)}`;
    throw new UnavailableError(`${which} came without ${paths.join(' or ')}, so crm can't tell whether to compare this record.`);
  }
  return word.path === undefined ? 'open' : word.isCustomer ? 'customer' : 'left out';
}

/** The places of the records in a group, and the keys that all share. */
interface DuplicateGroup {
  readonly places: readonly number[];
  readonly keys: RecordKey[];
}

/** The groups of records. Records that share several keys stand in one group. Groups by the most reliable key come first. */
async function groupsOf(
  seen: KeyIndex,
  fields: readonly Field[],
): Promise<{ readonly groups: DuplicateGroup[]; readonly customers: number[] }> {
  const { hashes, places } = seen;
  const order = Uint32Array.from(hashes.keys()).sort((a, b) => (hashes[a] ?? 0) - (hashes[b] ?? 0) || a - b);
  const groups = new Map<string, DuplicateGroup>();
  const customers = new Set<number>();
  for (let from = 0, to = 0; from < order.length; from = to) {
    const hash = hashes[order[from] ?? 0];
    while (to < order.length && hashes[order[to] ?? 0] === hash) to += 1;
    const all = [...order.subarray(from, to)].map((index) => places[index] ?? -1);
    const open = all.filter((place) => place >= 0);
    if (open.length < all.length) for (const place of open) customers.add(place);
    if (open.length < 2) continue;
    const key = keysIn(fields, await recordFromFile(seen, open[0] ?? 0)).find(({ text }) => textHash(text) === hash);
    const group = groups.get(String(open)) ?? { places: open, keys: [] };
    if (key !== undefined) group.keys.push(key);
    groups.set(String(open), group);
  }
  for (const { keys } of groups.values()) keys.sort((a, b) => keyNames.indexOf(a.name) - keyNames.indexOf(b.name));
  const rank = ({ keys }: DuplicateGroup): number => keyNames.indexOf(keys[0]?.name ?? 'company');
  const first = ({ places: [place = 0] }: DuplicateGroup): number => place;
  return {
    groups: [...groups.values()].sort((a, b) => rank(a) - rank(b) || first(a) - first(b)),
    customers: [...customers].sort((a, b) => a - b),
  };
}

async function recordFromFile({ file, begins }: KeyIndex, place: number): Promise<unknown> {
  const [begin = 0, end = 0] = begins.slice(place, place + 2);
  const { buffer } = await file.read(Buffer.alloc(end - begin), 0, end - begin, begin);
  return parseJson(buffer.toString());
}

async function customersText({ singular, name, standing }: Resource, seen: KeyIndex, customers: readonly number[]): Promise<string> {
  const records = await Promise.all(customers.slice(0, mostIdsNamed).map((place) => recordFromFile(seen, place)));
  const more = customers.length > mostIdsNamed ? ` and ${customers.length - mostIdsNamed} more` : '';
  const named = `${records.map(idText).join(', ')}${more}`;
  const word = standing?.words.find(({ isCustomer }) => isCustomer)?.word;
  return `${howMany(customers.length, `${singular} matches`, `${name} match`)} a ${word} ${singular} (existing customers): ${named}`;
}

/** The records of all groups. In a group with a common email, the oldest record is proposed to keep. */
async function* pagesOfGroups(seen: KeyIndex, groups: readonly DuplicateGroup[], paths: readonly string[]): AsyncGenerator<Answer> {
  try {
    let page: Members[] = [];
    for (const [index, { places, keys }] of groups.entries()) {
      const records = await recordsOfGroup(seen, places);
      const keep = hasKeep(keys) ? valueAt(records[0], 'id') : null;
      for (const record of records) {
        const shown = selectFields(record, paths);
        page.push({ group: index + 1, key: keys.map(({ text }) => text).join(', '), keep, ...(isMembers(shown) ? shown : {}) });
        if (page.length < pageSize) continue;
        yield { status: 200, data: page, envelope: page };
        page = [];
      }
    }
    if (page.length > 0) yield { status: 200, data: page, envelope: page };
  } finally {
    await seen.file.close();
  }
}

/** True for a group with a common email. Records with the same phone may be colleagues, so no record is proposed to keep. */
const hasKeep = ([first]: readonly RecordKey[]): boolean => first?.name === 'email';

async function recordsOfGroup(seen: KeyIndex, places: readonly number[]): Promise<unknown[]> {
  const records = await Promise.all(places.map((place) => recordFromFile(seen, place)));
  return records.sort(byCreation);
}

async function* groupsToMerge(seen: KeyIndex, groups: readonly DuplicateGroup[]): AsyncGenerator<readonly unknown[]> {
  for (const { places, keys } of groups) if (hasKeep(keys)) yield await recordsOfGroup(seen, places);
}

/** The oldest first; records without a time come last. */
function byCreation(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((record) => scalarText(valueAt(record, 'dates.created')) || '~');
  const [id, otherId] = [one, other].map((record) => Number(idText(record)));
  return a === b ? (id ?? 0) - (otherId ?? 0) : (a ?? '') < (b ?? '') ? -1 : 1;
}
