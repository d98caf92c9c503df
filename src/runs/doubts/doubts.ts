// Requests that were sent and never answered: each is found in the service, is absent, or can't be told. Nothing is sent
// again before it was looked for, and nothing is decided by a guess.

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

/** A create that may have gone through. */
export interface CreateDoubt {
  readonly n: number;
  readonly body: Body;
  /** Milliseconds of the steady clock; undefined where nobody knows when it was sent. */
  readonly sentAt?: number | undefined;
  /** How long it may have been on its way, in milliseconds. */
  readonly mayTake: number;
  /** That time is up: what is not there now never arrived. */
  readonly isDue?: boolean;
  /** It went through for certain, and nobody knows which record it made: it has the first choice. */
  readonly isCertain?: true;
}

/** The list shows none of the run's own newer records, so that what it doesn't show may be there. */
export interface Late {
  readonly end: 'late';
}

/** What is known of the service beside the doubts. */
export interface Surroundings {
  readonly baseline: Baseline | undefined;
  /** Own records: when the service says that they were created, and the steady time at which their answers came. */
  readonly anchors: readonly { readonly created: string; readonly answeredAt: number }[];
  /** Own records that are known for certain, beside what was sent. */
  readonly samples: readonly Sample[];
  /** Ids of some own records in the order of their answers. */
  readonly ownIds: readonly string[];
  /** The steady time of the newest answer that told of an own record; among `ids` where they are given. Undefined without any. */
  newestAnswer(ids?: readonly string[]): number | undefined;
  /**
   * Called once the records were read. Waits until whatever was under way then has its answer or is in doubt, for the
   * records may be of that; gives the creates, besides those that are looked for, that may have made some of them.
   */
  rivals(): Promise<readonly CreateDoubt[]>;
  /** Of some ids those that a run of this service made or found. */
  isClaimed(ids: readonly string[]): ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Looks for creates of one family, all of them together. Gives a verdict for each. Throws what Api.read throws.
 */
export async function lookForCreates(
  api: Api,
  resource: Resource,
  lookedFor: readonly CreateDoubt[],
  surroundings: Surroundings,
): Promise<Map<number, Verdict | Late>> {
  const { samples, isClaimed } = surroundings;
  // Before the list is read: it must show what was answered until now.
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

/** Whether own records were answered after a doubt was sent, better after its time was up, and the list shows none of them. */
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

/** A candidate that fits a doubt; without a score not enough to be found. */
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

/** The records that came about since the run began, by their ids; once the time of a doubt is up, from far back, for clocks differ. */
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

/** So many doubts at the most are searched for. */
const mostSearched = 50;

/** New records besides those that were read that a search for something in the bodies finds: one page each. A service that can't search finds none. */
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

/** So many own ids show whether ids ascend; so many of them may come out of order, for several are made at once. */
const fewestIds = 8;
const mostDescents = 2;

/** Where the ids of a run ascend above all that were there: the highest of those and one. */
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
 * When the service would say that a doubt's record was created: by the own record nearest in time; else since the newest
 * that was there before. Undefined where nobody knows.
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

/** How far a time is outside a window, in milliseconds; 0 within it, and where nobody knows. */
function distanceOf(time: number | undefined, window: ReturnType<typeof windowOf>): number {
  if (window === undefined || time === undefined) return 0;
  return Math.max(0, window.from - time, time - window.to);
}

/** Candidates go to the doubts that they fit best; what is left over decides about the others. */
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
  // One of several equal records is the run's: it is there, and nobody can tell which it is.
  if (others.some(({ score }) => score === found.score)) return { end: 'found', made: [{ family: name, sure: false, own: true }] };
  const created = createdOf(found.candidate.record);
  const made = { family: name, id: found.candidate.id, sure: true, own: true, ...(created === undefined ? {} : { created }) };
  return { end: 'found', made: [made] };
}
