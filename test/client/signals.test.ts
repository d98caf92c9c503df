// What ends a command early: Ctrl-C and SIGTERM, with and without a write in flight, and a reader that has seen enough.

import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndingSignal, InterruptedError } from '../../src/base/errors.ts';
import { type Crm, crmCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { type HostileServer, hostileServer, http, json, type Peer, type Reply, silence } from '../support/hostile-server.ts';
import { runHere } from '../support/run-here.ts';
import { type RunningCrm, startCrm, told } from '../support/start-crm.ts';
import { expectFailure, expectJsonFailure, settings } from './support.ts';

/** Longer than any test: only the signal can end the command. */
const patient = ['--timeout', '600'];
const GET = ['leads', 'get', '1', ...patient];
const POST = ['leads', 'comments', 'add', '1', 'hello', ...patient];

let server: HostileServer;
beforeAll(async () => {
  server = await hostileServer();
});
afterAll(() => server.stop());

async function asked(peer: Peer, times: number): Promise<void> {
  for (let tries = 0; peer.seen.length < times && tries < 5000; tries += 1) await sleep(10);
  expect(peer.seen.length).toBeGreaterThanOrEqual(times);
}

/** How many requests came, once no more do: the last ones of a process that has ended may still be on their way. */
async function settled(peer: Peer): Promise<number> {
  for (let before = -1; before !== peer.seen.length; ) {
    before = peer.seen.length;
    await sleep(200);
  }
  return peer.seen.length;
}

interface Running {
  kill(signal: EndingSignal): void;
  readonly ended: Promise<Crm>;
}

/** The built command as a process. */
function started(argv: readonly string[], peer: Peer): Running {
  const { process: child, ended } = startCrm(argv, settings(peer.url));
  return { kill: (signal) => void child.kill(signal), ended };
}

/** The program in this process, which learns of a signal as `entry/process.ts` tells it. */
function here(argv: readonly string[], peer: Peer): Running {
  const abort = new AbortController();
  const ended = runHere(argv, { env: settings(peer.url), signal: abort.signal });
  return { kill: (signal) => abort.abort(new InterruptedError(signal)), ended };
}

describe.concurrent('signals', () => {
  const unknown = (word: string): RegExp =>
    new RegExp(`^error: ${word}\\. The outcome of POST \\S+ is unknown: it may or may not have taken effect\\.$`);
  it.each<[EndingSignal, string, string[], RegExp, number]>([
    ['SIGINT', 'a GET', GET, /^error: Interrupted\.$/, 130],
    ['SIGTERM', 'a GET', GET, /^error: Terminated\.$/, 143],
    ['SIGINT', 'a POST', POST, unknown('Interrupted'), 130],
    ['SIGTERM', 'a POST', POST, unknown('Terminated'), 143],
  ])('%s during %s', async (signal, what, argv, says, exit) => {
    const peer = server.serve(`${signal}-${encodeURIComponent(what.replace(' ', '-'))}`, silence);
    // That a signal comes to the run is seen of both words once.
    const { kill, ended } = argv === POST ? started(argv, peer) : here(argv, peer);
    await asked(peer, 1);
    kill(signal);
    const crm = await ended;
    expectFailure(crm, exit, says);
    if (argv === POST) expect(crm.stderr).toMatch(/: crm leads comments list 1$/m);
    expect(peer.seen).toHaveLength(1);
  });

  it('SIGINT during a POST, --json', async () => {
    const peer = server.serve('as-json', silence);
    const { kill, ended } = here([...POST, '--json'], peer);
    await asked(peer, 1);
    kill('SIGINT');
    expectJsonFailure(await ended, 130, 'interrupted', /is unknown/);
  });

  it.each([
    ['delete', ['--yes']],
    ['get', []],
  ])('SIGINT amid several ids of %s, --json: one object tells it, with what failed before', async (verb, flags) => {
    const gone = json({ message: 'No such lead.' }, 404);
    const peer = server.serve(`several-${verb}`, gone, silence);
    const { kill, ended } = here(['leads', verb, '1', '2', '3', ...flags, '--json', ...patient], peer);
    await asked(peer, 2);
    kill('SIGINT');
    const { status, stderr } = await ended;
    expect([status, JSON.parse(stderr).error]).toMatchObject([
      130,
      {
        code: 'interrupted',
        hint: expect.stringMatching(/^Before that: 0 of 3 went through\.$/m),
        failures: [{ id: 1, code: 'not_found' }],
      },
    ]);
  });

  it('SIGINT during the wait for another try: nothing is unknown', async () => {
    const peer = server.serve('again', http(429, '', { 'retry-after': 50 }));
    const crm = startCrm([...POST, '--verbose'], settings(peer.url));
    await told(crm, / again in /);
    await expectInterrupted(crm);
  });

  it('a long wait is said, and which try comes then', async () => {
    const peer = server.serve('long', http(429, '', { 'retry-after': 50 }));
    const crm = startCrm(POST, settings(peer.url));
    await told(crm, / answered 429, Retry-After 50: trying again in 50 s \(1 of 3\)\.$/m);
    await expectInterrupted(crm);
    const short = server.serve('short', http(429, '', { 'retry-after': 0 }));
    expect((await runHere([...POST, '--retries', '1'], { env: settings(short.url) })).stderr).not.toContain('trying again');
  });

  it('a wait of more than 60 s is not waited for: 6 at once, with when to come again', async () => {
    const peer = server.serve('longer', http(429, '', { 'retry-after': 3600 }));
    const crm = await runHere(POST, { env: settings(peer.url) });
    expect([crm.status, peer.seen.length]).toEqual([6, 1]);
    expect(crm.stderr).toContain('Try again in 1 h. The service asks to wait: Retry-After 3600.');
  });

  it('SIGINT during connecting: nothing is unknown', async () => {
    const mute = await hostileServer();
    const crm = startCrm([...POST, '--verbose'], settings(mute.origin.replace('http:', 'https:')));
    while (mute.connections() === 0 && crm.process.exitCode === null) await sleep(1);
    await expectInterrupted(crm);
    await mute.stop();
  });

  async function expectInterrupted({ process: child, ended }: RunningCrm): Promise<void> {
    child.kill('SIGINT');
    const crm = await ended;
    expect(crm.stderr).toMatch(/^error: Interrupted\.$/m);
    expect(crm.status).toBe(130);
  }
});

describe.concurrent('a reader that has seen enough', () => {
  const pages = 400;
  /** Many pages of 100 leads. */
  const list: Reply = (socket, request) => {
    const number = Number(/page=(\d+)/.exec(request.path)?.[1] ?? 1);
    const data = Array.from({ length: 100 }, (_, index) => ({
      id: (number - 1) * 100 + index + 1,
      title: 'A lead with some title',
      value: '1.10',
    }));
    json({ data, meta: { current_page: number, per_page: 100, last_page: pages, total: pages * 100 } })(socket, request);
  };

  // Every day a format of each kind: records alone, and with what stands around them.
  const others = process.env.CRM_SLOW === '1' ? ['csv', 'ids', 'table', 'yaml'] : [];
  it.each(['ndjson', 'json', ...others])('| head -3 of -o %s', async (format) => {
    const peer = server.serve(`head-${format}`, list);
    const crm = await piped(['leads', 'list', '--all', '-o', format], 'head -3', peer);
    expect(crm).toEqual({ status: 0, lines: 3, stderr: '' });
    expect(await settled(peer)).toBeLessThan(pages / 2);
  });

  it('| true, of one record', async () => {
    const peer = server.serve('true', json({ data: { id: 1 } }));
    expect(await piped([...GET, '--json'], 'true', peer)).toEqual({ status: 0, lines: 0, stderr: '' });
  });
});

/** Runs `crm … | reader` in bash: the status of crm, the reader's lines, and standard error. */
async function piped(argv: readonly string[], reader: string, peer: Peer): Promise<{ status: number; lines: number; stderr: string }> {
  const [command, all] = crmCommand(argv);
  const script = `"$@" | ${reader}; echo "\${PIPESTATUS[0]}" >&3`;
  const words = ['--norc', '-c', `exec 3>&1; { ${script.replace(/; echo/, ' | sed s/^/:/; echo')}; }`, 'bash', command, ...all];
  const [stdout, stderr] = await new Promise<[string, string]>((resolve) => {
    execFile('bash', words, { env: cleanEnv(settings(peer.url)) }, (_error, out, err) => resolve([out, err]));
  });
  const lines = stdout.trimEnd().split('\n');
  return {
    status: Number(lines.find((line) => !line.startsWith(':'))),
    lines: lines.filter((line) => line.startsWith(':')).length,
    stderr,
  };
}
