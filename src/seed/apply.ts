// Applying a plan: each record is found or created and then acted upon, once, however often it is interrupted. The ledger
// knows what was done; what it can't know is looked for in the service.

import type { Api } from '../api/client.ts';
import type { Body } from '../body.ts';
import { wasNotProcessed } from '../bulk/limiter.ts';
import { isLost, quietTimeAfter, quietTimeSince } from '../bulk/lost.ts';
import { idOf } from '../bulk/readback.ts';
import { ConflictError, CrmError, type FieldProblem, InterruptedError, NotFoundError, UnavailableError, UsageError } from '../errors.ts';
import { scalarText } from '../json.ts';
import type { Id } from '../values.ts';
import type { Effect, SeedAction } from './actions.ts';
import { hasIdsOnly } from './check.ts';
import { lookBefore, quiet, settleRecords } from './doubts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { collectionOf, type Finder } from './find.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { type Act, bodyOfAct, bodyOfMade, type Found, keyOf, type Made, madeName } from './made.ts';
import type { Plan } from './plan.ts';
import { Records } from './records.ts';
import { fill } from './scope.ts';
import type { Service } from './service.ts';
import { bodyText, isUnchanged, withSteps } from './steps.ts';

export interface ApplyOptions {
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly finder: Finder;
  /** Aborted: what is under way is finished, and nothing more begins. */
  readonly signal: AbortSignal;
  now(): Date;
}

/** A record of the file once the run is through. */
export interface AppliedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id;
  /** `kept`: an earlier apply created it. `found`: it was there before. */
  readonly state: 'created' | 'kept' | 'found';
}

/** How far an apply has come. */
export interface Applied {
  /** The records that are there, in the order in which they came about. */
  readonly records: Map<string, AppliedRecord>;
  /** Names that this process sent, whatever became of them. */
  readonly sent: Set<string>;
  /** Names of records from before for which the file has other values now. */
  readonly changed: Set<string>;
}

interface Run extends ApplyOptions {
  readonly records: Records;
  readonly applied: Applied;
}

/** How often a write whose answer was lost is looked for and sent again. */
const mostTries = 5;

/**
 * Applies a plan; `applied` is filled as it goes. Throws the error of the first record that can't be had, or the signal's
 * reason, once everything that is known is durable in the ledger.
 */
export async function applyPlan(options: ApplyOptions, applied: Applied): Promise<void> {
  const run: Run = { ...options, applied, records: new Records(options.service.api, options.ledger.state) };
  try {
    await runParts(run);
  } finally {
    await options.ledger.flush();
  }
}

async function runParts(run: Run): Promise<void> {
  const { ledger, service, signal, plan } = run;
  if (ledger.state.all().some(({ state }) => state === 'in doubt')) {
    await quiet(signal, quietTimeSince(ledger.lastWrite, run.now(), service.timeout));
    await settleRecords(service.api, ledger, signal);
  }
  for (const part of plan.parts) {
    signal.throwIfAborted();
    if (part.kind === 'find') await findRecord(run, part.found);
    else if (part.kind === 'make') await createAll(run, part.made);
    else await eachAtOnce(part.made, paceOf(run), (made) => actAll(run, made));
  }
  if (ledger.state.state !== 'applied') ledger.note({ did: 'complete', at: run.now().toISOString() });
}

const isCreated = ({ ledger }: Run, made: Made): boolean => ledger.state.records.get(madeName(made))?.state === 'created';

const paceOf = ({ service, signal }: Run) => ({ concurrency: service.concurrency, signal });

async function findRecord(run: Run, found: Found): Promise<void> {
  const collection = collectionOf(found.type);
  const values = await run.records.values(found.by.map(({ known }) => known));
  const by = new Map(found.by.map(({ name, known }) => [name, scalarText(fill(known, values))]));
  const matches = await run.finder.find(collection, by);
  const [record] = matches;
  const what = `${found.where}: ${collection.type} with ${[...by].map(([name, value]) => `${name} "${value}"`).join(' and ')}`;
  if (record === undefined) throw new NotFoundError(`There is no such record. ${what}.`);
  const id = idOf(record);
  if (id === undefined) throw new NotFoundError(`The record has no id. ${what}.`);
  if (matches.length > 1) {
    const ids = matches.slice(0, 5).map((one) => String(idOf(one)));
    throw new ConflictError(`There are ${matches.length} such records (${ids.join(', ')}${matches.length > 5 ? ', …' : ''}). ${what}.`);
  }
  run.records.add(found.name, {
    id,
    path: `${collection.path}/${id}`,
    record,
    ...(collection.resource === undefined ? {} : { resource: collection.resource }),
  });
  run.applied.records.set(found.name, { name: found.name, type: collection.type, id, state: 'found' });
}

/** Creates what is not there yet. The ones whose answer is lost are looked for together, when nothing else is under way. */
async function createAll(run: Run, all: readonly Made[]): Promise<void> {
  let rest: readonly Made[] = all.filter((made) => !isCreated(run, made));
  const [first] = rest;
  if (first !== undefined) await lookBefore(run.service.api, first.resource, run.ledger);
  rest = all;
  for (let attempt = 1; ; attempt += 1) {
    const lost: { readonly made: Made; readonly error: CrmError }[] = [];
    await eachAtOnce(rest, paceOf(run), async (made) => {
      const error = await createOne(run, made);
      if (error !== undefined) lost.push({ made, error });
    });
    const [first] = lost;
    if (first === undefined) return;
    if (attempt === mostTries || run.service.exhausted) throw named(first.error, first.made);
    await quiet(run.signal, Math.max(...lost.map(({ error }) => quietTimeAfter(error))));
    await settleRecords(run.service.api, run.ledger, run.signal);
    rest = lost.map(({ made }) => made);
  }
}

/** Creates a record, or finds that it is there. Gives the error of a request that may have arrived all the same. */
async function createOne(run: Run, made: Made): Promise<CrmError | undefined> {
  const { ledger, service, applied } = run;
  const { resource } = made;
  const name = madeName(made);
  const before = ledger.state.records.get(name);
  if (before?.state === 'created' && before.id !== undefined) {
    if (!applied.sent.has(name) && (await isChanged(run, made, before))) applied.changed.add(name);
    return present(run, made, before.id, applied.sent.has(name) ? 'created' : 'kept');
  }
  try {
    const body = bodyOfMade(made, await run.records.values([...made.values, ...made.wires].map(({ known }) => known)));
    const found = await findByKey(run, made, body);
    if (found !== undefined) return present(run, made, found, 'found');
    ledger.note({ did: 'sending', name, type: resource.singular, body: [...body], above: ledger.state.highest(resource.singular) });
    await ledger.flush();
    applied.sent.add(name);
    const answer = await service.api.write({ method: 'POST', path: resource.path, body });
    const id = idOf(answer.data);
    if (id === undefined) throw new UnavailableError(`The service answered ${answer.status} without the new record's id.`);
    ledger.note({ did: 'created', name, id, at: run.now().toISOString() });
    // Other runs wait for this one where they lost an answer to the same request. A failure comes up with the next flush.
    ledger.flush().catch(() => undefined);
    return present(run, made, id, 'created');
  } catch (error) {
    return failed(run, made, error);
  }
}

/** Whether the file has other values now than the record was created with, as far as that can be told without reading. */
async function isChanged({ records }: Run, made: Made, { body }: LedgerRecord): Promise<boolean> {
  const given = [...made.values, ...made.wires].map(({ known }) => known);
  return given.every(hasIdsOnly) && bodyText(bodyOfMade(made, await records.values(given))) !== bodyText(body);
}

/** The error of a write that may have arrived; anything else is thrown, and noted when it is certain that nothing was created. */
function failed(run: Run, made: Made, error: unknown): CrmError {
  const name = madeName(made);
  const isSent = run.ledger.state.records.get(name)?.state === 'in doubt';
  if (isSent && isLost(error) && !wasNotProcessed(error)) return error;
  if (isSent) run.ledger.note({ did: 'not created', name });
  throw named(error, made);
}

function present(run: Run, made: Made, id: Id, state: AppliedRecord['state']): undefined {
  const name = madeName(made);
  const { resource } = made;
  run.records.add(name, { id, path: `${resource.path}/${id}`, resource });
  run.applied.records.set(name, { name, type: resource.singular, id, state });
}

async function findByKey({ finder }: Run, made: Made, body: Body): Promise<Id | undefined> {
  if (made.key.length === 0) return undefined;
  const { resource } = made;
  const key = keyOf(made, body);
  const matches = await finder.find({ type: resource.singular, path: resource.path, resource }, key);
  if (matches.length > 1) throw new ConflictError(`${matches.length} ${resource.name} have its key, ${[...key.values()].join(', ')}.`);
  return idOf(matches[0]);
}

/** Does what follows a record's creation, in order. A record that was found by its key is left as it is. */
async function actAll(run: Run, made: Made): Promise<void> {
  const name = madeName(made);
  const present = run.records.get(name);
  if (present === undefined || run.applied.records.get(name)?.state === 'found') return;
  try {
    for (const act of await actsOf(run, made)) {
      if (run.signal.aborted) return;
      const known = run.ledger.state.records.get(name)?.acts.get(act.step);
      if (known?.state !== 'done' || known.verb !== act.action.verb) await actOnce(run, made, act, present.path);
    }
  } catch (error) {
    throw named(error, made);
  }
}

/** The record's actions with their steps in the ledger: the file may have changed since. */
async function actsOf({ ledger, records }: Run, made: Made): Promise<readonly Act[]> {
  const known: LedgerRecord['acts'] = ledger.state.records.get(madeName(made))?.acts ?? new Map();
  if (isUnchanged(made.acts, known)) return made.acts;
  const bodyTextOf = async (act: Act): Promise<string | undefined> => {
    try {
      return bodyText(bodyOfAct(act, await records.values([act.value.known])));
    } catch (error) {
      // What it refers to is gone; it may well be done already.
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  };
  return withSteps(made.acts, known, await Promise.all(made.acts.map(bodyTextOf)));
}

/** Does one action; one whose answer is lost is looked for, and done again when it didn't take effect. */
async function actOnce(run: Run, made: Made, act: Act, path: string): Promise<void> {
  const { ledger, service } = run;
  const { action, step } = act;
  const name = madeName(made);
  const given = bodyOfAct(act, await run.records.values([act.value.known]));
  for (let attempt = 1; ; attempt += 1) {
    if (await isDone(run, made, act, path)) return;
    const subject = { api: service.api, path };
    const body = action.complete === undefined ? given : await action.complete(subject, given ?? new Map());
    const foreseen = ledger.state.records.get(name)?.acts.get(step)?.effect ?? (await action.foresee?.(subject));
    ledger.note({
      did: 'acting',
      name,
      step,
      verb: action.verb,
      ...(body === undefined ? {} : { body: [...body] }),
      ...(foreseen === undefined ? {} : { effect: foreseen }),
    });
    await ledger.flush();
    try {
      const answer = await sendAct(run, action, path, body);
      const effect = await action.effect?.(subject, body, answer);
      ledger.note({ did: 'acted', name, step, ...(effect === undefined ? {} : { effect }) });
      return;
    } catch (error) {
      if (!isLost(error) || wasNotProcessed(error)) {
        ledger.note({ did: 'not acted', name, step });
        throw error;
      }
      if (attempt === mostTries || run.service.exhausted) throw error;
      await quiet(run.signal, quietTimeAfter(error));
    }
  }
}

async function sendAct(run: Run, action: SeedAction, path: string, body: Body | undefined): Promise<unknown> {
  const request = { method: action.method, path: `${path}/${action.path}`, ...(body === undefined ? {} : { body }) };
  const { data } = action.repeatable ? await run.service.repeat(request) : await run.service.api.write(request);
  return data;
}

/** Whether an action in doubt took effect; noted when it did. One that is merely repeated is not looked for. */
async function isDone(run: Run, made: Made, { action, step }: Act, path: string): Promise<boolean> {
  const effect = await effectInDoubt(run.service.api, run.ledger, madeName(made), step, action, path);
  if (effect === undefined) return false;
  run.ledger.note({ did: 'acted', name: madeName(made), step, effect });
  return true;
}

/** What an action in doubt brought about; undefined when it is not in doubt, or did not take effect. */
export async function effectInDoubt(
  api: Api,
  { state }: Ledger,
  name: string,
  step: number,
  action: SeedAction,
  path: string,
): Promise<Effect | undefined> {
  const acts = state.records.get(name)?.acts;
  const known = acts?.get(step);
  if (known?.state !== 'in doubt' || known.verb !== action.verb || action.look === undefined) return undefined;
  const sent = bodyText(known.body);
  const earlier = [...(acts ?? [])].filter(
    ([other, { verb, state, body }]) => other < step && verb === action.verb && state === 'done' && bodyText(body) === sent,
  );
  return action.look({ api, path }, known.body, earlier.length);
}

/** The error with the record's name in front, and the flags of the values that were refused. */
function named(error: unknown, made: Made): unknown {
  if (!(error instanceof CrmError) || error instanceof InterruptedError) return error;
  const name = madeName(made);
  if (!/^line \d/.test(error.message) && !error.message.startsWith(`${name}: `)) error.message = `${name}: ${error.message}`;
  for (const field of error.details.fields ?? []) field.flag ??= flagOf(field, made);
  return error;
}

function flagOf({ name }: FieldProblem, { resource }: Made): string {
  return resource.fields.find(({ wire }) => wire === name)?.flag ?? name;
}
