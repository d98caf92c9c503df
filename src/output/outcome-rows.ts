// The outcomes of a run for programs: an object for each record, or the counts.

import { ConflictError, CrmError } from '../base/errors.ts';
import { plainDifference } from '../model/records/difference.ts';
import { errorBody } from './render-error.ts';
import { asItWas, type Outcome } from './result.ts';

const outcomes = ['changed', 'unchanged', 'conflict', 'failed', 'unknown'] as const;

/** The members of an outcome, with their types. */
export const outcomeMembers = { id: 'integer', outcome: 'text', error: 'object|null', differences: 'array' } as const;

/** The outcome of a record. `error` is the object of a JSON error; `differences` are the values that the run wrote. */
export function outcomeRow(outcome: Outcome): { readonly [member in keyof typeof outcomeMembers]: unknown } {
  const error = errorIn(outcome);
  const { changes = [] } = ('effect' in outcome && outcome.effect) || {};
  return {
    id: outcome.id,
    outcome: wordOf(outcome),
    error: error === undefined ? null : errorBody(error),
    differences: changes.map(plainDifference),
  };
}

/** How many records had each outcome. */
export const outcomeCounts = (all: readonly Outcome[]): Record<(typeof outcomes)[number], number> => {
  const counts = { changed: 0, unchanged: 0, conflict: 0, failed: 0, unknown: 0 };
  for (const outcome of all) counts[wordOf(outcome)] += 1;
  return counts;
};

const errorIn = (outcome: Outcome): Error | undefined => ('error' in outcome ? outcome.error : outcome.problem);

function wordOf(outcome: Outcome): (typeof outcomes)[number] {
  const error = errorIn(outcome);
  if (error === undefined) return 'effect' in outcome && outcome.effect?.done === asItWas ? 'unchanged' : 'changed';
  if (error instanceof CrmError && error.code === 'outcome_unknown') return 'unknown';
  return error instanceof ConflictError && error.details.httpStatus === undefined ? 'conflict' : 'failed';
}
