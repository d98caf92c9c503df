// Resolves creates that were sent without an answer: each is found in the service, is absent, or stays unknown. Nothing is sent again
// before a look, and nothing is guessed.

import type { Api } from '../../api/client.ts';
import { CrmError } from '../../errors.ts';
import type { Resource } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { scalarText } from '../../values/json.ts';
import type { Id } from '../../values/parse.ts';
import type { Baseline } from '../journal/run.ts';
import type { Verdict } from '../step.ts';
import { Fitting, type Sample, searchWord } from './fit.ts';
import { createdOf, day, idOf, isNew, newestPage, recordsSince, slack, timeOf } from './newest.ts';

/** A create that may have taken effect. */
export interface CreateDoubt {
  readonly n: number;
  readonly body: Body;
  /** The steady time of sending in milliseconds; undefined when unknown. */
  readonly sentAt?: number | undefined;
  /** Milliseconds that the request may have been under way. */
  readonly mayTake: number;
  /** True when this time is over: a record that is not there now never arrived. */
  readonly isDue?: boolean;
  /** True when the create certainly worked and only its record is unknown. It has the first choice. */
  readonly isCertain?: true;
}

/** Returned when the list shows none of the run's own newer records: it may also lack the wanted one. */
export interface Late {
  readonly end: 'late';
}

/** Further facts of the run. */
export interface Surroundings {
  readonly baseline: Baseline | undefined;
  /** Own records, with the service's time of creation and the steady time of the answer. */
  readonly anchors: readonly { readonly created: string; readonly answeredAt: number }[];
  /** Own records of certain id, with the sent values. */
  readonly samples: readonly Sample[];
  /** Ids of own records in the order of their answers. */
  readonly ownIds: readonly string[];
  /** The steady time of the newest answer about an own record, or about one of `ids`. Undefined when there is none. */
  newestAnswer(ids?: readonly string[]): number | undefined;
  /**
   * Called after the records were read. Waits until every request under way has its answer or is in doubt, because the records may be
   * theirs. Returns the other creates that may have made some of the records.
   */
  rivals(): Promise<readonly CreateDoubt[]>;
  /** The ids, among these, that a run of this service made or found. */
  isClaimed(ids: readonly string[]): ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Looks for creates of a family, all together. Returns a verdict for each. Throws the errors of Api.read. */
export async function lookForCreates(
  api: Api,
  resource: Resource,
  lookedFor: readonly CreateDoubt[],
  surroundings: Surroundings,
): Promise<Map<number, Verdict | Late>> {
  const { samples, isClaimed } = surroundings;
  // Noted before the list is read, which must show every record answered until now.
  const newest = surroundings.newestAnswer();
  const read = await newRecords(api, resource, lookedFor, surroundings);
  const doubts = [...lookedFor, ...(await surroundings.rivals())];
  const fitting = new Fitting(resource, samples);
  const unclaimed = (records: ReadonlyMap<string, Candidate>): Candidate[] => {
    if (records.size === 0) return [];
    const claimed = isClaimed([...records.keys()]);
    return [...records].filter(([id]) => !claimed.has(id)).map(([, candidate]) => candidate);
  };
  const pairs = pairsOf(fitting, doubts, unclaimed(read), surroundings);
  const missing = lookedFor.filter((doubt) => doubt.isDue && pairs.every((pair) => pair.doubt !== doubt));
  const searched = await searchedRecords(api, resource, missing, read, surroundings);
  pairs.push(...pairsOf(fitting, doubts, unclaimed(searched), surroundings));
  const verdicts = verdictsOf(resource, doubts, pairs);
  const shown = newest === undefined ? undefined : surroundings.newestAnswer([...read.keys(), ...searched.keys()]);
  for (const doubt of lookedFor) {
    const isAbsent = verdicts.get(doubt.n)?.end === 'absent';
    if (isAbsent && isLate(doubt, newest, shown)) verdicts.set(doubt.n, { end: 'late' });
  }
  return verdicts;
}

/** True when own records were answered after the doubt was sent, preferably after its time was over, and the list shows none of them. */
function isLate({ sentAt = Number.NEGATIVE_INFINITY, mayTake }: CreateDoubt, newest: number | undefined, shown: number | undefined) {
  if (newest === undefined || newest < sentAt) return false;
  const since = newest > sentAt + mayTake ? sentAt + mayTake : sentAt;
  return shown === undefined || shown < since;
}

interface Candidate {
  readonly id: Id;
  readonly record: unknown;
  readonly created: number | undefined;
}

/** A record that may belong to a doubt. Without a score the values are not enough. */
interface Pair {
  readonly doubt: CreateDoubt;
  readonly candidate: Candidate;
  readonly score: number | undefined;
}

function pairsOf(fitting: Fitting, doubts: readonly CreateDoubt[], candidates: readonly Candidate[], surroundings: Surroundings): Pair[] {
  return candidates.flatMap((candidate) =>
    doubts.flatMap((doubt) => {
      const fit = fitting.fit(candidate.record, doubt.body);
      const distance = distanceOf(candidate.created, windowOf(doubt, surroundings));
      if (fit === undefined || distance > day) return [];
      return [{ doubt, candidate, score: fit.isEnough && distance === 0 ? fit.score : undefined }];
    }),
  );
}

/** The records since the run began, by id. When the time of a doubt is over, the records of a longer time before, because clocks differ. */
async function newRecords(
  api: Api,
  resource: Resource,
  doubts: readonly CreateDoubt[],
  surroundings: Surroundings,
): Promise<Map<string, Candidate>> {
  const floor = Math.min(...doubts.map((doubt) => windowOf(doubt, surroundings)?.from ?? Number.NEGATIVE_INFINITY));
  const reach = {
    since: Number.isFinite(floor) ? floor + slack : undefined,
    isFar: doubts.some(({ isDue }) => isDue),
    newest: timeOf(surroundings.baseline?.newest),
  };
  return candidatesIn(recordsSince(api, resource, reach, surroundings.signal), surroundings);
}

/** The most doubts for which the service is searched. */
const mostSearched = 50;

/** Further new records, found by searching for a word of the bodies: a page for each. A service without search gives none. */
async function searchedRecords(
  api: Api,
  resource: Resource,
  doubts: readonly CreateDoubt[],
  read: ReadonlyMap<string, Candidate>,
  surroundings: Surroundings,
): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>();
  const search = resource.filters.find(({ flag }) => flag === 'search');
  for (const { body } of doubts.slice(0, mostSearched)) {
    const word = searchWord(resource, body);
    if (search === undefined || word === undefined) continue;
    const page = await newestPage(api, resource, [[search.wire, word]]).catch(ignoreFailures);
    for (const [id, candidate] of await candidatesIn(page, surroundings)) if (!read.has(id)) found.set(id, candidate);
  }
  return found;
}

function ignoreFailures(error: unknown): readonly unknown[] {
  if (error instanceof CrmError) return [];
  throw error;
}

async function candidatesIn(
  records: AsyncIterable<unknown> | Iterable<unknown>,
  { baseline, ownIds }: Surroundings,
): Promise<Map<string, Candidate>> {
  const found = new Map<string, Candidate>();
  const lowest = lowestNewId(baseline, ownIds);
  for await (const record of records) {
    const id = idOf(record);
    if (id === undefined || (baseline !== undefined && !isNew(record, baseline))) continue;
    if (lowest !== undefined && /^\d+$/.test(scalarText(id)) && BigInt(id) < lowest) continue;
    found.set(scalarText(id), { id, record, created: timeOf(createdOf(record)) });
  }
  return found;
}

/** The fewest own ids that show whether ids ascend, and the most of them out of order: several records are made at once. */
const fewestIds = 8;
const mostDescents = 2;

/** The lowest id that a new record can have: the highest baseline id + 1. Undefined unless the run's ids ascend. */
function lowestNewId(baseline: Baseline | undefined, ownIds: readonly string[]): bigint | undefined {
  const before = [...(baseline?.ids ?? [])];
  if (before.length === 0 || ownIds.length < fewestIds || ![...before, ...ownIds].every((id) => /^\d+$/.test(id))) return undefined;
  const own = ownIds.map(BigInt);
  const highest =
    before
      .map(BigInt)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .at(-1) ?? 0n;
  const descents = own.filter((id, index) => index > 0 && id < (own[index - 1] ?? id)).length;
  return descents <= mostDescents && own.every((id) => id > highest) ? highest + 1n : undefined;
}

/**
 * The times between which the service would have created a doubt's record: by the own record nearest in time, else after the newest
 * baseline record. Undefined when unknown.
 */
function windowOf(
  { sentAt, mayTake }: CreateDoubt,
  { anchors, baseline }: Pick<Surroundings, 'anchors' | 'baseline'>,
): { readonly from: number; readonly to: number } | undefined {
  const began = timeOf(baseline?.newest);
  const [first, ...others] = anchors.flatMap(({ created, answeredAt }) => {
    const time = timeOf(created);
    return time === undefined ? [] : [{ time, answeredAt }];
  });
  if (first === undefined || sentAt === undefined)
    return began === undefined ? undefined : { from: began - slack, to: Number.POSITIVE_INFINITY };
  const distance = ({ answeredAt }: { answeredAt: number }): number => Math.abs(answeredAt - sentAt);
  const nearest = others.reduce((a, b) => (distance(b) < distance(a) ? b : a), first);
  const expected = nearest.time + sentAt - nearest.answeredAt;
  return { from: expected - slack, to: expected + mayTake + slack };
}

/** Milliseconds by which a time is outside a window; 0 inside, and when unknown. */
function distanceOf(time: number | undefined, window: ReturnType<typeof windowOf>): number {
  if (window === undefined || time === undefined) return 0;
  return Math.max(0, window.from - time, time - window.to);
}

/** Assigns candidates to the doubts that they fit best. The remaining candidates decide about the other doubts. */
function verdictsOf(resource: Resource, doubts: readonly CreateDoubt[], pairs: readonly Pair[]): Map<number, Verdict | Late> {
  const taken = new Set<Candidate>();
  const best = new Map<CreateDoubt, Pair>();
  const certainFirst = (pair: Pair): number => (pair.doubt.isCertain ? 1 : 0);
  const ranked = pairs
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || certainFirst(b) - certainFirst(a));
  for (const pair of ranked) {
    if (taken.has(pair.candidate) || best.has(pair.doubt)) continue;
    taken.add(pair.candidate);
    best.set(pair.doubt, pair);
  }
  const left = pairs.filter(({ candidate }) => !taken.has(candidate));
  return new Map(doubts.map((doubt) => [doubt.n, verdictOf(resource, doubt, best.get(doubt), left)]));
}

function verdictOf({ name }: Resource, doubt: CreateDoubt, found: Pair | undefined, left: readonly Pair[]): Verdict {
  const others = left.filter((pair) => pair.doubt === doubt);
  if (found === undefined) {
    return others.length === 0 ? { end: 'absent' } : { end: 'untold', candidates: others.map(({ candidate }) => candidate.id) };
  }
  // Among equal records, one is the run's: it exists, and its id is uncertain.
  if (others.some(({ score }) => score === found.score)) return { end: 'found', made: [{ family: name, sure: false, own: true }] };
  const created = createdOf(found.candidate.record);
  const made = { family: name, id: found.candidate.id, sure: true, own: true, ...(created === undefined ? {} : { created }) };
  return { end: 'found', made: [made] };
}
