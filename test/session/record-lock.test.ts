// One record, one writer on this machine: single commands that rest on a read take turns, and nothing waits for ever.

import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createContext } from '../../src/session/context.ts';
import { holdingRecord } from '../../src/session/record-lock.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runHere } from '../support/run-here.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';
import { startProgram } from '../support/start-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-record-lock-'));
let server: ServedHere;
beforeAll(async () => {
  server = await serveHere(join(folder, 'served.sqlite'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const envIn = (data: string): Record<string, string> => ({
  CRM_BASE_URL: server.baseUrl,
  CRM_API_KEY: server.key,
  CRM_DATA_DIR: data,
  CRM_CONFIG_DIR: join(folder, 'config'),
});
const crm = async (...argv: string[]) => {
  const ended = await runHere(argv, { env: envIn(join(folder, 'data')) });
  expect(ended.status, ended.stderr).toBe(0);
  return ended;
};
const lead = async (id: string): Promise<Record<string, unknown>> => JSON.parse((await crm('leads', 'get', id, '--json')).stdout);

it('of eight writers at once, with five tags each, no tag is lost', async () => {
  const writer = async (name: string): Promise<void> => {
    for (let count = 0; count < 5; count += 1) await crm('leads', 'tags', '1', '--add', `${name}${count}`);
  };
  const names = [...'abcdefgh'];
  await crm('leads', 'tags', '1', '--clear');
  await Promise.all(names.map(writer));
  const { tags } = (await lead('1')) as { tags: string[] };
  expect(tags.toSorted()).toEqual(names.flatMap((name) => [0, 1, 2, 3, 4].map((count) => `${name}${count}`)));
});

it('two updates at once both hold', async () => {
  await Promise.all([crm('leads', 'update', '3', '--city', 'Leeds'), crm('leads', 'update', '3', '--zip', '4711')]);
  expect((await lead('3')).address).toMatchObject({ city: 'Leeds', zip: '4711' });
});

/** A context whose data are in a folder. */
function contextIn(data: string, clock = systemClock, io = fakeIo()) {
  const flags = { dryRun: false, quiet: false } as Parameters<typeof createContext>[1];
  return createContext({ io, env: envIn(data), cwd: folder, signal: new AbortController().signal, clock }, flags);
}

describe('a record that is held', () => {
  it('is free at once when its holder was killed', async () => {
    const data = join(folder, 'killed');
    const child = startProgram(
      { createContext: '../session/context.ts', holdingRecord: '../session/record-lock.ts', systemClock: '../base/clock.ts' },
      `const context = createContext({ io: { keepSecret: () => {} }, env: ${JSON.stringify(envIn(data))}, cwd: '/', signal: new AbortController().signal }, { dryRun: false });
       globalThis.gate = Promise.withResolvers();
       void holdingRecord(context, '/api/leads/1', () => { console.log('held'); return globalThis.gate.promise; });
       setInterval(() => {}, 1000);`,
    );
    await once(child.stdout ?? child, 'data');
    let isTaken = false;
    const second = holdingRecord(contextIn(data), '/api/leads/1', async () => {
      isTaken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(isTaken).toBe(false);
    child.kill('SIGKILL');
    await second;
    expect(isTaken).toBe(true);
  });

  it('by a command that does not go on is waited for 30 s, and that is said', async () => {
    const data = join(folder, 'suspended');
    let now = 0;
    const clock = {
      ...systemClock,
      steady: () => now,
      after: (milliseconds: number, work: () => void) => {
        now += milliseconds;
        queueMicrotask(work);
        return () => {};
      },
    };
    const io = fakeIo();
    await holdingRecord(contextIn(data), '/api/leads/1', () => holdingRecord(contextIn(data, clock, io), '/api/leads/1', async () => {}));
    expect(Math.round(now / 1000)).toBe(30);
    expect(io.stderrText()).toContain('Another command has held this record for 30 s: going on without waiting for it.');
  });

  it('is not held while a question stands', async () => {
    const context = contextIn(join(folder, 'asked'));
    let isTaken = false;
    await holdingRecord(context, '/api/leads/1', (asking) =>
      asking(() =>
        holdingRecord(context, '/api/leads/1', async () => {
          isTaken = true;
        }),
      ),
    );
    expect(isTaken).toBe(true);
  });

  it('keeps no run from writing', async () => {
    await holdingRecord(contextIn(join(folder, 'data')), '/api/leads/5', () => crm('leads', 'update', '5,6', '--city', 'Hull', '--yes'));
    expect((await lead('5')).address).toMatchObject({ city: 'Hull' });
  });
});

it('where no lock can be had, the command goes on without one, and without a word', async () => {
  writeFileSync(join(folder, 'file'), '');
  const inFile = await runHere(['leads', 'update', '7', '--city', 'York'], { env: envIn(join(folder, 'file', 'data')) });
  expect([inFile.status, inFile.stderr.includes('record')], inFile.stderr).toEqual([0, false]);
  const closed = mkdtempSync(join(folder, 'closed-'));
  chmodSync(closed, 0o500);
  const inClosed = await runHere(['leads', 'update', '7', '--city', 'Bath'], { env: envIn(closed) });
  expect([inClosed.status, inClosed.stderr.includes('record')], inClosed.stderr).toEqual([0, false]);
});
