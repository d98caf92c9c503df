// Bulk: an import against a bare undici loop with the same requests and concurrency, against a loop of curl, and its memory
// at five times the rows. Each run has an embedded CRM of its own: an import reads what was created in the minute before it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { bin, startSandbox } from '../support/crm.ts';
import { compileCache } from '../support/environment.ts';
import { installed, medianMemory, medianRatio, medianWall, type Row, type Runnable, run, type Sample, samplesOf } from './measure.ts';

const concurrency = '8';
const rounds = 5;

/** How many times as fast one command is as another, by the clock: the median of the rounds. */
const speed = (times: ReadonlyMap<string, readonly Sample[]>, one: string, other: string): number =>
  medianRatio(times.get(other) ?? [], times.get(one) ?? [], 'wall');

/** `rows` for the throughput; the memory is taken at as many and at five times as many. */
export async function bulkRows(folder: string, rows: number): Promise<Row[]> {
  return [...(await throughput(folder, rows)), await updates(folder, rows / 5), ...(await memory(folder, rows))];
}

/** A run that updates `count` leads, four at once as it does by itself, against a loop that reads and writes each. */
async function updates(folder: string, count: number): Promise<Row> {
  const file = await csvFile(folder, count);
  const loop = { name: 'loop', command: process.execPath, args: [join(import.meta.dirname, 'peers/update.mjs'), String(count), '4'] };
  const args = ['leads', 'update', '--where', 'title~Lead', '--source', 'web', '--yes', '-q', '-o', 'ids'];
  const ours = { name: 'update', command: process.execPath, args: [bin, ...args] };
  const times = await samplesOf([loop, ours], rounds, (command, work) =>
    withService(command, async (ready) => {
      await run({ ...importOf(file), env: { ...ready.env } });
      await work(ready);
    }),
  );
  const rate = (name: string): number => count / (medianWall(times, name) / 1000);
  const detail = `${Math.round(rate('update'))} / ${Math.round(rate('loop'))} records a second`;
  const what = `update of ${count} leads / loop of GET and PATCH, records per second`;
  return { what, ratio: speed(times, 'update', 'loop'), bound: 0.65, atLeast: true, detail };
}

async function throughput(folder: string, rows: number): Promise<Row[]> {
  const file = await csvFile(folder, rows);
  const peers = join(import.meta.dirname, 'peers');
  const loop = { name: 'undici', command: process.execPath, args: [join(peers, 'create.mjs'), String(rows), concurrency] };
  const few = Math.ceil(rows / 100);
  const curl = { name: 'curl', command: 'bash', args: [join(peers, 'create.sh'), String(few)] };
  const times = await samplesOf([loop, importOf(file), ...(installed('curl') ? [curl] : [])], rounds, withService);
  const rate = (name: string, count: number): number => count / (medianWall(times, name) / 1000);
  const [bare, ours, curls] = [rate('undici', rows), rate('import', rows), rate('curl', few)];
  const detail = (other: number): string => `${Math.round(ours)} / ${Math.round(other)} rows a second`;
  return [
    {
      what: 'import / undici loop, rows per second (on a quiet machine)',
      ratio: speed(times, 'import', 'undici'),
      bound: 0.8,
      atLeast: true,
      detail: detail(bare),
    },
    {
      what: 'import / curl loop, rows per second',
      bound: 20,
      atLeast: true,
      ...(Number.isNaN(curls) ? { detail: 'curl: not installed' } : { ratio: ours / curls, detail: detail(curls) }),
    },
  ];
}

/** The most memory that an import may take, whatever it reads and wherever its rows go. */
const mostMemory = 200 * 1024;

async function memory(folder: string, rows: number): Promise<Row[]> {
  const many = rows * 5;
  const [fewFile, manyFile, workbook] = [await csvFile(folder, rows), await csvFile(folder, many), join(folder, `leads-${rows}.xlsx`)];
  await withService(importOf(fewFile), async (run) => {
    await medianMemory(run, 1);
    await saveWorkbook(workbook, run.env);
  });
  const most = await withService(importOf(manyFile), (run) => medianMemory(run, 1));
  const ofWorkbook = await withService(importOf(workbook), (run) => medianMemory(run, 1));
  const embedded = await withEmbedded(folder, (env) => medianMemory({ ...importOf(manyFile), env }, 1));
  const mebibytes = (peak: number): string => `${Math.round(peak / 1024)} MiB`;
  const bounded = (what: string, peak: number): Row => {
    return { what: `peak memory: import of ${what} / 200 MiB`, ratio: peak / mostMemory, bound: 1, detail: mebibytes(peak) };
  };
  return [
    bounded(`${many} rows`, most),
    bounded(`a workbook of ${rows} rows`, ofWorkbook),
    bounded(`${many} rows into sandbox:`, embedded),
  ];
}

/** Writes the leads of a service as a workbook that can be imported. */
async function saveWorkbook(path: string, env: Runnable['env'] = {}): Promise<void> {
  const fields = 'title,status.id,category.id,value,contact.email,company-name';
  const child = spawn(process.execPath, [bin, 'leads', 'list', '--all', '-q', '-o', 'xlsx', '--fields', fields], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await pipeline(child.stdout, createWriteStream(path));
}

/** Runs something against an embedded CRM in the same process. */
async function withEmbedded<T>(folder: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(folder, 'embedded-'));
  const env = { CRM_BASE_URL: 'sandbox:', CRM_DATA_DIR: data, CRM_CONFIG_DIR: data };
  await run({ name: 'sandbox init', command: process.execPath, args: [bin, 'sandbox', 'init', '--empty', '-q'], env });
  return work(env);
}

/**
 * Runs a command against an embedded CRM that nobody has used. The compile cache is shared, as a user's is: in the new data folder each run
 * would compile the program anew, which a user sees once.
 */
async function withService<T>(command: Runnable, work: (command: Runnable) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-service-'));
  const server = await startSandbox(['--db', join(folder, 'bulk.sqlite'), '--empty']);
  const env = {
    CRM_BASE_URL: server.baseUrl,
    CRM_API_KEY: server.key,
    CRM_DATA_DIR: join(folder, 'data'),
    NODE_COMPILE_CACHE: compileCache,
  };
  try {
    return await work({ ...command, env });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const importOf = (file: string): Runnable => ({
  name: 'import',
  command: process.execPath,
  args: [bin, 'leads', 'import', file, '--concurrency', concurrency, '-q'],
});

async function csvFile(folder: string, rows: number): Promise<string> {
  const path = join(folder, `leads-${rows}.csv`);
  const out = createWriteStream(path);
  out.write('title,status,category,value,email,company-name\n');
  for (let row = 1; row <= rows; row += 1) {
    const line = `Lead ${row},${1 + (row % 6)},${1 + (row % 3)},${row}.50,lead-${row}@bench.example,Company ${row % 997}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return path;
}
