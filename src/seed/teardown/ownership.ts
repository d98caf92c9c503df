// Whether a run's records are still its own: own, changed, gone, replaced by another, or unknown. Compares each record with the values that
// the run's writes left in the record.

import { scalarText } from '../../base/values/json.ts';
import { type Id, valueText } from '../../base/values/parse.ts';
import { elementsIn } from '../../changes/undo/put-back.ts';
import type { Api } from '../../client/client.ts';
import { recordAt } from '../../client/read-record.ts';
import { isAsMade, statePaths } from '../../model/bodies/as-made.ts';
import { actionPath } from '../../model/bodies/held.ts';
import type { Resource } from '../../model/define.ts';
import { createdOf, isAnother, timeOf, updatedOf } from '../../model/identity.ts';
import { accountOwner } from '../../model/resources/contacts.ts';
import { familyNamed } from '../../model/resources/index.ts';
import { leadConversion } from '../../model/resources/leads.ts';
import type { HeldText } from '../../model/values.ts';
import type { PastStep, Run, RunRecord } from '../../runs/journal/run.ts';
import { Fitting } from '../../runs/lost/fit.ts';

/** `other`: the id now belongs to another record. `unknown`: nobody can tell whether the record is the run's. */
export type Ownership = 'own' | 'changed' | 'other' | 'unknown' | 'gone';

/** The reads at once. The client's limiter may allow fewer. */
const atOnce = 8;

/** The path of a run's record. */
export const madePath = ({ family, id }: RunRecord): string => `${familyNamed(family)?.path}/${id}`;

/**
 * Each element of `all` with the record that has its id now; `record` is undefined when no record has the id. Throws the errors of
 * Api.read.
 */
export async function* recordsNow<One extends { readonly made: RunRecord }>(
  api: Api,
  all: readonly One[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly one: One; readonly record: unknown }> {
  for (let at = 0; at < all.length; at += atOnce) {
    signal.throwIfAborted();
    const some = all.slice(at, at + atOnce);
    const records = await Promise.all(some.map(({ made }) => recordAt(api, madePath(made))));
    for (const [index, one] of some.entries()) yield { one, record: records[index] };
  }
}

type Made = Readonly<Record<string, HeldText>> | undefined;

/** The journal's facts of a run, read once for all of its records. */
export interface Facts {
  readonly run: Run;
  /** The writes to each record after its create. */
  readonly further: ReadonlyMap<string, readonly PastStep[]>;
  /** The values that the service changed or added in the run's first create, by family. */
  readonly alike: ReadonlyMap<string, Made>;
  /** The time of the run's last write by the service's clock, in milliseconds. Undefined when no answer told the time. */
  readonly lastWrite: number | undefined;
  /** True when the run made a contact the owner of its account, in place of another owner. */
  readonly hasOwners: boolean;
}

export function factsOf(run: Run, made: readonly RunRecord[]): Facts {
  const families = [...new Set(made.map(({ family }) => family))];
  const writes = [...run.past().filter(({ kind, state }) => kind !== undefined && kind !== 'create' && state !== 'failed')];
  return {
    run,
    further: Map.groupBy(writes, ({ family, id }) => `${family} ${id}`),
    alike: new Map(families.map((family) => [family, run.firstMade(family) as Made])),
    lastWrite: timeOf(scalarText(run.details.last_write)),
    hasOwners: writes.some(({ kind }) => kind === accountOwner.verb),
  };
}

/** The writes to a record after its create. */
export const writesTo = ({ further }: Facts, family: string, id: Id | undefined): readonly PastStep[] =>
  further.get(`${family} ${id}`) ?? [];

/** The ownership of a record. `record`: as just read; undefined for a record that is gone. */
export function ownershipOf(facts: Facts, made: RunRecord, record: unknown): Ownership {
  const resource = familyNamed(made.family);
  if (record === undefined || resource === undefined) return 'gone';
  if (made.id === undefined) return 'unknown';
  const [created, updated] = [createdOf(record), updatedOf(record)];
  if (isAnother(made.created, created) || (made.created === undefined && isMadeLater(facts, created))) return 'other';
  const [own] = facts.run.pastAt([made.step]);
  const body = made.place > 0 || own?.body.size === 0 ? undefined : own?.body;
  // A record made by an action has no body to compare with.
  if (body === undefined) {
    if (timeOf(made.created) === undefined || timeOf(created) === undefined) return 'unknown';
    return updated === undefined || updated === created ? 'own' : 'changed';
  }
  const alike = facts.alike.get(made.family);
  if (!new Fitting(resource, { ...alike, ...own?.after }).sharesOne(record, body, own?.after)) return 'unknown';
  const writes = writesTo(facts, made.family, made.id);
  const path = facts.hasOwners ? actionPath(resource, accountOwner) : undefined;
  const owner = path === undefined ? [] : [[path, undefined] as const];
  const isLeftBy = (done: readonly PastStep[]): boolean => {
    const later = new Map([...owner, ...done.flatMap((write) => setBy(resource, write))]);
    return isAsMade(resource, record, { body, made: own?.after as Made, alike, later });
  };
  const answered = writes.filter(({ state }) => state !== 'sent');
  // A write whose answer was lost may have arrived or not.
  const isLeft = isLeftBy(answered) || (answered.length < writes.length && isLeftBy(writes));
  return isLeft ? 'own' : 'changed';
}

/** Milliseconds after a run's last write from which a new record is another's: the service may have been reset, and filled anew. */
const untilAnothers = 3_600_000;

/** True when a record was made long after the run's last write. A time without a zone tells nothing: its zone may be the service's. */
function isMadeLater({ lastWrite }: Facts, created = ''): boolean {
  const time = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(created) ? timeOf(created) : undefined;
  return time !== undefined && lastWrite !== undefined && time > lastWrite + untilAnothers;
}

/** The values that a further write to a record set, by path: as answered, else as sent. Undefined: the write may have set any value. */
function setBy(resource: Resource, { kind, body, after }: PastStep): [string, HeldText | undefined][] {
  const { fields, sets = [], actions = [], guarded = [] } = resource;
  if (kind === leadConversion.verb) return statePaths(resource).map((path) => [path, undefined]);
  if (kind === accountOwner.verb) return [];
  const set = sets.find(({ verb }) => verb === kind);
  if (set !== undefined) return [[set.read, elementsIn(set, after === undefined ? body.get(set.wire) : after[set.read]).map(String)]];
  const action = [...actions, ...guarded].find(({ verb }) => verb === kind);
  const path = action === undefined ? undefined : actionPath(resource, action);
  if (action !== undefined && path !== undefined)
    return [[path, scalarText(after?.[path] ?? action.reads?.value ?? valueText(body.get(action.value?.wire ?? '') ?? ''))]];
  return [...body].flatMap(([wire, value]): [string, HeldText][] => {
    const read = fields.find((field) => field.wire === wire)?.read;
    return read === undefined ? [] : [[read, scalarText(after?.[wire] ?? valueText(value))]];
  });
}
