// The folder of journals: which address is the same service, one writer a service, and what is left of other versions.

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Context, createContext } from '../../src/context.ts';
import { ConflictError, InterruptedError } from '../../src/errors.ts';
import { readGlobalFlags } from '../../src/global-flags.ts';
import { claimsElsewhere } from '../../src/runs/claims.ts';
import {
  forgetService,
  journalFolder,
  journalPath,
  journals,
  refuseOldJournals,
  removeJournal,
  serviceAddress,
  takeService,
} from '../../src/runs/folder.ts';
import { Journal } from '../../src/runs/journal.ts';
import { fakeIo } from '../support/fake-io.ts';
import { header, startProgram } from './steps.ts';

let dataDir: string;
let folder: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crm-runs-'));
  folder = journalFolder(dataDir);
});

afterEach(() => rmSync(dataDir, { recursive: true }));

const now = new Date('2026-11-20T10:00:00.000Z');

function contextOf(signal = new AbortController().signal): { context: Context; said: () => string } {
  const io = fakeIo();
  const context = createContext({ io, env: { CRM_DATA_DIR: dataDir }, cwd: dataDir, signal }, readGlobalFlags({}));
  return { context, said: () => io.stderrText() };
}

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

describe('journals', () => {
  const made = (service: string, name: string): Journal =>
    Journal.create(journalPath(folder, service, 'import', name, now), { ...header, service });

  it('have names of their own, are found by their service, and are closed behind', () => {
    for (const [service, name] of [
      ['http://a.example', 'leads-create'],
      ['http://a.example', 'leads-create'],
      ['http://b.example', '../Läden & Co/x'],
    ] as const)
      made(service, name).close();
    const files = readdirSync(folder).toSorted();
    expect(files.every((name) => /^[0-9a-f]{8}-import-[\p{L}.-]+-20261120T100000000Z(-2)?\.sqlite$/u.test(name))).toBe(true);
    expect(files).toHaveLength(3);
    const services = (wanted?: string) => [...journals(folder, wanted, () => {})].map((journal) => journal.header.service);
    expect([services('http://a.example'), services('http://c.example'), services().length]).toEqual([
      ['http://a.example', 'http://a.example'],
      [],
      3,
    ]);
    for (const journal of journals(folder, 'http://b.example', () => {})) removeJournal(journal.path ?? '');
    forgetService(folder, 'http://a.example');
    expect(readdirSync(folder)).toEqual([]);
    expect([...journals(join(folder, 'none'), undefined, () => {})]).toEqual([]);
  });

  it('that can not be read are told, and passed over', () => {
    made('http://a.example', 'x').close();
    writeFileSync(join(folder, 'damaged.sqlite'), 'x'.repeat(5000));
    const told: string[] = [];
    expect([...journals(folder, undefined, (error) => told.push(error.message))]).toHaveLength(1);
    expect(told).toEqual([expect.stringContaining('damaged.sqlite is damaged, or is none')]);
  });

  it('of runs that went on since one began claim what they made; those that ended before claim nothing', () => {
    const own = Journal.create(journalPath(folder, header.service, 'import', 'own', now), header);
    for (const [name, began] of [
      ['before', '2026-11-20T09:00:00.000Z'],
      ['since', '2026-11-20T11:00:00.000Z'],
    ] as const) {
      const other = Journal.create(journalPath(folder, header.service, 'import', name, now), { ...header, began });
      other.done(1, 'created', [{ family: 'leads', id: name === 'since' ? 8 : 7, sure: true, own: true }]);
      other.close();
    }
    own.done(1, 'created', [{ family: 'leads', id: 6, sure: true, own: true }]);
    own.flush();
    expect(claimsElsewhere(folder, own)('leads', ['6', '7', '8', '9'])).toEqual(new Set(['8']));
    expect(claimsElsewhere(folder, own)('items', ['8'])).toEqual(new Set());
    own.close();
  });

  it.each([
    ['journals', 'leads-create-1.jsonl'],
    ['seeds', 'demo.ledger'],
  ])('of crm 0.1.0 (%s/%s) are refused', (name, file) => {
    refuseOldJournals(dataDir);
    mkdirSync(join(dataDir, name));
    writeFileSync(join(dataDir, name, 'something else'), '');
    refuseOldJournals(dataDir);
    writeFileSync(join(dataDir, name, file), '');
    expect(() => refuseOldJournals(dataDir)).toThrow(ConflictError);
    expect(() => refuseOldJournals(dataDir)).toThrow(`${join(dataDir, name)} holds journals of crm 0.1.0, which this version can't read.`);
  });
});

const service = 'http://crm.example';
const holding = `
  const { createContext } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/context.ts'))});
  const { readGlobalFlags } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/global-flags.ts'))});
  const context = (dataDir) => createContext({ io: {}, env: { CRM_DATA_DIR: dataDir }, cwd: dataDir, signal: new AbortController().signal }, readGlobalFlags({}));`;

describe('one run at a time', () => {
  it('the second waits, is told for whom, and comes next, however the first ended', async () => {
    const child = startProgram(
      { takeService: 'folder.ts' },
      `${holding} await takeService(context(${JSON.stringify(dataDir)}), '${service}', 'the import of a.csv'); console.log('held'); setInterval(() => {}, 1000);`,
    );
    await once(child.stdout ?? child, 'data');
    const { context, said } = contextOf();
    let isTaken = false;
    const second = takeService(context, service, 'the import of b.csv').then((release) => {
      isTaken = true;
      return release;
    });
    // Another service is nobody's business.
    (await takeService(context, 'http://other.example', 'x'))();
    while (said() === '') await new Promise((resolve) => setTimeout(resolve, 50));
    expect([isTaken, said()]).toEqual([false, 'Waiting for another run on this service: the import of a.csv.\n']);
    child.kill('SIGKILL');
    const release = await second;
    // Journals may be read meanwhile: that gives no lock back.
    Journal.create(journalPath(folder, service, 'import', 'x', now), { ...header, service }).close();
    for (const journal of journals(folder, service, () => {})) expect(journal.highest).toBe(0);
    const third = new AbortController();
    const waiting = takeService(contextOf(third.signal).context, service, 'the import of c.csv');
    setTimeout(() => third.abort(new InterruptedError('SIGINT')), 500);
    await expect(waiting).rejects.toThrow('Interrupted.');
    release();
    (await takeService(context, service, 'the import of d.csv'))();
  });

  it('among many processes never two', async () => {
    const log = join(dataDir, 'log');
    const program = `${holding}
      import { appendFileSync } from 'node:fs';
      for (let turn = 0; turn < 4; turn += 1) {
        const release = await takeService(context(${JSON.stringify(dataDir)}), '${service}', 'x');
        appendFileSync(${JSON.stringify(log)}, 'in ');
        await new Promise((resolve) => setTimeout(resolve, 5));
        appendFileSync(${JSON.stringify(log)}, 'out ');
        release();
      }`;
    const children = [1, 2, 3].map(() => startProgram({ takeService: 'folder.ts' }, program));
    await Promise.all(children.map((child) => text(child.stdout as NonNullable<typeof child.stdout>)));
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(12));
  });
});
