// `crm seed forget`: drops a run whose records can't be told any more, or are none of its own; nothing is sent.

import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { withJournal, withLock } from '../session.ts';
import { howMany } from '../values/wording.ts';
import { ownCount, seedRun } from './run.ts';

/** Forgets a run, once that is confirmed. Throws NotFoundError when there is no such run. */
export async function forgetRun(context: Context, title: string): Promise<Result> {
  const { baseUrl } = await context.settings();
  return withJournal(context, async (journal) => {
    const run = journal === undefined ? undefined : seedRun(journal, title);
    if (journal === undefined || run === undefined)
      throw new NotFoundError(`There is no run "${title}" at ${baseUrl}.`, { hint: 'See them all: crm seed list' });
    const count = ownCount(run);
    const [stays, them] = count === 1 ? ['stays', 'it'] : ['stay', 'them'];
    const left = `The ${howMany(count, 'record')} that it created ${stays}`;
    await confirm(context, `Forget run "${title}"? ${left}, and nothing can destroy ${them} as a run any more.`);
    if (context.flags.dryRun) return { kind: 'text', notice: 'Nothing would be sent.' };
    await withLock(context, journal.file.service, `the end of run "${title}"`, async () => {
      for (const one of journal.runs('seed')) if (one.header.title === title) one.remove();
    });
    return { kind: 'text', notice: `Run "${title}" is forgotten.` };
  });
}
