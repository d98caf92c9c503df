// `crm seed destroy` from a run's name to its result.

import { existsSync } from 'node:fs';
import { confirm } from '../ask/confirm.ts';
import type { Context } from '../context.ts';
import { InterruptedError, NotFoundError, PartialError, withHints } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { progressBar } from '../output/streams/progress-bar.ts';
import { placesOf } from './begin.ts';
import { type Destroyed, destroyRecords } from './destroy.ts';
import { familyOf } from './language/find.ts';
import { type Ledger, type LedgerRecord, type LedgerState, ledgerPath, madeBy, openLedger, soundLedger } from './ledger.ts';
import { refuseOtherFile, type Source } from './other-file.ts';
import { refuseOtherProfile } from './other-profile.ts';
import { openService, type Pace, type Service } from './service.ts';

export interface DestroyRequest {
  readonly run: string;
  /** The file that names it. */
  readonly source?: Source | undefined;
  readonly pace: Pace;
}

/** Deletes what a run created, once that is confirmed. Throws NotFoundError when there is no such run. */
export async function destroyRun(context: Context, { run, source, pace }: DestroyRequest): Promise<Result> {
  const { baseUrl } = await context.settings();
  const path = ledgerPath(await context.dataDir(), run, baseUrl);
  const known = existsSync(path) ? await soundLedger(path) : undefined;
  if (known === undefined) throw new NotFoundError(`There is no run "${run}" at ${baseUrl}.`, { hint: 'See them all: crm seed list' });
  if (!known.state.isLive) return nothingLeft(run);
  await refuseOtherFile(context, run, source, known.state);
  await refuseOtherProfile(context, await context.api(), run, known.state);
  const count = known.state.all().reduce((sum, { state, acts }) => sum + (state === 'created' ? 1 : 0) + madeBy(acts).length, 0);
  await confirm(context, `Delete the ${count} ${count === 1 ? 'record' : 'records'} that run "${run}" created? This can't be undone.`);
  if (context.flags.dryRun) return previewDestroy(context, path, known.state);
  const ledger = await openLedger(path, known.header);
  try {
    if (!ledger.state.isLive) return nothingLeft(run);
    const service = await openService(context, pace);
    let done = 0;
    const bar = progressBar(context.io, context.flags, `Destroying ${run}`, () => ({ done, total: known.state.created }));
    try {
      const { signal, now } = context;
      const destroyed = await destroyRecords({ ledger, service, signal, now, done: () => (done += 1) });
      return resultOf(run, path, destroyed);
    } catch (error) {
      throw unfinished(context, run, ledger.state, error);
    } finally {
      bar.stop();
      await service.close();
    }
  } finally {
    await ledger.close();
  }
}

const shape = {
  columns: [{ path: 'name' }, { path: 'type' }, { path: 'id', align: 'right' as const }, { path: 'state' }],
  record: ['name', 'type', 'id', 'state'],
};

function nothingLeft(run: string): Result {
  return { kind: 'local', data: [], shape, notice: `Nothing of run "${run}" is left to delete.` };
}

function resultOf(run: string, path: string, { records, failures, unclear, replaced, stays }: Destroyed): Result {
  const count = (state: string): number => records.filter((record) => record.state === state).length;
  const others = [count('gone') > 0 ? `${count('gone')} gone already` : '', count('left') > 0 ? `${count('left')} left alone` : ''];
  const told = [
    `Run "${run}": ${[`${count('deleted')} deleted`, ...others.filter(Boolean)].join(', ')}.`,
    count('left') > unclear.length ? 'What was left alone has the id of what the run created, and nothing else of it.' : '',
    replaced.length > 0 ? `The account owner whom ${replaced.join(', ')} replaced is gone: the client has none now.` : '',
    stays.length > 0 ? `A conversion can't be undone over the interface, so this stays: ${[...new Set(stays)].join(', ')}.` : '',
  ];
  const result = { kind: 'local' as const, data: records, shape, notice: told.filter(Boolean).join(' ') };
  const undone = failures.length + unclear.length;
  if (undone === 0) return result;
  const again = `crm seed destroy --run ${run}`;
  const problem = new PartialError(`${undone} of ${records.length} ${failures.length > 0 ? 'could' : 'can'} not be deleted.`, {
    fields: [
      ...failures.map(({ name, error }) => ({ name, messages: [error.message] })),
      ...unclear.map((record) => ({ name: record.name, messages: [unclearText(record)] })),
    ],
    hint: [failures.length > 0 ? `Try again: ${again}` : '', unclear.length > 0 ? unclearHint(again, path, unclear) : '']
      .filter(Boolean)
      .join('\n'),
  });
  return { ...result, problem };
}

const unclearText = (record: LedgerRecord): string => `${placesOf([record])} has other values now: it may be the run's, or not.`;

function unclearHint(again: string, path: string, [first]: readonly LedgerRecord[]): string {
  const family = familyOf(first?.type ?? '')?.name ?? '';
  return (
    `Delete what is the run's yourself (crm ${family} delete ${first?.id}), then: ${again}\n` +
    `If nothing of it is, the run is over: remove its ledger, ${path}`
  );
}

/** The error with how to go on. */
function unfinished({ signal }: Context, run: string, { created }: LedgerState, error: unknown): unknown {
  const note = `${created} ${created === 1 ? 'record is' : 'records are'} to go.`;
  const hint = `Go on with: crm seed destroy --run ${run}`;
  if (signal.aborted) return InterruptedError.by(signal.reason, { note, hint });
  return withHints(error, [note, hint]);
}

/** The requests as --dry-run shows them: everything is done but for the writes, and the ledger stays as it is. */
async function previewDestroy(context: Context, path: string, state: LedgerState): Promise<Result> {
  const api = await context.api();
  const service: Service = {
    api,
    timeout: context.flags.timeout,
    concurrency: 1,
    exhausted: false,
    repeat: (request) => api.write(request),
    close: async () => {},
  };
  const ledger: Ledger = { path, state, note: (entry) => state.apply(entry), flush: async () => {}, close: async () => {} };
  await destroyRecords({ ledger, service, signal: context.signal, now: context.now, done: () => {} });
  return { kind: 'nothing', notice: 'Nothing would be sent.' };
}
