// What was imported and seeded into the embedded CRM is gone with its records, so the journals of those runs go, too, and
// so do the names and titles that were remembered.

import type { Context } from '../../context.ts';
import { forgetService as forgetNames } from '../../names/known.ts';
import { forgetService, journalFolder, takeService } from '../../runs/folder.ts';

/** Replaces the records of the embedded CRM by `work`, while no run writes to it, and drops the journals of its runs and what is remembered of it. */
export async function forgettingRuns(context: Context, work: () => void): Promise<void> {
  const release = await takeService(context, 'sandbox:', 'sandbox');
  try {
    work();
    const dataDir = await context.dataDir();
    forgetService(journalFolder(dataDir), 'sandbox:');
    forgetNames(dataDir, 'sandbox:');
  } finally {
    release();
  }
}
