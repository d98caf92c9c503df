// The journal on the disk: what each note means to the next process, what a crash, a full disk or a damaged file leaves behind, what
// other runs did, and what is forgotten.

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConflictError, UnauthorizedError } from '../../../src/base/errors.ts';
import { Journal, serviceFile } from '../../../src/runs/journal/journal.ts';
import type { Run } from '../../../src/runs/journal/run.ts';
import { startProgram } from '../../support/start-program.ts';
import { header, noted, service } from '../steps.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-journal-'));
  path = join(folder, 'below', serviceFile(service, 'sqlite'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const own = (id: number) => [{ family: 'leads', id, own: true }];

const open = (): Journal => Journal.open(join(folder, 'below'), service);
const begin = (): Run => open().begin(header);
/** The latest run, as another process finds it. */
const reopened = (): Run => {
  const [run] = open().runs();
  if (run === undefined) throw new Error('There is no run.');
  return run;
};
const close = (run: Run): void => {
  run.leave();
  run.file.close();
};

/** A journal that a process left with steps 1 to 5: done, sent, failed, intended, done without an id. */
function left(): void {
  const run = begin();
  run.begin(30_000);
  run.intend([1, 2, 3, 4, 5].map((n) => noted(n)));
  for (const n of [1, 2, 3, 5]) run.sent(n, { kind: 'create' });
  run.done(1, 'created', own(11));
  run.failed(3, 422, 'title: No.');
  run.done(5, 'created', [{ family: 'leads', own: true }]);
  close(run);
}

/** Runs SQL on the file of a journal that nobody has open. */
function changed(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Turns the journal into that of crm 0.1. `more`: SQL for its tables. */
function madeOld(more = ''): void {
  changed(`DROP INDEX made_by_id; DROP INDEX steps_by_digest;
    ALTER TABLE runs DROP COLUMN version; ALTER TABLE sessions ADD COLUMN boot TEXT NOT NULL DEFAULT '';
    CREATE TABLE s AS SELECT * FROM steps; CREATE TABLE m AS SELECT * FROM made; DROP TABLE steps; DROP TABLE made;
    CREATE TABLE steps (run INTEGER NOT NULL, n INTEGER NOT NULL, key TEXT NOT NULL, family TEXT NOT NULL, digest BLOB, state INTEGER NOT NULL,
      session INTEGER NOT NULL, sent_at INTEGER, kind TEXT, target TEXT, body TEXT, before TEXT, after TEXT, did TEXT, status INTEGER,
      error TEXT, again INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (run, n)) STRICT, WITHOUT ROWID;
    CREATE TABLE made (run INTEGER NOT NULL, step INTEGER NOT NULL, place INTEGER NOT NULL, family TEXT NOT NULL, id TEXT, sure INTEGER NOT NULL,
      own INTEGER NOT NULL, created TEXT, session INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0, answered_at INTEGER,
      PRIMARY KEY (run, step, place)) STRICT, WITHOUT ROWID;
    CREATE INDEX steps_by_digest ON steps (digest) WHERE digest IS NOT NULL; CREATE INDEX made_by_id ON made (family, id);
    INSERT INTO steps SELECT run, n + part * 1000000000, key, family, digest, state, session, sent_at, kind, target, body, before, after,
      did, status, error, again FROM s;
    INSERT INTO made SELECT run, step, place, family, id, sure, own, created, session, deleted, NULL FROM m;
    DROP TABLE s; DROP TABLE m; ${more}; PRAGMA user_version = 1`);
}

const statesOf = (run: Run) => [...run.steps()].map(({ n, state }) => `${n} ${state}`);

describe('what is noted', () => {
  it('is there for the next process', () => {
    left();
    const run = reopened();
    expect(run.header).toEqual({ ...header, name: expect.stringMatching(/^[a-z][a-z2-9]{3}$/) });
    expect([run.ended, run.highest]).toEqual([undefined, 5]);
    expect(statesOf(run)).toEqual(['1 done', '2 sent', '3 failed', '4 intended', '5 done']);
    expect([1, 2, 3, 4, 6].map((n) => run.state(n))).toEqual(['done', 'sent', 'failed', 'intended', undefined]);
    expect([...run.steps()][0]).toEqual({
      n: 1,
      part: 0,
      key: 'line 2',
      family: 'leads',
      digest: new Uint8Array(16).fill(1),
      state: 'done',
      did: 'created',
      status: null,
      error: undefined,
      kind: 'create',
      id: '11',
      before: {},
      created: undefined,
      body: new Map(),
      after: undefined,
    });
    expect(run.counts()).toEqual({ did: new Map([['created', 2]]), done: 2, failed: 1, conflicts: 0, lost: 1 });
    expect(run.counts('steps', 2)).toEqual({ did: new Map([['created', 1]]), done: 1, failed: 0, conflicts: 0, lost: 1 });
    expect(run.lost()).toEqual([
      { n: 2, part: 0, key: 'line 3', family: 'leads', kind: 'create', sentAt: expect.any(Number), timeout: 30_000, confirmed: null },
    ]);
    expect([...run.past({ state: 'failed' })]).toMatchObject([{ n: 3, key: 'line 4', status: 422, error: 'title: No.' }]);
    expect([...run.records()]).toEqual([
      { step: 1, part: 0, key: 'line 2', place: 0, family: 'leads', id: 11, own: true, isGone: false },
      { step: 5, part: 0, key: 'line 6', place: 0, family: 'leads', own: true, isGone: false },
    ]);
    expect([run.keyOf('leads', '11'), run.keyOf('leads', '12'), run.keyOf('items', '11')].map((key) => key !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect([...run.knownIds('leads')]).toEqual(['11']);
    run.done(4, 'created', [...own(12), { family: 'contacts', id: 70, own: false }]);
    run.done(2, 'created', own(14));
    expect([[...run.knownIds('leads')].toSorted(), [...run.knownIds('contacts')]]).toEqual([['11', '12', '14'], ['70']]);
    close(run);
  });

  it('keeps what was sent, and what it overwrote', () => {
    const run = begin();
    run.begin(1000);
    run.intend([noted(1), noted(2)]);
    const body = new Map<string, string | number>([
      ['lead_title', 'A"\n'],
      ['lead_status', 1],
    ]);
    run.sent(1, { kind: 'create', body });
    run.sent(2, { kind: 'update', target: '12345678901234567890', before: { value: '1.50', tags: ['a'] } });
    expect(run.lost()).toMatchObject([
      { n: 1, kind: 'create', body },
      { n: 2, kind: 'update', target: '12345678901234567890', before: { value: '1.50', tags: ['a'] } },
    ]);
    expect(run.pastAt([1, 2]).map((one) => one.body)).toEqual([body, new Map()]);
    run.unsent(1);
    run.unknown(2, 'Nobody knows.');
    expect([statesOf(run), [...run.past({ state: 'sent' })]]).toMatchObject([
      ['1 intended', '2 sent'],
      [{ n: 2, part: 0, key: 'line 3', error: 'Nobody knows.' }],
    ]);
    close(run);
  });

  it('has an end, which the next process that sends takes back', () => {
    left();
    const run = reopened();
    run.end('2026-11-20T11:00:00.000Z');
    expect(run.ended).toBe('2026-11-20T11:00:00.000Z');
    run.begin(1000);
    expect([run.ended, run.lastBegan > header.began]).toEqual([undefined, true]);
    run.keep({ seed: 7, family: 'items' });
    expect(run.details).toEqual({ family: 'items', seed: 7 });
    close(run);
  });

  it('can be given other numbers; what is not named is dropped with its records', () => {
    left();
    const run = reopened();
    run.renumber([
      { from: { n: 1 }, to: 2, key: 'line 9' },
      { from: { n: 2 }, to: 1, key: 'line 8' },
      { from: { n: 5 }, to: 7, key: 'line 5' },
    ]);
    expect([...run.steps()].map(({ n, key, state }) => [n, key, state])).toEqual([
      [1, 'line 8', 'sent'],
      [2, 'line 9', 'done'],
      [7, 'line 5', 'done'],
    ]);
    expect([...run.records()].map(({ step, id }) => [step, id])).toEqual([
      [2, 11],
      [7, undefined],
    ]);
    close(run);
  });

  it('of a record: that it is gone', () => {
    left();
    const run = reopened();
    run.noteEnd({ step: 1, part: 0, place: 0 }, 'over');
    expect([run.made(1), [...run.records()].map(({ step }) => step)]).toEqual([[], [5]]);
    run.forget(5);
    expect([statesOf(run), [...run.records()]]).toEqual([['1 done', '2 sent', '3 failed', '4 intended'], []]);
    close(run);
  });

  it('stands in memory and in copies as on the disk', () => {
    left();
    const run = reopened();
    const copy = open().copyOf(run);
    expect([copy.file.path, statesOf(copy), [...copy.records()], copy.lost()]).toEqual([
      undefined,
      statesOf(run),
      [...run.records()],
      run.lost(),
    ]);
    copy.begin(1);
    copy.done(2, 'created', own(12));
    expect([copy.state(2), run.state(2)]).toEqual(['done', 'sent']);
    const later = open().begin(header);
    later.begin(1);
    later.done(1, 'created', own(77));
    later.flush();
    const again = open().copyOf(run);
    expect([...again.knownIds('leads')].toSorted()).toEqual(['11', '77']);
    close(again);
    close(later);
    close(copy);
    close(run);
  });
});

const below = (): string => JSON.stringify(join(folder, 'below'));

/** Runs a program that has begun a run of steps with numbers from 1, until it says something, and ends it with kill -9. */
async function killed(work: string): Promise<void> {
  const child = startProgram(
    { Journal: 'journal/journal.ts' },
    `const run = Journal.open(${below()}, '${service}').begin(${JSON.stringify(header)});
     run.begin(5000);
     ${work}
     console.log('sent');
     setInterval(() => {}, 1000);`,
  );
  await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('crashes', () => {
  it('kill -9 takes no mark away, and no outcome that was there when the next request left', async () => {
    await killed(
      `run.intend(Array.from({ length: 500 }, (_, i) => ({ n: i + 1, key: 'line ' + i, family: 'leads' })));
       for (let n = 1; n <= 300; n += 1) {
         run.sent(n, { kind: 'create' });
         run.flush();
         if (n < 300) run.done(n, 'created', [{ family: 'leads', id: n, own: true }]);
       }`,
    );
    const run = reopened();
    expect([run.counts(), run.lost().map(({ n }) => n), run.highest]).toMatchObject([{ done: 299, lost: 1 }, [300], 500]);
    expect([...run.records()]).toHaveLength(299);
    close(run);
  });

  it('a file that is empty, cut off, damaged or something else is refused and stays as it is', () => {
    left();
    const whole = readFileSync(path);
    const refused: Buffer[] = [
      Buffer.alloc(0),
      Buffer.from('title,status\nA,1\n'.repeat(100)),
      whole.subarray(0, whole.length - 4096),
      Buffer.concat([Buffer.alloc(64, 0x55), whole.subarray(64)]),
      Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0x55)]),
    ];
    for (const bytes of refused) {
      rmSync(path);
      writeFileSync(path, bytes);
      expect(open).toThrow(ConflictError);
      expect(open).toThrow(`The journal ${path} is damaged`);
      expect(open).toThrow(
        expect.objectContaining({
          details: expect.objectContaining({
            hint:
              'Look at the records in the service first. Then move the file away to begin a new journal: no earlier write counts as done in a ' +
              `new journal.\nsqlite3 ${path} .recover shows what can be read.`,
          }),
        }),
      );
      expect([...Journal.all(join(folder, 'below'))]).toEqual([]);
      expect(readFileSync(path).equals(bytes)).toBe(true);
    }
    truncateSync(path);
    changed('CREATE TABLE other (a)');
    expect(open).toThrow('is damaged');
    changed('PRAGMA user_version = 1');
    expect(open).toThrow('is damaged');
  });

  it('a journal of a newer version is refused', () => {
    left();
    changed('PRAGMA user_version = 4');
    expect(open).toThrow(`The journal ${path} was written by a newer crm (format 4; this one knows 3): update crm.`);
  });

  it('a journal of crm 0.1 is brought up to date, with what was sent; its parts stood among the steps', () => {
    left();
    madeOld("INSERT INTO steps (run, n, key, family, state, session) VALUES (1, 3000000001, 'line 2, tags', 'leads', 2, 1)");
    const run = reopened();
    expect([statesOf(run), run.lost().length, [...run.records()].length]).toEqual([
      ['1 done', '1 done', '2 sent', '3 failed', '4 intended', '5 done'],
      1,
      2,
    ]);
    expect([...run.past({ part: 'further' })].map(({ n, part, key }) => [n, part, key])).toEqual([[1, 3, 'line 2, tags']]);
    expect(() => run.refuseEarlierVersion()).toThrow('was cut off under an earlier version of crm');
    run.begin(1000);
    run.intend([noted(6)]);
    close(run);
    expect(reopened().state(6)).toBe('intended');
  });

  it('a journal of crm 0.1 is brought up to date once, though several processes open it at a time', async () => {
    left();
    madeOld();
    const database = new DatabaseSync(path);
    database.exec('BEGIN IMMEDIATE');
    const program = `Journal.open(${below()}, '${service}').begin(${JSON.stringify(header)});`;
    const ends = Array.from({ length: 3 }, () => once(startProgram({ Journal: 'journal/journal.ts' }, program), 'exit'));
    await new Promise((resolve) => void setTimeout(resolve, 2000));
    database.exec('COMMIT');
    database.close();
    expect(await Promise.all(ends)).toEqual(ends.map(() => [0, null]));
    expect(open().runs()).toHaveLength(4);
    expect(() => reopened().refuseEarlierVersion()).not.toThrow();
  });

  it('a run that ended under crm 0.1 and was gone on with since may be gone on with once more', () => {
    const run = begin();
    run.end(header.began);
    close(run);
    madeOld();
    const since = reopened();
    since.begin(1000);
    since.intend([noted(1)]);
    since.sent(1, { kind: 'create' });
    close(since);
    expect(() => reopened().refuseEarlierVersion()).not.toThrow();
  });

  it('a disk that is full stops the run; once there is room, the file is whole', async () => {
    const program = `
      const run = Journal.open(${below()}, '${service}').begin(${JSON.stringify(header)});
      run.begin(5000);
      let n = 0;
      try {
        for (;;) {
          const steps = Array.from({ length: 50 }, (_, i) => ({ n: n + i + 1, key: 'line ' + 'x'.repeat(500), family: 'leads' }));
          run.intend(steps);
          for (const one of steps) { run.sent(one.n, { kind: 'create' }); run.flush(); n = one.n; }
        }
      } catch (error) {
        console.log(JSON.stringify([error.constructor.name, error.message, n]));
      }
      process.kill(process.pid, 'SIGKILL');`;
    // No file may grow beyond so many blocks of 512 bytes: to SQLite that is a disk without room.
    const child = startProgram({ Journal: 'journal/journal.ts' }, program, { cwd: folder, shell: 'ulimit -f 1600;' });
    const said = JSON.parse(await text(child.stdout as NonNullable<typeof child.stdout>));
    expect(said).toEqual([
      'UnavailableError',
      `The journal ${path} can't be written (the disk failed or has no room), so nothing more is sent.`,
      expect.any(Number),
    ]);
    const run = reopened();
    expect(said[2]).toBeGreaterThan(0);
    expect(run.counts().lost).toBe(said[2]);
    run.begin(1000);
    run.done(1, 'created', own(1));
    close(run);
  });
});

describe('files', () => {
  it('are for their owner alone, those that SQLite puts beside them too, and the folder', () => {
    const run = begin();
    run.begin(1000);
    run.intend([noted(1)]);
    const modes = ['', '-wal', '-shm'].map((ending) => statSync(`${path}${ending}`).mode & 0o777);
    expect([...modes, statSync(join(folder, 'below')).mode & 0o777]).toEqual([0o600, 0o600, 0o600, 0o700]);
    close(run);
    expect(readdirSync(join(folder, 'below'))).toEqual([basename(path)]);
  });

  it('that can not be written are told', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => Journal.open(join(folder, 'file'), service)).toThrow(UnauthorizedError);
    expect(() => Journal.open(join(folder, 'j'.repeat(300)), service)).toThrow(/^The journal .* can't be written \(ENAMETOOLONG/);
    expect(Journal.find(join(folder, 'none'), service)).toBeUndefined();
  });

  it('are made by whoever comes first, among many processes', async () => {
    const program = `const run = Journal.open(${below()}, '${service}').begin(${JSON.stringify(header)}); run.file.close();`;
    const ends = Array.from({ length: 4 }, () => once(startProgram({ Journal: 'journal/journal.ts' }, program), 'exit'));
    expect((await Promise.all(ends)).map(([status]) => status)).toEqual(Array(4).fill(0));
    const journal = open();
    expect([journal.runs().length, new Set(journal.runs().map(({ name }) => name)).size]).toEqual([4, 4]);
    journal.close();
    expect(readdirSync(join(folder, 'below'))).toEqual([basename(path)]);
  });

  it('are read while they are written, and no reader keeps a writer waiting', () => {
    const run = begin();
    run.begin(1000);
    run.intend([noted(1), noted(2)]);
    run.flush();
    const reader = reopened();
    const half = reader.steps();
    half.next();
    run.sent(1, { kind: 'create' });
    run.flush();
    run.done(1, 'created', own(11));
    // An outcome comes with the next mark or flush.
    expect(statesOf(reader)).toEqual(['1 sent', '2 intended']);
    run.sent(2, { kind: 'create' });
    run.flush();
    expect([[...half].length, statesOf(reader)]).toEqual([1, ['1 done', '2 sent']]);
    close(reader);
    close(run);
  });
});

describe('among runs', () => {
  it('a service has one file, and no other a part of it', () => {
    for (const one of [service, 'http://crm.example/b', 'sandbox:']) Journal.open(join(folder, 'below'), one).begin(header).file.close();
    expect([...Journal.all(join(folder, 'below'))].map((journal) => journal.file.service).toSorted()).toEqual([
      service,
      'http://crm.example/b',
      'sandbox:',
    ]);
    expect(readdirSync(join(folder, 'below')).every((name) => /^[\w.-]+-[0-9a-f]{8}\.sqlite$/.test(name))).toBe(true);
    Journal.remove(join(folder, 'below'), service);
    expect(readdirSync(join(folder, 'below'))).toHaveLength(2);
  });

  it('those that began to send since one looked what is there claim what they made; those of before claim nothing', () => {
    const journal = open();
    const made = (id: number): void => {
      const other = journal.begin(header);
      other.begin(1000);
      other.done(1, 'created', own(id));
    };
    made(7);
    const run = journal.begin(header);
    run.begin(1000);
    run.noteBaseline('leads', ['7']);
    run.done(1, 'created', own(6));
    made(8);
    run.begin(1000);
    expect([...run.knownIds('leads')].toSorted()).toEqual(['6', '8']);
    run.noteBaseline('leads', ['8']);
    expect([...run.knownIds('leads')].toSorted()).toEqual(['6', '8']);
    journal.close();
  });

  it('steps of imports are found by what they would write, with what became of them', () => {
    const journal = open();
    const imported = journal.begin({ ...header, kind: 'import' });
    imported.begin(1000);
    imported.intend([noted(1), noted(2), noted(3)]);
    imported.sent(1, { kind: 'create' });
    imported.done(1, 'created', own(1));
    imported.sent(2, { kind: 'create' });
    const other = journal.begin({ ...header, kind: 'seed' });
    other.begin(1000);
    other.intend([noted(1)]);
    const digests = [1, 2, 4].map((n) => new Uint8Array(16).fill(n));
    expect([...journal.withDigests(digests)].map(({ run, n, state }) => [run, n, state])).toEqual([
      [imported.name, 1, 'done'],
      [imported.name, 2, 'sent'],
    ]);
    journal.close();
  });

  it('runs that hold values of a record are named, the latest first', () => {
    const journal = open();
    const body = new Map([['lead_title', 'A']]);
    const run = (note: (run: Run) => void, family = 'leads'): string => {
      const one = journal.begin(header);
      one.begin(1000);
      one.intend([noted(1, { family }), noted(2, { family })]);
      note(one);
      one.flush();
      return one.name;
    };
    const created = run((one) => {
      one.sent(1, { kind: 'create', body });
      one.done(1, 'created', own(7));
    });
    const overwrote = run((one) => one.sent(1, { kind: 'archive', target: 7, before: { title: 'A' } }));
    const answered = run((one) => {
      one.sent(1, { kind: 'archive', target: '7' });
      one.done(1, 'archived', [], { after: { title: 'A' } });
    });
    // Another record, another family, no values, and a record of the same id that another step or another run made without values.
    run((one) => one.sent(1, { kind: 'update', target: 8, body }));
    run((one) => one.sent(1, { kind: 'update', target: 7, body }), 'contacts');
    run((one) => one.sent(1, { kind: 'archive', target: 7 }));
    run((one) => {
      one.sent(1, { kind: 'create', body });
      one.done(1, 'created', [...own(9), { family: 'contacts', id: 7, own: true }]);
      one.sent(2, { kind: 'clone' });
      one.done(2, 'cloned', own(7));
    });
    expect([journal.holding('leads', [7]), journal.holding('leads', [10])]).toEqual([[answered, overwrote, created], []]);
    expect(journal.holding('leads', [10, 8])).toHaveLength(1);
    journal.close();
  });

  it('what ended 90 days ago is forgotten some steps at a time; what is unfinished, or a seed that stands, is not', () => {
    const journal = open();
    const ended = '2026-01-01T00:00:00.000Z';
    const run = (kind: string, steps: number, end: string | undefined): Run => {
      const one = journal.begin({ ...header, kind, began: ended });
      one.begin(1000);
      one.intend(Array.from({ length: steps }, (_, i) => noted(i + 1, { digest: new Uint8Array(16) })));
      if (end !== undefined) one.end(end);
      return one;
    };
    const long = run('import', 10_500, ended);
    const [recent, unfinished, stands] = [run('import', 1, '2026-05-01T00:00:00.000Z'), run('import', 1, undefined), run('seed', 1, ended)];
    stands.done(1, 'created', own(1));
    run('update', 1, undefined);
    const begun = run('seed', 1, undefined);
    // Neither a record that stood before the seed nor one that is deleted keeps a seed.
    run('seed', 1, ended).done(1, 'found', [{ family: 'leads', id: 2, own: false }]);
    const destroyed = run('seed', 1, ended);
    destroyed.done(1, 'created', own(3));
    destroyed.flush();
    for (const one of destroyed.records()) destroyed.noteEnd(one, 'gone');
    const now = new Date('2026-06-01T00:00:00.000Z');
    journal.forgetOld(now);
    expect(long.highest).toBe(500);
    expect(journal.runs().map(({ id }) => id)).not.toContain(long.id);
    for (let turn = 0; turn < 7; turn += 1) journal.forgetOld(now);
    expect(journal.runs().map(({ id }) => id)).toEqual([begun.id, stands.id, unfinished.id, recent.id]);
    expect(long.highest).toBe(0);
    journal.close();
  });
});
