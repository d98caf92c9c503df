// The creates of a family in a run: the ids that no new record can have, and the look for lost creates among the newest records. Sends no
// writes: a verdict tells the runner whether a create may be sent again.

import { CrmError, NotFoundError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { IdSet } from '../../base/values/id-set.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import type { Api } from '../../client/client.ts';
import { madeIn } from '../../client/evidence.ts';
import { largestPage } from '../../client/paging.ts';
import { readRecord, recordFound } from '../../client/read-record.ts';
import type { Answer, ApiRequest } from '../../client/types.ts';
import { madeOf } from '../../model/bodies/as-made.ts';
import { contradictionsIn, keptOtherwise, keptValues } from '../../model/bodies/telling.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, idOf, updatedOf } from '../../model/identity.ts';
import type { HeldText } from '../../model/values.ts';
import type { Run } from '../journal/run.ts';
import type { Verdict } from '../step.ts';
import { type Fit, Fitting } from './fit.ts';
import { newestRecords } from './newest.ts';

/** A create that may have taken effect. */
export interface LostCreate {
  readonly n: number;
  readonly body: Body;
  /**
   * The answer to a create that the service confirmed, and whose record is in doubt. Of equal creates, a confirmed create gets the record.
   * `id`: of the answer, if it told one.
   */
  readonly confirmed?: Confirmed | undefined;
}

/** A success whose record is in doubt. */
export interface Confirmed {
  /** The HTTP status. */
  readonly status: number;
  readonly id?: Id | undefined;
}

/** The evidence that the answer to a create gives. Values are compared with the record as read behind the answer, if at all. */
interface Created {
  /** False when the answered record may be another's, or may not be there: the create is in doubt. */
  readonly isOurs: boolean;
  /** The record as read behind the answer. */
  readonly read?: unknown;
  /** The values that the service changed or added (`madeOf`). */
  readonly after?: Record<string, HeldText> | undefined;
  /** A sentence about telling values that the service keeps otherwise. Once a family. */
  readonly otherwise?: string;
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
  /** The lowest and the highest id of the baseline. Undefined until the baseline is read. `lowest`: undefined, too, for a whole list. */
  #lowest: string | undefined;
  #highest: string | undefined;
  /** The records that were read behind their creates and are ours: none, some, or one of them with telling values kept otherwise. */
  #read: 'none' | 'some' | 'otherwise' = 'none';
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
    this.#learn(this.#run.baseline(name) ?? new Set());
  }

  #learn(baseline: ReadonlySet<string>): void {
    this.#known = this.#knownIds();
    const ids = [...baseline].toSorted(byNumber);
    this.#highest = ids.at(-1);
    // A shorter baseline is the whole list: a record with a lower id was not there.
    this.#lowest = ids.length < largestPage ? undefined : ids[0];
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

  /** True for an id below the lowest of the baseline: its record may have stood before. */
  #isBelow(id: Id): boolean {
    return this.#lowest !== undefined && byNumber(scalarText(id), this.#lowest) < 0;
  }

  /** True for an id that no record had when the baseline was read. */
  #isAbove(id: Id): boolean {
    return this.#highest === undefined || byNumber(scalarText(id), this.#highest) > 0;
  }

  /**
   * The evidence of an answered create. The first row that fits decides:
   *
   * | the answer | the record |
   * | --- | --- |
   * | has no id, or the status 202 | is in doubt |
   * | has the id of a record that stood before: of the baseline, below its lowest, or in the journal | is in doubt |
   * | has an id above all of the baseline | is ours, whatever its values |
   * | contradicts no telling value | is ours |
   *
   * A record that is then read, in the turn of its create, and not found, is in doubt, too. Read are the run's first record if its answer
   * lacks sent values, the first record with contradicting values, and each such record whose answer lacks sent values: an undo compares
   * it with what the service made of it.
   */
  async created({ path, body = new Map() }: ApiRequest, answer: Answer, api: Api): Promise<Created> {
    const made = madeIn(answer);
    const id = made.kind === 'record' ? idOf(made.record) : undefined;
    if (made.kind !== 'record' || id === undefined || answer.status === 202 || this.#known?.has(id) || this.#isBelow(id))
      return { isOurs: false };
    const contradictions = contradictionsIn(this.#resource, made.record, body);
    const isContradicted = contradictions.length > 0;
    if (isContradicted && !this.#isAbove(id)) return { isOurs: false };
    const after = madeOf(this.#resource, body, made.record);
    const before = this.#read;
    const isTold = after !== undefined;
    if (isContradicted ? isTold && before === 'otherwise' : isTold || before !== 'none') return { isOurs: true, after };
    // Noted before the answer to the read, so that creates at the same time are not read, too.
    this.#read = isContradicted || before === 'otherwise' ? 'otherwise' : 'some';
    let isGone = false;
    const read = await readRecord(api, `${path}/${scalarText(id)}`).catch((error: unknown) => {
      if (!(error instanceof CrmError)) throw error;
      isGone = error instanceof NotFoundError;
    });
    const kept = contradictionsIn(this.#resource, read, body);
    if (isGone || (kept.length > 0 && !this.#isAbove(id))) {
      // Until a record is found to be ours, the next record is read, too.
      this.#read = before;
      return { isOurs: false };
    }
    const otherwise = kept.length === 0 || before === 'otherwise' ? {} : { otherwise: keptOtherwise(kept) };
    if (kept.length > 0) this.#read = 'otherwise';
    const left = madeOf(this.#resource, body, read ?? made.record) ?? keptValues(contradictions);
    return { isOurs: true, read, after: left, ...otherwise };
  }

  /** Looks for lost creates in one reading of the list. Returns a verdict for each step number. Throws the errors of `newestRecords`. */
  async look(creates: readonly LostCreate[]): Promise<Map<number, Verdict>> {
    const noted = this.#run.baseline(this.#resource.name);
    if (noted !== undefined) this.#learn(noted);
    const baseline = noted ?? new Set<string>();
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
    const verdicts = verdictsOf(this.#resource, creates, judged);
    for (const verdict of verdicts.values()) if (verdict.end === 'found') for (const { id } of verdict.made) known.add(id);
    for (const { n, body, confirmed } of creates) {
      if (confirmed?.id === undefined || verdicts.get(n)?.end === 'found') continue;
      const verdict = await this.#lookById(body, confirmed.status, confirmed.id, known, records);
      if (verdict.end === 'found') known.add(confirmed.id);
      verdicts.set(n, verdict);
    }
    return verdicts;
  }

  /**
   * The verdict on a confirmed create by the id in its answer. `newest`: the records above the baseline. A record that stood before is
   * never the create's; nor is a record after a 202 that differs, because the id may be the number of a job.
   */
  async #lookById(body: Body, status: number, id: Id, known: IdSet, newest: ReadonlyMap<string, unknown>): Promise<Verdict> {
    const { name, singular, path } = this.#resource;
    const unknown = (why: string): Verdict => ({
      end: 'unknown',
      candidates: [id],
      why: `The service answered ${status} with ${singular} ${scalarText(id)}, ${why}`,
    });
    const listed = newest.get(scalarText(id));
    if (known.has(id) || (listed === undefined && this.#isBelow(id))) return unknown('which was there before.');
    const record = listed ?? (await recordFound(this.#api, `${path}/${scalarText(id)}`));
    if (record === undefined) return unknown(`but there is no ${singular} ${scalarText(id)}.`);
    const isOurs =
      status === 202
        ? this.#fitting.fit(record, body)?.isEnough === true
        : this.#isAbove(id) || contradictionsIn(this.#resource, record, body).length === 0;
    if (!isOurs) return unknown('which holds other values.');
    const made = { family: name, id, own: true, created: createdOf(record) };
    return { end: 'found', made: [made], after: isEdited(record) ? undefined : madeOf(this.#resource, body, record) };
  }
}

/** Orders ids, as digits of any length. */
const byNumber = (one: string, other: string): number => one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);

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

/** Of equal creates, a confirmed create gets the record. */
function verdictsOf(resource: Resource, creates: readonly LostCreate[], pairs: readonly Pair[]): Map<number, Verdict> {
  const taken = new Set<Candidate>();
  const found = new Map<LostCreate, Pair>();
  const rankOf = ({ create, fit }: Pair): number => 2 * fit.rank + (create.confirmed === undefined ? 0 : 1);
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
