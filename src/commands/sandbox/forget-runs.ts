// What was imported and seeded into the embedded CRM is gone with its records, so the journal of its runs goes, too, and
// so do the names and titles that were remembered.

import type { Context } from '../../context.ts';
import { forgetService as forgetNames } from '../../names/known.ts';
import { Journal } from '../../runs/journal/journal.ts';
import { journalFolder } from '../../runs/journal/service-address.ts';
import { withLock } from '../../session.ts';

/** Replaces the records of the embedded CRM that a base URL means by `work`, while no run creates any, and drops the journal of its runs and what is remembered of it. */
export async function forgettingRuns(context: Context, baseUrl: string, work: () => void): Promise<void> {
  await withLock(context, baseUrl, 'sandbox', async () => {
    work();
    const dataDir = await context.dataDir();
    Journal.remove(journalFolder(dataDir), baseUrl);
    forgetNames(dataDir, baseUrl);
  });
}
