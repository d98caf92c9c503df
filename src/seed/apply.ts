// Applying a plan: each record is found or created and then acted upon, once, however often it is interrupted. The ledger
// knows what was done; what it can't know is looked for in the service.

import { type CrmError, UnavailableError } from '../errors.ts';
import { wasNotProcessed } from '../runs/limiter.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import { actAll } from './apply-acts.ts';
import { type Applied, type AppliedRecord, type ApplyOptions, mostTries, named, type Run } from './applying.ts';
import { lookBefore, quiet, settleRecords } from './doubts.ts';
import { eachAtOnce } from './each-at-once.ts';
import { OwnKeys } from './keys.ts';
import { hasIdsOnly } from './language/check.ts';
import { collectionOf, isSameKey, onlyKeyed, onlyMatch } from './language/find.ts';
import { fill } from './language/scope.ts';
import type { LedgerRecord } from './ledger.ts';
import { isLost, quietTimeAfter, quietTimeSince } from './legacy/lost-answers.ts';
import { idOf } from './legacy/readback.ts';
import { bodyOfMade, type Found, keyOf, type Made, madeName } from './made.ts';
import { Records } from './records.ts';
import { bodyText } from './steps.ts';

/**
 * Applies a plan; `applied` is filled as it goes. Throws the error of the first record that can't be had, or the signal's
 * reason, once everything that is known is durable in the ledger.
 */
export async function applyPlan(options: ApplyOptions, applied: Applied): Promise<void> {
  const { service, ledger } = options;
  const records = new Records(service.api, ledger.state);
  const run: Run = { ...options, applied, records, keys: new OwnKeys(ledger.state) };
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

/** Whether the ledger tells which record it is. */
function isKnown({ ledger: { state } }: Run, made: Made): boolean {
  const name = madeName(made);
  return state.records.get(name)?.state === 'created' || state.found.has(name);
}

const paceOf = ({ service, signal }: Run) => ({ concurrency: service.concurrency, signal });

async function findRecord(run: Run, found: Found): Promise<void> {
  const collection = collectionOf(found.type);
  const values = await run.records.values(found.by.map(({ known }) => known));
  const by = new Map(found.by.map(({ name, known }) => [name, scalarText(fill(known, values))]));
  const { id, record } = onlyMatch(await run.finder.find(collection, by), found, by);
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
  const missing = all.find((made) => !isKnown(run, made));
  if (missing !== undefined) await lookBefore(run.service.api, missing.resource, run.ledger);
  let rest: readonly Made[] = all;
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
  const { ledger, applied } = run;
  const name = madeName(made);
  const before = ledger.state.records.get(name);
  if (before?.state === 'created' && before.id !== undefined) {
    if (!applied.sent.has(name) && (await isChanged(run, made, before))) applied.changed.add(name);
    return present(run, made, before.id, applied.sent.has(name) ? 'created' : 'kept');
  }
  try {
    const body = bodyOfMade(made, await run.records.values([...made.values, ...made.wires].map(({ known }) => known)));
    if (made.key.length === 0) return await send(run, made, body);
    return await run.keys.inTurn(made, body, () => findOrSend(run, made, body));
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

/** A record with a key is looked for before it is sent. Gives what `createOne` does. */
async function findOrSend(run: Run, made: Made, body: Body): Promise<CrmError | undefined> {
  const { ledger, keys } = run;
  const name = madeName(made);
  const key = keyOf(made, body);
  const before = ledger.state.found.get(name);
  if (before !== undefined && isSameKey(before.key, key)) return present(run, made, before.id, 'found');
  const own = keys.sameAs(made, body).map((one) => ledger.state.records.get(one));
  const doubtful = own.find((record) => record?.state === 'in doubt');
  if (doubtful !== undefined) return new UnavailableError(`It has the key of ${doubtful.name}, and it is not known whether that is there.`);
  const found = await findByKey(
    run,
    made,
    key,
    own.filter((record) => record?.state === 'created').flatMap((record) => record?.id ?? []),
  );
  if (found === undefined) return send(run, made, body);
  ledger.note({ did: 'found', name, type: made.resource.singular, id: found, key: [...key] });
  return present(run, made, found, 'found');
}

/** Where records with a key are: in the service's list, and what this run created, which may be newer than the list. */
async function findByKey(
  { finder }: Run,
  { resource }: Made,
  key: ReadonlyMap<string, string>,
  own: readonly Id[],
): Promise<Id | undefined> {
  const listed = await finder.find({ type: resource.singular, path: resource.path, resource }, key);
  return onlyKeyed(resource, key, [...listed.flatMap((record) => idOf(record) ?? []), ...own]);
}

async function send(run: Run, made: Made, body: Body): Promise<undefined> {
  const { ledger, service, applied, keys } = run;
  const { resource } = made;
  const name = madeName(made);
  ledger.note({ did: 'sending', name, type: resource.singular, body: [...body], above: ledger.state.highest(resource.singular) });
  keys.add(name, resource.singular, body);
  await ledger.flush();
  applied.sent.add(name);
  const answer = await service.api.write({ method: 'POST', path: resource.path, body });
  const id = idOf(answer.data);
  if (id === undefined) throw new UnavailableError(`The service answered ${answer.status} without the new record's id.`);
  ledger.note({ did: 'created', name, id, at: run.now().toISOString() });
  // Other runs wait for this one where they lost an answer to the same request. A failure comes up with the next flush.
  ledger.flush().catch(() => undefined);
  return present(run, made, id, 'created');
}
