// Requests that were sent and never answered: each is found in the service, is absent, or can't be told. Nothing is sent
// again before it was looked for, and nothing is decided by a guess.

import type { Api } from '../api/client.ts';
import type { Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { Fitting, type Sample } from './fit.ts';
import type { Baseline } from './journal.ts';
import { createdOf, idOf, isNew, recordsSince, slack, timeOf } from './newest.ts';
import type { Verdict } from './step.ts';

/** A create that may have gone through. */
export interface CreateDoubt {
  readonly n: number;
  readonly body: Body;
  /** Milliseconds of the steady clock; undefined where nobody knows when it was sent. */
  readonly sentAt?: number | undefined;
  /** How long it may have been on its way, in milliseconds. */
  readonly mayTake: number;
  /** It went through for certain, and nobody knows which record it made: it has the first choice. */
  readonly isCertain?: true;
}

/** What is known of the service beside the doubts. */
export interface Surroundings {
  readonly baseline: Baseline | undefined;
  /** Own records: when the service says that they were created, and the steady time at which their answers came. */
  readonly anchors: readonly { readonly created: string; readonly answeredAt: number }[];
  /** Own records that are known for certain, beside what was sent. */
  readonly samples: readonly Sample[];
  /**
   * Called once the records were read. Waits until whatever was under way then has its answer or is in doubt, for the
   * records may be of that; gives the creates, besides those that are looked for, that may have made some of them.
   */
  rivals(): Promise<readonly CreateDoubt[]>;
  /** Of some ids those that a run of this service made or found. */
  isClaimed(ids: readonly string[]): ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Looks for creates of one family, all of them together. Gives a verdict for each. Throws what Api.read throws. */
export async function lookForCreates(
  api: Api,
  resource: Resource,
  lookedFor: readonly CreateDoubt[],
  surroundings: Surroundings,
): Promise<Map<number, Verdict>> {
  const read = await newRecords(api, resource, lookedFor, surroundings);
  const doubts = [...lookedFor, ...(await surroundings.rivals())];
  const claimed = surroundings.isClaimed([...read.keys()]);
  const candidates = [...read].filter(([id]) => !claimed.has(id)).map(([, candidate]) => candidate);
  const fitting = new Fitting(resource, surroundings.samples);
  const pairs: Pair[] = [];
  for (const candidate of candidates) {
    for (const doubt of doubts) {
      const fit = fitting.fit(candidate.record, doubt.body);
      if (fit.fits === 'no') continue;
      const isInTime = isWithin(candidate.created, windowOf(doubt, surroundings));
      pairs.push({ doubt, candidate, score: fit.fits === 'yes' && isInTime ? fit.score : undefined });
    }
  }
  return verdictsOf(resource, doubts, pairs);
}

interface Candidate {
  readonly id: Id;
  readonly record: unknown;
  readonly created: number | undefined;
}

/** A candidate that fits a doubt; without a score only perhaps. */
interface Pair {
  readonly doubt: CreateDoubt;
  readonly candidate: Candidate;
  readonly score: number | undefined;
}

/** The records that came about since the run began, by their ids. */
async function newRecords(
  api: Api,
  resource: Resource,
  doubts: readonly CreateDoubt[],
  { baseline, anchors, signal }: Surroundings,
): Promise<Map<string, Candidate>> {
  const windows = doubts.map((doubt) => windowOf(doubt, { anchors })?.from ?? Number.NEGATIVE_INFINITY);
  const began = timeOf(baseline?.newest);
  const floor = Math.max(Math.min(...windows), began ?? Number.NEGATIVE_INFINITY);
  const seen = new Map<string, Candidate>();
  for await (const record of recordsSince(api, resource, Number.isFinite(floor) ? floor : undefined, signal)) {
    const id = idOf(record);
    if (id === undefined || (baseline !== undefined && !isNew(record, baseline))) continue;
    seen.set(scalarText(id), { id, record, created: timeOf(createdOf(record)) });
  }
  return seen;
}

interface Window {
  readonly from: number;
  readonly to: number;
}

/** When the service would say that a doubt's record was created, by the own record nearest in time; undefined without one. */
function windowOf({ sentAt, mayTake }: CreateDoubt, { anchors }: Pick<Surroundings, 'anchors'>): Window | undefined {
  if (sentAt === undefined) return undefined;
  const [first, ...others] = anchors.flatMap(({ created, answeredAt }) => {
    const time = timeOf(created);
    return time === undefined ? [] : [{ time, answeredAt }];
  });
  if (first === undefined) return undefined;
  const distance = ({ answeredAt }: { answeredAt: number }): number => Math.abs(answeredAt - sentAt);
  const nearest = others.reduce((a, b) => (distance(b) < distance(a) ? b : a), first);
  const expected = nearest.time + sentAt - nearest.answeredAt;
  return { from: expected - slack, to: expected + mayTake + slack };
}

const isWithin = (time: number | undefined, window: Window | undefined): boolean =>
  window === undefined || time === undefined || (time >= window.from && time <= window.to);

/** Candidates go to the doubts that they fit best; what is left over decides about the others. */
function verdictsOf(resource: Resource, doubts: readonly CreateDoubt[], pairs: readonly Pair[]): Map<number, Verdict> {
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
