// What an import has to look up exactly among any number of rows and records: values that stand twice, rows that an
// earlier run has done, records by their keys. It is kept in a database of its own that is gone with the process, so
// that memory doesn't grow with the file.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { loadSqlite } from '../files/sqlite.ts';
import type { Journal } from '../runs/journal/journal.ts';
import type { Run, StepState } from '../runs/journal/run.ts';

/** How rows of a file and steps of an earlier run belong together: equal ones are counted. */
export interface Overlap {
  /** The name of the run. */
  readonly run: string;
  readonly done: number;
  readonly doubts: number;
  readonly failed: number;
  /** Never sent. */
  readonly intended: number;
}

const schema = `
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE seen (name TEXT NOT NULL, value TEXT NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (name, value)) STRICT, WITHOUT ROWID;
CREATE TABLE rows (n INTEGER PRIMARY KEY, line INTEGER NOT NULL, digest BLOB NOT NULL) STRICT;
CREATE TABLE invalid (n INTEGER PRIMARY KEY, line INTEGER NOT NULL, problem TEXT NOT NULL) STRICT;
CREATE TABLE steps (run TEXT NOT NULL, n INTEGER NOT NULL, digest BLOB NOT NULL, state TEXT NOT NULL, PRIMARY KEY (run, n)) STRICT, WITHOUT ROWID;
CREATE INDEX steps_by_digest ON steps (digest);
CREATE TABLE records (key TEXT PRIMARY KEY, id TEXT NOT NULL, others TEXT NOT NULL, held TEXT NOT NULL) STRICT, WITHOUT ROWID;
BEGIN;
`;

/** Equal rows and steps of a run are paired in their order; what is done comes before what is in doubt. */
const paired = `
SELECT step.run, row.n AS row_n, row.line, step.n AS step_n, step.state
FROM (SELECT n, line, digest, row_number() OVER (PARTITION BY digest ORDER BY n) AS place FROM rows) row
JOIN (SELECT run, n, digest, state, row_number() OVER (PARTITION BY run, digest
  ORDER BY CASE state WHEN 'done' THEN 0 WHEN 'sent' THEN 1 WHEN 'failed' THEN 2 ELSE 3 END, n) AS place FROM steps) step
  ON step.digest = row.digest AND step.place = row.place`;

/** How many rows were done, in whichever run. */
const doneBefore = `
SELECT coalesce(sum(min(row.number, step.number)), 0) AS number
FROM (SELECT digest, count(*) AS number FROM rows GROUP BY digest) row
JOIN (SELECT digest, count(*) AS number FROM steps WHERE state = 'done' AND run IN (SELECT value FROM json_each(?)) GROUP BY digest) step
  ON step.digest = row.digest`;

export class Scratch {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    const { DatabaseSync } = loadSqlite();
    this.#database = new DatabaseSync('');
    this.#database.exec(schema);
  }

  close(): void {
    this.#database.close();
  }

  /** Notes that a value stands on a line; gives the line on which it stood before. */
  see(name: string, value: string, line: number): number | undefined {
    const before = this.lineOf(name, value);
    if (before !== undefined) return before;
    this.#run('INSERT INTO seen VALUES (?, ?, ?)', name, value, line);
    return undefined;
  }

  /** The line on which a value was noted. */
  lineOf(name: string, value: string): number | undefined {
    const row = this.#statement('SELECT line FROM seen WHERE name = ? AND value = ?').get(name, value);
    return row === undefined ? undefined : Number(row.line);
  }

  /** Notes a row of the file. */
  addRow(n: number, line: number, digest: Uint8Array): void {
    this.#run('INSERT INTO rows VALUES (?, ?, ?)', n, line, digest);
  }

  /** Notes a row that is wrong, and why. */
  addInvalid(n: number, line: number, problem: string): void {
    this.#run('INSERT INTO invalid VALUES (?, ?, ?)', n, line, problem);
  }

  /** Why a row is wrong; undefined: it isn't. */
  invalid(n: number): string | undefined {
    const row = this.#statement('SELECT problem FROM invalid WHERE n = ?').get(n);
    return row === undefined ? undefined : String(row.problem);
  }

  /** How many rows are wrong. */
  get invalidCount(): number {
    return Number(this.#statement('SELECT count(*) AS number FROM invalid').get()?.number);
  }

  /** How many rows of the file were noted. */
  get rows(): number {
    return Number(this.#statement('SELECT count(*) AS number FROM rows').get()?.number);
  }

  /** Notes the steps of earlier imports that would write what rows of the file would. */
  compareWith(journal: Journal): void {
    this.#run('DELETE FROM steps');
    const digests = this.#database.prepare('SELECT DISTINCT digest FROM rows').iterate();
    for (const { run, n, digest, state } of journal.withDigests(blobsOf(digests))) {
      this.#run('INSERT INTO steps VALUES (?, ?, ?, ?)', run, n, digest, state);
    }
  }

  /** How many rows of the file each run has done, in doubt, tried in vain, or only intended. */
  overlaps(): Overlap[] {
    const rows = this.#statement(`SELECT run, state, count(*) AS number FROM (${paired}) GROUP BY run, state`).all();
    return [...Map.groupBy(rows, ({ run }) => String(run))].map(([run, some]) => {
      const of = (state: StepState): number => Number(some.find((row) => row.state === state)?.number ?? 0);
      return { run, done: of('done'), doubts: of('sent'), failed: of('failed'), intended: of('intended') };
    });
  }

  /** How many rows of the file some runs have done, all of them together. */
  doneIn(runs: readonly string[]): number {
    return Number(this.#statement(doneBefore).get(JSON.stringify(runs))?.number);
  }

  /** For each step of a run that is a row of the file: the row's number, and its line. */
  *pairsWith({ name }: Run): Generator<{ readonly row: number; readonly line: number; readonly step: number }> {
    for (const row of this.#database.prepare(`SELECT * FROM (${paired}) WHERE run = ?`).iterate(name))
      yield { row: Number(row.row_n), line: Number(row.line), step: Number(row.step_n) };
  }

  /** Forgets the records: they are read anew. */
  forgetRecords(): void {
    this.#run('DELETE FROM records');
  }

  /** Notes a record by its key. */
  addRecord(key: string, id: string, values: Readonly<Record<string, string>>): void {
    this.#run(
      "INSERT INTO records VALUES (?, ?, '', ?) ON CONFLICT (key) DO UPDATE SET others = others || ' ' || excluded.id",
      key,
      id,
      JSON.stringify(values),
    );
  }

  /**
   * The record with a key, as the list told it, with its values by wire name, those that the file's columns could change. `others`: the ids of
   * other records that have the key.
   */
  record(
    key: string,
  ): { readonly id: string; readonly others: readonly string[]; readonly values: Readonly<Record<string, string>> } | undefined {
    const row = this.#statement('SELECT id, others, held FROM records WHERE key = ?').get(key);
    if (row === undefined) return undefined;
    const others = String(row.others)
      .split(' ')
      .filter((id) => id !== '');
    return { id: String(row.id), others, values: JSON.parse(String(row.held)) as Record<string, string> };
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function* blobsOf(rows: Iterable<Record<string, unknown>>): Generator<Uint8Array> {
  for (const { digest } of rows) if (digest instanceof Uint8Array) yield digest;
}
