// Finds the records that --where selects. The service filters where it has a filter; crm checks every condition itself, over all pages.

import { IncompleteListError, invalidValue, NotFoundError, UnavailableError } from '../../base/errors.ts';
import { IdSet } from '../../base/values/id-set.ts';
import { checkChoice, type Id, parseId, togetherEach } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';
import { suggestion, unknownField } from '../../base/values/text/suggest.ts';
import { firstOf } from '../../base/values/text/wording.ts';
import { namedBy, type ValueType } from '../../base/values/value-type.ts';
import { type Condition, parseCondition, type Test, testOf } from '../../base/values/where.ts';
import type { Api } from '../../client/client.ts';
import { recordOf } from '../../client/envelope.ts';
import { type Extent, type ListNotices, listPages } from '../../client/paging.ts';
import type { Answer, ApiRequest } from '../../client/types.ts';
import { filterPairs } from '../../model/bodies/given.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { filterAt, type Member, memberNamed, namesForSuggestions, underscored } from '../../model/members.ts';
import { isNamedValues } from '../../model/records/columns.ts';
import { displayText } from '../../model/records/display.ts';
import type { Guard } from '../../model/records/guard.ts';
import { memberValue } from '../../model/records/joined.ts';
import { standingWord } from '../../model/records/standing.ts';
import { notice } from '../../output/streams/notice.ts';
import type { Context } from '../../session/context.ts';
import { type NameIn, nameIn } from '../../session/names/name-in.ts';
import type { NameMatch } from '../../session/names/resolve.ts';
import { nowFor } from '../../session/relative-days.ts';
import { countsInWords, listNotices, type ReadCounts } from './list-facts.ts';

/** A condition and the member that it compares. */
interface ReadCondition {
  readonly condition: Condition;
  /** Absent for a condition on the record's standing. */
  readonly member?: Member;
  /** The name in messages: `--where status`. */
  readonly where: string;
}

/** A condition that is ready to be tested. */
interface Comparison extends ReadCondition {
  /** The path of the compared value; empty for the record itself. */
  readonly path: string;
  readonly test: Test;
  /** The service's filter for the condition. Empty if the service has no such filter. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The ids in `id=12,13`. Their records are read each by itself. */
  readonly ids?: readonly Id[];
}

/**
 * Parses conditions and checks their form, fields and values. Sends nothing, so names in place of ids stay unchecked. Throws one
 * InvalidValues with all problems.
 */
export function checkConditions(resource: Resource, conditions: readonly string[], now: Date): ReadCondition[] {
  return togetherEach(conditions, (text) => {
    const read = readCondition(resource, text);
    if (nameInCondition(read) === undefined) comparisonOf(resource, read, now);
    return read;
  });
}

export interface Matching {
  /** The typed conditions. All must hold. */
  readonly conditions: readonly string[];
  /** How much of a name is enough in place of an id. */
  readonly match: NameMatch;
  /** The parsed conditions, if the caller has them already. */
  readonly resolved?: readonly Comparison[];
  /** The lists to read, one after the other. A record in several lists counts once. */
  readonly requests: readonly ApiRequest[];
  readonly extent: Extent;
  /** The most matches. Absent: all. */
  readonly limit?: number;
  readonly notices?: Partial<ListNotices>;
  /** Called at the end with the number of records read, unless the service did all the filtering. Default: a notice. */
  readonly counted?: (counts: ReadCounts) => void;
}

/**
 * The pages of the lists, with only the records that meet all conditions. A notice at the end gives the number of records read. Throws
 * InvalidValues for a wrong condition or name before any list is read, UnavailableError for a record that can't be compared, and the
 * errors of `listPages`.
 */
export async function* matchingPages(resource: Resource, context: Context, wanted: Matching): AsyncGenerator<Answer> {
  const { requests, extent, limit = Number.POSITIVE_INFINITY } = wanted;
  const comparisons = wanted.resolved ?? (await comparisonsOf(resource, context, wanted));
  const api = await context.api();
  const notices: ListNotices = { ...listNotices(context), ...wanted.notices };
  const seen = new IdSet();
  // A record in several lists counts once. Records without an id always count.
  const isFresh = (record: unknown): boolean =>
    requests.length === 1 || !isMembers(record) || record.id === undefined || seen.add(record.id);
  let read = 0;
  let matched = 0;
  const isUnfiltered = requests.every(({ query = [] }) => query.length === 0);
  const ids = isUnfiltered ? comparisons.find((one) => one.ids !== undefined)?.ids : undefined;
  const pages = async function* (): AsyncGenerator<Answer> {
    if (ids !== undefined) yield* pagesOfIds(resource, context, api, ids);
    else for (const request of requests) yield* listPages(api, narrowed(request, comparisons), extent, context.signal, notices);
  };
  for await (const answer of pages()) {
    const records = (answer.data as readonly unknown[]).filter(isFresh);
    const found = records.filter((record) => comparisons.every((one) => conditionHolds(resource, one, record))).slice(0, limit - matched);
    read += records.length;
    matched += found.length;
    yield { ...answer, data: found };
    if (matched >= limit) break;
  }
  if (comparisons.every((one) => one.query.length > 0 || (ids !== undefined && one.ids !== undefined))) return;
  const tell = wanted.counted ?? ((counts) => void notice(context.io, context.flags, countsInWords(resource, counts)));
  tell({ read, matched, isCut: matched >= limit });
}

/** The number of records that are read at once by their ids. */
const readAtOnce = 4;

/** A page for each record with one of the ids. A notice names the ids that no record has. */
async function* pagesOfIds(resource: Resource, context: Context, api: Api, ids: readonly Id[]): AsyncGenerator<Answer> {
  const missing: Id[] = [];
  const readOne = async (id: Id): Promise<Answer | undefined> => {
    const path = `${resource.path}/${id}`;
    try {
      const answer = await api.read({ method: 'GET', path });
      return { ...answer, data: [recordOf(answer, path)] };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      missing.push(id);
      return undefined;
    }
  };
  for (let at = 0; at < ids.length; at += readAtOnce) {
    for (const answer of await Promise.all(ids.slice(at, at + readAtOnce).map(readOne))) if (answer !== undefined) yield answer;
  }
  const noun = missing.length === 1 ? `There is no ${resource.singular}` : `There are no ${pluralOf(resource)}`;
  if (missing.length > 0) await notice(context.io, context.flags, `${noun} ${firstOf(missing.map(String), mostMissing)}.`);
}

/** The most missing ids in a notice. */
const mostMissing = 10;

/**
 * Selects the records to write, over all pages of a list, which must be complete. The returned guard tests the same conditions right
 * before a write, with the days and ids of the start. Throws InvalidValues for a wrong condition or name, the errors of `matchingPages`,
 * and UnavailableError when the list is not complete.
 */
export async function selectedRecords(
  resource: Resource,
  context: Context,
  conditions: readonly string[],
): Promise<{ readonly records: AsyncIterable<unknown>; readonly guard: Guard }> {
  const resolved = await comparisonsOf(resource, context, { conditions, match: 'whole' });
  const requests: ApiRequest[] = [{ method: 'GET', path: resource.path }];
  const extent: Extent = { kind: 'all', complete: true };
  const wanted: Matching = { conditions, match: 'whole', resolved, requests, extent };
  const records = async function* (): AsyncGenerator<unknown> {
    try {
      for await (const { data } of matchingPages(resource, context, wanted)) yield* data as readonly unknown[];
    } catch (error) {
      if (!(error instanceof IncompleteListError)) throw error;
      throw new UnavailableError(`${error.message} Nothing was sent.`, { ...error.details, hint: 'Run the command again.' });
    }
  };
  return {
    records: records(),
    guard: (record) => {
      const broken = resolved.filter((one) => !conditionHolds(resource, one, record));
      return Object.fromEntries(
        broken.map(({ path, where, condition, member }) => {
          const now = path === '' ? '' : `, ${path} is ${displayText(memberValue(record, path, member)).trim() || '(empty)'} now`;
          return [path || where, `--where ${condition.text} holds no longer${now}`];
        }),
      );
    },
  };
}

function narrowed(request: ApiRequest, comparisons: readonly Comparison[]): ApiRequest {
  const query = [...(request.query ?? [])];
  for (const one of comparisons) {
    const isFree = one.query.every(([name]) => !query.some(([parameter]) => parameter === name));
    if (isFree) query.push(...one.query);
  }
  return { ...request, query };
}

/** `assigned=none` means `no:assigned`, as `--assigned none` does. */
function orNobody({ filters }: Resource, condition: Condition): Condition {
  const { field, operator, value } = condition;
  const isNone = value.trim() === 'none' && (operator === '=' || operator === '!=');
  if (!isNone || !filters.some(({ flag, takesNone }) => takesNone && underscored(flag) === underscored(field))) return condition;
  return { ...condition, operator: operator === '=' ? 'no' : 'has', value: '' };
}

function readCondition(resource: Resource, text: string): ReadCondition {
  const condition = parseCondition(text);
  const { field } = condition;
  const where = `--where ${field}`;
  if (underscored(field) === resource.standing?.name) return { condition, where };
  const member = memberNamed(resource, field);
  if (member !== undefined) return { condition: orNobody(resource, condition), member, where };
  const names = [...(resource.standing === undefined ? [] : [resource.standing.name]), ...namesForSuggestions(resource)];
  throw invalidValue('--where', unknownField(field, names, `. See them all: crm ${resource.name} list --fields help`));
}

/** The name in a condition on an id; undefined without a name. */
function nameInCondition({ condition: { operator, value }, member }: ReadCondition): NameIn | undefined {
  if ((operator !== '=' && operator !== '!=') || member === undefined) return undefined;
  if (!('type' in member) || member.type === undefined) return undefined;
  return nameIn(member.type, value);
}

async function comparisonsOf(
  resource: Resource,
  context: Context,
  { conditions, match }: Pick<Matching, 'conditions' | 'match'>,
): Promise<Comparison[]> {
  const now = nowFor(context, ...conditions);
  const comparisons: Comparison[] = [];
  for (const read of checkConditions(resource, conditions, now)) {
    comparisons.push(comparisonOf(resource, await withId(context, read, match), now));
  }
  return comparisons;
}

async function withId(context: Context, read: ReadCondition, match: NameMatch): Promise<ReadCondition> {
  const found = nameInCondition(read);
  if (found === undefined) return read;
  const { idNamed } = await import('../../session/names/resolve.ts');
  const id = await idNamed(context, { of: found.of, text: found.name, where: read.where, match });
  return { ...read, condition: { ...read.condition, value: found.withId(id) } };
}

function comparisonOf(resource: Resource, read: ReadCondition, now: Date): Comparison {
  const { condition, member, where } = read;
  if (member === undefined) return standingComparison(resource, read);
  const { path, type } = comparedAt({ condition, member, where });
  if (path === 'id' && ['=', '!='].includes(condition.operator) && !condition.value.includes('..')) {
    // Only values of the record's own id are split by commas.
    const ids = new Set(togetherEach(condition.value.split(','), (one) => parseId(one.trim(), where)));
    return idComparison({ ...read, path, ids: [...ids] }, now);
  }
  const test = testOf(condition, type, where, now);
  const filter = condition.operator === '=' && type !== undefined ? filterAt(resource.filters, member.path) : undefined;
  const isRange = condition.value.includes('..');
  return { ...read, path, test, query: filter === undefined || isRange ? [] : filterPairs(filter, condition.value.trim(), where) };
}

function idComparison(read: ReadCondition & { readonly path: string; readonly ids: readonly Id[] }, now: Date): Comparison {
  const { condition, where, ids, path } = read;
  const tests = ids.map((id) => testOf({ ...condition, operator: '=', value: String(id) }, { kind: 'id' }, where, now));
  const isOne: Test = (held) => (tests.length > 0 && tests[0]?.(held) === undefined ? undefined : tests.some((test) => test(held)));
  if (condition.operator === '=') return { ...read, path, test: isOne, query: [] };
  const { ids: _, ...others } = read;
  return {
    ...others,
    test: (held) => {
      const is = isOne(held);
      return is === undefined ? undefined : !is;
    },
    query: [],
  };
}

/** The comparison of a standing. The service filters by the member that `narrows` names. */
function standingComparison({ standing, filters }: Resource, read: ReadCondition): Comparison {
  const { condition, where } = read;
  const { operator, value } = condition;
  const words = standing?.words ?? [];
  const choices = words.map(({ word }) => word);
  if (operator !== '=' && operator !== '!=') throw invalidValue(where, `write = or != and one of ${choices.join(', ')}.`);
  const wanted = checkChoice(value.trim().toLowerCase(), choices, where);
  const [flag, narrowed] = (operator === '=' && words.find(({ word }) => word === wanted)?.narrows) || [];
  const filter = flag === undefined ? undefined : filters.find((one) => one.flag === flag);
  const test: Test = (record) => {
    const found = standing === undefined ? undefined : standingWord(standing, record);
    return found === undefined ? undefined : (found.word === wanted) === (operator === '=');
  };
  return { ...read, path: '', test, query: filter === undefined || narrowed === undefined ? [] : filterPairs(filter, narrowed, where) };
}

/** The path and type of the compared value. Throws InvalidValues for an object without a single value. */
function comparedAt({ condition, member, where }: Required<ReadCondition>): { path: string; type: ValueType | undefined } {
  const { path } = member;
  const { operator } = condition;
  if (operator === 'no' || operator === 'has') return { path, type: undefined };
  switch (member.kind) {
    case 'value':
      return { path, type: member.type };
    case 'named':
      return { path, type: undefined };
    case 'relation':
      if (isUnresolved(member, condition)) {
        const problem = `"${condition.value}" is not an id, a whole number above 0. By name: ${member.name}${operator}${condition.value}.`;
        throw invalidValue(where, problem);
      }
      return operator === '~' ? { path: member.name, type: { kind: 'text' } } : { path: member.id, type: member.type };
    case 'group':
      if (member.isJoined) return { path, type: { kind: 'text' } };
      throw invalidValue(where, `this field has several values. Name one of them: ${member.members.join(', ')}.`);
  }
}

/** True for a text in place of an id, if the relation has no names to look up: the titles of leads aren't unique. */
function isUnresolved({ type }: Extract<Member, { kind: 'relation' }>, { operator, value }: Condition): boolean {
  return operator !== '~' && namedBy(type) === undefined && !/^[\d.]+$/.test(value.trim());
}

/** True when a condition holds for a record. Throws UnavailableError when the record lacks the value. */
function conditionHolds(resource: Resource, { condition, member, where, path, test }: Comparison, record: unknown): boolean {
  const value = memberValue(record, path, member);
  const verdict = test(value);
  if (verdict !== undefined) return verdict;
  const which = `${resource.singular} ${displayText(valueAt(record, 'id'))}`.trim();
  if (member === undefined) {
    const paths = (resource.standing?.words ?? []).flatMap((word) => word.path ?? []);
    throw new UnavailableError(
      `--where ${condition.text}: ${which} came without ${paths.join(' or ')}, so crm can't tell whether the condition holds.`,
    );
  }
  const list = member.kind === 'named' ? valueAt(record, member.list) : undefined;
  if (member.kind === 'named' && isNamedValues(list)) {
    const names = list.map(({ name }) => `${member.list}.${name}`);
    throw invalidValue(where, `${which} has no "${path}".${suggestion(path, names)}`);
  }
  const held = value === undefined ? `without ${path}` : `with ${path} "${displayText(value).slice(0, 100)}"`;
  throw new UnavailableError(`--where ${condition.text}: ${which} came ${held}, so crm can't tell whether the condition holds.`);
}
