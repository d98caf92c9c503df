// All runs there are ledgers of, whatever service they were applied to.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { ConflictError } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { ledgerFolder, type RunState, soundLedger } from './ledger.ts';

export interface RunRecord {
  readonly run: string;
  readonly state: RunState;
  /** How many records of it are there, as far as its ledger knows. */
  readonly records: number;
  readonly profile: string | null;
  readonly service: string;
  readonly file: string | null;
  readonly random_seed: number | null;
  /** When it was last begun, completed or destroyed, ISO 8601. */
  readonly at: string;
}

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

/** The runs, the latest first. */
export async function listRuns(context: Context): Promise<Result> {
  const folder = ledgerFolder(await context.dataDir());
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ledger')).map(({ name }) => name);
  const runs: RunRecord[] = [];
  for (const name of names) {
    try {
      runs.push(await runRecord(join(folder, name)));
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await notice(context.io, context.flags, error.message, 'warning');
    }
  }
  const data = runs.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return { kind: 'local', data, shape, ...(data.length > 0 ? {} : { notice: 'No runs. Try: crm seed demo' }) };
}

async function runRecord(path: string): Promise<RunRecord> {
  const { header, state } = await soundLedger(path);
  return {
    run: header.run,
    state: state.state,
    records: state.created,
    profile: state.profile ?? null,
    service: header.service,
    file: state.file ?? null,
    random_seed: state.randomSeed ?? null,
    at: state.at ?? header.began,
  };
}
