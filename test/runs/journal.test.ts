// Journals on the disk: what each note means to the next process, what a crash or a full disk leaves behind, and who may read.

import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError, UsageError } from '../../src/errors.ts';
import { Journal } from '../../src/runs/journal.ts';
import { header, noted, startProgram } from './steps.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-journal-'));
  path = join(folder, 'below', 'j.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true }));

const own = (id: number) => [{ family: 'leads', id, sure: true, own: true }];

/** A journal that a process left with steps 1 to 5: done, sent, failed, intended, done without an id. */
function left(): void {
  const journal = Journal.create(path, header);
  journal.begin(30_000);
  journal.intend([1, 2, 3, 4, 5].map((n) => noted(n)));
  for (const n of [1, 2, 3, 5]) journal.sent(n, { kind: 'create' });
  journal.done(1, 'created', own(11));
  journal.failed(3, 422, 'title: No.');
  journal.done(5, 'created', [{ family: 'leads', sure: false, own: true }]);
  journal.close();
}

/** Runs SQL on the file of a journal that nobody has open. */
function changed(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

const statesOf = (journal: Journal) => [...journal.steps()].map(({ n, state }) => `${n} ${state}`);

describe('what is noted', () => {
  it('is there for the next process', () => {
    left();
    const journal = Journal.open(path, 'read');
    expect(journal.header).toEqual(header);
    expect([journal.ended, journal.highest, journal.numberOf('line 4')]).toEqual([undefined, 5, 3]);
    expect(statesOf(journal)).toEqual(['1 done', '2 sent', '3 failed', '4 intended', '5 done']);
    expect([1, 2, 3, 4, 6].map((n) => journal.state(n))).toEqual(['done', 'sent', 'failed', 'intended', undefined]);
    expect([...journal.steps()][0]).toEqual({
      n: 1,
      key: 'line 2',
      family: 'leads',
      digest: new Uint8Array(16).fill(1),
      state: 'done',
      did: 'created',
    });
    expect(journal.counts()).toEqual({ did: new Map([['created', 2]]), done: 2, failed: 1, barred: new Map(), doubts: 1 });
    expect(journal.counts(2)).toEqual({ did: new Map([['created', 1]]), done: 1, failed: 0, barred: new Map(), doubts: 1 });
    expect(journal.doubts()).toEqual([
      { n: 2, key: 'line 3', family: 'leads', kind: 'create', sentAt: expect.any(Number), timeout: 30_000 },
    ]);
    expect([...journal.failures()]).toEqual([{ n: 3, key: 'line 4', status: 422, error: 'title: No.' }]);
    expect([...journal.records()]).toEqual([
      { step: 1, key: 'line 2', place: 0, family: 'leads', id: 11, sure: true, own: true },
      { step: 5, key: 'line 6', place: 0, family: 'leads', sure: false, own: true },
    ]);
    expect([journal.unsure('leads'), journal.newestMade('leads', 9)]).toEqual([[5], [{ step: 1, id: '11' }]]);
    expect(journal.claims('leads', ['11', '12'])).toEqual(new Map([['11', undefined]]));
    expect(journal.claims('items', ['11'])).toEqual(new Map());
    journal.close();
  });

  it('keeps what was sent, and what it overwrote', () => {
    const journal = Journal.create(path, header);
    journal.begin(1000);
    journal.intend([noted(1), noted(2)]);
    const body = new Map<string, string | number>([
      ['lead_title', 'A"\n'],
      ['lead_status', 1],
    ]);
    journal.sent(1, { kind: 'create', body });
    journal.sent(2, { kind: 'update', target: '12345678901234567890', before: { value: '1.50', tags: ['a'] } });
    expect(journal.doubts()).toMatchObject([
      { n: 1, kind: 'create', body },
      { n: 2, kind: 'update', target: '12345678901234567890', before: { value: '1.50', tags: ['a'] } },
    ]);
    expect([journal.bodyOf(1), journal.bodyOf(2), journal.before(1), journal.before(2)]).toEqual([
      body,
      undefined,
      undefined,
      { value: '1.50', tags: ['a'] },
    ]);
    journal.unsent(1);
    journal.untold(2, 'Nobody knows.');
    expect([statesOf(journal), [...journal.untolds()]]).toEqual([
      ['1 intended', '2 sent'],
      [{ n: 2, key: 'line 3', error: 'Nobody knows.' }],
    ]);
    journal.close();
  });

  it('has an end, which the next process that sends takes back', () => {
    left();
    const journal = Journal.open(path, 'write');
    journal.end('2026-11-20T11:00:00.000Z');
    expect(journal.ended).toBe('2026-11-20T11:00:00.000Z');
    journal.begin(1000);
    expect([journal.ended, journal.lastBegan > header.began]).toEqual([undefined, true]);
    journal.keep({ seed: 7, family: 'items' });
    expect(journal.details).toEqual({ family: 'items', seed: 7 });
    journal.close();
  });

  it('can be given other numbers; what is not named is dropped with its records', () => {
    left();
    const journal = Journal.open(path, 'write');
    journal.renumber(
      new Map([
        [1, { n: 2, key: 'line 9' }],
        [2, { n: 1, key: 'line 8' }],
        [5, { n: 7, key: 'line 5' }],
      ]),
    );
    expect([...journal.steps()].map(({ n, key, state }) => [n, key, state])).toEqual([
      [1, 'line 8', 'sent'],
      [2, 'line 9', 'done'],
      [7, 'line 5', 'done'],
    ]);
    expect([...journal.records()].map(({ step, id }) => [step, id])).toEqual([
      [2, 11],
      [7, undefined],
    ]);
    journal.close();
  });

  it('of a record: when it was created, changed, and that it is gone', () => {
    left();
    const journal = Journal.open(path, 'write');
    const [record] = journal.unstamped('leads', ['11', '12']);
    expect(record).toMatchObject({ step: 1, place: 0, id: 11 });
    journal.stamp({ step: 1, place: 0 }, '2026-11-20T10:00:01Z', undefined);
    journal.stamp({ step: 1, place: 0 }, '2030-01-01T00:00:00Z', '2026-11-20T10:00:09Z');
    expect([journal.unstamped('leads', ['11']), journal.made(1)]).toMatchObject([
      [],
      [{ created: '2026-11-20T10:00:01Z', updated: '2026-11-20T10:00:09Z' }],
    ]);
    expect(journal.anchors('leads', 9)).toEqual([{ created: '2026-11-20T10:00:01Z', answeredAt: expect.any(Number) }]);
    journal.deleted({ step: 1, place: 0 });
    expect([journal.made(1), [...journal.records()].map(({ step }) => step)]).toEqual([[], [5]]);
    journal.forget(5);
    expect([statesOf(journal), [...journal.records()]]).toEqual([['1 done', '2 sent', '3 failed', '4 intended'], []]);
    journal.close();
  });

  it('stands in memory and in copies as on the disk', () => {
    left();
    const journal = Journal.open(path, 'read');
    const copy = Journal.open(path, 'copy');
    expect([copy.path, statesOf(copy), [...copy.records()], copy.doubts()]).toEqual([
      undefined,
      statesOf(journal),
      [...journal.records()],
      journal.doubts(),
    ]);
    copy.begin(1);
    copy.done(2, 'created', own(12));
    expect([copy.state(2), journal.state(2)]).toEqual(['done', 'sent']);
    copy.close();
    journal.close();
  });
});

describe('another start of the machine', () => {
  const elsewhere = "UPDATE sessions SET boot = 'another'";

  it('makes a doubt of every intent, wherever it is asked for, and of no mark a time', () => {
    left();
    changed(elsewhere);
    const reader = Journal.open(path, 'read');
    expect(statesOf(reader)).toEqual(['1 done', '2 sent', '3 failed', '4 sent', '5 done']);
    expect([reader.state(4), reader.counts().doubts, [...reader.untolds()].map(({ n }) => n)]).toEqual(['sent', 2, [2, 4]]);
    expect(reader.doubts()).toEqual([
      { n: 2, key: 'line 3', family: 'leads', kind: 'create', timeout: 30_000 },
      { n: 4, key: 'line 5', family: 'leads', kind: 'create', timeout: 30_000 },
    ]);
    const copy = Journal.open(path, 'copy');
    expect([copy.counts().doubts, copy.doubts().map(({ n }) => n)]).toEqual([2, [2, 4]]);
    copy.close();
    expect(reader.anchors('leads', 9)).toEqual([]);
    reader.close();
  });

  it('is remembered by the process that goes on; a word that nothing arrived is believed', () => {
    left();
    changed(elsewhere);
    const journal = Journal.open(path, 'write');
    journal.dropIntents();
    expect(journal.state(4)).toBe('sent');
    journal.begin(1000);
    journal.unsent(4);
    expect(journal.state(4)).toBe('intended');
    journal.intend([noted(6)]);
    journal.close();
    const next = Journal.open(path, 'read');
    expect([next.state(2), next.state(4), next.state(6)]).toEqual(['sent', 'intended', 'intended']);
    next.close();
  });
});

describe('crashes', () => {
  it('kill -9 takes no mark away, and no outcome that was there when the next request left', async () => {
    const child = startProgram(
      { Journal: 'journal.ts' },
      `const journal = Journal.create(${JSON.stringify(path)}, ${JSON.stringify(header)});
       journal.begin(5000);
       const steps = Array.from({ length: 500 }, (_, i) => ({ n: i + 1, key: 'line ' + i, family: 'leads' }));
       journal.intend(steps);
       for (const { n } of steps.slice(0, 300)) {
         journal.sent(n, { kind: 'create' });
         journal.flush();
         if (n < 300) journal.done(n, 'created', [{ family: 'leads', id: n, sure: true, own: true }]);
       }
       console.log('sent');
       setInterval(() => {}, 1000);`,
    );
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const journal = Journal.open(path, 'read');
    expect([journal.counts(), journal.doubts().map(({ n }) => n), journal.highest]).toMatchObject([{ done: 299, doubts: 1 }, [300], 500]);
    expect([...journal.records()]).toHaveLength(299);
    journal.close();
  });

  it('a file that was made and never begun, or is cut off, damaged or something else is refused and stays as it is', () => {
    left();
    const whole = readFileSync(path);
    const refused: [Buffer, string][] = [
      [Buffer.alloc(0), 'is damaged, or is none'],
      [Buffer.from('title,status\nA,1\n'.repeat(100)), 'is damaged, or is none'],
      [Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0x55)]), 'is damaged, or is none'],
    ];
    for (const [bytes, message] of refused) {
      rmSync(path);
      writeFileSync(path, bytes);
      for (const how of ['read', 'write'] as const) {
        const use = (): unknown => {
          const journal = Journal.open(path, how);
          try {
            return [...journal.steps()];
          } finally {
            journal.close();
          }
        };
        expect(use).toThrow(message);
        expect(use).toThrow(ConflictError);
      }
      if (bytes.length > 0) expect(readFileSync(path).equals(bytes)).toBe(true);
    }
    truncateSync(path);
    changed('CREATE TABLE other (a)');
    expect(() => Journal.open(path, 'read')).toThrow('is damaged, or is none');
  });

  it('a journal of another version is refused', () => {
    left();
    changed('UPDATE run SET version = 2');
    for (const how of ['read', 'write'] as const) expect(() => Journal.open(path, how)).toThrow('is of another version of crm');
  });

  it('a disk that is full stops the run; once there is room, the file is whole', async () => {
    const program = `
      const journal = Journal.create('j.sqlite', ${JSON.stringify(header)});
      journal.begin(5000);
      let n = 0;
      try {
        for (;;) {
          const steps = Array.from({ length: 50 }, (_, i) => ({ n: n + i + 1, key: 'line ' + 'x'.repeat(500), family: 'leads' }));
          journal.intend(steps);
          for (const one of steps) { journal.sent(one.n, { kind: 'create' }); journal.flush(); n = one.n; }
        }
      } catch (error) {
        console.log(JSON.stringify([error.constructor.name, error.message, n]));
      }
      process.kill(process.pid, 'SIGKILL');`;
    // No file may grow beyond so many blocks of 512 bytes: to SQLite that is a disk without room.
    const child = startProgram({ Journal: 'journal.ts' }, program, { cwd: folder, shell: 'ulimit -f 1200;' });
    const said = JSON.parse(await text(child.stdout as NonNullable<typeof child.stdout>));
    expect(said).toEqual([
      'UnavailableError',
      "The journal j.sqlite can't be written (the disk is full), so nothing more is sent.",
      expect.any(Number),
    ]);
    const journal = Journal.open(join(folder, 'j.sqlite'), 'write');
    expect(said[2]).toBeGreaterThan(0);
    expect(journal.counts().doubts).toBe(said[2]);
    journal.begin(1000);
    journal.done(1, 'created', own(1));
    journal.close();
  });
});

describe('files', () => {
  it('are for their owner alone, those that SQLite puts beside them too, and the folder', () => {
    const journal = Journal.create(path, header);
    journal.begin(1000);
    journal.intend([noted(1)]);
    const modes = ['', '-wal', '-shm'].map((ending) => statSync(`${path}${ending}`).mode & 0o777);
    expect([...modes, statSync(join(folder, 'below')).mode & 0o777]).toEqual([0o600, 0o600, 0o600, 0o700]);
    journal.close();
    expect(['', '-wal', '-shm'].map((ending) => existsSync(`${path}${ending}`))).toEqual([true, false, false]);
  });

  it('that are there are not taken, and what can not be written is told', () => {
    left();
    expect(() => Journal.create(path, header)).toThrow(`There is a file ${path} already.`);
    expect(() => Journal.create(join(path, 'j'), header)).toThrow(UsageError);
    expect(() => Journal.create(join(folder, 'j'.repeat(300)), header)).toThrow(/^The journal .*j can't be written \(ENAMETOOLONG/);
    expect(() => Journal.open(join(folder, 'none'), 'read')).toThrow("can't be opened");
  });

  it('can be read while they are written, and no reader keeps a writer waiting', () => {
    const journal = Journal.create(path, header);
    journal.begin(1000);
    journal.intend([noted(1), noted(2)]);
    const reader = Journal.open(path, 'read');
    expect(statesOf(reader)).toEqual(['1 intended', '2 intended']);
    const half = reader.steps();
    half.next();
    journal.sent(1, { kind: 'create' });
    journal.flush();
    journal.done(1, 'created', own(11));
    // What is half read stays as it was; the outcome comes with the next mark or flush.
    const other = Journal.open(path, 'read');
    expect([half.next().value, statesOf(other)]).toMatchObject([{ n: 2, state: 'intended' }, ['1 sent', '2 intended']]);
    journal.sent(2, { kind: 'create' });
    journal.flush();
    expect([[...half], statesOf(other), statesOf(reader)]).toEqual([[], ['1 done', '2 sent'], ['1 done', '2 sent']]);
    other.close();
    reader.close();
    journal.close();
  });

  it('of somebody else are read all the same, where they may be', () => {
    left();
    chmodSync(path, 0o400);
    const journal = Journal.open(path, 'read');
    expect(statesOf(journal)).toHaveLength(5);
    journal.close();
  });
});
