// One request per id, for the commands that take several: in order, and a failure does not stop the rest.

import type { Answer } from '../api/types.ts';
import type { Context } from '../context.ts';
import { InterruptedError, invalidValue } from '../errors.ts';
import type { Outcome, Result, Shape } from '../output/result.ts';
import { StdoutClosed } from '../output/streams/io.ts';
import { type Id, parseId, togetherEach } from '../values/parse.ts';

/** The ids of a command line, each once, in order. Throws UsageError. */
export function parseIds(args: readonly string[], noun: string): Id[] {
  const ids = togetherEach(args, (raw) => parseId(raw, noun));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalidValue(noun, `${twice} is given twice.`);
  return ids;
}

/** Runs `work` for each id; the outcomes come as they happen. */
export function eachId(
  shape: Shape & { readonly singular: string },
  ids: readonly Id[],
  context: Context,
  work: (id: Id) => Promise<Answer>,
): Result {
  return { kind: 'outcomes', outcomes: outcomesOf(shape.singular, ids, context, work), shape, single: ids.length === 1 };
}

async function* outcomesOf(noun: string, ids: readonly Id[], context: Context, work: (id: Id) => Promise<Answer>): AsyncGenerator<Outcome> {
  for (const id of ids) {
    context.signal.throwIfAborted();
    try {
      const answer = await work(id);
      yield { id: `${noun} ${id}`, answer, ...(answer.message === undefined ? {} : { notice: answer.message }) };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof InterruptedError || error instanceof StdoutClosed) throw error;
      yield { id: `${noun} ${id}`, error };
    }
  }
}
