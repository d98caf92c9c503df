// Input that isn't there: an empty or unreadable standard input, an empty file, a directory, a deleted working folder. Nothing of it is
// taken for an empty value, and nothing of it is a fault of crm.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/entry/main.ts';
import { type Crm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { fakeIo } from '../support/fake-io.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { runHere } from '../support/run-here.ts';
import { describeWith } from '../support/tools.ts';

/** Whether the same is asked of more commands, each in a process. */
const isSlow = process.env.CRM_SLOW === '1';

const folder = mkdtempSync(join(tmpdir(), 'crm-input-'));
const env = {
  CRM_BASE_URL: `sandbox:${join(folder, 'crm.sqlite')}`,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
};
beforeAll(() => {
  makeSandbox(join(folder, 'crm.sqlite'), { demo: true });
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'blank.txt'), '\n  \n');
  writeFileSync(join(folder, 'blocked'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the words of a line in this process: `""` is an empty one. */
const crm = (line: string, { stdin = '', more = {} }: { stdin?: string; more?: Record<string, string> } = {}): Promise<Crm> =>
  runHere(
    line.split(' ').map((word) => (word === '""' ? '' : word)),
    { env: { ...env, ...more }, cwd: folder, stdin },
  );

/** Runs a line of bash in which `crm` is the built command. */
const bash = (line: string): Promise<Crm> =>
  new Promise((resolve) => {
    const script = `crm() { ${shellCommand()} "$@"; }; ${line}`;
    execFile('bash', ['--norc', '-c', script], { env: cleanEnv(env), cwd: folder }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const description = async (id = '12'): Promise<string | null> => JSON.parse((await crm(`leads get ${id} --json`)).stdout).description;

describe('a text', () => {
  const clears = 'For an empty value: --description ""';
  it.each<[line: string, stdin: string, says: string, advice: string]>([
    ['leads update 12 --description -', '', 'error: --description: standard input is empty.', clears],
    ['leads update 12 --description -', '\n', 'error: --description: standard input holds only blanks.', clears],
    ['leads update 12 --description @empty.txt', '', 'error: --description: empty.txt is empty.', clears],
    ['leads update 12 --description @blank.txt', '', 'error: --description: blank.txt holds only blanks.', clears],
    ['leads update 12 --description @config', '', "error: --description: can't read config (", 'For a text that begins with @'],
    ['leads update --where id!=0 --yes --description -', '', 'error: --description: standard input is empty.', clears],
    ['leads update 12 --data -', '', 'error: --data: standard input is empty.', ''],
    ['leads comments add 12 -', '', 'error: text: standard input is empty.', ''],
    ['notes create --title T --description -', '', 'error: --description: standard input is empty.', clears],
    ['api POST notes --data -', '', 'error: --data: standard input is empty.', ''],
  ])('crm %s of %j', async (line, stdin, says, advice) => {
    const before = await description();
    const { status, stdout, stderr } = await crm(line, { stdin });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).toContain(advice);
    expect(await description()).toBe(before);
    expect(before).not.toBe('');
  });

  it('--description "" clears it, as the advice says', async () => {
    expect((await crm('leads update 13 --description "" -q --json')).status).toBe(0);
    expect(await description('13')).toBe(null);
  });
});

describe('ids, and files', () => {
  it.each<[line: string, stdin: string, status: number, says: string]>([
    ['leads get -', '', 0, 'No leads found.\n'],
    ['leads archive - --yes', '\n', 0, 'No leads found.\n'],
    ['leads import - --format csv', '', 2, 'error: There is nothing in standard input.\n'],
  ])('crm %s of %j is %i', async (line, stdin, status, says) => {
    expect(await crm(line, { stdin })).toEqual({ status, stdout: '', stderr: says });
  });
});

describeWith(['bash'], 'a standard input that is none', {}, () => {
  const isFolder = 'error: Standard input is a directory, not a file.\n';
  const slow: [line: string, status: number, says: string][] = [
    ['crm leads archive - --yes </', 2, isFolder],
    ['crm leads import - --format csv 0>/dev/null', 2, "error: Can't read standard input (bad file descriptor).\n"],
  ];
  it.each<[line: string, status: number, says: string]>([
    ['crm leads get - <&-', 0, 'No leads found.\n'],
    ...(isSlow ? slow : []),
    ['crm leads import - --format csv </', 2, isFolder],
    ['crm profile add acme --base-url https://x.example --key-stdin </', 2, isFolder],
    ['crm leads get - 0>/dev/null', 2, "error: Can't read standard input (bad file descriptor).\n"],
    ['crm api POST notes --data - 0>/dev/null', 2, "error: --data: can't read standard input (bad file descriptor).\n"],
  ])('%s is %i', async (line, status, says) => {
    expect(await bash(line)).toEqual({ status, stdout: '', stderr: says });
  });
});

describe.runIf(process.platform !== 'win32')('a working folder that was deleted', () => {
  const isMissing = 'x.csv is not found: the working folder was deleted.\n';
  const home = process.cwd();
  afterEach(() => process.chdir(home));

  /** Runs the words of a line in this process, whose working folder is gone meanwhile. */
  async function there(line: string): Promise<Crm> {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    process.chdir(gone);
    rmdirSync(gone);
    expect(() => process.cwd()).toThrow('ENOENT');
    const io = fakeIo();
    const status = await main(line.split(' '), { io, env, cwd: undefined, signal: new AbortController().signal });
    return { status, stdout: io.stdoutText(), stderr: io.stderrText() };
  }

  it.each([
    'leads get 12 --fields id',
    'leads list --limit 1 -o ids',
    'leads list --limit 1 -o xlsx',
    'leads update 12 --value 5 --dry-run',
    'profile list',
    'doctor',
  ])('crm %s', async (line) => {
    const { status, stderr } = await there(line);
    expect([status, stderr]).toEqual([0, expect.not.stringMatching(/ENOENT|at .*:\d+|fault/)]);
  });

  it('a file by its whole path is read', async () => {
    writeFileSync(join(folder, 'text.txt'), 'Called');
    expect((await there(`leads update 14 --description @${folder}/text.txt`)).status).toBe(0);
  });

  it.each([
    'leads import x.csv',
    'leads update 12 --description @x.csv',
    'apply x.csv',
    'snapshot x.csv',
    'seed apply x.csv',
    'leads update --where title~a --value 5 --plan x.csv',
  ])('crm %s is one sentence', async (line) => {
    const { status, stderr } = await there(line);
    expect([status, stderr]).toEqual([2, expect.stringContaining(isMissing)]);
    expect(stderr).not.toContain('    at ');
  });

  const slow: [line: string, status: number, says: unknown][] = [
    ['leads --help', 0, ''],
    ['leads list --limit 1 -o ids', 0, expect.not.stringMatching(/ENOENT|at .*:\d+|fault/)],
  ];
  it.each<[line: string, status: number, says: unknown]>([
    ...(isSlow ? slow : []),
    ['--version', 0, ''],
    // A thread takes its working folder from the process.
    ['leads get 12 --jq .id', 0, ''],
    ['leads import x.csv', 2, expect.stringContaining(isMissing)],
  ])('a process: crm %s', async (line, status, says) => {
    const ended = await bash(`mkdir gone; cd gone; rmdir ../gone; crm ${line}`);
    expect([ended.status, ended.stderr]).toEqual([status, says]);
  });
});

describe('a folder of temporary files that is not there', () => {
  afterEach(() => vi.unstubAllEnvs());
  it.each([
    ['leads duplicates', 4],
    ['leads import - --format csv', 4],
    ['leads list -o xlsx', 7],
  ])('crm %s is %i', async (line, status) => {
    vi.stubEnv('TMPDIR', join(folder, 'none'));
    const { stderr, ...ended } = await crm(line, { stdin: 'title\n' });
    expect([ended.status, stderr]).toEqual([status, expect.stringContaining('Set TMPDIR to a folder that you can write to.')]);
  });
});

describe('a folder of data that is none', () => {
  it.each(['seed apply seed.yaml', 'leads import new.csv --yes'])('crm %s is no usable setting', async (line) => {
    writeFileSync(join(folder, 'seed.yaml'), 'version: 1\nrecords:\n  - name: note\n    type: note\n    set: {title: x, description: y}\n');
    writeFileSync(join(folder, 'new.csv'), 'title,status,category\nx,1,1\n');
    const { status, stderr } = await crm(line, { more: { CRM_DATA_DIR: join(folder, 'blocked') } });
    expect([status, stderr]).toEqual([4, expect.stringContaining('Set CRM_DATA_DIR to a folder that you can write to.')]);
    expect(stderr).toContain('so nothing was sent.');
  });
});

describe('the folder of the embedded CRM is no folder', () => {
  const blocked = join(folder, 'blocked');
  it.each([
    ['sandbox init', 4],
    ['sandbox serve --port 0', 4],
    [`sandbox init --db ${blocked}/own.db`, 2],
  ])('crm %s is %i', async (line, status) => {
    const { stderr, ...ended } = await crm(line, { more: { CRM_DATA_DIR: blocked, CRM_CONFIG_DIR: join(folder, 'no-profiles') } });
    expect([ended.status, stderr]).toEqual([status, expect.stringContaining("A sandbox can't be made at")]);
    expect(stderr).toContain('CRM_DATA_DIR names the data folder: give the name of a folder there, or --db FILE.');
  });

  it('a file that is none is an unusable setting', async () => {
    const { status, stderr } = await crm('leads list', { more: { CRM_BASE_URL: `sandbox:${folder}` } });
    expect([status, stderr]).toEqual([4, expect.stringContaining("can't be opened")]);
  });
});

it('a locked file of the embedded CRM: nothing is unknown', async () => {
  const holder = new DatabaseSync(join(folder, 'crm.sqlite'));
  holder.exec('BEGIN IMMEDIATE');
  const { status, stderr } = await crm('leads update 12 --title x --json');
  holder.close();
  const { code, message, hint } = JSON.parse(stderr).error;
  expect([status, code]).toEqual([7, 'unavailable']);
  expect(message).toMatch(/^The sandbox at .* is in use: another process has been writing to it for 10 s\.$/);
  expect(hint).toBe('Try again when the other process is done.');
});
