// `crm seed forget`: drops a run whose records can't be told any more, or are none of its own; nothing is sent.

import { existsSync } from 'node:fs';
import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import { NotFoundError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { removeJournal, serviceAddress, takeService } from '../runs/folder.ts';
import { howMany } from '../values/wording.ts';
import { openRun, ownCount, runPath } from './run.ts';

/** Takes a run's journal away, once that is confirmed. Throws NotFoundError when there is no such run. */
export async function forgetRun(context: Context, run: string): Promise<Result> {
  const { baseUrl } = await context.settings();
  const path = await runPath(context, run);
  if (!existsSync(path)) throw new NotFoundError(`There is no run "${run}" at ${baseUrl}.`, { hint: 'See them all: crm seed list' });
  const count = countIn(path);
  const left =
    count === undefined ? 'What it created stays' : `The ${howMany(count, 'record')} that it created ${count === 1 ? 'stays' : 'stay'}`;
  await confirm(context, `Forget run "${run}"? ${left}, and nothing can destroy ${count === 1 ? 'it' : 'them'} as a run any more.`);
  if (context.flags.dryRun) return { kind: 'nothing', notice: 'Nothing would be sent.' };
  const release = await takeService(context, serviceAddress(baseUrl), `the end of run "${run}"`);
  try {
    removeJournal(path);
  } finally {
    release();
  }
  return { kind: 'nothing', notice: `Run "${run}" is forgotten.` };
}

/** How many records a run has; undefined for a journal that can't be read. */
function countIn(path: string): number | undefined {
  try {
    const journal = openRun(path, 'read');
    const count = journal === undefined ? undefined : ownCount(journal);
    journal?.close();
    return count;
  } catch {
    return undefined;
  }
}
