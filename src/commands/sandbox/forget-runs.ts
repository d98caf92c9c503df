// What was imported and seeded into the embedded CRM is gone with its records, so the journals of those runs go, too.

import type { Context } from '../../context.ts';
import { forgetService, journalFolder, takeService } from '../../runs/folder.ts';

/** Replaces the records of the embedded CRM by `work`, while no run writes to it, and drops the journals of its runs. */
export async function forgettingRuns(context: Context, work: () => void): Promise<void> {
  const release = await takeService(context, 'sandbox:', 'sandbox');
  try {
    work();
    forgetService(journalFolder(await context.dataDir()), 'sandbox:');
  } finally {
    release();
  }
}
