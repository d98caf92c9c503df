// One row on its way: which record it means, what is sent for it, and what an answer or a failure makes of it.

import type { Api } from '../api/client.ts';
import { recordOf } from '../api/envelope.ts';
import { checkOrder, requireFields } from '../bodies/body.ts';
import { updateShape } from '../bodies/shapes.ts';
import { CrmError, type RefusedError, UnauthorizedError, type UnavailableError, UsageError } from '../errors.ts';
import { type Limiter, wasNotProcessed } from '../runs/limiter.ts';
import { isLost } from '../runs/lost-answers.ts';
import { holdsAll, idOf } from '../runs/readback.ts';
import type { Body } from '../values/body.ts';
import type { Id } from '../values/parse.ts';
import { newestCommand } from '../verbs/create.ts';
import { mergeBody } from '../verbs/update.ts';
import type { Match, Matcher } from './match/match.ts';
import type { ImportPlan } from './plan.ts';
import { createBodyOf, updateGivenBy } from './rows/row-checks.ts';
import type { Row } from './rows/rows.ts';

export interface RowWork {
  readonly plan: ImportPlan;
  /** Behind the limiter. */
  readonly api: Api;
  readonly limiter: Limiter;
  /** Absent in mode `create`. */
  readonly matcher?: Matcher;
  /** Decide and count, and send no writes. */
  readonly dryRun: boolean;
  /** Aborted when no more is to be sent. The limiter listens to it too. */
  readonly signal: AbortSignal;
  /** Whether the service has taken a write of this import: what it forbids then is the one row. */
  hasWritten(): boolean;
  /** Rows whose update was sent and its answer lost: what they find unchanged they changed themselves. */
  readonly resent: ReadonlySet<number>;
  /** Records by key that came about since the list was read. */
  readonly learned: ReadonlyMap<string, Id>;
}

/** Why a run ends before all rows have their outcome. */
export type Halt = { readonly kind: 'interrupted' } | { readonly kind: 'max-errors' } | { readonly kind: 'error'; readonly error: unknown };

/** What became of a row. */
export type Outcome =
  | { readonly did: 'created' | 'updated' | 'unchanged'; readonly id?: Id }
  | { readonly did: 'failed'; readonly error: CrmError }
  | { readonly did: 'unknown'; readonly error: UnavailableError | RefusedError }
  /** Nothing was sent, and nothing more should be. */
  | { readonly did: 'nothing'; readonly halt: Halt };

/** Brings one row to its outcome. Never throws. */
export async function outcomeOf(work: RowWork, row: Row): Promise<Outcome> {
  try {
    return await settled(work, row);
  } catch (error) {
    return outcomeOfFailure(work, error, 'read');
  }
}

async function settled(work: RowWork, row: Row): Promise<Outcome> {
  const { plan, matcher } = work;
  if (matcher === undefined) return createRow(work, row.body);
  const match = await matchOf(work, matcher, row.key);
  if (match.kind === 'one') return updateRow(work, row, match);
  const what = plan.match?.kind === 'field' ? `${plan.match.field.flag} ${row.key}` : `id ${row.key}`;
  if (match.kind === 'several') throw new UsageError(`Several ${plan.resource.name} have the ${what}.`);
  if (plan.mode === 'update' || (plan.match?.kind === 'id' && row.key !== undefined)) {
    throw new UsageError(`There is no ${plan.resource.singular} with the ${what}.`);
  }
  return createRow(work, createBodyOf(plan, row));
}

async function matchOf({ learned }: RowWork, matcher: Matcher, key: string | undefined): Promise<Match> {
  if (key === undefined) return { kind: 'none' };
  const id = learned.get(key);
  return id === undefined ? matcher.find(key) : { kind: 'one', id, same: () => false };
}

async function createRow(work: RowWork, body: Body): Promise<Outcome> {
  const { resource } = work.plan;
  if (work.dryRun) return { did: 'created' };
  try {
    const answer = await work.api.write({ method: 'POST', path: resource.path, body, check: newestCommand(resource) });
    const id = idOf(answer.data);
    return { did: 'created', ...(id === undefined ? {} : { id }) };
  } catch (error) {
    return outcomeOfFailure(work, error, 'write');
  }
}

/** The read-merge-write of a single update; nothing is sent when the record holds everything already. */
async function updateRow(work: RowWork, row: Row, match: Extract<Match, { kind: 'one' }>): Promise<Outcome> {
  const { id } = match;
  const { resource } = work.plan;
  const { fields } = updateShape(resource);
  const given = updateGivenBy(work.plan, row);
  const wasSent = work.resent.has(row.number);
  if (!wasSent && match.same(given)) return { did: 'unchanged', id };
  const path = `${resource.path}/${id}`;
  const record = match.record ?? recordOf(await work.api.read({ method: 'GET', path }));
  if (holdsAll(fields, record, given)) return { did: wasSent ? 'updated' : 'unchanged', id };
  const body = mergeBody(fields, record, given);
  requireFields(fields, body);
  checkOrder(fields, body);
  if (work.dryRun) return { did: 'updated', id };
  try {
    await work.api.write({ method: 'PATCH', path, body, check: `crm ${resource.name} get ${id}` });
    return { did: 'updated', id };
  } catch (error) {
    return outcomeOfFailure(work, error, 'write');
  }
}

/** The service knows the key, and refuses what it asks for. */
export function isForbidden(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError && error.details.httpStatus === 403;
}

/** What a failed request means for its row. After a failed read nothing was written. */
function outcomeOfFailure(work: RowWork, error: unknown, kind: 'read' | 'write'): Outcome {
  if (work.signal.aborted && error === work.signal.reason) return { did: 'nothing', halt: { kind: 'interrupted' } };
  if (isForbidden(error) && work.hasWritten()) return { did: 'failed', error };
  if (!(error instanceof CrmError) || error instanceof UnauthorizedError || wasNotProcessed(error)) {
    return { did: 'nothing', halt: { kind: 'error', error } };
  }
  if (kind === 'read' && work.limiter.exhausted) return { did: 'nothing', halt: { kind: 'error', error } };
  return kind === 'write' && isLost(error) ? { did: 'unknown', error } : { did: 'failed', error };
}
