// Bulk: an import against a bare undici loop with the same requests and concurrency, against a loop of curl, and its memory
// at ten times the rows.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { bin, startSandbox } from '../support/crm.ts';
import { installed, medianMemory, medianTimes, type Row, type Runnable } from './measure.ts';

const concurrency = '8';

/** `rows` for the throughput; the memory is taken at twice as many and at twenty times as many. */
export async function bulkRows(folder: string, rows: number): Promise<Row[]> {
  const server = await startSandbox(['--db', join(folder, 'bulk.sqlite'), '--empty']);
  const service = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, 'bulk-data') };
  try {
    return [...(await throughput(folder, rows, service)), await memory(folder, rows, service)];
  } finally {
    await server.stop();
  }
}

async function throughput(folder: string, rows: number, service: Record<string, string>): Promise<Row[]> {
  const file = await csvFile(folder, rows);
  const peers = join(import.meta.dirname, 'peers');
  const loop = { name: 'undici', command: process.execPath, args: [join(peers, 'create.mjs'), String(rows), concurrency], env: service };
  const times = await medianTimes([loop, importOf('import', file, folder, service)], 3);
  const few = Math.ceil(rows / 50);
  const curl = { name: 'curl', command: 'bash', args: [join(peers, 'create.sh'), String(few)], env: service };
  const slow = await medianTimes(installed('curl') ? [curl] : [], 1);
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

async function memory(folder: string, rows: number, service: Record<string, string>): Promise<Row> {
  const few = await medianMemory(importOf('few', await csvFile(folder, rows * 2), folder, service), 1);
  const many = await medianMemory(importOf('many', await csvFile(folder, rows * 20), folder, service), 1);
  const detail = `${Math.round(many / 1024)} MiB / ${Math.round(few / 1024)} MiB`;
  return { what: `peak memory: import of ${rows * 20} rows / ${rows * 2}`, ratio: many / few, bound: 1.3, detail };
}

/** An import with a journal of its own: the same file is imported again and again. */
function importOf(name: string, file: string, folder: string, env: Record<string, string>): Runnable {
  const script = `exec "$0" "$1" leads import "$2" --concurrency ${concurrency} -q --journal "$3/journal-$$"`;
  return { name, command: 'bash', args: ['-c', script, process.execPath, bin, file, folder], env };
}

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
