// Input that isn't there: an empty or unreadable standard input, an empty file, a directory, a deleted working folder. Nothing of it is
// taken for an empty value, and nothing of it is a fault of crm.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Crm, cleanEnv, runCrm, shellCommand } from '../support/crm.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { runHere } from '../support/run-here.ts';
import { describeWith } from '../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-input-'));
const env = {
  CRM_BASE_URL: `sandbox:${join(folder, 'crm.sqlite')}`,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
};
beforeAll(() => {
  makeSandbox(join(folder, 'crm.sqlite'), { demo: true });
  writeFileSync(join(folder, 'empty.txt'), '');
  writeFileSync(join(folder, 'blank.txt'), '\n  \n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a line of bash in which `crm` is the built command. */
const bash = (line: string, more: Record<string, string> = {}): Promise<Crm> =>
  new Promise((resolve) => {
    const script = `crm() { ${shellCommand()} "$@"; }; ${line}`;
    execFile('bash', ['--norc', '-c', script], { env: cleanEnv({ ...env, ...more }), cwd: folder }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const description = async (id = '12'): Promise<string | null> =>
  JSON.parse((await runHere(['leads', 'get', id, '--json'], { env })).stdout).description;

describeWith(['bash'], 'a text', { timeout: 60_000 }, () => {
  const clears = 'For an empty value: --description ""';
  it.each<[string, string, string]>([
    ['false | crm leads update 12 --description -', 'error: --description: standard input is empty.', clears],
    ['crm leads update 12 --description - </dev/null', 'error: --description: standard input is empty.', clears],
    ['crm leads update 12 --description - <&-', 'error: --description: standard input is empty.', clears],
    ['echo "$UNSET" | crm leads update 12 --description -', 'error: --description: standard input holds only blanks.', clears],
    ['crm leads update 12 --description @empty.txt', 'error: --description: empty.txt is empty.', clears],
    ['crm leads update 12 --description @blank.txt', 'error: --description: blank.txt holds only blanks.', clears],
    ['crm leads update 12 --description @config', "error: --description: can't read config (", 'For a text that begins with @'],
    ['crm leads update --where id!=0 --yes --description - </dev/null', 'error: --description: standard input is empty.', clears],
    ['crm leads update 12 --description - </', 'error: Standard input is a directory, not a file.', ''],
    ['crm leads update 12 --description - 0>/dev/null', "error: --description: can't read standard input (EBADF).", ''],
    ['crm leads update 12 --data - </dev/null', 'error: --data: standard input is empty.', ''],
    ['crm leads comments add 12 - </dev/null', 'error: text: standard input is empty.', ''],
    ['crm notes create --title T --description - </dev/null', 'error: --description: standard input is empty.', clears],
    ['crm api POST notes --data - </dev/null', 'error: --data: standard input is empty.', ''],
  ])('%s', async (line, says, advice) => {
    mkdirSync(join(folder, 'config'), { recursive: true });
    const before = await description();
    const { status, stdout, stderr } = await bash(line);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).toContain(advice);
    expect(await description()).toBe(before);
    expect(before).not.toBe('');
  });

  it('--description "" clears it, as the advice says', async () => {
    expect((await bash('crm leads update 13 --description "" -q --json')).status).toBe(0);
    expect(await description('13')).toBe(null);
  });
});

describeWith(['bash'], 'ids, and files', { timeout: 60_000 }, () => {
  it.each<[string, number, string]>([
    ['crm leads get - </dev/null', 0, 'No leads found.\n'],
    ['crm leads get - <&-', 0, 'No leads found.\n'],
    ['echo | crm leads archive - --yes', 0, 'No leads found.\n'],
    ['crm leads get - </', 2, 'error: Standard input is a directory, not a file.\n'],
    ['crm leads archive - --yes </', 2, 'error: Standard input is a directory, not a file.\n'],
    ['crm leads get - 0>/dev/null', 2, "error: Can't read standard input (EBADF).\n"],
    ['crm leads import - --format csv </', 2, 'error: Standard input is a directory, not a file.\n'],
    ['crm leads import - --format csv 0>/dev/null', 2, "error: Can't read standard input (EBADF).\n"],
    ['crm leads import - --format csv </dev/null', 2, 'error: There is nothing in standard input.\n'],
    ['crm seed apply - --run x </', 2, 'error: Standard input is a directory, not a file.\n'],
    ['crm profile add acme --base-url https://x.example --key-stdin </', 2, 'error: Standard input is a directory, not a file.\n'],
  ])('%s is %i', async (line, status, says) => {
    expect(await bash(line)).toEqual({ status, stdout: '', stderr: says });
  });
});

describeWith(['bash'], 'a working folder that was deleted', { timeout: 60_000 }, () => {
  const gone = 'mkdir gone; cd gone; rmdir ../gone';
  it.each<[string, number]>([
    ['--version', 0],
    ['leads --help', 0],
    ['leads get 12 --fields id', 0],
    ['leads list --limit 1 -o ids', 0],
    ['leads get 12 --jq .id', 0],
    [`leads list --limit 1 -o xlsx`, 0],
    ['leads update 12 --value 5 --dry-run', 0],
    ['profile list', 0],
    ['doctor', 0],
  ])('crm %s', async (args, status) => {
    const { stderr, ...ended } = await bash(`${gone}; crm ${args}`);
    expect([ended.status, stderr]).toEqual([status, expect.not.stringMatching(/ENOENT|at .*:\d+|fault/)]);
  });

  it('a file by its whole path is read', async () => {
    writeFileSync(join(folder, 'text.txt'), 'Called');
    expect((await bash(`${gone}; crm leads update 14 --description @${folder}/text.txt`)).status).toBe(0);
  });

  it.each([
    'leads import x.csv',
    'leads update 12 --description @x.csv',
    'apply x.csv',
    'snapshot x.csv',
    'seed apply x.csv',
    'leads update --where title~a --value 5 --plan x.csv',
  ])('crm %s is one sentence', async (args) => {
    const { status, stderr } = await bash(`${gone}; crm ${args}`);
    expect([status, stderr]).toEqual([2, expect.stringContaining('x.csv is not found: the working folder was deleted.\n')]);
    expect(stderr).not.toContain('    at ');
  });
});

describeWith(['bash'], 'a folder of temporary files that is not there', { timeout: 60_000 }, () => {
  it.each([
    ['crm leads duplicates', 4],
    ['echo title | crm leads import - --format csv', 4],
    ['crm leads list -o xlsx', 7],
  ])('%s is %i', async (line, status) => {
    const { stderr, ...ended } = await bash(line, { TMPDIR: join(folder, 'none') });
    expect([ended.status, stderr]).toEqual([status, expect.stringContaining('Set TMPDIR to a folder that you can write to.')]);
  });
});

describeWith(['bash'], 'a folder of data that is none', { timeout: 60_000 }, () => {
  it.each(['seed apply seed.yaml', 'leads import new.csv --yes'])('crm %s is no usable setting', async (args) => {
    writeFileSync(join(folder, 'seed.yaml'), 'version: 1\nrecords:\n  - name: note\n    type: note\n    set: {title: x, description: y}\n');
    writeFileSync(join(folder, 'new.csv'), 'title,status,category\nx,1,1\n');
    writeFileSync(join(folder, 'blocked'), '');
    const { status, stderr } = await bash(`crm ${args}`, { CRM_DATA_DIR: join(folder, 'blocked') });
    expect([status, stderr]).toEqual([4, expect.stringContaining('Set CRM_DATA_DIR to a folder that you can write to.')]);
    expect(stderr).toContain('so nothing was sent.');
  });
});

describeWith(['bash'], 'the folder of the embedded CRM is no folder', { timeout: 60_000 }, () => {
  it.each([
    ['sandbox init', 4],
    ['sandbox serve --port 0', 4],
    ['sandbox init --db "$CRM_DATA_DIR/own.db"', 2],
  ])('crm %s is %i', async (args, status) => {
    writeFileSync(join(folder, 'blocked'), '');
    const env = { CRM_DATA_DIR: join(folder, 'blocked'), CRM_CONFIG_DIR: join(folder, 'no-profiles') };
    const { stderr, ...ended } = await bash(`crm ${args}`, env);
    expect([ended.status, stderr]).toEqual([status, expect.stringContaining("A sandbox can't be made at")]);
    expect(stderr).toContain('CRM_DATA_DIR and --db name another.');
  });

  it('a file that is none is an unusable setting', async () => {
    const { status, stderr } = await bash('crm leads list', { CRM_BASE_URL: `sandbox:${folder}` });
    expect([status, stderr]).toEqual([4, expect.stringContaining("can't be opened")]);
  });
});

it('a locked file of the embedded CRM: nothing is unknown', { timeout: 60_000 }, async () => {
  const hold = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync(process.argv[1]);
    db.exec('BEGIN IMMEDIATE'); console.log('held'); setTimeout(() => {}, 60000);`;
  const holder = spawn(process.execPath, ['-e', hold, join(folder, 'crm.sqlite')], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  const { status, stderr } = await runCrm(['leads', 'update', '12', '--title', 'x', '--json'], { env });
  holder.kill();
  const { code, message, hint } = JSON.parse(stderr).error;
  expect([status, code]).toEqual([7, 'unavailable']);
  expect(message).toMatch(/^The sandbox at .* is in use: another process has been writing to it for 10 s\.$/);
  expect(hint).toBe('Try again when the other process is done.');
});
