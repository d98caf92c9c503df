// The process around a run: what it says of a full disk, that JSON errors stand alone, and what a diagnostic report holds.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCrm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { type HostileServer, hostileServer, json, silence } from '../support/hostile-server.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { startCrm } from '../support/start-crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-process-'));
const env = {
  CRM_BASE_URL: `sandbox:${join(folder, 'crm.sqlite')}`,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
};
let server: HostileServer;
beforeAll(async () => {
  makeSandbox(join(folder, 'crm.sqlite'), { demo: true });
  server = await hostileServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const remote = (url: string) => ({ CRM_BASE_URL: url, CRM_API_KEY: 'crm_report-0123456789', CRM_CONFIG_DIR: join(folder, 'config') });

describe.runIf(process.platform === 'linux')('a full disk behind standard output', () => {
  const full = (args: string): { status: number; stderr: string } => {
    const script = `${shellCommand()} ${args} >/dev/full; echo "status $?" >&2`;
    const stderr = execFileSync('bash', ['--norc', '-c', `{ ${script}; } 2>&1`], { env: cleanEnv(env), encoding: 'utf8' });
    return { status: Number(/status (\d+)/.exec(stderr)?.[1]), stderr };
  };
  it.each<[string, RegExp]>([
    ['leads list', /^error: The output could not be written: the disk is full\.\nstatus/],
    ['--help', /^error: The output could not be written: the disk is full\.\nstatus/],
    ["notes create --title x --description 'y'", /full\.\nBefore that: Note \d+ created: x\nstatus/],
    ['notes delete 1 --yes', /full\.\nBefore that: Note 1 deleted\nstatus/],
    ['notes delete 2 3 --yes', /full\.\nBefore that: 2 of 2 went through\.\nstatus/],
  ])('%s', (args, says) => {
    const { status, stderr } = full(args);
    expect(stderr).toMatch(says);
    expect(status).toBe(7);
  });

  it('as JSON', () => {
    const { status, stderr } = full("notes create --title x --description 'y' --json");
    expect(status).toBe(7);
    const { error } = JSON.parse(stderr.split('\n')[0] ?? '');
    expect(error).toMatchObject({ code: 'disk_full', hint: expect.stringContaining('Before that: Note ') });
  });
});

describe('errors as JSON stand alone on standard error', () => {
  const note = json({ data: { id: 1, title: 'Call', description: 'Asked for a price' } });
  const args = ['notes', 'update', '1', '--title', 'Called', '--json'];
  const said = 'The record came without visibility; not sent back.';

  it('a notice before the error is in it', async () => {
    const peer = server.serve('notice', note, json({ message: 'No.' }, 422));
    const crm = await runCrm(args, { env: remote(peer.url) });
    expect(crm.status).toBe(5);
    expect(JSON.parse(crm.stderr).error).toMatchObject({ code: 'refused', notices: [said] });
  });

  it('the notices of a run that went well are lines', async () => {
    const peer = server.serve('well', note, json({ data: { id: 1, title: 'Called', description: 'Asked for a price' } }));
    const crm = await runCrm(args, { env: remote(peer.url) });
    expect(crm).toMatchObject({ status: 0, stderr: expect.stringContaining(`${said}\n`) });
  });
});

describe('a run that ends before its work is done', () => {
  // A wait that holds no handle, so that Node has nothing left to wait for.
  const stuck = 'data:text/javascript,process.stdin[Symbol.asyncIterator] = () => ({ next: () => new Promise(() => {}) })';
  const options = { NODE_OPTIONS: `--import="${stuck}"` };

  it('is a failure, and says so', async () => {
    const crm = await runCrm(['leads', 'comments', 'add', '1', '-'], { env: { ...env, ...options } });
    expect(crm).toEqual({
      status: 1,
      stdout: '',
      stderr: 'error: crm has a fault: the command ended before its work was done. Look at what was done before you repeat the command.\n',
    });
  });

  it('as JSON', async () => {
    const crm = await runCrm(['leads', 'comments', 'add', '1', '-', '--json'], { env: { ...env, ...options } });
    expect([crm.status, crm.stdout, JSON.parse(crm.stderr).error.code]).toEqual([1, '', 'fault']);
  });
});

describe.runIf(process.platform !== 'win32')('the process', () => {
  it('SIGHUP ends a command with 129, and a write in flight is unknown', async () => {
    const peer = server.serve('hung-up', silence);
    const { process: child, ended } = startCrm(['leads', 'comments', 'add', '1', 'x', '--timeout', '600'], remote(peer.url));
    while (peer.seen.length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGHUP');
    const crm = await ended;
    expect(crm.stderr).toMatch(/^error: Hung up\. The outcome of POST \S+ is unknown/);
    expect(crm.status).toBe(129);
  });

  it('a diagnostic report has no key in it', async () => {
    const peer = server.serve('report', silence);
    const options = ['--report-on-signal', '--report-signal=SIGUSR2', `--report-directory=${folder}`];
    const { process: child, ended } = startCrm(['leads', 'get', '1', '--timeout', '600'], remote(peer.url), options);
    while (peer.seen.length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGUSR2');
    const report = (): string | undefined => readdirSync(folder).find((name) => name.startsWith('report.'));
    while (report() === undefined && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGTERM');
    await ended;
    const text = readFileSync(join(folder, report() ?? ''), 'utf8');
    expect(text).toContain('"commandLine"');
    expect(text).not.toContain('crm_report-0123456789');
  });
});
