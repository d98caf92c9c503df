// Actions on a record that is there, each done once: what the ledger knows as done is not done again, and one whose answer
// was lost is looked for.

import type { Api } from '../api/client.ts';
import { UsageError } from '../errors.ts';
import { wasNotProcessed } from '../runs/limiter.ts';
import type { Body } from '../values/body.ts';
import { valueText } from '../values/parse.ts';
import type { Effect, SeedAction } from './actions.ts';
import { mostTries, named, type Run } from './applying.ts';
import { quiet } from './doubts.ts';
import { hasIdsOnly } from './language/check.ts';
import type { Ledger, LedgerAct, LedgerRecord } from './ledger.ts';
import { isLost, quietTimeAfter } from './legacy/lost-answers.ts';
import { type Act, bodyOfAct, type Made, madeName } from './made.ts';
import { bodyText, isUnchanged, withSteps } from './steps.ts';

/** Does what follows a record's creation, in order. A record that was found by its key is left as it is. */
export async function actAll(run: Run, made: Made): Promise<void> {
  const name = madeName(made);
  const present = run.records.get(name);
  if (present === undefined || run.applied.records.get(name)?.state === 'found') return;
  try {
    const acts = await actsOf(run, made);
    if (await isOtherwise(run, made, acts)) run.applied.actedOtherwise.add(name);
    for (const act of acts) {
      if (run.signal.aborted) return;
      const known = run.ledger.state.records.get(name)?.acts.get(act.step);
      if (known?.state !== 'done' || known.verb !== act.action.verb) await actOnce(run, made, act, present.path);
    }
  } catch (error) {
    throw named(error, made);
  }
}

/** Whether something else was done with a record than what the file says, as far as that can be told without reading. */
async function isOtherwise({ ledger, records }: Run, made: Made, acts: readonly Act[]): Promise<boolean> {
  const known = ledger.state.records.get(madeName(made))?.acts ?? new Map<number, LedgerAct>();
  const steps = new Set(acts.map(({ step }) => step));
  if ([...known].some(([step, { state }]) => state === 'done' && !steps.has(step))) return true;
  for (const act of acts) {
    const done = known.get(act.step);
    if (done?.state !== 'done' || !hasIdsOnly(act.value.known)) continue;
    const given = bodyOfAct(act, await records.values([act.value.known]));
    if (!isSaid(act.action, given, done.body)) return true;
  }
  return false;
}

/** Whether a body is what the file gives; an action may have added to it. */
function isSaid({ complete }: SeedAction, given: Body | undefined, sent: Body | undefined): boolean {
  if (complete === undefined) return bodyText(given) === bodyText(sent);
  return [...(given ?? [])].every(([wire, value]) => valueText(sent?.get(wire) ?? '') === valueText(value));
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
