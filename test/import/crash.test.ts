// Imports that are killed with -9 again and again, behind a service that loses answers and refuses bursts: whatever
// happens, every row is there once. CRM_CRASH_ROWS and CRM_CRASH_SEEDS make it the large test.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Crm, cleanEnv, crmCommand, runCrm, startSandbox } from '../support/crm.ts';
import { type Faults, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { randomFrom } from '../support/random.ts';

const rows = Number(process.env.CRM_CRASH_ROWS ?? 600);
const seeds = Array.from({ length: Number(process.env.CRM_CRASH_SEEDS ?? 1) }, (_, index) => index + 1);
const kills = 3;
/** Lost answers are waited for, and there are the more of them the more rows there are. */
const patience = Math.max(600_000, rows * 300);

const services: [string, Faults][] = [
  ['a reliable service', {}],
  ['a service that acts and loses every 50th answer', { cutEvery: 50 }],
  ['a service that refuses bursts', { bursts: { every: 150, length: 6, retryAfter: '0.2' } }],
  [
    'a service with all of it',
    { cutEvery: 50, loseEvery: 43, emptyEvery: 41, badGatewayEvery: 37, bursts: { every: 170, length: 6, retryAfter: '0.1' } },
  ],
];

describe.concurrent.each(services)('%s', (_name, faults) => {
  it.concurrent.each(seeds)(
    'seed %i: killed three times and resumed, every row is there once',
    async (seed) => {
      const leads = Array.from({ length: rows }, (_, index) => leadOf(index));
      const text = `title,value,contact.phone,company-name,status,category\n${leads.map((lead) => `${lead},1,1\n`).join('')}`;
      await crash(seed, faults, { words: ['leads', 'import', 'f.csv'], text }, async (end, list) => {
        expect(end).toMatchObject({ total: rows, created: rows, failed: 0, unknown: 0 });
        expect((await list('leads', 'title,value,contact.phone,contact.company_name')).toSorted()).toEqual(leads.toSorted());
      });
    },
    patience,
  );
});

describe.concurrent('a service with all of it', () => {
  const faults = services.at(-1)?.[1] ?? {};

  it(
    'an export that comes back: each row is in the results once, what somebody else changed is spared, and nothing of its own is',
    async () => {
      const before = `title,status,category\n${Array.from({ length: rows }, (_, index) => `L${index},1,1\n`).join('')}`;
      const words = ['leads', 'import', 'f.csv', '--mode', 'update', '--match', 'title', '--results', 'out.csv'];
      const text = async (list: List, crm: (...argv: string[]) => Promise<Crm>): Promise<string> => {
        const known = await list('leads', 'title,dates.updated');
        expect((await crm('leads', 'update', '6', '--value', '7.00')).status).toBe(0);
        return `title,dates.updated,value\n${known.map((line, index) => `${line},${index}.50\n`).join('')}`;
      };
      await crash(3, faults, { words, text, before, status: 8 }, async (end, list, results) => {
        expect(end).toMatchObject({ total: rows, updated: rows - 1, failed: 0, conflicts: 1, unknown: 0 });
        const values = Array.from({ length: rows }, (_, index) => (index === 5 ? '7.00' : `${index}.50`));
        expect(await list('leads', 'value')).toEqual(values);
        const told = results().map((line) => line.split(','));
        expect(told.map(([title, , , id, outcome]) => [title, id, outcome])).toEqual(
          values.map((_, index) => [`L${index}`, String(index + 1), index === 5 ? 'conflict' : 'updated']),
        );
      });
    },
    patience,
  );

  it(
    'new leads with owners and tags, some archived: each is there once, with its own',
    async () => {
      const all = Array.from({ length: Math.ceil(rows / 3) }, (_, index) => index);
      const text = `title,status,category,assigned,tags,active_state\n${all
        .map((index) => `L${index},1,1,${(index % 3) + 1};4,t${index},${index % 7 === 0 ? 'archived' : ''}\n`)
        .join('')}`;
      await crash(3, faults, { words: ['leads', 'import', 'f.csv'], text }, async (end, list) => {
        expect(end).toMatchObject({ total: all.length, created: all.length, failed: 0, unknown: 0 });
        expect((await list('leads', 'title,assigned.id,tags,active_state')).toSorted()).toEqual(
          all.map((index) => `L${index},${(index % 3) + 1}; 4,t${index},${index % 7 === 0 ? 'archived' : 'active'}`).toSorted(),
        );
      });
    },
    patience,
  );
});

interface Job {
  readonly words: readonly string[];
  readonly text: string | Uint8Array | ((list: List, crm: (...argv: string[]) => Promise<Crm>) => Promise<string>);
  /** Leads that are there before. */
  readonly before?: string;
  /** The status at the end. Default 0. */
  readonly status?: number;
}

/** The values of some fields of every record in the order of creation, a text a record. */
type List = (family: string, fields: string) => Promise<string[]>;

type Check = (end: unknown, list: List, results: () => string[]) => Promise<void>;

async function crash(seed: number, faults: Faults, job: Job, check: Check): Promise<void> {
  const { next: random } = randomFrom(seed * 7919 + services.findIndex(([, one]) => one === faults));
  const folder = mkdtempSync(join(tmpdir(), 'crm-crash-'));
  const server = await startSandbox(['--db', join(folder, 'service.sqlite'), '--empty']);
  const proxy = await startFaultyProxy(server.baseUrl, faults);
  try {
    mkdirSync(join(folder, 'data'));
    const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: folder };
    const direct = { cwd: folder, env: { ...env, CRM_BASE_URL: server.baseUrl } };
    if (job.before !== undefined) {
      const made = await runCrm(['leads', 'import', '-', '--concurrency', '1'], { ...direct, stdin: job.before });
      expect(made.status, made.stderr).toBe(0);
    }
    const list: List = async (family, fields) => {
      const argv = [family, 'list', '--all', '--csv', '--fields', fields, '--sort', 'created', '--order', 'asc'];
      return (await runCrm(argv, direct)).stdout.trimEnd().split('\r\n').slice(1);
    };
    const text = typeof job.text === 'function' ? await job.text(list, (...argv) => runCrm(argv, direct)) : job.text;
    writeFileSync(join(folder, job.words[2] ?? ''), text);
    const run: Run = { command: [...job.words, '--json', '--concurrency', '8', '--timeout', '5'], options: { cwd: folder, env } };
    for (let kill = 0; kill < kills; kill += 1) await runAndKill(run, proxy, random);
    const end = await finish(run);
    expect(end.status, end.stderr).toBe(job.status ?? 0);
    await check(JSON.parse(end.stdout), list, () => readFileSync(join(folder, 'out.csv'), 'utf8').trimEnd().split('\n').slice(1));
  } finally {
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Title, value, phone and company. Some rows are twins of others, or differ in what they leave out only. */
function leadOf(index: number): string {
  const title = index % 10 < 6 ? `Twin ${Math.floor(index / 50)}` : `Lead ${index}`;
  return [title, index % 2 === 0 ? '12.50' : '', index % 3 === 0 ? '0049 555' : '', index % 5 === 0 ? '' : 'Acme'].join(',');
}

interface Run {
  readonly command: readonly string[];
  readonly options: { readonly cwd: string; readonly env: Record<string, string> };
}

async function runAndKill(run: Run, proxy: FaultyProxy, random: () => number): Promise<void> {
  const moment = proxy.write(Math.ceil((random() * rows) / kills)).then(() => sleep(random() * 8));
  const resumed = start(run, ['--resume']);
  const ended = once(resumed, 'exit');
  const [status] = (await Promise.race([moment, ended])) ?? [undefined];
  // The first time there is nothing to resume.
  const child = status === 2 ? start(run) : resumed;
  const over = status === 2 ? once(child, 'exit') : ended;
  if (status === 2) await Promise.race([moment, over]);
  child.kill('SIGKILL');
  await over;
}

function start({ command, options }: Run, more: readonly string[] = []): ChildProcess {
  const [program, args] = crmCommand([...command, ...more]);
  return spawn(program, args, { cwd: options.cwd, env: cleanEnv(options.env), stdio: 'ignore' });
}

/** Resumes, or begins when nothing was begun before the last kill. */
async function finish({ command, options }: Run): Promise<Crm> {
  const resumed = await runCrm([...command, '--resume'], options);
  return resumed.status === 2 ? runCrm(command, options) : resumed;
}
