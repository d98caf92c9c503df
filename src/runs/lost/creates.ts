// The creates of a family in a run: the ids that no new record can have, and the look for lost creates among the newest records. Sends no
// writes: a verdict tells the runner whether a create may be sent again.

import { CrmError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { IdSet } from '../../base/values/id-set.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import type { Api } from '../../client/client.ts';
import { madeIn } from '../../client/evidence.ts';
import { largestPage } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import type { Answer, ApiRequest } from '../../client/types.ts';
import { madeOf } from '../../model/bodies/as-made.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, idOf, updatedOf } from '../../model/identity.ts';
import type { Run } from '../journal/run.ts';
import type { Verdict } from '../step.ts';
import { type Fit, Fitting } from './fit.ts';
import { newestRecords } from './newest.ts';

/** A create that may have taken effect. */
export interface LostCreate {
  readonly n: number;
  readonly body: Body;
  /** True when the create certainly worked and only its record is unknown. Of equal creates, a certain create gets the record. */
  readonly isCertain?: true;
}

/** The creates of a family in a run. */
export class Creates {
  readonly #api: Api;
  readonly #resource: Resource;
  readonly #run: Run;
  readonly #signal: AbortSignal;
  readonly #fitting: Fitting;
  /** The ids of the baseline and of known records. Undefined until the baseline is read. */
  #known: IdSet | undefined;
  #reading: Promise<void> | undefined;
  #isFirstRead = false;
  /** The ids of the newest records in the latest look. */
  #newest: readonly string[] | undefined;

  constructor(api: Api, resource: Resource | undefined, run: Run, signal: AbortSignal) {
    if (resource === undefined) throw new RangeError('Records of this family are not created.');
    this.#api = api;
    this.#resource = resource;
    this.#run = run;
    this.#signal = signal;
    this.#fitting = new Fitting(resource);
  }

  get hasBaseline(): boolean {
    return this.#known !== undefined;
  }

  /** Reads and notes the baseline, unless an earlier process did. Several callers share a reading. Throws the errors of `newestRecords`. */
  readBaseline(): Promise<void> {
    this.#reading ??= this.#readBaseline().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readBaseline(): Promise<void> {
    const { name } = this.#resource;
    if (this.#run.baseline(name) === undefined) {
      const { ids } = await newestRecords(this.#api, this.#resource, undefined, this.#signal);
      this.#run.noteBaseline(name, ids);
    }
    this.#known = this.#knownIds();
  }

  /** Makes the newest records of the latest look the baseline of the next round. */
  renewBaseline(): void {
    if (this.#newest !== undefined) this.#run.noteBaseline(this.#resource.name, this.#newest);
    this.#newest = undefined;
  }

  /** The ids that no new record can have: of the baseline, of this run's records, and of later records of other runs. */
  #knownIds(): IdSet {
    const { name } = this.#resource;
    const known = new IdSet();
    for (const id of this.#run.baseline(name) ?? []) known.add(id);
    for (const id of this.#run.knownIds(name)) known.add(id);
    return known;
  }

  /** Keeps the id of a record that the run made or found. */
  add(id: Id): void {
    this.#known?.add(id);
  }

  /** True when the answer to a create has the id of a new record, and contradicts no sent value. */
  isNew(id: Id | undefined, { body = new Map() }: ApiRequest, { data }: Answer): boolean {
    return id !== undefined && this.#known?.has(id) !== true && !this.#fitting.isContradicted(data, body);
  }

  /**
   * The values that the service changed or added in a created record (`madeOf`), by the answer to the create. If the answer lacks sent
   * values, the run's first record is read again, in the turn of its create.
   */
  async madeBy(
    { path, body = new Map() }: ApiRequest,
    answer: Answer,
    api: Api,
  ): Promise<{ readonly read: unknown; readonly after: unknown }> {
    const after = madeOf(this.#resource, body, answer.data);
    const made = madeIn(answer);
    if (after !== undefined || made.kind !== 'record' || this.#isFirstRead) return { read: undefined, after };
    this.#isFirstRead = true;
    const read = await readRecord(api, `${path}/${scalarText(made.record.id)}`).catch((error: unknown) => {
      if (!(error instanceof CrmError)) throw error;
    });
    return { read, after: madeOf(this.#resource, body, read) };
  }

  /** Looks for lost creates in one reading of the list. Returns a verdict for each step number. Throws the errors of `newestRecords`. */
  async look(creates: readonly LostCreate[]): Promise<Map<number, Verdict>> {
    const baseline = this.#run.baseline(this.#resource.name) ?? new Set();
    const known = this.#knownIds();
    const { records, ids } = await newestRecords(this.#api, this.#resource, baseline, this.#signal);
    // When an undo has deleted the newest, a later look ends at the records that were there before the run.
    this.#newest = [...ids, ...[...baseline].slice(-largestPage).filter((id) => !ids.includes(id))];
    const candidates = [...records].flatMap(([id, record]) => (known.has(id) ? [] : [{ id: idOf(record) ?? id, record }]));
    const pairs = pairsOf(new Fitting(this.#resource, this.#run.firstMade(this.#resource.name)), creates, candidates);
    // A record that the run found and changed may be a colleague's, so the record decides no create.
    const changed = this.#run.changedAmong(
      this.#resource.name,
      pairs.map(({ candidate }) => candidate.id),
    );
    const judged = pairs.map((pair) => ({
      ...pair,
      fit: { ...pair.fit, isEnough: pair.fit.isEnough && !changed.has(scalarText(pair.candidate.id)) },
    }));
    return verdictsOf(this.#resource, creates, judged);
  }
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

/** Records are looked up by key, and the first key with records counts. */
function pairsOf(fitting: Fitting, creates: readonly LostCreate[], candidates: readonly Candidate[]): Pair[] {
  const byKey = new Map<string, Candidate[]>();
  for (const candidate of candidates)
    for (const key of fitting.keysOf(candidate.record)) {
      const some = byKey.get(key) ?? [];
      some.push(candidate);
      byKey.set(key, some);
    }
  return creates.flatMap((create) => {
    const pairsBy = (key: string): Pair[] =>
      (byKey.get(key) ?? []).flatMap((candidate) => {
        const fit = fitting.fit(candidate.record, create.body);
        return fit === undefined ? [] : [{ create, candidate, fit }];
      });
    const found = fitting.keysFor(create.body).map(pairsBy);
    return found.find((pairs) => pairs.length > 0) ?? [];
  });
}

/** Of equal creates, a certain create gets the record. */
function verdictsOf(resource: Resource, creates: readonly LostCreate[], pairs: readonly Pair[]): Map<number, Verdict> {
  const taken = new Set<Candidate>();
  const found = new Map<LostCreate, Pair>();
  const rankOf = ({ create, fit }: Pair): number => 2 * fit.rank + (create.isCertain ? 1 : 0);
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
  if (others.some(({ fit }) => fit.isEnough && fit.rank === found.fit.rank))
    return { end: 'found', made: [{ family: resource.name, own: true }] };
  const { id, record } = found.candidate;
  const made = { family: resource.name, id, own: true, created: createdOf(record) };
  // An edited record no longer tells which values the service changed.
  return { end: 'found', made: [made], after: isEdited(record) ? undefined : madeOf(resource, found.create.body, record) };
}

/** True, too, for a record that doesn't tell. */
function isEdited(record: unknown): boolean {
  const created = createdOf(record);
  return created === undefined || created !== updatedOf(record);
}
