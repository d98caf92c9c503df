// The runs that a data folder knows of, as another process finds them.

import { join } from 'node:path';
import { Journal } from '../../src/runs/journal/journal.ts';
import type { Run } from '../../src/runs/journal/run.ts';

/** Whether a data folder has a run of which something holds. */
export function anyRun(dataDir: string, holds: (run: Run) => boolean): boolean {
  for (const journal of Journal.all(join(dataDir, 'journals'), () => {})) if (journal.runs().some(holds)) return true;
  return false;
}

/** Looks at a run of a data folder, the one with a name or the latest, and closes the journal behind it. */
export function atRun<T>(dataDir: string, name: string | undefined, look: (run: Run) => T): T {
  for (const journal of Journal.all(join(dataDir, 'journals'), () => {})) {
    const run = journal.runs().find((one) => name === undefined || one.name === name);
    if (run !== undefined) return look(run);
  }
  throw new Error(`There is no run ${name ?? ''} in ${dataDir}.`);
}
