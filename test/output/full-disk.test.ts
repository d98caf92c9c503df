// A disk that fills up under what the built command writes: the status is 7, whatever the format, and in one write or in many. A limit on
// the size of files takes a part of a write first; a small file system takes none of it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../src/base/global-flags.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { type Crm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { fillLeads } from '../support/fill-leads.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';
import { describeWith } from '../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-full-'));
let server: ServedHere;
let env: Record<string, string>;

beforeAll(async () => {
  const path = join(folder, 'service.sqlite');
  makeSandbox(path, { demo: true });
  const store = openStore(path, { mode: 'open' });
  fillLeads(store, 600);
  store.close();
  server = await serveHere(join(folder, 'served.sqlite'), { from: path });
  env = {
    CRM_BASE_URL: server.baseUrl,
    CRM_API_KEY: server.key,
    CRM_DATA_DIR: join(folder, 'data'),
    CRM_CONFIG_DIR: join(folder, 'config'),
  };
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a line of bash in which `crm` is the built command. */
async function bash(line: string, more: Record<string, string> = {}): Promise<Crm> {
  const script = `crm() { ${shellCommand()} "$@"; }; ${line}`;
  const child = spawn('bash', ['--norc', '-c', script], {
    env: cleanEnv({ ...env, ...more }),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: status as number | null, stdout, stderr };
}

/** So many leads that their text is written in more than one chunk, of the formats that have the characters. */
const many: Readonly<Record<string, number>> = { json: 200, ndjson: 200, yaml: 200, html: 200, csv: 300, table: 600, markdown: 600 };

/** A text in one chunk, a text in many, a workbook, and ids: where nothing can be written, formats of a kind fail alike. */
const kindsOfWriters = [
  'leads list --limit 20',
  `leads list --limit ${many.json} -o json`,
  'leads list --limit 20 -o xlsx',
  'leads list --limit 20 -o ids',
];

describeWith(['bash'], 'standard output is a file without room', {}, () => {
  const texts = formats.filter((format) => !['ids', 'xlsx'].includes(format));
  const cases = [
    ...['table', 'json'].map((format): [string, string, number] => ['one chunk', `leads list --limit 20 -o ${format}`, 1]),
    ...texts.map((format): [string, string, number] => ['many chunks', `leads list --limit ${many[format]} -o ${format}`, 40]),
  ];

  it.each(cases)('%s of %s', async (_name, list, kib) => {
    const { status, stderr } = await bash(`ulimit -f ${kib}; crm ${list} -q >cut`);
    expect(statSync(join(folder, 'cut')).size).toBe(kib * 1024);
    expect([status, stderr]).toEqual([7, expect.stringMatching(/The output could not be written: the file may not grow any larger\./)]);
  });

  it.each(kindsOfWriters)('%s on a device that is full', async (list) => {
    const { status, stderr } = await bash(`crm ${list} >/dev/full`);
    expect([status, stderr]).toEqual([7, expect.stringContaining('The output could not be written: the disk is full.')]);
  });

  it.each(['--help', 'leads --help', 'completion bash', 'explain --json', 'help output'])('crm %s', async (args) => {
    const { status, stderr } = await bash(`ulimit -f 1; crm ${args} >cut`);
    expect([status, stderr]).toEqual([7, expect.stringContaining('The output could not be written')]);
  });

  it('a workbook and ids', async () => {
    const [book, ids] = [await bash('ulimit -f 4; crm leads list -o xlsx >cut'), await bash('ulimit -f 1; crm leads list -o ids -q >cut')];
    expect([book.status, ids.status]).toEqual([7, 7]);
    expect(book.stderr).toContain("The workbook can't be made in ");
    expect(ids.stderr).toContain('The output could not be written');
  });

  it('the error as JSON is disk_full', async () => {
    const { status, stderr } = await bash('ulimit -f 1; crm leads list --json >cut');
    expect([status, JSON.parse(stderr).error]).toMatchObject([7, { code: 'disk_full' }]);
  });
});

describeWith(['bash'], 'files of --out', {}, () => {
  it.each([
    ...['json', 'ndjson', 'csv', 'yaml'].map((ending) => [ending, many[ending]] as const),
    ...([
      ['txt', many.table],
      ['md', many.markdown],
      ['json', 20],
    ] as const),
  ])('.%s of %d leads stays as it was', async (ending, leads) => {
    const name = `list.${ending}`;
    writeFileSync(join(folder, name), 'old');
    const { status, stdout, stderr } = await bash(`ulimit -f 1; crm leads list --limit ${leads} --out ${name} -q`);
    expect([status, stdout, stderr]).toEqual([
      7,
      '',
      expect.stringContaining(`${name} could not be written: the file may not grow any larger.`),
    ]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('old');
    expect(readdirSync(folder).filter((one) => one.endsWith('.draft'))).toEqual([]);
  });

  it('the error as JSON is disk_full, and names a write that went through', async () => {
    const update = 'crm leads update 12 --description "$(head -c 3000 /dev/zero | tr \'\\0\' x)" --out lead.json';
    const { status, stderr } = await bash(`ulimit -f 1; ${update}`);
    expect([status, JSON.parse(stderr).error]).toMatchObject([
      7,
      { code: 'disk_full', hint: expect.stringMatching(/^Before that: Lead 12/) },
    ]);
    expect(existsSync(join(folder, 'lead.json'))).toBe(false);
  });
});

describeWith(['bash'], 'files that the command writes', {}, () => {
  it.each<[string, string]>([
    ['plan.csv', `crm leads update --where title~Lead --description x --plan plan.csv`],
    ['plan.xlsx', `crm leads update --where title~Lead --description x --plan plan.xlsx`],
    ['snap', 'crm snapshot snap --family leads'],
  ])('%s is not left in part', async (name, line) => {
    const { status, stderr } = await bash(`ulimit -f 4; ${line} --json`);
    expect([status, JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error]).toMatchObject([7, { code: 'disk_full' }]);
    expect(existsSync(join(folder, name))).toBe(false);
  });

  it('a mapping', async () => {
    const words = Array.from({ length: 200 }, (_, index) => `'Some unknown status ${index}'`).join(' ');
    const line = `{ echo title,status; for word in ${words}; do echo "x,$word"; done; } >words.csv`;
    const { status, stderr } = await bash(`${line}; ulimit -f 1; crm leads import words.csv --save-mapping map.yaml --json`);
    expect([status, JSON.parse(stderr).error]).toMatchObject([7, { code: 'disk_full' }]);
    expect(existsSync(join(folder, 'map.yaml'))).toBe(false);
  });

  it('a sandbox of a snapshot', async () => {
    expect((await bash('crm snapshot taken --family leads')).status).toBe(0);
    const { status, stderr } = await bash('ulimit -f 64; crm sandbox init --from taken --json', { CRM_DATA_DIR: join(folder, 'copy') });
    expect([status, JSON.parse(stderr).error]).toMatchObject([7, { code: 'disk_full' }]);
    expect(readdirSync(join(folder, 'copy'))).toEqual([]);
  });
});

/** A file system of 64 KiB in memory, where this user may mount one. */
const small = join(folder, 'small');
mkdirSync(small);
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0;

describe.skipIf(!isMounted)('a file system without room', () => {
  afterAll(() => {
    spawnSync('umount', [small]);
  });

  it.each(kindsOfWriters)('%s', async (list) => {
    const { status, stderr } = await bash(`head -c 65536 /dev/zero >small/fill; crm ${list} >small/cut`);
    expect([status, stderr]).toEqual([7, expect.stringContaining('the disk is full')]);
  });

  it.each(['csv', 'xlsx'])('.%s of --out', async (ending) => {
    const line = `head -c 65536 /dev/zero >small/fill; crm leads list --limit 20 --out small/list.${ending}`;
    const { status, stderr } = await bash(line);
    expect([status, stderr]).toEqual([7, expect.stringContaining('the disk is full')]);
    expect(readdirSync(small).filter((name) => name.startsWith('list'))).toEqual([]);
  });

  it('a profile that is not saved', async () => {
    const add = `crm profile add acme --base-url ${server.baseUrl} --key-command 'echo ${server.key}' --json`;
    const { status, stderr } = await bash(`head -c 65536 /dev/zero >small/fill; mkdir -p small/config; ${add}`, {
      CRM_CONFIG_DIR: join(small, 'config'),
    });
    expect([status, JSON.parse(stderr).error]).toMatchObject([7, { code: 'disk_full' }]);
  });

  it('rejects and results', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `Full ${index},${index % 2 === 0 ? 1 : 99},1,${'x'.repeat(300)}\n`);
    writeFileSync(join(folder, 'new.csv'), `title,status,category,description\n${rows.join('')}`);
    const line = 'head -c 61440 /dev/zero >small/fill; crm leads import new.csv --skip-invalid --rejects small/r.csv --results small/o.csv';
    const { status, stderr } = await bash(`${line} --yes --json`);
    expect([status, JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.hint]).toEqual([
      8,
      expect.stringContaining('the disk is full'),
    ]);
    expect(readdirSync(small).filter((name) => name.includes('.csv'))).toEqual([]);
  });
});
