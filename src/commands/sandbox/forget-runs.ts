// Forgets the journal and the remembered names of an embedded CRM whose records are replaced.

import { Journal, journalFolder } from '../../runs/journal/journal.ts';
import type { Context } from '../../session/context.ts';
import { withLock } from '../../session/engine.ts';
import { forgetService as forgetNames } from '../../session/names/known.ts';

/** Replaces the records of an embedded CRM by `work` under the lock, then removes its journal, remembered names and titles. */
export async function forgettingRuns(
  context: Context,
  { baseUrl, wait }: { readonly baseUrl: string; readonly wait: number },
  work: () => void,
): Promise<void> {
  await withLock(context, { service: baseUrl, title: 'sandbox', wait }, async () => {
    work();
    const dataDir = await context.dataDir();
    Journal.remove(journalFolder(dataDir), baseUrl);
    forgetNames(dataDir, baseUrl);
  });
}
