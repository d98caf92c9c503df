// Looks for lost creates among the records that are newer than the baseline. Sends nothing: the verdict tells the runner whether a create
// may be sent again.

import type { Body } from '../../base/values/body.ts';
import type { IdSet } from '../../base/values/id-set.ts';
import type { Id } from '../../base/values/parse.ts';
import type { Api } from '../../client/client.ts';
import { largestPage } from '../../client/paging.ts';
import { madeOf } from '../../model/bodies/as-made.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, idOf } from '../../model/identity.ts';
import type { Verdict } from '../step.ts';
import { type Fit, Fitting, isEdited } from './fit.ts';
import { newestRecords } from './newest.ts';

/** A create that may have taken effect. */
export interface LostCreate {
  readonly n: number;
  readonly body: Body;
  /** True when the create certainly worked and only its record is unknown. Of equal creates, a certain create gets the record. */
  readonly isCertain?: true;
}

/** The facts of the run that a look needs. */
export interface Surroundings {
  /** The ids of the newest records, read before the creates of this round. */
  readonly baseline: ReadonlySet<string>;
  /** The values that the service changed or added in the run's first record of the family (`madeOf`); undefined when unknown. */
  readonly first: Readonly<Record<string, unknown>> | undefined;
  /** The ids of records that a run of this service made or found. */
  readonly known: IdSet;
  readonly signal: AbortSignal;
}

/**
 * Looks for the lost creates of a family in one reading of the family's list. Returns a verdict for each step number, and the ids of the
 * next baseline. Throws the errors of `newestRecords`.
 */
export async function lookForCreates(
  api: Api,
  resource: Resource,
  creates: readonly LostCreate[],
  { baseline, first, known, signal }: Surroundings,
): Promise<{ readonly verdicts: Map<number, Verdict>; readonly newest: readonly string[] }> {
  const { records, ids: newest } = await newestRecords(api, resource, baseline, signal);
  const fitting = new Fitting(resource, first);
  const pairs = [...records].flatMap(([id, record]): Pair[] => {
    const candidate = { id: idOf(record) ?? id, record };
    if (known.has(id)) return [];
    return creates.flatMap((create) => {
      const fit = fitting.fit(record, create.body);
      return fit === undefined ? [] : [{ create, candidate, fit }];
    });
  });
  // When an undo has deleted the newest, a later look ends at the records that were there before the run.
  const before = [...baseline].slice(-largestPage).filter((id) => !newest.includes(id));
  return { verdicts: verdictsOf(resource, creates, pairs), newest: [...newest, ...before] };
}

interface Candidate {
  readonly id: Id;
  readonly record: unknown;
}

/** A record that may belong to a lost create. */
interface Pair {
  readonly create: LostCreate;
  readonly candidate: Candidate;
  readonly fit: Fit;
}

/** Gives each record to the create with which most values agree. Of equal creates, a certain create gets the record. */
function verdictsOf(resource: Resource, creates: readonly LostCreate[], pairs: readonly Pair[]): Map<number, Verdict> {
  const taken = new Set<Candidate>();
  const found = new Map<LostCreate, Pair>();
  const rankOf = ({ create, fit }: Pair): number => 2 * fit.score + (create.isCertain ? 1 : 0);
  for (const pair of pairs.filter(({ fit }) => fit.isEnough).toSorted((a, b) => rankOf(b) - rankOf(a))) {
    if (taken.has(pair.candidate) || found.has(pair.create)) continue;
    taken.add(pair.candidate);
    found.set(pair.create, pair);
  }
  const left = Map.groupBy(
    pairs.filter(({ candidate }) => !taken.has(candidate)),
    ({ create }) => create,
  );
  return new Map(creates.map((create) => [create.n, verdictOf(resource, found.get(create), left.get(create) ?? [])]));
}

/** `others`: pairs of the create with records that no create got. */
function verdictOf(resource: Resource, found: Pair | undefined, others: readonly Pair[]): Verdict {
  if (found === undefined)
    return others.length === 0 ? { end: 'absent' } : { end: 'unknown', candidates: others.map(({ candidate }) => candidate.id) };
  // One of several equal records is the run's. The create is found, and the id of its record is uncertain.
  if (others.some(({ fit }) => fit.isEnough && fit.score === found.fit.score))
    return { end: 'found', made: [{ family: resource.name, sure: false, own: true }] };
  const { id, record } = found.candidate;
  const created = createdOf(record);
  const made = { family: resource.name, id, sure: true, own: true, ...(created === undefined ? {} : { created }) };
  // An edited record no longer tells which values the service changed.
  const after = isEdited(record) ? undefined : madeOf(resource, found.create.body, record);
  return { end: 'found', made: [made], ...(after === undefined ? {} : { after }) };
}
