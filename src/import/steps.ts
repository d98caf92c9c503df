// The rows of a file as steps of a run: which record a row means, what is sent for it, and how a request of it is told.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { checkCompleted } from '../bodies/create-body.ts';
import { asMember } from '../bodies/names.ts';
import { mergeBody } from '../bodies/read-back.ts';
import { updateShape } from '../bodies/shape.ts';
import { ConflictError, UsageError } from '../errors.ts';
import { Problems } from '../files/problems.ts';
import { areAlike } from '../runs/fit.ts';
import type { Journal } from '../runs/journal.ts';
import { createdRecord } from '../runs/newest.ts';
import type { Operation, Plan, SentRequest, Settled, Step, Trace, Verdict, World } from '../runs/step.ts';
import { recordAt } from '../runs/survey.ts';
import type { Body } from '../values/body.ts';
import { type Id, valueText } from '../values/parse.ts';
import { isMembers } from '../values/paths.ts';
import { newestCommand } from '../verbs/create.ts';
import type { Source } from './files/source.ts';
import { heldOf, holdsAll } from './match/held.ts';
import { type Match, type Matcher, matchAmongNew } from './match/match.ts';
import type { ImportPlan } from './plan.ts';
import { checkedRows } from './rows/check.ts';
import { digestOf, type Row } from './rows/row.ts';
import { createBodyOf, updateGivenBy } from './rows/row-checks.ts';
import { rowReader } from './rows/rows.ts';

/** What the steps of an import need beside the rows. */
export interface ImportWork {
  readonly plan: ImportPlan;
  readonly source: Source;
  readonly rows: number;
  readonly journal: Journal;
  /** Absent in mode `create`. */
  readonly matcher?: Matcher;
  readonly signal: AbortSignal;
}

/** The file as a plan: it is read again each time, and holds no rows. */
export function importSteps(work: ImportWork): Plan {
  const { plan, source, rows } = work;
  // Rows that were in doubt: the list that rows find their records in was read before.
  const inDoubt = new Set<number>();
  return {
    count: rows,
    async *steps(isWanted) {
      await source.checkUnchanged();
      const problems = new Problems();
      let number = 0;
      for await (const row of checkedRows(plan, source.bytes(), rowReader(plan, problems), problems, (n) => !isWanted(n))) {
        if (row === undefined) throw new ConflictError(`${source.name} was changed while it was being imported, so nothing more is sent.`);
        number += 1;
        if (number % checkEvery === 0) await source.checkUnchanged();
        yield stepOf(work, row, inDoubt);
      }
      await source.checkUnchanged();
    },
  };
}

/** After so many rows the file is looked at, whether it is still what it was. */
const checkEvery = 256;

function stepOf(work: ImportWork, row: Row, inDoubt: Set<number>): Step {
  const { resource } = work.plan;
  return {
    n: row.number,
    key: `line ${row.line}`,
    family: resource.name,
    digest: digestOf(row),
    prepare: (world) => prepare(work, row, world, inDoubt.has(row.number)),
    trace: (sent) => {
      inDoubt.add(row.number);
      return traceOf(work.plan, row, sent);
    },
  };
}

async function prepare(work: ImportWork, row: Row, world: World, wasInDoubt: boolean): Promise<Operation | Settled> {
  const { plan, matcher } = work;
  if (matcher === undefined) return createOf(plan, row.body);
  const match = await matchOf(work, matcher, row, world.api, wasInDoubt);
  if (match.kind === 'one') return updateOf(plan, row, match, world.api);
  const what = plan.match?.kind === 'field' ? `${plan.match.field.flag} ${row.key}` : `id ${row.key}`;
  if (match.kind === 'several') throw new UsageError(`Several ${plan.resource.name} have the ${what}.`);
  if (plan.mode === 'update' || (plan.match?.kind === 'id' && row.key !== undefined)) {
    throw new UsageError(`There is no ${plan.resource.singular} with the ${what}.`);
  }
  return createOf(plan, createBodyOf(plan, row));
}

async function matchOf(
  { plan, journal, signal }: ImportWork,
  matcher: Matcher,
  { key }: Row,
  api: Api,
  wasInDoubt: boolean,
): Promise<Match> {
  if (key === undefined) return { kind: 'none' };
  const match = await matcher.find(key);
  const baseline = journal.baseline(plan.resource.name);
  if (match.kind !== 'none' || !wasInDoubt || plan.match?.kind !== 'field' || baseline === undefined) return match;
  return matchAmongNew(api, plan, key, baseline, signal);
}

function createOf({ resource }: ImportPlan, body: Body): Operation {
  return {
    request: { method: 'POST', path: resource.path, body, check: newestCommand(resource) },
    sent: { kind: 'create' },
    did: 'created',
    made: ({ data }) => [createdRecord(resource, data)],
  };
}

/** The read-merge-write of a single update; nothing is sent when the record holds everything already. */
async function updateOf(plan: ImportPlan, row: Row, match: Extract<Match, { kind: 'one' }>, api: Api): Promise<Operation | Settled> {
  const { id } = match;
  const { resource } = plan;
  const shape = updateShape(resource);
  const { fields } = shape;
  const given = updateGivenBy(plan, row);
  const unchanged: Settled = { settled: 'unchanged', made: [] };
  if (match.same(given)) return unchanged;
  const path = `${resource.path}/${id}`;
  const record = match.record ?? recordOf(await api.read({ method: 'GET', path }), path);
  if (holdsAll(fields, record, given)) return unchanged;
  const body = mergeBody(fields, record, given);
  checkCompleted(shape, body, asMember, { singular: resource.singular, given });
  return {
    request: { method: 'PATCH', path, body, check: `${resource.name} get ${id}` },
    sent: { kind: 'update', target: id, before: heldOf(fields, record, given) },
    did: 'updated',
    made: () => [],
  };
}

function traceOf(plan: ImportPlan, row: Row, { kind, target, before }: SentRequest): Trace {
  if (kind === 'update' && target !== undefined) {
    return { kind: 'target', look: (api) => lookAtUpdate(plan, row, target, before, api) };
  }
  if (plan.mode === 'update') return { kind: 'repeatable' };
  try {
    return { kind: 'create', resource: plan.resource, body: plan.mode === 'create' ? row.body : createBodyOf(plan, row) };
  } catch (error) {
    // A row that can't create a record was sent as an update, whatever the journal could keep of it.
    if (error instanceof UsageError) return { kind: 'repeatable' };
    throw error;
  }
}

/** Whether a record is as the row wants it, as it was before, or neither. */
async function lookAtUpdate(plan: ImportPlan, row: Row, id: Id, before: unknown, api: Api): Promise<Verdict> {
  const { fields } = updateShape(plan.resource);
  const given = updateGivenBy(plan, row);
  const record = await recordAt(api, `${plan.resource.path}/${id}`);
  if (record === undefined) return { end: 'absent' };
  if (holdsAll(fields, record, given)) return { end: 'found', made: [], did: 'updated' };
  const held = heldOf(fields, record, given);
  const isAs = (wanted: (wire: string) => string): boolean => [...given.keys()].every((wire) => areAlike(held[wire] ?? '', wanted(wire)));
  if (isAs((wire) => valueText(given.get(wire) ?? ''))) return { end: 'found', made: [], did: 'updated' };
  const old = isMembers(before) ? before : undefined;
  if (old === undefined || isAs((wire) => String(old[wire] ?? ''))) return { end: 'absent' };
  return { end: 'untold', candidates: [id] };
}
