// Reads the runs in the journals of a data folder, as another process would.

import { join } from 'node:path';
import { Journal } from '../../src/runs/journal/journal.ts';
import type { Run } from '../../src/runs/journal/run.ts';

/** True if `holds` is true for any run in a data folder. */
export function anyRun(dataDir: string, holds: (run: Run) => boolean): boolean {
  for (const journal of Journal.all(join(dataDir, 'journals'))) if (journal.runs().some(holds)) return true;
  return false;
}

/** Calls `look` with the run named `name`, or with the latest run, and gives the result. The journals are closed afterwards. */
export function atRun<T>(dataDir: string, name: string | undefined, look: (run: Run) => T): T {
  for (const journal of Journal.all(join(dataDir, 'journals'))) {
    const run = journal.runs().find((one) => name === undefined || one.name === name);
    if (run !== undefined) return look(run);
  }
  throw new Error(`There is no run ${name ?? ''} in ${dataDir}.`);
}
