// Which addresses are one service, and one run at a time that creates records there.

import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceAddress } from '../../src/base/base-url.ts';
import { systemClock } from '../../src/base/clock.ts';
import { InterruptedError, UnauthorizedError } from '../../src/base/errors.ts';
import { loadSqlite } from '../../src/base/files/sqlite.ts';
import { Journal } from '../../src/runs/journal/journal.ts';
import { holdFile, holdRun, isAtWork, isHeld, refuseAtWork, takeLock } from '../../src/session/lock.ts';
import { service } from '../runs/steps.ts';
import { startProgram } from '../support/start-program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('an address', () => {
  it.each([
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/', 'http://localhost:8080'],
    ['http://127.8.9.1:8080/api', 'http://localhost:8080'],
    ['http://[::1]:8080/api/', 'http://localhost:8080'],
    ['HTTP://LocalHost:8080//', 'http://localhost:8080'],
    ['https://CRM.example:443/api', 'https://crm.example'],
    ['http://crm.example:80', 'http://crm.example'],
    ['https://crm.example/a/api/', 'https://crm.example/a'],
    ['https://crm.example/apis', 'https://crm.example/apis'],
    ['sandbox:', 'sandbox:'],
  ])('%s is %s', (given, address) => {
    expect(serviceAddress(given)).toBe(address);
  });

  it.each([
    ['http://crm.example', 'https://crm.example'],
    ['https://crm.example', 'https://crm.example:8443'],
    ['https://crm.example/a', 'https://crm.example/b'],
    ['https://a.crm.example', 'https://crm.example'],
  ])('%s is not %s', (one, other) => {
    expect(serviceAddress(one)).not.toBe(serviceAddress(other));
  });
});

const taken = `
  const { systemClock } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/base/clock.ts'))});
  const taken = (folder, title) => takeLock(folder, { service: '${service}', title, signal: new AbortController().signal, clock: systemClock, waits: () => {}, wait: 60_000 });`;

describe('one run at a time', () => {
  const said: string[] = [];
  const take = (title: string, signal = new AbortController().signal, of = service): Promise<() => void> =>
    takeLock(folder, { service: of, title, signal, clock: systemClock, waits: (holder) => said.push(holder), wait: 60_000 });

  it('the second waits, is told for whom, and comes next, however the first ended', async () => {
    const child = startProgram(
      { takeLock: '../session/lock.ts' },
      `${taken} await taken(${JSON.stringify(folder)}, 'the import of a.csv'); console.log('held'); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout ?? child, 'data');
    let isTaken = false;
    const second = take('the import of b.csv').then((release) => {
      isTaken = true;
      return release;
    });
    // Another service is nobody's business.
    (await take('x', undefined, 'http://other.example'))();
    while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect([isTaken, said]).toEqual([false, ['the import of a.csv']]);
    child.kill('SIGKILL');
    const release = await second;
    // The journal may be read meanwhile: that gives no lock back.
    Journal.open(folder, service).close();
    const third = new AbortController();
    const waiting = take('the import of c.csv', third.signal);
    setTimeout(() => third.abort(new InterruptedError('SIGINT')), 500);
    await expect(waiting).rejects.toThrow('Interrupted.');
    release();
    (await take('the import of d.csv'))();
  });

  it('the second waits as long as it should, is told once for whom, and then that it is held', async () => {
    const release = await take('the import of a.csv');
    let now = 0;
    const told: [string, number][] = [];
    const clock = {
      ...systemClock,
      steady: () => now,
      after: (milliseconds: number, work: () => void) => {
        now += milliseconds;
        queueMicrotask(work);
        return () => {};
      },
    };
    const second = takeLock(folder, {
      service,
      title: 'the import of b.csv',
      signal: new AbortController().signal,
      clock,
      waits: (holder) => told.push([holder, now]),
      wait: 90_000,
    });
    await expect(second).rejects.toMatchObject({
      message: 'Another run is writing to this service: the import of a.csv.',
      code: 'run_held',
    });
    expect(told).toEqual([['the import of a.csv', expect.any(Number)]]);
    expect([told[0]?.[1] ?? 0, now].map((time) => Math.round(time / 1000))).toEqual([1, 90]);
    release();
    (await take('the import of c.csv'))();
  });

  it('among many processes never two', async () => {
    const log = join(folder, 'log');
    const program = `${taken}
      import { appendFileSync } from 'node:fs';
      for (let turn = 0; turn < 4; turn += 1) {
        const release = await taken(${JSON.stringify(folder)}, 'x');
        appendFileSync(${JSON.stringify(log)}, 'in ');
        await new Promise((resolve) => setTimeout(resolve, 5));
        appendFileSync(${JSON.stringify(log)}, 'out ');
        release();
      }`;
    const children = [1, 2, 3].map(() => startProgram({ takeLock: '../session/lock.ts' }, program));
    await Promise.all(children.map((child) => text(child.stdout as NonNullable<typeof child.stdout>)));
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(12));
  });

  it('a folder that can not be written is told, before anything is sent', async () => {
    writeFileSync(join(folder, 'file'), '');
    const taking = takeLock(join(folder, 'file'), {
      service,
      title: 'x',
      signal: new AbortController().signal,
      clock: systemClock,
      waits: () => {},
      wait: 60_000,
    });
    await expect(taking).rejects.toThrow(UnauthorizedError);
  });
});

describe('the lock of a run', () => {
  const header = { kind: 'import', title: 'a.csv', began: '2026-11-20T10:00:00.000Z', command: '', details: {} };

  it('is held until the run ends, also for the test of an earlier version, which reads the file', () => {
    const journal = Journal.open(folder, service);
    const run = journal.begin(header);
    const path = `${run.file.path}.${run.name}`;
    const { DatabaseSync } = loadSqlite();
    const holds = holdRun(run);
    // Windows removes no open file; a folder can't be removed so anywhere.
    rmSync(path);
    mkdirSync(path);
    holds();
    rmSync(path, { recursive: true });
    const release = holdRun(run);
    expect(isAtWork(run)).toBe(true);
    const earlier = new DatabaseSync(path, { timeout: 0 });
    expect(() => earlier.prepare('SELECT count(*) FROM sqlite_schema').get()).toThrow('locked');
    earlier.close();
    release();
    expect(isAtWork(run)).toBe(false);
    journal.close();
  });

  it('of a run that was cut off is not held, while another process tests the lock', () => {
    const journal = Journal.open(folder, service);
    const run = journal.begin(header);
    const path = `${run.file.path}.${run.name}`;
    writeFileSync(path, '');
    const { DatabaseSync } = loadSqlite();
    const tester = new DatabaseSync(path, { timeout: 0 });
    tester.exec('BEGIN IMMEDIATE');
    expect(isAtWork(run)).toBe(false);
    tester.close();
    journal.close();
  });

  it('lets nobody else have the run, says since when, and leaves no file behind', () => {
    const journal = Journal.open(folder, service);
    const run = journal.begin(header);
    const path = `${run.file.path}.${run.name}`;
    refuseAtWork(run);
    const release = holdRun(run);
    for (const other of [holdRun, refuseAtWork])
      expect(() => other(run)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(`^Run ${run.name} is still at work since \\d\\d:\\d\\d\\.$`),
          code: 'run_held',
        }),
      );
    expect([isHeld(path), existsSync(path)]).toEqual([true, true]);
    release();
    expect([isHeld(path), existsSync(path)]).toEqual([false, false]);
    refuseAtWork(run);
    holdRun(run)();
    journal.close();
  });

  it('of a run in memory is nobody’s', () => {
    const run = Journal.inMemory(service, systemClock).begin(header);
    const releases = [holdRun(run), holdRun(run)];
    expect(isAtWork(run)).toBe(false);
    for (const release of releases) release();
  });
});

it('a lock file without a holder stays, and is taken once', () => {
  const path = join(folder, 'deep', 'file.lock');
  expect([isHeld(path), existsSync(path)]).toEqual([false, false]);
  const release = holdFile(path);
  expect([holdFile(path), isHeld(path)]).toEqual([undefined, true]);
  release?.();
  writeFileSync(path, '');
  expect([isHeld(path), existsSync(path)]).toEqual([false, true]);
});

it('the name of a holder that is not written yet is said to be unknown, and the next one writes over it', async () => {
  const of = (title: string, wait: number) =>
    takeLock(folder, { service, title, signal: new AbortController().signal, clock: systemClock, waits: () => {}, wait });
  (await of('the import of a.csv', 0))();
  const release = await of('the import of b.csv', 0);
  await expect(of('the import of c.csv', 0)).rejects.toThrow('Another run is writing to this service: the import of b.csv.');
  release();
  const { DatabaseSync } = loadSqlite();
  const other = mkdtempSync(join(tmpdir(), 'crm-lock-'));
  const path = join(other, readdirSync(folder).find((name) => name.endsWith('.lock')) ?? '');
  const unnamed = new DatabaseSync(path);
  unnamed.exec('BEGIN IMMEDIATE');
  await expect(
    takeLock(other, { service, title: 'x', signal: new AbortController().signal, clock: systemClock, waits: () => {}, wait: 0 }),
  ).rejects.toThrow('Another run is writing to this service: its name is not known yet.');
  unnamed.close();
  rmSync(other, { recursive: true });
});
