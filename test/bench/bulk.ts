// Bulk: an import against a bare undici loop with the same requests and concurrency, against a loop of curl, and its memory
// at ten times the rows. Each run has an embedded CRM of its own: an import reads what was created in the minute before it.

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, startSandbox } from '../support/crm.ts';
import { installed, medianMemory, medianTimes, type Row, type Runnable } from './measure.ts';

const concurrency = '8';

/** `rows` for the throughput; the memory is taken at as many and at ten times as many. */
export async function bulkRows(folder: string, rows: number): Promise<Row[]> {
  return [...(await throughput(folder, rows)), await memory(folder, rows)];
}

async function throughput(folder: string, rows: number): Promise<Row[]> {
  const file = await csvFile(folder, rows);
  const peers = join(import.meta.dirname, 'peers');
  const loop = { name: 'undici', command: process.execPath, args: [join(peers, 'create.mjs'), String(rows), concurrency] };
  const times = await medianTimes([loop, importOf(file)], 3, withService);
  const few = Math.ceil(rows / 50);
  const curl = { name: 'curl', command: 'bash', args: [join(peers, 'create.sh'), String(few)] };
  const slow = await medianTimes(installed('curl') ? [curl] : [], 1, withService);
  const rate = (name: string, count: number, all: Map<string, number>): number => count / ((all.get(name) ?? Number.NaN) / 1000);
  const [bare, ours, curls] = [rate('undici', rows, times), rate('import', rows, times), rate('curl', few, slow)];
  const detail = (other: number): string => `${Math.round(ours)} / ${Math.round(other)} rows a second`;
  return [
    { what: 'import / undici loop, rows per second', ratio: ours / bare, bound: 0.8, atLeast: true, detail: detail(bare) },
    {
      what: 'import / curl loop, rows per second',
      bound: 20,
      atLeast: true,
      ...(slow.size === 0 ? { detail: 'curl: not installed' } : { ratio: ours / curls, detail: detail(curls) }),
    },
  ];
}

async function memory(folder: string, rows: number): Promise<Row> {
  const peak = async (count: number): Promise<number> => {
    const file = await csvFile(folder, count);
    return withService(importOf(file), (run) => medianMemory(run, 1));
  };
  const [few, many] = [await peak(rows), await peak(rows * 10)];
  const detail = `${Math.round(many / 1024)} MiB / ${Math.round(few / 1024)} MiB`;
  return { what: `peak memory: import of ${rows * 10} rows / ${rows}`, ratio: many / few, bound: 1.3, detail };
}

/** Runs a command against an embedded CRM that nobody has used. */
async function withService<T>(command: Runnable, work: (command: Runnable) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-service-'));
  const server = await startSandbox(['--db', join(folder, 'bulk.sqlite'), '--empty']);
  const env = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, 'data') };
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
