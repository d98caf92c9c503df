// All runs that there are journals of, whatever service they were applied to; also while one is being written.

import type { Context } from '../context.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { Journal } from '../runs/journal/journal.ts';
import type { Run } from '../runs/journal/run.ts';
import { journalFolder } from '../runs/journal/service-address.ts';
import { scalarText } from '../values/json.ts';
import { ownCount, stateOf } from './run.ts';

const shape = {
  columns: [
    { path: 'run' },
    { path: 'state' },
    { path: 'records', align: 'right' as const },
    { path: 'profile' },
    { path: 'service' },
    { path: 'file' },
    { path: 'at' },
  ],
  record: ['run', 'state', 'records', 'profile', 'service', 'file', 'random_seed', 'at'],
};

/** The runs of all services, the latest first. */
export async function listRuns(context: Context): Promise<Result> {
  const runs: ReturnType<typeof rowOf>[] = [];
  const warnings: string[] = [];
  const folder = journalFolder(await context.dataDir());
  for (const journal of Journal.all(folder, ({ message }) => warnings.push(message))) {
    const titles = new Set<string>();
    for (const run of journal.runs('seed')) {
      const { title } = run.header;
      // What was destroyed and applied again is one run to whoever gave it its name.
      if (titles.has(title)) continue;
      titles.add(title);
      runs.push(rowOf(run, journal.file.service));
    }
  }
  for (const message of warnings) await notice(context.io, context.flags, message, 'warning');
  const data = runs.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return { kind: 'rows', data, shape, ...(data.length + warnings.length > 0 ? {} : { notice: 'No runs. Try: crm seed demo' }) };
}

function rowOf(run: Run, service: string) {
  const { title, details } = run.header;
  return {
    run: title,
    state: stateOf(run),
    /** How many records of it are there, as far as its journal knows. */
    records: ownCount(run),
    profile: scalarText(details.profile) || null,
    service,
    file: scalarText(details.file) || null,
    random_seed: typeof details.random_seed === 'number' ? details.random_seed : null,
    /** When it was begun, or completed, ISO 8601. */
    at: run.ended ?? run.lastBegan,
  };
}
