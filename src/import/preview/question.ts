// The question before an import: how many records are made or changed, what would be different, and the first few rows. It is asked of a
// person at a terminal; what is sent afterwards is decided again from what is read then.

import { confirm } from '../../ask/confirm.ts';
import { canAsk } from '../../ask/prompt.ts';
import type { Context } from '../../context.ts';
import { PartialError } from '../../errors.ts';
import { namesById } from '../../names/run-names.ts';
import type { PreviewRow } from '../../output/result.ts';
import { capitalised } from '../../values/text/wording.ts';
import type { ImportEnd, ImportRequest } from '../request.ts';
import { Preview, previewText } from './preview.ts';

/** So many rows are shown with the question. */
const mostExamples = 3;

/** Whether somebody at a terminal is asked before anything is sent. Whoever goes on with creating, or does it again, agrees in another way. */
export function asksFirst(context: Context, { plan, resume, again }: ImportRequest): boolean {
  const { yes, dryRun } = context.flags;
  if (dryRun || (plan.mode === 'create' && (resume || again))) return false;
  return !yes && canAsk(context);
}

/** Shows what an import would do, as `run` finds it out with all writes kept back, and asks. Throws UnconfirmedError, and what `run` throws. */
export async function confirmRows(
  context: Context,
  { plan }: ImportRequest,
  run: (dry: Context, preview: Preview) => Promise<ImportEnd>,
): Promise<void> {
  const examples: PreviewRow[] = [];
  const preview = new Preview(plan, namesById(await context.names()), {
    room: async () => {},
    put: (row) => {
      if (row.outcome !== 'unchanged' && examples.length < mostExamples) examples.push(row);
    },
  });
  const { problem } = await run({ ...context, flags: { ...context.flags, dryRun: true } }, preview);
  if (problem !== undefined && !(problem instanceof PartialError)) throw problem;
  const { rows, unchanged, would_create: creates, would_change: changes } = preview.counts;
  if (creates + changes === 0) return;
  const { writeExamples } = await import('../../output/differences.ts');
  const { singular, name } = plan.resource;
  const sentence = previewText(plan.resource, preview.counts, preview.fields);
  const more = rows - unchanged - examples.length;
  await writeExamples(context.io, { sentence, examples, singular, hasMore: more > 0 });
  const what = [creates > 0 ? `create ${creates}` : '', changes > 0 ? `change ${changes}` : ''].filter(Boolean).join(' and ');
  await confirm(context, `${capitalised(what)} ${creates + changes === 1 ? singular : name}?`);
}
