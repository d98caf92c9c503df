// Imports that are killed with -9 again and again, behind a service that loses answers and refuses bursts: whatever
// happens, every row is there once. CRM_CRASH_ROWS and CRM_CRASH_SEEDS make it the large test.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Crm, cleanEnv, crmCommand, runCrm, startSandbox } from '../support/crm.ts';
import { type Faults, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';

const rows = Number(process.env.CRM_CRASH_ROWS ?? 600);
const seeds = Array.from({ length: Number(process.env.CRM_CRASH_SEEDS ?? 2) }, (_, index) => index + 1);
const kills = 3;

const services: [string, Faults][] = [
  ['a reliable service', {}],
  ['a service that acts and loses every 50th answer', { cutEvery: 50 }],
  ['a service that refuses bursts', { bursts: { every: 150, length: 12, retryAfter: '0.2' } }],
  ['a service with all of it', { cutEvery: 50, badGatewayEvery: 37, bursts: { every: 170, length: 6, retryAfter: '0.1' } }],
];

describe.concurrent.each(services)('%s', (_name, faults) => {
  it.concurrent.each(seeds)('seed %i: killed three times and resumed, every row is there once', (seed) => crash(seed, faults), 600_000);
});

async function crash(seed: number, faults: Faults): Promise<void> {
  const random = randomFrom(seed * 7919 + services.findIndex(([, one]) => one === faults));
  const folder = mkdtempSync(join(tmpdir(), 'crm-crash-'));
  const server = await startSandbox(['--db', join(folder, 'service.sqlite'), '--empty']);
  const proxy = await startFaultyProxy(server.baseUrl, faults);
  try {
    const titles = Array.from({ length: rows }, (_, index) => titleOf(index));
    mkdirSync(join(folder, 'data'));
    const file = join(folder, 'leads.csv');
    writeFileSync(file, `title,status,category,value,company-name\n${titles.map((title) => `${title},1,1,12.50,"Acme, Inc"\n`).join('')}`);
    const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: folder };
    const command = ['leads', 'import', file, '--json', '--concurrency', '8'];
    for (let kill = 0; kill < kills; kill += 1) await runAndKill(command, env, proxy, random);
    const end = await finish(command, env);
    expect(end.status, end.stderr).toBe(0);
    expect(JSON.parse(end.stdout)).toMatchObject({ total: rows, created: rows, failed: 0, unknown: 0 });
    expect(await titlesIn(server)).toEqual(titles.toSorted());
  } finally {
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Some rows are twins of others: they are to be there as often as in the file. */
function titleOf(index: number): string {
  return index % 50 < 3 ? `Twin ${Math.floor(index / 50)}` : `Lead ${index}`;
}

async function runAndKill(command: string[], env: Record<string, string>, proxy: FaultyProxy, random: () => number): Promise<void> {
  const child = start([...command, '--resume'], env);
  const ended = once(child, 'exit');
  const moment = proxy.write(Math.ceil((random() * rows) / kills)).then(() => sleep(random() * 8));
  const [status] = (await Promise.race([moment, ended])) ?? [undefined];
  if (status === 2) {
    const fresh = start(command, env);
    const over = once(fresh, 'exit');
    await Promise.race([moment, over]);
    fresh.kill('SIGKILL');
    await over;
    return;
  }
  child.kill('SIGKILL');
  await ended;
}

function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const [program, args] = crmCommand(command);
  return spawn(program, args, { env: cleanEnv(env), stdio: 'ignore' });
}

/** Resumes until nothing is left; the first time there may be nothing to resume. */
async function finish(command: string[], env: Record<string, string>): Promise<Crm> {
  const resumed = await runCrm([...command, '--resume'], { env });
  return resumed.status === 2 ? runCrm(command, { env }) : resumed;
}

async function titlesIn({ baseUrl, key }: { baseUrl: string; key: string }): Promise<string[]> {
  const env = { CRM_BASE_URL: baseUrl, CRM_API_KEY: key };
  const { stdout } = await runCrm(['leads', 'list', '--all', '--json', '--fields', 'title', '--sort', 'created', '--order', 'asc'], {
    env,
  });
  return (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title).toSorted();
}

/** Numbers in [0, 1) that follow from the seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
