// `node test/bench/runs.ts`, after a build: what runs cost that `npm run bench` doesn't show. 400 leads are assigned over a
// service that takes 20 ms an answer, against the same requests one after the other; and an import of one row begins beside
// no other runs, and beside a hundred finished ones of 5,000 rows. BENCH_LEADS, BENCH_RUNS and BENCH_ROWS make it smaller;
// CRM_BIN measures another build.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { bin, startSandbox } from '../support/crm.ts';
import { speed } from '../support/fast-time.ts';
import { startStrangeService } from '../support/strange-service.ts';
import { median, printTable, type Row, type Runnable, run } from './measure.ts';

const leads = Number(process.env.BENCH_LEADS ?? 400);
const runs = Number(process.env.BENCH_RUNS ?? 100);
const rows = Number(process.env.BENCH_ROWS ?? 5000);
/** Milliseconds that an answer takes. */
const answer = 20;
const rounds = 5;

const folder = mkdtempSync(join(tmpdir(), 'crm-bench-runs-'));

const crm = (args: readonly string[], env: Record<string, string>): Runnable => ({
  name: `crm ${args.slice(0, 2).join(' ')}`,
  command: process.execPath,
  args: [bin, ...args],
  env,
});

async function timed(one: Runnable): Promise<number> {
  const start = performance.now();
  await run(one);
  return performance.now() - start;
}

/** A selection's assignees over a slow service; the bound is that of its requests one after the other. */
async function assigning(what: string, change: readonly string[], bound: number): Promise<Row> {
  const times: number[] = [];
  let requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    // The service's time runs faster than ours.
    const service = await startStrangeService({ takes: answer * speed });
    for (let number = 1; number <= leads; number += 1)
      service.has('leads', {
        title: `Lead ${number}`,
        source: 'Fair',
        'status.id': 1,
        'category.id': 1,
        assigned: [{ id: 2, name: 'Ben Staff' }],
      });
    const env = { CRM_BASE_URL: service.baseUrl, CRM_API_KEY: service.key, CRM_DATA_DIR: join(folder, `assign-${round}`) };
    times.push(await timed(crm(['leads', 'assign', '--where', 'source=Fair', ...change, '--yes', '-q', '-o', 'ids'], env)));
    requests = service.requests.length;
    await service.close();
  }
  const [took, apart] = [median(times), requests * answer];
  const detail = `${(took / 1000).toFixed(1)} s for ${requests} requests / ${(apart / 1000).toFixed(1)} s`;
  return { what: `assign ${leads} leads, ${what} / its requests one after the other`, ratio: took / apart, bound, detail };
}

function rowsFile(name: string, count: number): string {
  const path = join(folder, `${name}.csv`);
  const lines = Array.from({ length: count }, (_, row) => `${name} ${row},1,1,${name}-${row}@bench.example`);
  writeFileSync(path, ['title,status,category,email', ...lines, ''].join('\n'));
  return path;
}

/**
 * The start of an import whose journal has so many finished runs, in turn with one whose journal has none: either reads first what was
 * created at the service in the minute before.
 */
async function beginning(): Promise<Row[]> {
  const server = await startSandbox(['--db', join(folder, 'beside.sqlite'), '--empty']);
  const importing = (name: string, count: number, data: string): Runnable => {
    const env = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, data) };
    return crm(['leads', 'import', rowsFile(name, count), '-q'], env);
  };
  const oneRow = async (count: number): Promise<readonly [beside: number, alone: number]> => {
    const [beside, alone]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      beside.push(await timed(importing(`one-${count}-${round}`, 1, 'beside')));
      alone.push(await timed(importing(`alone-${count}-${round}`, 1, 'alone')));
    }
    return [median(beside), median(alone)];
  };
  try {
    const measured: Row[] = [];
    for (let done = 0; done < runs; done += 1) {
      await run(importing(`run-${done}`, rows, 'beside'));
      const count = done + 1;
      if (count !== Math.ceil(runs / 10) && count !== runs) continue;
      const [time, alone] = await oneRow(count);
      const detail = `${time.toFixed(0)} ms / ${alone.toFixed(0)} ms`;
      measured.push({
        what: `import of a row beside ${count} runs of ${rows} rows / beside none`,
        ratio: time / alone,
        bound: 1.1,
        detail,
      });
      console.error(`Measured: beside ${count} runs.`);
    }
    return measured;
  } finally {
    await server.stop();
  }
}

try {
  printTable([
    await assigning('--add', ['--add', '3'], 0.33),
    await assigning('a whole new set', ['--clear', '--add', '3'], 0.59),
    ...(await beginning()),
  ]);
} finally {
  rmSync(folder, { recursive: true });
}
