// `crm search TEXT`: records of several families, side by side. The service compares the whole text with single members, so crm itself looks
// for several words, and reads a short list whole where the service's search leaves people's names out.

import { NotFoundError, UsageError } from '../base/errors.ts';
import { inThousands, limits } from '../base/limits.ts';
import { scalarText } from '../base/values/json.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { isPhoneText } from '../base/values/text/duplicate-key.ts';
import { crmWith, quoteWord } from '../base/values/text/shell-word.ts';
import { howMany, listed } from '../base/values/text/wording.ts';
import { largestPage, listPages } from '../client/paging.ts';
import { type Field, pluralOf, type Resource } from '../model/define.ts';
import { alikeKey } from '../model/field-key.ts';
import { memberNamed } from '../model/members.ts';
import { displayText, idText } from '../model/records/display.ts';
import { memberValue } from '../model/records/joined.ts';
import type { Result, Shape } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import type { Context } from '../session/context.ts';
import { plainName } from '../session/names/matching.ts';
import { listNotices } from './list/list-facts.ts';

/** A found record: its family, id and title, and the values that tell it apart. */
export const foundShape: Shape & { readonly singular: string } = {
  singular: 'record',
  columns: [{ path: 'family', once: true }, { path: 'id', align: 'right' }, { path: 'title' }, { path: 'about' }],
  record: ['family', 'id', 'title', 'about'],
};

/**
 * The records that hold a text. One word: what the service's search finds. Several words: of what the service finds for the longest word,
 * the records that hold every word, in any texts. A family whose search leaves names out is read whole beside this, up to
 * `limits.searched` records; for a phone, a family with phones, too: a phone is found in any spelling. A text with @ is asked of the service alone. `limit`: the most records of all families. Throws UsageError for
 * a blank text.
 */
export async function search(families: readonly Resource[], context: Context, typed: string, limit?: number): Promise<Result> {
  const text = typed.trim();
  if (text === '') throw new UsageError('Say what to look for: crm search TEXT.', { code: 'missing_value' });
  const isPhone = isPhoneText(text);
  const words = text.includes('@') || isPhone ? [text] : text.split(/[\s,;]+/).filter((word) => word !== '');
  const longest = words.toSorted((a, b) => b.length - a.length)[0] ?? text;
  const crm = crmWith(context.flags.profile);
  const wanted = { text, words, isPhone, asked: longest, most: limit ?? largestPage };
  const found = await Promise.all(families.map((resource) => foundIn(resource, context, wanted)));

  const shown = found.flatMap(({ resource, records }) =>
    (limit === undefined ? records.slice(0, largestPage) : records).map((record) => ({ resource, record })),
  );
  const rows = shown.slice(0, limit).map(({ resource, record }) => {
    const { name, title = '', tellApart = [], joined = {} } = resource;
    const people = Object.keys(joined).map((path) => memberValue(record, path, memberNamed(resource, path)));
    const texts = [...people, ...tellApart.map((path) => valueAt(record, path))].map(scalarText).filter((one) => one !== '');
    return { family: name, id: valueAt(record, 'id') ?? null, title: valueAt(record, title) ?? null, about: texts.join(', ') };
  });
  const total = found.reduce((sum, one) => sum + one.total, 0);
  const left = found.flatMap(({ resource, total: all }) => {
    const count = all - rows.filter(({ family }) => family === resource.name).length;
    return count > 0 ? [howMany(count, resource.singular, pluralOf(resource))] : [];
  });
  const more = `${rows.length} of ${total} records. Not shown: ${listed(left)}. More: ${crm} search ${quoteWord(text)} --limit ${total}`;
  const cut = found.flatMap(({ resource, isCut, read, all }) =>
    isCut
      ? [
          `Only the first ${inThousands(read)} of ${inThousands(all)} ${pluralOf(resource)} with "${displayText(longest)}" were looked through.`,
        ]
      : [],
  );
  const unsearched = found.flatMap(({ resource, records, isLong }) => {
    const { only, not = '' } = searchOf(resource) ?? {};
    if (!isLong || records.length > 0) return [];
    const spelt = `${crm} ${resource.name} list --where phone~${quoteWord(text.split(/\s+/).at(-1) ?? text)}`;
    if (isPhone)
      return [`No ${resource.singular} was found by this spelling of the phone; other spellings were not searched. By a part: ${spelt}`];
    if (only === undefined) return [];
    const command = `${crm} ${resource.name} list --where ${not}~${quoteWord(longest)}`;
    return [`No ${resource.singular} was found by ${only}; more was not searched. By ${not}: ${command}`];
  });
  const whole = found.filter((one) => one.isWhole).map(({ resource }) => pluralOf(resource));
  const asked = found.filter((one) => !one.isWhole).map(({ resource }) => pluralOf(resource));
  const everywhere = whole.length === 0 ? '' : ` in any text of ${listed(whole)}, nor`;
  const none = `Nothing was found for "${displayText(text)}"${everywhere} where the service's search looks in ${listed(asked)}.`;
  const said = [...(rows.length === 0 ? [none] : left.length === 0 ? [] : [more]), ...cut, ...unsearched];
  return { kind: 'rows', data: rows, shape: foundShape, isRead: true, ...(said.length === 0 ? {} : { lines: said }) };
}

interface Wanted {
  readonly text: string;
  readonly words: readonly string[];
  /** The text is a phone, which a record may have in another spelling. */
  readonly isPhone: boolean;
  /** The text that the service is asked for. */
  readonly asked: string;
  /** The most records of one word that are read of a family. */
  readonly most: number;
}

/** What was found in a family. `total`: how many there are. `isCut`: the service found more (`all`) than were read. */
interface Found {
  readonly resource: Resource;
  readonly records: readonly unknown[];
  readonly total: number;
  readonly isCut: boolean;
  readonly read: number;
  readonly all: number;
  /** Every record of the family was read. */
  readonly isWhole: boolean;
  /** The family has too many records to be read whole. */
  readonly isLong: boolean;
}

async function foundIn(resource: Resource, context: Context, { text, words, isPhone, asked, most }: Wanted): Promise<Found> {
  const isSeveral = words.length > 1;
  const phone = isPhone ? resource.fields.find(({ type }) => type.kind === 'text' && type.form === 'phone') : undefined;
  const readsWhole = phone !== undefined || (searchOf(resource)?.only !== undefined && !text.includes('@'));
  const [service, whole] = await Promise.all([
    searched(resource, context, asked, isSeveral ? limits.searched : Math.max(most, largestPage)),
    readsWhole ? listWhole(resource, context) : undefined,
  ]);
  const hasAll = hasWords(resource, words);
  const isFit = (record: unknown): boolean => hasAll(record) || (phone !== undefined && hasPhone(phone, text, record));
  const first = isSeveral ? service.records.filter(isFit) : service.records;
  const ids = new Set(first.map(idText));
  const records = [...first, ...(whole ?? []).filter((record) => isFit(record) && !ids.has(idText(record)))];
  const { length: read } = service.records;
  return {
    resource,
    records,
    total: isSeveral ? records.length : Math.max(service.total, records.length),
    isCut: isSeveral && whole === undefined && service.total > read,
    read,
    all: service.total,
    isWhole: whole !== undefined,
    isLong: readsWhole && whole === undefined,
  };
}

const searchOf = ({ filters }: Resource): Resource['filters'][number]['searches'] =>
  filters.find(({ wire }) => wire === 'search')?.searches;

/** What the service finds for a text, at most `most` records, and how many there are. */
async function searched(
  resource: Resource,
  context: Context,
  text: string,
  most: number,
): Promise<{ readonly records: readonly unknown[]; readonly total: number }> {
  const request = { method: 'GET' as const, path: resource.path, query: [['search', text] as const] };
  const records: unknown[] = [];
  let total = 0;
  try {
    for await (const { data, meta } of listPages(await context.api(), request, { kind: 'count', count: most }, context.signal)) {
      records.push(...(data as readonly unknown[]));
      total = meta?.total ?? 0;
    }
  } catch (error) {
    if (!(error instanceof NotFoundError && resource.readOnly)) throw error;
    await notice(context.io, context.flags, `This service has no ${resource.path}, so ${pluralOf(resource)} were not looked through.`);
  }
  return { records, total: Math.max(total, records.length) };
}

/** Every record of a family; undefined for more than `limits.searched`. */
async function listWhole(resource: Resource, context: Context): Promise<readonly unknown[] | undefined> {
  const request = { method: 'GET' as const, path: resource.path };
  const extent = { kind: 'count', count: limits.searched + 1 } as const;
  const records: unknown[] = [];
  for await (const { data, meta } of listPages(await context.api(), request, extent, context.signal, listNotices(context))) {
    records.push(...(data as readonly unknown[]));
    if (Math.max(meta?.total ?? 0, records.length) > limits.searched) return undefined;
  }
  return records;
}

/** Tells whether each word stands in a text of a record, whatever its case and accents. */
function hasWords(resource: Resource, words: readonly string[]): (record: unknown) => boolean {
  const wanted = words.map(plainName);
  return (record) => {
    const texts = textsIn(resource, record, '').map(plainName);
    return wanted.every((word) => texts.some((text) => text.includes(word)));
  };
}

/** True when a record's phone holds the digits of a text, whatever the signs, the plus sign and the zeros in front (`--match phone`). */
function hasPhone(field: Field, text: string, record: unknown): boolean {
  const [wanted, held] = [text, scalarText(valueAt(record, field.read ?? ''))].map((one) => alikeKey(field, one));
  return wanted !== undefined && held?.includes(wanted) === true;
}

/** The texts of a record, without states, days, numbers and colours. */
function textsIn(resource: Resource, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(resource, one, path));
  if (isMembers(value))
    return Object.entries(value).flatMap(([name, one]) => textsIn(resource, one, path === '' ? name : `${path}.${name}`));
  if (typeof value !== 'string' || path.endsWith('.color')) return [];
  const member = memberNamed(resource, path);
  const type = member?.kind === 'value' ? member.type : undefined;
  return type === undefined || type.kind === 'text' || type.kind === 'email' ? [value] : [];
}
