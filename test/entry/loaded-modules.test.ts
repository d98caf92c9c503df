// What each kind of command loads, to the last package: a command loads only what it uses. The lists are typed by hand;
// whatever is new in one has to be worth its time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnv, crmCommand, runCrm, type SandboxServer, startSandbox } from '../support/crm.ts';

interface Chunk {
  readonly type: string;
  readonly fileName: string;
  readonly moduleIds: readonly string[];
}

interface Build {
  readonly root: string;
  bundleProgram(dir: string): Promise<readonly Chunk[]>;
}

const { bundleProgram, root } = (await import(new URL('../../build.js', import.meta.url).href)) as Build;
const folder = mkdtempSync(join(tmpdir(), 'crm-loaded-'));
const home = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
const stored = { CRM_CONFIG_DIR: join(folder, 'stored'), CRM_DATA_DIR: join(folder, 'data') };

const unmade = { CRM_CONFIG_DIR: join(folder, 'unmade'), CRM_DATA_DIR: join(folder, 'unmade-data') };
const rows = join(folder, 'rows.csv');
const plan = join(folder, 'plan.json');

/** The modules in each file of the bundle. */
const contents = new Map<string, readonly string[]>();
let server: SandboxServer;
let service: Record<string, string>;

beforeAll(async () => {
  for (const chunk of await bundleProgram(join(folder, 'dist')))
    if (chunk.type === 'chunk') contents.set(basename(chunk.fileName), chunk.moduleIds);
  writeFileSync(rows, 'title,status,category\nA,1,1\n');
  writeFileSync(plan, '{"version": 1, "records": [{"name": "one", "type": "lead", "set": {"title": "A", "status": 1, "category": 1}}]}');
  server = await startSandbox(['--db', join(folder, 'service.sqlite')]);
  service = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, ...home };
  const init = await runCrm(['sandbox', 'init'], { env: home });
  const add = await runCrm(['profile', 'add', 'mine', '--base-url', server.baseUrl, '--key-stdin'], { env: stored, stdin: server.key });
  expect([init.status, add.status], init.stderr + add.stderr).toEqual([0, 0]);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

interface Loaded {
  readonly status: number | null;
  /** The bundle's files, in order, without their hashes. */
  readonly chunks: readonly string[];
  readonly packages: readonly string[];
  /** Of crm's own modules: those in the files that were loaded. */
  readonly own: readonly string[];
  /** Node's, without its internal ones. */
  readonly builtins: readonly string[];
}

async function load(args: readonly string[], env: Record<string, string>): Promise<Loaded> {
  const report = join(folder, `${Math.random()}.json`);
  const [command, all] = crmCommand(args);
  const hook = join(import.meta.dirname, '../support/loaded-modules.mjs');
  const child = spawn(command, ['--import', hook, ...all], { env: cleanEnv({ ...env, LOADED_MODULES: report }), stdio: 'ignore' });
  const [status] = await once(child, 'close');
  const { files, builtins } = JSON.parse(readFileSync(report, 'utf8')) as { files: string[]; builtins: string[] };
  const loaded = files.filter((url) => url.includes('/dist/')).map((url) => basename(url));
  const modules = loaded.flatMap((file) => contents.get(file) ?? []);
  const unknown = loaded.filter((file) => !contents.has(file));
  expect(unknown, 'files that the bundle does not make').toEqual([]);
  return {
    status: status as number | null,
    chunks: loaded.map((file) => file.replace(/(-[\w-]{8})?\.js$/, '')),
    packages: unique(modules.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [])),
    own: unique(modules.filter((id) => id.startsWith(`${root}src/`)).map((id) => id.slice(`${root}src/`.length))),
    builtins: builtins.flatMap((name) => /^NativeModule (?!internal\/)(.*)/.exec(name)?.[1] ?? []),
  };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/** Parsing a command line, and saying what is wrong with it. */
const bare = ['crm', 'process', 'program', 'rolldown-runtime'];
const program = [...bare, 'commands'];
const request = [...program, 'client'];
const overHttp = [...request, 'http'];
/** A stored profile is read and checked; nothing that writes one. */
const withProfile = [...request, 'store', 'promises', 'document', 'schemas'];

/** What every table is drawn with, and what writes YAML. */
const table = ['table', 'text-width'];
const record = ['record-view', 'text-width'];
const yaml = ['yaml', 'dist', 'required'];
/** The embedded CRM in this process. */
const embedded = [...request, 'store', 'promises', 'document', 'schemas', 'sandbox-transport', 'app', 'sqlite'];
const importing = ['import', 'field-key', 'limited-api', 'journal', 'problems', 'csv-reader', 'lib'];
const importingOf = ['crypto', 'buffer', 'os', 'stream'].map((name) => `_imported_${name}`);
const seeding = ['seed', 'promises', 'ledger', '_imported_crypto', 'journal', 'sqlite'];
const applying = ['read', 'file', 'problems', 'schemas', 'template', 'apply-file', 'limited-api', 'service', 'find', 'field-key', 'fake'];
const profiles = ['profile', 'store', 'promises', 'client', 'record', 'document', 'schemas'];
const completion = [...program, 'completion', 'completions', 'seed', 'profile', 'sandbox', 'api'];
/** Conf and its lock. */
const confOf = ['buffer', 'crypto', 'os'].map((name) => `_imported_${name}`);
const conf = ['proper-lockfile', 'required', 'source', 'env-paths', 'mimic-function', ...confOf];

describe('the entry', () => {
  it('holds its own few modules, and no package', () => {
    const modules = contents.get('crm.js') ?? [];
    expect(modules.filter((id) => id.includes('/node_modules/'))).toEqual([]);
    expect(modules.flatMap((id) => (id.startsWith(root) ? [id.slice(root.length)] : [])).sort()).toEqual([
      'package.json',
      'src/entry/cli.ts',
      'src/entry/compile-cache.ts',
      'src/errors.ts',
      'src/output/help-page.ts',
      'src/output/terminal.ts',
      'src/output/write-now.ts',
      'src/entry/prepared.ts',
      'src/version.ts',
    ]);
  });
});

describe('nothing but the entry', () => {
  it.each([
    [['--version']],
    [['--help']],
    [['help', 'leads']],
    [['leads']],
    [['leads', 'list', '--help']],
    [['completion', 'bash']],
    [['completion', 'zsh']],
    [['completion', 'fish']],
    [['leads', 'list', '--json', '--help']],
    [['completion', 'bash', '-q']],
  ])('%j', async (args) => {
    const { status, chunks, builtins } = await load(args, home);
    expect({ status, chunks }).toEqual({ status: 0, chunks: ['crm'] });
    // The folder of the compile cache takes this one, which the pinned runtime has loaded anyway.
    expect(builtins.filter((name) => name !== 'os')).toEqual([]);
  });
});

describe('commander alone', () => {
  it.each([
    [['leads', 'lst'], program],
    [['leads', 'list', '--nothing'], program],
    [['leads', 'get'], program],
    [['leads', 'get', 'x'], program],
    [['leads', 'list', '--limit', 'x'], program],
  ])('%j', async (args, chunks) => {
    expect(await load(args, { ...service })).toMatchObject({ status: 2, chunks, packages: ['commander'] });
  });
});

describe('a request with settings from the environment', () => {
  it.each([
    [['leads', 'get', '1', '--json'], [], []],
    [['leads', 'list', '--json'], [], []],
    [['leads', 'list', '-o', 'ndjson'], [], []],
    [['leads', 'list', '-o', 'ids'], [], []],
    [['leads', 'tags', '1', 'one', '--json'], ['replace-set'], []],
    [['leads', 'list', '--csv'], ['sync'], ['csv-stringify']],
    [['leads', 'list', '-o', 'yaml'], yaml, ['yaml']],
    [['leads', 'list'], table, []],
    [['leads', 'get', '1'], record, []],
    [['api', 'GET', '/api/leads/1'], ['api'], []],
    [['api', 'GET', '/api/leads', '--paginate'], ['api'], []],
  ])('%j', async (args, more, packages) => {
    const loaded = await load(args, service);
    expect(loaded).toMatchObject({ status: 0, packages: [...packages, 'commander', 'undici'].sort() });
    expect(unique(loaded.chunks)).toEqual(unique([...overHttp, ...more]));
    expect(loaded.own.filter((path) => /^(import|runs|seed|sandbox|derive)\//.test(path))).toEqual([]);
  });

  it.each([
    [['leads', 'create', '--title', 'New', '--status', '1', '--category', '1', '--json'], []],
    [['leads', 'update', '1', '--title', 'New', '--json'], ['update']],
    [
      ['leads', 'archive', '1', '--json'],
      ['action', 'each-id'],
    ],
    [
      ['leads', 'delete', '2', '--yes', '--json'],
      ['delete', 'each-id'],
    ],
  ])('a write: %j', async (args, more) => {
    const loaded = await load(args, service);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'undici'] });
    expect(unique(loaded.chunks)).toEqual(unique([...overHttp, ...more]));
    expect(loaded.own.filter((path) => /^(import|runs|seed|sandbox|derive)\//.test(path))).toEqual([]);
  });

  it('an import', async () => {
    const loaded = await load(['leads', 'import', rows, '-q'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'csv-parse', 'undici'] });
    expect(unique(loaded.chunks)).toEqual(unique([...overHttp, ...importing, ...importingOf, 'promises', 'sqlite', ...record]));
  });

  it('a seed file', async () => {
    const loaded = await load(['seed', 'apply', plan, '-q'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'undici', 'yaml', 'zod'] });
    expect(unique(loaded.chunks)).toEqual(
      unique([...overHttp, ...seeding, ...applying, 'store', 'document', 'dist', 'required', ...table]),
    );
  });
});

describe('a stored profile', () => {
  it('is read without what writes one', async () => {
    const loaded = await load(['leads', 'get', '1', '--json'], stored);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'undici', 'zod'] });
    expect(unique(loaded.chunks)).toEqual(unique([...withProfile, 'http']));
  });
});

describe('the embedded CRM', () => {
  it('is asked without HTTP, and without its demo data', async () => {
    const loaded = await load(['leads', 'get', '1', '--json'], home);
    expect(loaded.status).toBe(0);
    expect(loaded.packages).toEqual(['commander', 'hono', 'zod']);
    expect(loaded.own.filter((path) => /^sandbox\/(demo|serve|create|bulk)|^(bulk|seed)\//.test(path))).toEqual([]);
  });
});

describe('no HTTP', () => {
  it.each([
    ['a list as a table', ['leads', 'list'], () => home, [...embedded, ...table], ['hono', 'zod']],
    ['a record', ['leads', 'get', '1'], () => home, [...embedded, ...record], ['hono', 'zod']],
    ['YAML', ['leads', 'list', '-o', 'yaml'], () => home, [...embedded, ...yaml], ['hono', 'yaml', 'zod']],
    ['a write', ['leads', 'update', '1', '--title', 'New', '--json'], () => home, [...embedded, 'update'], ['hono', 'zod']],
    ['several', ['leads', 'delete', '2', '--yes'], () => home, [...embedded, 'delete', 'each-id', ...record], ['hono', 'zod']],
    [
      'an import',
      ['leads', 'import', rows, '-q'],
      () => home,
      [...embedded, ...importing, ...importingOf, ...record],
      ['csv-parse', 'hono', 'zod'],
    ],
    [
      'a seed file',
      ['seed', 'apply', plan, '--dry-run'],
      () => home,
      [...embedded, ...seeding, ...applying, 'dist', 'required', 'plan'],
      ['hono', 'yaml', 'zod'],
    ],
    ['runs', ['seed', 'list'], () => home, [...bare, ...seeding, 'runs', ...table], []],
    ['runs as YAML', ['seed', 'list', '-o', 'yaml'], () => home, [...bare, ...seeding, 'runs', ...yaml], ['yaml']],
    ['profiles', ['profile', 'list'], () => stored, [...program, ...profiles, ...table], ['zod']],
    ['completion', ['completion', 'bash', '--csv'], () => home, completion, []],
  ])('%s', async (_name, args, env, chunks, packages) => {
    const loaded = await load(args, env());
    expect(loaded).toMatchObject({ status: 0, packages: [...packages, 'commander'].sort() });
    expect(unique(loaded.chunks)).toEqual(unique(chunks));
  });

  it.each([
    ['another profile', ['profile', 'use', 'mine'], () => stored, profiles],
    [
      'a new profile',
      ['profile', 'add', 'new', '--base-url', 'http://127.0.0.1:1', '--key-command', 'true', '--no-verify'],
      () => stored,
      profiles,
    ],
    ['a new embedded CRM', ['sandbox', 'init'], () => unmade, ['sandbox', 'client', 'create', 'store', 'sqlite', 'promises']],
  ])('%s, with what writes a profile', async (_name, args, env, more) => {
    const loaded = await load(args, env());
    expect(loaded.status).toBe(0);
    expect(loaded.packages).toEqual(expect.arrayContaining(['commander', 'conf', 'proper-lockfile']));
    expect(unique(loaded.chunks)).toEqual(unique([...program, ...more, ...conf, ...record]));
  });
});

describe("Node's own modules", () => {
  const heavy = ['child_process', 'http2', 'worker_threads', 'zlib', 'readline', 'crypto', 'inspector', 'repl', 'vm', 'dgram'];
  it.each([
    ['a usage error', ['leads', 'lst'], () => service, heavy.concat('net', 'http', 'fs/promises', 'stream')],
    ['a request', ['leads', 'get', '1', '--json'], () => service, heavy.concat('tls', 'dns', 'sqlite')],
    ['with a profile', ['leads', 'get', '1', '--json'], () => stored, heavy.concat('tls', 'sqlite')],
    ['the embedded CRM', ['leads', 'get', '1', '--json'], () => home, heavy.concat('net', 'http', 'tls', 'dns')],
  ])('%s', async (_name, args, env, unwanted) => {
    const { builtins } = await load(args, env());
    expect(builtins.filter((name) => unwanted.includes(name))).toEqual([]);
  });
});
