// `npm run bench`: start-up, one request, lists, the embedded CRM, imports and memory, as tables of ratios; `npm run bench -- imports` plays
// one of them. Pairs are measured in turn in the same run; a peer that is not installed (gh, http, curl with jq) is said to be missing. The
// node:http script of 0.2 stays as a peer for continuity: half of its time is the namespace that its import builds. The honest floor asks
// Node for the module instead.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox } from '../../src/sandbox/create.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { knownPath, saveKnown } from '../../src/session/names/known.ts';
import { bin, startSandbox } from '../support/crm.ts';
import { fillLeads } from '../support/fill-leads.ts';
import { bulkRows } from './bulk.ts';
import { against, installed, medianMemory, printTable, type Row, type Runnable, samplesOf } from './measure.ts';
import { serverRows } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'));
const node = process.execPath;
const here = import.meta.dirname;
const standalone = join(here, '../../dist/standalone/crm');
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);

const crm = (name: string, args: readonly string[], env: Record<string, string> = {}): Runnable => ({
  name,
  command: node,
  args: [bin, ...args],
  env,
});

/** The file of an embedded CRM with so many leads, made on first use. */
async function filled(count: number): Promise<string> {
  const path = join(folder, `leads-${count}.sqlite`);
  if (existsSync(path)) return path;
  createSandbox(path, { demo: false });
  const store = openStore(path, { mode: 'open' });
  fillLeads(store, count);
  store.close();
  return path;
}

async function startUp(): Promise<Row[]> {
  const empty = join(folder, 'empty.js');
  writeFileSync(empty, '');
  const commands: Runnable[] = [
    { name: 'empty script', command: node, args: [empty] },
    crm('crm --version', ['--version']),
    crm('crm leads --help', ['leads', '--help']),
    crm('crm completion bash', ['completion', 'bash']),
    crm('crm explain', ['explain', 'leads.create']),
    crm('a Tab', ['__complete', 'bash', 'leads', 'list', '--status', ''], await knownNames()),
    ...(existsSync(standalone) ? [{ name: 'standalone --version', command: standalone, args: ['--version'] }] : []),
    ...(installed('gh') ? [{ name: 'gh --version', command: 'gh', args: ['--version'] }] : []),
  ];
  const times = await samplesOf(commands, rounds);
  return [
    against(times, 'crm --version', 'empty script', 1.15),
    against(times, 'crm leads --help', 'empty script', 1.6),
    against(times, 'crm leads --help', 'gh --version', 1),
    against(times, 'crm completion bash', 'empty script', 1.6),
    against(times, 'crm explain', 'empty script', 4),
    against(times, 'a Tab', 'empty script', 1.4),
    against(times, 'standalone --version', 'empty script', 1.3),
  ];
}

/** Folders in which names and titles are known, as after some months at a service of middling size. */
async function knownNames(): Promise<Record<string, string>> {
  const [config, data] = [join(folder, 'known-config'), join(folder, 'known-data')];
  mkdirSync(config, { mode: 0o700 });
  writeFileSync(
    join(config, 'config.json'),
    '{"version": 1, "current": "known", "profiles": {"known": {"baseUrl": "https://crm.example"}}}',
  );
  const names = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: `Name ${index}` }));
  const titles = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    title: `A title of middling length, number ${index}`,
  }));
  const families = Object.fromEntries(['contacts', 'proposals', 'leads', 'items', 'notes'].map((family) => [family, titles]));
  const kinds = Object.fromEntries(['lead-status', 'client', 'team', 'unit'].map((kind) => [kind, names]));
  saveKnown(knownPath(data, 'known'), 'https://crm.example', { names: kinds, words: {}, titles: families });
  return { CRM_CONFIG_DIR: config, CRM_DATA_DIR: data };
}

/** A profile for the service; its own folder of data, so that nobody's names are known. */
function addProfile(service: Record<string, string>): Record<string, string> {
  const env = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'profile-data'), CRM_BASE_URL: '', CRM_API_KEY: '' };
  const added = spawnSync(node, [bin, 'profile', 'add', 'bench', '--base-url', service.CRM_BASE_URL ?? '', '--key-stdin'], {
    env: { ...process.env, ...env },
    input: service.CRM_API_KEY,
  });
  if (added.status !== 0) throw new Error(String(added.stderr));
  return env;
}

const peer = (name: string, file: string, env: Record<string, string>): Runnable => ({
  name,
  command: node,
  args: [join(here, 'peers', file)],
  env,
});

async function oneRequest(service: Record<string, string>): Promise<Row[]> {
  const profile = addProfile(service);
  const get = ['leads', 'get', '1', '--json'];
  const httpie = ['--ignore-stdin', 'GET', `${service.CRM_BASE_URL}/api/leads/1`, `Authorization:Bearer ${service.CRM_API_KEY}`];
  const embedded = { CRM_BASE_URL: 'sandbox:', CRM_DATA_DIR: join(folder, 'embedded'), CRM_CONFIG_DIR: join(folder, 'embedded') };
  spawnSync(node, [bin, 'sandbox', 'init', '-q'], { env: { ...process.env, ...embedded } });
  const script = 'node:http script';
  const times = await samplesOf(
    [
      peer(script, 'get.mjs', service),
      peer('honest floor', 'floor.mjs', service),
      peer('two requests', 'two.mjs', service),
      crm('crm leads get', get, service),
      crm('with a profile', get, profile),
      crm('from sandbox:', get, embedded),
      { ...crm('a table of 25', ['leads', 'list'], profile), terminal: 120 },
      { ...crm('leads update', ['leads', 'update', '12', '--value', '5'], profile), terminal: 120 },
      ...(existsSync(standalone) ? [{ name: 'standalone leads get', command: standalone, args: get, env: service }] : []),
      ...(installed('http') ? [{ name: 'http', command: 'http', args: httpie }] : []),
    ],
    rounds,
  );
  return [
    against(times, 'crm leads get', script, 1.1),
    against(times, 'with a profile', script, 1.1),
    against(times, 'with a profile', 'honest floor', 2.3),
    against(times, 'from sandbox:', script, 1.15),
    against(times, 'a table of 25', script, 1.55),
    against(times, 'leads update', 'two requests', 1.7),
    against(times, 'crm leads get', 'http', 0.5),
    against(times, 'standalone leads get', script, 1.2),
  ];
}

async function listing(service: Record<string, string>, fewer: Record<string, string>): Promise<Row[]> {
  const list = (...format: string[]): string[] => ['leads', 'list', '--all', '-q', ...format];
  const all = crm('leads list -o ndjson', list('-o', 'ndjson'), service);
  const [json, csv] = [crm('leads list --json', list('--json'), service), crm('leads list --csv', list('--csv'), service)];
  const report = crm('report leads', ['report', 'leads', '--json', '-q'], service);
  const loop = peer('undici loop', 'list.mjs', service);
  const times = await samplesOf([loop, all, json, csv, report], 9);
  const hasPeer = installed('curl') && installed('jq');
  // The peer starts processes for each page: of a tenth of the leads, its time is hardly anything else, too.
  const tenth = crm('10,000 leads -o ndjson', list('-o', 'ndjson'), fewer);
  const curl = { name: 'curl and jq', command: 'bash', args: [join(here, 'peers/list.sh')], env: fewer };
  const slow = await samplesOf(hasPeer ? [curl, tenth] : [tenth], 2);
  const filter = crm("leads list --jq '.'", ['leads', 'list', '--all', '--jq', '.', '-q'], fewer);
  const piped = { name: 'crm --json | jq', command: 'bash', args: [join(here, 'peers/jq.sh'), node, bin], env: fewer };
  const filtered = await samplesOf(installed('jq') ? [filter, piped] : [filter], 5);
  const [many, few] = [await medianMemory(all, 3), await medianMemory(crm('fewer', list('-o', 'ndjson'), fewer), 3)];
  return [
    against(times, all.name, loop.name, 1.12),
    against(times, json.name, loop.name, 1.3),
    against(times, csv.name, loop.name, 2.1),
    against(times, report.name, all.name, 1.2),
    against(filtered, filter.name, piped.name, 1.5),
    against(slow, tenth.name, curl.name, 0.2),
    { what: 'peak memory: 100,000 leads / 10,000', ratio: many / few, bound: 1.15, detail: `${kib(many)} / ${kib(few)}` },
  ];
}

const kib = (value: number): string => `${Math.round(value / 1024)} MiB`;

/** Serves a sandbox file while something is measured. */
async function serving<T>(path: string, work: (service: Record<string, string>) => Promise<T>): Promise<T> {
  const server = await startSandbox(['--db', path]);
  try {
    return await work({ CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key });
  } finally {
    await server.stop();
  }
}

/** The tables by name, in order. */
const tables: Record<string, () => Promise<void>> = {
  'start-up': async () => take('start-up', await startUp()),
  'one-request': async () => take('one request', await serving(await filled(100_000), oneRequest)),
  lists: async () => {
    const [large, middling] = [await filled(100_000), await filled(10_000)];
    await serving(large, async (service) => take('lists', await serving(middling, (fewer) => listing(service, fewer))));
  },
  embedded: async () => take('the embedded CRM', await serverRows(await filled(100_000), 100_000, await filled(100))),
  imports: async () => take('imports', await bulkRows(folder, Number(process.env.BENCH_ROWS ?? 10_000))),
};

function take(what: string, measured: readonly Row[]): void {
  console.error(`Measured: ${what}.`);
  printTable(measured);
}

try {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !(name in tables));
  if (unknown.length > 0) throw new Error(`No table is called ${unknown.join(', ')}. There are ${Object.keys(tables).join(', ')}.`);
  for (const [name, measure] of Object.entries(tables)) if (asked.length === 0 || asked.includes(name)) await measure();
} finally {
  rmSync(folder, { recursive: true });
}
