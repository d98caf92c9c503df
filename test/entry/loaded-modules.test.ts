// What each kind of command loads: packages by name, to the last one, and of crm's own modules the folders that it has no use
// for. The lists are typed by hand: whatever is new in one has to be worth its time.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crmCommand, runCrm, type SandboxServer, startSandbox } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { typedBook } from '../support/workbook.ts';

interface Chunk {
  readonly type: string;
  readonly fileName: string;
  readonly moduleIds: readonly string[];
}

interface Build {
  readonly root: string;
  bundleProgram(dir: string): Promise<readonly Chunk[]>;
}

const { bundleProgram, root } = (await import(new URL('../../build/build.js', import.meta.url).href)) as Build;
const folder = mkdtempSync(join(tmpdir(), 'crm-loaded-'));
const home = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
const stored = { CRM_CONFIG_DIR: join(folder, 'stored'), CRM_DATA_DIR: join(folder, 'data') };

const unmade = { CRM_CONFIG_DIR: join(folder, 'unmade'), CRM_DATA_DIR: join(folder, 'unmade-data') };
const rows = join(folder, 'rows.csv');
const book = join(folder, 'book.xlsx');
const plan = join(folder, 'plan.json');

/** The modules in each file of the bundle. */
const contents = new Map<string, readonly string[]>();
let server: SandboxServer;
let service: Record<string, string>;

beforeAll(async () => {
  for (const chunk of await bundleProgram(join(folder, 'dist')))
    if (chunk.type === 'chunk') contents.set(basename(chunk.fileName), chunk.moduleIds);
  writeFileSync(rows, 'title,status,category\nA,1,1\n');
  const cells = (...texts: string[]): string => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');
  const sheet = `<row>${cells('title', 'status', 'category')}</row><row>${cells('B', '1', '1')}</row>`;
  writeFileSync(book, await typedBook({ sheets: { one: sheet } }));
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
  readonly packages: readonly string[];
  /** Of crm's own modules: those in the files that were loaded. */
  readonly own: readonly string[];
  /** Node's, without its internal ones. */
  readonly builtins: readonly string[];
}

/** What was loaded by commands that ran already. */
const known = new Map<string, Promise<Loaded>>();

/** Runs a command, once for all tests that ask for it. */
function load(args: readonly string[], env: Record<string, string>): Promise<Loaded> {
  const key = JSON.stringify([args, env]);
  const loaded = known.get(key) ?? run(args, env);
  known.set(key, loaded);
  return loaded;
}

async function run(args: readonly string[], env: Record<string, string>): Promise<Loaded> {
  const report = join(folder, `${Math.random()}.json`);
  const [command, all] = crmCommand(args);
  const hook = join(import.meta.dirname, '../support/loaded-modules.mjs');
  const own = cleanEnv({ ...env, LOADED_MODULES: report, NODE_COMPILE_CACHE: '' });
  const child = spawn(command, ['--import', hook, ...all], { env: own, stdio: 'ignore' });
  const [status] = await once(child, 'close');
  const { files, builtins } = JSON.parse(readFileSync(report, 'utf8')) as { files: string[]; builtins: string[] };
  const loaded = files.filter((url) => url.includes('/dist/')).map((url) => basename(url));
  const modules = loaded.flatMap((file) => contents.get(file) ?? []);
  const unknown = loaded.filter((file) => !contents.has(file));
  expect(unknown, 'files that the bundle does not make').toEqual([]);
  return {
    status: status as number | null,
    packages: packagesOf(modules),
    own: ownOf(modules),
    builtins: builtins.flatMap((name) => /^NativeModule (?!internal\/)(.*)/.exec(name)?.[1] ?? []),
  };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const packagesOf = (ids: readonly string[]): string[] =>
  unique(ids.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []));

const ownOf = (ids: readonly string[]): string[] =>
  unique(ids.filter((id) => id.startsWith(`${root}src/`)).map((id) => id.slice(`${root}src/`.length)));

/** Folders and files of src/ that go together. */
const bulk = ['import/', 'runs/', 'seed/'];
const embedded = ['sandbox/', 'client/transport/embedded.ts'];
const http = ['client/transport/http.ts', 'client/transport/proxy.ts'];
const tables = ['output/tables/'];
// The program's chunk has what reads profiles and names: a file of its own would cost more than it saves.
const profileStore = ['session/profiles/document.ts', 'session/profiles/key-command.ts'];
const names = ['session/names/resolve.ts'];
const report = ['commands/report/', 'reading/report/', 'output/charts.ts'];
const asked = ['reading/get-with.ts', 'output/field-names.ts'];
const otherCommands = 'commands/profile/ commands/sandbox/ commands/seed/ cli/completions/ cli/derive/ entry/prepared-files.ts'.split(' ');

/** The modules that were loaded although they stand in folders that have nothing to do with the command. */
const needless = ({ own }: Loaded, folders: readonly string[]): string[] =>
  own.filter((path) => folders.some((one) => path.startsWith(one)));

describe('the entry', () => {
  it('holds no package, and of crm only what answers without a command', () => {
    const modules = contents.get('crm.js') ?? [];
    expect(packagesOf(modules)).toEqual([]);
    const others = ownOf(modules).filter(
      (path) => !/^(entry\/|output\/help-page|output\/streams\/|base\/errors\.ts$|base\/version\.ts$|cli\/command\.ts$)/.test(path),
    );
    expect(others).toEqual([]);
  });
});

describe('nothing but the entry', () => {
  it.each([
    [['--version']],
    [['--help']],
    [['leads']],
    [['leads', 'list', '--help']],
    [['completion', 'bash']],
    [['leads', 'list', '--json', '--help']],
  ])('%j', async (args) => {
    const { status, own, packages, builtins } = await load(args, home);
    expect({ status, own, packages }).toEqual({ status: 0, own: ownOf(contents.get('crm.js') ?? []), packages: [] });
    // The folder of the compile cache takes this one, which the pinned runtime has loaded anyway.
    expect(builtins.filter((name) => name !== 'os')).toEqual([]);
  });
});

it('a Tab loads what answers it, and no command', async () => {
  const { status, own, packages, builtins } = await load(['__complete', 'fish', 'leads', 'list', '--status', ''], home);
  const answering = [
    'entry/',
    'cli/completions/',
    'cli/walk.ts',
    'session/names/',
    'model/records/safe-text.ts',
    'output/streams/',
    'base/',
  ];
  expect({ status, packages }).toEqual({ status: 0, packages: ['env-paths', 'is-safe-filename'] });
  expect(own.filter((path) => !answering.some((one) => path.startsWith(one)))).toEqual(
    ownOf(contents.get('crm.js') ?? []).filter((path) => !answering.some((one) => path.startsWith(one))),
  );
  expect(builtins.filter((name) => name !== 'os')).toEqual([]);
});

describe('a usage error', () => {
  it.each([[['leads', 'lst']], [['leads', 'list', '--nothing']], [['leads', 'list', '--limit', 'x']]])(
    'loads commander alone: %j',
    async (args) => {
      const loaded = await load(args, service);
      expect(loaded).toMatchObject({ status: 2, packages: ['commander'] });
      expect(needless(loaded, [...bulk, ...embedded, ...http, ...tables, ...profileStore, ...otherCommands])).toEqual([]);
    },
  );
});

describe('a request with settings from the environment', () => {
  const never = [...bulk, ...embedded, ...profileStore, ...names, ...otherCommands];
  it.each([
    [['leads', 'get', '1', '--json'], [], [...tables, ...report, ...asked]],
    [['leads', 'get', '1', '--with', 'comments,notes', '--json'], [], [...tables, ...report]],
    [['leads', 'list', '--json'], [], [...tables, ...report]],
    [['report', 'leads', '--json'], [], [...tables, 'output/charts.ts']],
    [['report', 'leads'], [], ['output/charts.ts']],
    [['leads', 'list', '-o', 'ids'], [], tables],
    [['leads', 'list', '--csv'], [], tables],
    [['leads', 'list', '-o', 'yaml'], [], tables],
    [['leads', 'list', '-o', 'xlsx'], ['buffer-crc32', 'yazl'], tables],
    [['leads', 'list'], [], report],
    [['leads', 'get', '1'], [], report],
    [['api', 'GET', '/api/leads/1'], [], tables],
    [['api', 'GET', '/api/leads', '--paginate'], [], tables],
    [['leads', 'create', '--title', 'New', '--status', '1', '--category', '1', '--json'], [], tables],
    [['leads', 'update', '1', '--title', 'New', '--json'], [], tables],
    [['leads', 'tags', '1', '--add', 'one', '--dry-run', '--json'], [], tables],
  ])('%j', async (args, packages, unused) => {
    const loaded = await load(args, service);
    expect(loaded).toMatchObject({ status: 0, packages: [...packages, 'commander', 'undici'].sort() });
    expect(needless(loaded, [...never, ...unused])).toEqual([]);
  });

  // Whether a profile protects the service stands in the profiles' file.
  it('a deletion', async () => {
    const loaded = await load(['leads', 'delete', '2', '--yes', '--json'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'undici'] });
    expect(needless(loaded, [...bulk, ...embedded, ...tables, ...otherCommands, 'session/profiles/key-command.ts'])).toEqual([]);
  });

  it('an import', async () => {
    const loaded = await load(['leads', 'import', rows, '-q'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['@noble/hashes', 'commander', 'csv-parse', 'undici'] });
    expect(
      needless(loaded, [
        'seed/',
        'import/files/json-reader.ts',
        'import/mapping/read.ts',
        ...embedded,
        'session/profiles/key-command.ts',
        ...otherCommands,
      ]),
    ).toEqual([]);
  });

  it('an import of a workbook', async () => {
    const loaded = await load(['leads', 'import', book, '-q'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['@noble/hashes', 'commander', 'pend', 'sax', 'undici', 'yauzl'] });
    expect(needless(loaded, ['seed/', 'import/files/csv-reader.ts', ...embedded, ...otherCommands])).toEqual([]);
  });

  it('a seed file', async () => {
    const loaded = await load(['seed', 'apply', plan, '-q'], service);
    expect(loaded).toMatchObject({ status: 0, packages: ['@noble/hashes', 'commander', 'undici', 'yaml', 'zod'] });
    expect(needless(loaded, ['import/', 'commands/profile/', 'commands/sandbox/', 'cli/completions/', ...embedded])).toEqual([]);
  });
});

describe('a stored profile', () => {
  it('is read without what writes one', async () => {
    const loaded = await load(['leads', 'get', '1', '--json'], stored);
    expect(loaded).toMatchObject({ status: 0, packages: ['commander', 'undici'] });
    expect(loaded.own).toContain('session/profiles/store.ts');
    expect(needless(loaded, [...bulk, ...embedded, ...tables, ...otherCommands, 'session/profiles/key-command.ts'])).toEqual([]);
  });
});

describe('the embedded CRM', () => {
  const never = [...http, ...otherCommands, 'sandbox/data/', 'sandbox/create.ts', 'sandbox/http/serve.ts'];
  it.each([
    ['a record as JSON', ['leads', 'get', '1', '--json'], [], ['import/', 'runs/', 'seed/', ...tables]],
    ['a list as a table', ['leads', 'list'], [], ['import/', 'runs/', 'seed/']],
    ['a record', ['leads', 'get', '1'], [], ['import/', 'runs/', 'seed/']],
    ['YAML', ['leads', 'list', '-o', 'yaml'], [], ['import/', 'runs/', 'seed/', ...tables]],
    ['a write', ['leads', 'update', '1', '--title', 'New', '--json'], [], ['import/', 'runs/', 'seed/', ...tables]],
    ['several', ['leads', 'delete', '2', '--yes'], [], ['import/', 'runs/', 'seed/']],
    [
      'an import',
      ['leads', 'import', rows, '-q'],
      ['@noble/hashes', 'csv-parse'],
      ['seed/', 'import/files/json-reader.ts', 'import/mapping/read.ts'],
    ],
  ])('is asked without HTTP and without its demo data: %s', async (_name, args, packages, unused) => {
    const loaded = await load(args, home);
    expect(loaded).toMatchObject({ status: 0, packages: [...packages, 'commander'].sort() });
    expect(needless(loaded, [...never, ...unused])).toEqual([]);
  });

  it('a seed file', async () => {
    const loaded = await load(['seed', 'apply', plan, '--dry-run'], home);
    expect(loaded).toMatchObject({ status: 0, packages: ['@noble/hashes', 'commander', 'yaml', 'zod'] });
    expect(needless(loaded, [...http, 'import/', 'sandbox/data/', 'sandbox/create.ts', 'cli/completions/'])).toEqual([]);
  });
});

describe('no request at all', () => {
  it.each([
    ['runs', ['history'], () => home, ['@noble/hashes'], ['import/', 'seed/']],
    ['runs as YAML', ['history', '-o', 'yaml'], () => home, ['@noble/hashes'], ['import/', 'seed/', ...tables]],
    ['profiles', ['profile', 'list'], () => stored, [], [...bulk, 'session/profiles/key-command.ts']],
    ['completion', ['completion', 'bash', '--csv'], () => home, [], ['import/', 'runs/', ...profileStore, ...tables]],
  ])('%s', async (_name, args, env, packages, unused) => {
    const loaded = await load(args, env());
    expect(loaded).toMatchObject({ status: 0, packages: [...packages, 'commander'].sort() });
    expect(needless(loaded, [...http, ...embedded, ...unused])).toEqual([]);
  });

  it.each([
    ['another profile', ['profile', 'use', 'mine'], () => stored, embedded],
    [
      'a new profile',
      ['profile', 'add', 'new', '--base-url', 'http://127.0.0.1:1', '--key-command', 'true', '--no-verify'],
      () => stored,
      embedded,
    ],
    // It reads the names of its own records.
    ['a new embedded CRM', ['sandbox', 'init'], () => unmade, ['sandbox/http/serve.ts']],
  ])('%s, with what writes a profile', async (_name, args, env, unused) => {
    const loaded = await load(args, env());
    expect(loaded.status).toBe(0);
    expect(loaded.packages).toEqual(expect.arrayContaining(['commander', 'conf']));
    expect(needless(loaded, [...http, 'import/', 'runs/', 'seed/', 'cli/completions/', ...unused])).toEqual([]);
  });
});

it('of undici a request loads what it uses, and its parser in WebAssembly from a file: of two it reads one', () => {
  const [chunk = '', modules = []] = [...contents].find(([, ids]) => ids.includes(`${root}src/client/transport/http.ts`)) ?? [];
  expect(modules.filter((id) => /\/undici\/lib\/(web|milo|dispatcher\/(client-h2|parser-h1))\b/.test(id))).toEqual([]);
  expect(modules.filter((id) => /\/undici\/lib\/llhttp\/.*-wasm/.test(id))).toHaveLength(2);
  expect(readFileSync(join(folder, 'dist', 'chunks', chunk), 'utf8')).not.toMatch(/[A-Za-z\d+/]{1000}/);
});

describe("Node's own modules", () => {
  const heavy = 'assert child_process crypto dgram http http2 inspector perf_hooks readline repl vm worker_threads zlib'.split(' ');
  it.each([
    ['a usage error', ['leads', 'lst'], () => service, heavy.concat('net', 'fs/promises', 'stream')],
    ['a request', ['leads', 'get', '1', '--json'], () => service, heavy.concat('tls', 'dns', 'sqlite')],
    ['with a profile', ['leads', 'get', '1', '--json'], () => stored, heavy.concat('tls', 'sqlite')],
    ['the embedded CRM', ['leads', 'get', '1', '--json'], () => home, heavy.concat('net', 'tls', 'dns')],
  ])('%s', async (_name, args, env, unwanted) => {
    const { builtins } = await load(args, env());
    expect(builtins.filter((name) => unwanted.includes(name))).toEqual([]);
  });
});

// Of undici, in WebAssembly. V8 compiles it for speed, too, once it was used for long: for the few answers of a command that takes longer
// than all that it saves.
it('the parser of answers is compiled once', async () => {
  const [command, args] = crmCommand(['leads', 'status', '1,2,3', '--to', 'New', '--yes']);
  const words = ['--trace-wasm-compilation-times', ...args];
  const told = await text(spawn(command, words, { env: cleanEnv(service), stdio: ['ignore', 'pipe', 'ignore'] }).stdout);
  expect(told).toContain('using Liftoff');
  expect(told).not.toContain('using TurboFan');
});
