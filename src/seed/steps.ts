// Which step of a run's ledger an action of the file is: the file may have changed since, and nothing is done twice. Pure.

import type { Body } from '../values/body.ts';
import { valueText } from '../values/parse.ts';
import type { LedgerRecord } from './ledger.ts';
import type { Act } from './made.ts';

/** A body as it is compared, in whatever order it was given. */
export const bodyText = (body: Body | undefined): string =>
  JSON.stringify([...(body ?? [])].map(([wire, value]) => [wire, valueText(value)]).sort());

/** An action as it is compared: `body` is undefined where it can't be told. */
export interface Deed {
  readonly verb: string;
  readonly body: string | undefined;
}

/**
 * A step for each action, in the order of the file. One that the ledger knows keeps its step wherever it stands now: the
 * same with the same value, else the next of its kind, whose value was changed. What is new gets steps of its own.
 */
export function stepsOf(wanted: readonly Deed[], known: ReadonlyMap<number, Deed>): readonly number[] {
  const rest = new Map([...known].sort(([a], [b]) => a - b));
  const steps = new Map<Deed, number>();
  const take = (isIt: (deed: Deed, other: Deed) => boolean): void => {
    for (const deed of wanted.filter((one) => !steps.has(one))) {
      const [step] = [...rest].find(([, other]) => isIt(deed, other)) ?? [];
      if (step === undefined) continue;
      steps.set(deed, step);
      rest.delete(step);
    }
  };
  take((deed, other) => deed.verb === other.verb && deed.body !== undefined && deed.body === other.body);
  take((deed, other) => deed.verb === other.verb);
  let free = Math.max(-1, ...known.keys()) + 1;
  return wanted.map((deed) => steps.get(deed) ?? free++);
}

/** Whether a ledger's actions are those of the file, so that nothing needs to be compared. */
export function isUnchanged(acts: readonly Act[], known: LedgerRecord['acts']): boolean {
  return known.size === 0 || (known.size === acts.length && acts.every(({ step, action }) => known.get(step)?.verb === action.verb));
}

/** Actions with the steps that they have in the ledger; `bodies` are theirs, as `bodyText` gives them. */
export function withSteps(acts: readonly Act[], known: LedgerRecord['acts'], bodies: readonly (string | undefined)[]): readonly Act[] {
  const deeds = acts.map(({ action }, index) => ({ verb: action.verb, body: bodies[index] }));
  const done = new Map([...known].map(([step, { verb, body }]) => [step, { verb, body: bodyText(body) }]));
  const steps = stepsOf(deeds, done);
  return acts.map((act, index) => ({ ...act, step: steps[index] ?? act.step }));
}
