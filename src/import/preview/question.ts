// Asks before an import at a terminal: the counts of new and changed records, and the first rows. The run compares the records again before
// it writes.

import { capitalised } from '../../base/values/text/wording.ts';
import type { PreviewRow } from '../../output/result.ts';
import { confirm } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import type { ImportRequest } from '../request.ts';
import { type Preview, previewText, toSendText } from './preview.ts';

/** The number of example rows. */
const mostExamples = 3;

/**
 * True when a person at a terminal is asked before sending. In mode create, a resumed import was agreed to when it began, and --again asks
 * its own question.
 */
export function asksFirst(context: Context, { job, resume, again }: ImportRequest): boolean {
  const { yes, dryRun } = context.flags;
  if (dryRun || (job.mode === 'create' && (resume || again))) return false;
  return !yes && canAsk(context);
}

/** Shows the changes of an import, and asks. Throws UnconfirmedError. */
export async function confirmRows(
  context: Context,
  { job }: ImportRequest,
  preview: Preview,
  rows: AsyncIterable<readonly PreviewRow[]>,
): Promise<void> {
  const examples: PreviewRow[] = [];
  for await (const some of rows) {
    const told = some.filter(({ outcome }) => outcome !== 'unchanged');
    examples.push(...told.slice(0, mostExamples - examples.length));
  }
  const { rows: count, unchanged, would_create: creates, would_change: changes } = preview.counts;
  if (creates + changes === 0) return;
  const { writeExamples } = await import('../../output/differences.ts');
  const { singular } = job.resource;
  const sentence = previewText(job.resource, preview);
  await writeExamples(context.io, { sentence, examples, singular, hasMore: count - unchanged > examples.length });
  await confirm(context, `${capitalised(toSendText(job.resource, preview.counts))}?`);
}
