// What a comparison keeps: the older records by their ids, and the rows that it finds. They stand in a database of its own that is gone
// with the process, so that memory doesn't grow with the records.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { loadSqlite } from '../../files/sqlite.ts';

export class DiffScratch {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    const { DatabaseSync } = loadSqlite();
    this.#database = new DatabaseSync('');
    this.#database.exec(`
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
      CREATE TABLE records (id TEXT PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
      CREATE TABLE rows (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      BEGIN;`);
  }

  /** Keeps a record, as JSON. */
  keep(id: string, n: number, text: string): void {
    this.#statement('INSERT INTO records VALUES (?, ?, ?)').run(id, n, text);
  }

  /** Gives up the record with an id: its JSON. */
  take(id: string): string | undefined {
    return this.#statement('DELETE FROM records WHERE id = ? RETURNING text').get(id)?.text as string | undefined;
  }

  /** The records that nobody took, in their order. */
  *left(): Generator<string> {
    for (const { text } of this.#database.prepare('SELECT text FROM records ORDER BY n').iterate()) yield String(text);
  }

  forgetRecords(): void {
    this.#database.exec('DELETE FROM records');
  }

  /** Adds a row. */
  add(row: object): void {
    this.#statement('INSERT INTO rows (text) VALUES (?)').run(JSON.stringify(row));
  }

  /** The rows in their order, as JSON, so many at a time. */
  *rows(size: number): Generator<string[]> {
    for (let last = 0; ; ) {
      const page = this.#statement('SELECT n, text FROM rows WHERE n > ? ORDER BY n LIMIT ?').all(last, size);
      if (page.length === 0) return;
      yield page.map(({ text }) => String(text));
      last = Number(page.at(-1)?.n);
    }
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
