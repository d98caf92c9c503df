// Runs a step for each record of a selection, in order. A failure doesn't stop the steps of other records.

import { InterruptedError, withHints } from '../base/errors.ts';
import { pluralOf, type Resource } from '../model/define.ts';
import type { Done, Outcome, Result, Shape } from '../output/result.ts';
import { StdoutClosed } from '../output/streams/io.ts';
import { progress } from '../output/streams/progress.ts';
import { titleIn } from '../output/subject.ts';
import type { Context } from '../session/context.ts';
import type { Chosen, Selection } from './selection.ts';

/** Runs the step for each chosen record. A single record gives a record; several give outcomes, printed as they come. */
export async function eachRecord(
  resource: Resource & Pick<Shape, 'sections'>,
  context: Context,
  selection: Selection,
  chosen: readonly Chosen[],
  work: (one: Chosen) => Promise<Omit<Done, 'id' | 'name'>>,
): Promise<Result> {
  if (selection.kind === 'one') {
    return { kind: 'record', shape: resource, ...(await work(chosen[0] ?? { id: selection.id })) };
  }
  return outcomesResult(resource, context, chosen, outcomesOf(resource, context, chosen, work));
}

/**
 * The result with an outcome for each record. `shape`: the shape of the answers. `empty`: the message for an empty selection. `prints`:
 * printed in place of the answers.
 */
export const outcomesResult = (
  resource: Resource,
  context: Context,
  chosen: readonly Chosen[],
  outcomes: AsyncIterable<Outcome>,
  {
    shape = resource,
    empty = `No ${pluralOf(resource)} found.`,
    prints,
  }: { readonly shape?: Shape; readonly empty?: string; readonly prints?: 'outcomes' | 'counts' } = {},
): Result => ({
  kind: 'outcomes',
  ids: chosen.map(({ id }) => id),
  outcomes: countedOutcomes(resource, context, chosen.length, outcomes),
  shape,
  empty,
  run: () => context.runs.at(-1),
  ...(prints === undefined ? {} : { prints }),
});

async function* countedOutcomes(
  resource: Resource,
  { io, flags }: Context,
  total: number,
  outcomes: AsyncIterable<Outcome>,
): AsyncGenerator<Outcome> {
  let done = 0;
  const end = progress(io, flags).begin((elapsed) => ({ text: `${done} of ${total} ${pluralOf(resource)} done`, tail: elapsed }));
  try {
    for await (const outcome of outcomes) {
      done += 1;
      yield outcome;
    }
  } finally {
    end();
  }
}

async function* outcomesOf(
  resource: Resource,
  context: Context,
  chosen: readonly Chosen[],
  work: (one: Chosen) => Promise<Omit<Done, 'id' | 'name'>>,
): AsyncGenerator<Outcome> {
  let done = 0;
  for (const one of chosen) {
    const named = { id: one.id, name: `${resource.singular} ${one.id}` };
    try {
      context.signal.throwIfAborted();
      const outcome = { ...named, ...(await work(one)) };
      done += 1;
      yield outcome;
    } catch (error) {
      if (error instanceof InterruptedError) throw withHints(error, [`Before that: ${done} of ${chosen.length} went through.`]);
      if (!(error instanceof Error) || error instanceof StdoutClosed) throw error;
      yield { ...named, ...titleIn(resource, one.record), error };
    }
  }
}
