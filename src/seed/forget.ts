// `crm seed forget`: drops a run whose records can't be told any more, or are none of its own; nothing is sent.

import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { Journal } from '../runs/journal.ts';
import { journalFolder, serviceAddress } from '../runs/service-address.ts';
import { withLock } from '../session.ts';
import { howMany } from '../values/wording.ts';
import { ownCount, seedRun } from './run.ts';

/** Forgets a run, once that is confirmed. Throws NotFoundError when there is no such run. */
export async function forgetRun(context: Context, title: string): Promise<Result> {
  const { baseUrl } = await context.settings();
  const service = serviceAddress(baseUrl);
  const missing = new NotFoundError(`There is no run "${title}" at ${baseUrl}.`, { hint: 'See them all: crm seed list' });
  const journal = Journal.find(journalFolder(await context.dataDir()), service);
  if (journal === undefined) throw missing;
  try {
    const run = seedRun(journal, title);
    if (run === undefined) throw missing;
    const count = ownCount(run);
    const [stays, them] = count === 1 ? ['stays', 'it'] : ['stay', 'them'];
    const left = `The ${howMany(count, 'record')} that it created ${stays}`;
    await confirm(context, `Forget run "${title}"? ${left}, and nothing can destroy ${them} as a run any more.`);
    if (context.flags.dryRun) return { kind: 'text', notice: 'Nothing would be sent.' };
    await withLock(context, service, `the end of run "${title}"`, async () => {
      for (const one of journal.runs('seed')) if (one.header.title === title) one.remove();
    });
    return { kind: 'text', notice: `Run "${title}" is forgotten.` };
  } finally {
    journal.close();
  }
}
