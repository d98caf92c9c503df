// What a journal tells later commands of runs that are over: whose record it is, whether there is something to take back, what is to be
// done again, and what may be forgotten. Of other runs, families and records nothing.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal, serviceFile } from '../../src/runs/journal/journal.ts';
import type { Run } from '../../src/runs/journal/run.ts';
import type { WriteAt } from '../../src/runs/step.ts';
import { header, noted, service } from './steps.ts';

let folder: string;
let journal: Journal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-past-'));
  journal = Journal.open(folder, service);
});

afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

/** Runs SQL on the file of the journal beside whoever has it open. */
function changed(sql: string): void {
  const database = new DatabaseSync(join(folder, serviceFile(service, 'sqlite')));
  database.exec(sql);
  database.close();
}

function begin(kind = 'change', steps = 6, began = header.began): Run {
  const run = journal.begin({ ...header, kind, began });
  run.begin(1000);
  run.intend(Array.from({ length: steps }, (_, index) => noted(index + 1)));
  return run;
}

const madeOf = (id: number, family = 'leads') => [{ family, id, own: true }];

/** A step that wrote to a record. */
function wrote(run: Run, n: number | WriteAt, target: number, body: [string, string][] = [['lead_value', '5']], kind = 'update'): void {
  run.sent(n, { kind, target, before: { value: '1' }, body: new Map(body) });
  run.done(n, 'updated', [], { target, after: { value: '5.00' } });
}

describe('what was written', () => {
  it('is kept by step, kind and record', () => {
    const [run, other] = [begin(), begin()];
    wrote(run, 1, 12, [['lead_value', '1']]);
    wrote(run, 2, 12, [['lead_value', '2']], 'tags');
    wrote(run, 3, 13, [['lead_value', '3']]);
    run.sent(4, { kind: 'update', target: 12 });
    wrote(other, 1, 12, [['lead_value', '5']]);
    expect(run.pastAt([1, 4])).toMatchObject([
      { n: 1, id: '12', before: { value: '1' }, after: { value: '5.00' } },
      { n: 4, id: '12', before: {}, after: undefined, body: new Map() },
    ]);
  });

  it('can be taken back, unless it was a delete or a comment, or what was made is gone', () => {
    const nothing = begin();
    nothing.done(1, 'unchanged', []);
    nothing.sent(2, { kind: 'update', target: 12 });
    nothing.failed(2, 422, 'No.');
    expect(nothing.canBeUndone).toBe(false);
    for (const kind of ['delete', 'comment']) {
      const run = begin();
      wrote(run, 1, 12, [], kind);
      expect(run.canBeUndone).toBe(false);
      wrote(run, 2, 12);
      expect(run.canBeUndone).toBe(true);
    }
    const making = begin('import');
    making.done(1, 'found', [{ family: 'leads', id: 5, own: false }]);
    expect(making.canBeUndone).toBe(false);
    making.done(2, 'created', madeOf(6));
    expect(making.canBeUndone).toBe(true);
    making.noteEnd({ step: 2, part: 0, place: 0 }, 'over');
    expect([making.canBeUndone, nothing.canBeUndone]).toEqual([false, false]);
  });
});

describe('what was made', () => {
  it('is found by family, record and run', () => {
    const [run, other] = [begin('import'), begin('import')];
    run.done(2, 'created', madeOf(7));
    run.done(3, 'created', madeOf(8, 'contacts'));
    other.done(1, 'created', madeOf(9));
    expect([run.keyOf('leads', '7'), run.keyOf('contacts', '7'), run.keyOf('leads', '8'), run.keyOf('leads', '9')]).toEqual([
      'line 3',
      undefined,
      undefined,
      undefined,
    ]);
    expect(run.made(2)).toMatchObject([{ step: 2, key: 'line 3', id: 7 }]);
    expect([...run.past()].map(({ n, id }) => [n, id])).toEqual([
      [2, '7'],
      [3, '8'],
    ]);
    expect([...other.past()].map(({ n, id }) => [n, id])).toEqual([[1, '9']]);
  });

  it('by another run claims a record of its family since that was looked at, and of no other', () => {
    const before = begin('import');
    before.done(1, 'created', [...madeOf(5), ...madeOf(5, 'contacts')]);
    before.leave();
    const run = begin('import');
    run.noteBaseline('leads', ['5']);
    expect([[...run.knownIds('leads')], [...run.knownIds('contacts')]]).toEqual([[], ['5']]);
  });
});

describe('how steps ended', () => {
  it('is told with what the service said', () => {
    const [run, other] = [begin(), begin()];
    run.sent(1, { kind: 'update', target: 12 });
    run.failed(1, 422, 'No.');
    run.failed(2, null, 'Not sent.');
    other.failed(3, 500, 'Oops.');
    expect([...run.past({ part: 'first' })].map(({ n, id, status, error }) => [n, id, status, error])).toEqual([
      [1, '12', 422, 'No.'],
      [2, undefined, null, 'Not sent.'],
    ]);
  });

  it('is counted by record: of several writes to one each outcome once, and what one step changed is not unchanged by another', () => {
    const [run, other] = [begin(), begin()];
    wrote(run, 1, 12);
    run.done(2, 'unchanged', [], { target: 12 });
    run.done(3, 'unchanged', [], { target: 13 });
    const write = { ...noted(1), part: 2 };
    run.intend([write]);
    wrote(run, write, 12);
    wrote(other, 1, 77);
    run.dropIntents();
    expect(run.tally().toSorted((a, b) => String(a.did).localeCompare(String(b.did)))).toEqual([
      { family: 'leads', state: 'done', did: 'unchanged', count: 1 },
      { family: 'leads', state: 'done', did: 'updated', count: 1 },
    ]);
  });

  it('was last begun when the latest process began', () => {
    const run = begin();
    run.begin(1000);
    changed("UPDATE sessions SET began = '2026-01-01T00:00:00.000Z' WHERE id = 1");
    expect(run.lastBegan > '2026-01-02').toBe(true);
  });
});

describe('what is listed', () => {
  it('the journals of a folder, and nothing that stands beside them', () => {
    begin();
    mkdirSync(join(folder, 'old'));
    for (const name of ['a.lock', 'a.sqlite-wal', 'a.sqlite.1.draft', 'readme']) writeFileSync(join(folder, name), 'x');
    expect([...Journal.all(folder)].map(({ file }) => file.service)).toEqual([service]);
  });

  it('no journal whose service is not in it: that is damage', () => {
    changed('DELETE FROM service');
    expect(() => Journal.find(folder, service)).toThrow('is damaged');
  });
});

describe('what is forgotten', () => {
  const long = '2026-01-01T00:00:00.000Z';
  const now = new Date('2026-06-01T00:00:00.000Z');

  it('are imports whose records stand, too, with their records, and of other runs nothing', () => {
    const [old, seed, recent] = [begin('import'), begin('seed'), begin('import')];
    for (const [run, id] of [
      [old, 1],
      [seed, 2],
      [recent, 3],
    ] as const)
      run.done(1, 'created', madeOf(id));
    old.end(long);
    seed.end(long);
    recent.end('2026-05-31T00:00:00.000Z');
    for (let turn = 0; turn < 3; turn += 1) journal.forgetOld(now);
    expect(journal.runs().map(({ name }) => name)).toEqual([recent.name, seed.name]);
    expect([seed, recent].map((run) => run.made(1).length)).toEqual([1, 1]);
  });

  it('is a large run from its end, its records with their steps, and no record of another', () => {
    const [old, other] = [begin('import', 10_010), begin('import', 10_020)];
    for (const run of [old, other]) for (const n of [5, 9000]) run.done(n, 'created', madeOf(n));
    old.end(long);
    journal.forgetOld(now);
    expect([old, other].map((run) => [run.highest, [...run.records()].map(({ step }) => step)])).toEqual([
      [10, [5]],
      [10_020, [5, 9000]],
    ]);
    expect([old, other].map((run) => ['5', '9000'].filter((id) => run.keyOf('leads', id) !== undefined))).toEqual([['5'], ['5', '9000']]);
  });
});
