// The journal of a service: the runs that this machine carried out there, in one file. What was done twice, who made
// which record and what may be forgotten are queries. It knows nothing of files that are imported, or families.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { systemClock } from '../../clock.ts';
import { ConflictError, CrmError } from '../../errors.ts';
import type { Body } from '../../values/body.ts';
import { parseJson, scalarText } from '../../values/json.ts';
import type { MadeRecord, SentRequest } from '../step.ts';
import { JournalFile } from './journal-file.ts';
import { bodyOf, numberOf, Run, type RunHeader, type StepState, stateOf } from './run.ts';
import { serviceFile } from './service-address.ts';

const day = 24 * 3600 * 1000;
/** A run that ended is kept so long, in milliseconds. */
const kept = 90 * day;
/** So many steps are forgotten together. */
const forgottenSteps = 10_000;

/** What an earlier run of changes that broke off did, or may have done. */
export interface BegunStep {
  readonly digest: Uint8Array;
  readonly state: StepState;
  /** Steady time of its sending; undefined when the machine was started again since. */
  readonly sentAt?: number;
  /** What it sent, and what it overwrote. */
  readonly body?: Body;
  readonly before?: unknown;
}

/** A write that is done. */
export interface DoneWrite {
  /** As a person finds it. */
  readonly key: string;
  readonly family: string;
  readonly sent: SentRequest;
  readonly did: string;
  /** What the record holds of what was written. */
  readonly after?: unknown;
  readonly made?: Pick<MadeRecord, 'id' | 'created'>;
}

/** An open journal. */
export class Journal {
  readonly file: JournalFile;

  private constructor(file: JournalFile) {
    this.file = file;
  }

  /** A journal that is gone with the process. */
  static inMemory(service: string, clock = systemClock): Journal {
    return new Journal(JournalFile.inMemory(service, clock));
  }

  /**
   * Opens the journal of a service in a folder, or makes it (0600). `isBrief`: to note a single write. Throws ConflictError for one that is
   * damaged or of another version, UnavailableError where none can be written.
   */
  static open(folder: string, service: string, clock = systemClock, isBrief = false): Journal {
    const path = join(folder, serviceFile(service, 'sqlite'));
    JournalFile.make(path, service);
    return new Journal(JournalFile.open(path, clock, isBrief));
  }

  /** The journal of a service; undefined where it has none. Throws as `open` does. */
  static find(folder: string, service: string, clock = systemClock): Journal | undefined {
    const path = join(folder, serviceFile(service, 'sqlite'));
    return JournalFile.exists(path) ? new Journal(JournalFile.open(path, clock)) : undefined;
  }

  /** The journals of all services in a folder, one after the other. What can't be read or relied upon goes to `unread`, and is passed over. */
  static *all(folder: string, unread: (error: CrmError) => void): Generator<Journal> {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : [];
    for (const name of names.sort()) {
      const journal = opened(() => new Journal(JournalFile.open(join(folder, name), systemClock)), unread);
      if (journal === undefined) continue;
      try {
        yield journal;
      } finally {
        journal.close();
      }
    }
  }

  /** Takes the journal of a service away, with what SQLite keeps beside it: the service's records are gone, and its ids begin anew. */
  static remove(folder: string, service: string): void {
    for (const ending of ['sqlite', 'sqlite-wal', 'sqlite-shm']) rmSync(join(folder, serviceFile(service, ending)), { force: true });
  }

  /** Begins a run; it is known by its name from then on. */
  begin(header: Omit<RunHeader, 'name'>): Run {
    const name = this.#newName();
    this.file.now(() => {
      this.file
        .statement('INSERT INTO runs (name, kind, title, began, command, details) VALUES (?, ?, ?, ?, ?, ?)')
        .run(name, header.kind, header.title, header.began, header.command, JSON.stringify(header.details));
    });
    return this.run(name);
  }

  /**
   * Notes a run of one step whose writes are done, in one transaction and without the marks of a run that sends. `made`: what a write
   * created: whatever has its id and says what was sent is that record, for no list was read before.
   */
  noteDone({ kind, title, began, command, details }: Omit<RunHeader, 'name'>, writes: readonly DoneWrite[]): void {
    const { file } = this;
    const insert = (table: string, row: Readonly<Record<string, SQLInputValue | undefined>>): number | bigint => {
      const columns = Object.keys(row);
      const sql = `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
      return file.statement(sql).run(...Object.values(row).map((value) => value ?? null)).lastInsertRowid;
    };
    file.now(() => {
      const run = insert('runs', { name: this.#newName(), kind, title, began, command, details: JSON.stringify(details), ended: began });
      const session = insert('sessions', { run, boot: file.boot, began, timeout: 0, ended: 1 });
      for (const [part, { key, family, sent, did, after, made }] of writes.entries()) {
        const n = numberOf({ n: 1, part });
        const body = sent.body === undefined ? undefined : JSON.stringify([...sent.body]);
        const target = sent.target === undefined ? undefined : scalarText(sent.target);
        const [before, left] = [sent.before, after].map((value) => JSON.stringify(value));
        const { kind, created } = sent;
        insert('steps', { run, n, key, family, state: 2, session, kind, target, body, before, created, after: left, did });
        if (made === undefined) continue;
        insert('baselines', { run, family, ids: '[]', session });
        const record = { family, id: scalarText(made.id), sure: 1, own: 1, created: made.created };
        insert('made', { run, step: n, place: 0, ...record, session });
      }
    });
  }

  /** A run by its name. Throws ConflictError where there is none: it was there, and somebody forgot it. */
  run(name: string): Run {
    const run = this.named(name);
    if (run === undefined) throw new ConflictError(`There is no run ${name} any more.`);
    return run;
  }

  /** The run with a name; undefined where there is none. */
  named(name: string): Run | undefined {
    const row = this.file.get('SELECT id FROM runs WHERE name = ?', name);
    return row === undefined ? undefined : new Run(this.file, Number(row.id));
  }

  /** The latest run of a kind with a title; undefined without one. */
  latest(kind: string, title: string): Run | undefined {
    const row = this.file.get('SELECT id FROM runs WHERE kind = ? AND title = ? ORDER BY id DESC LIMIT 1', kind, title);
    return row === undefined ? undefined : new Run(this.file, Number(row.id));
  }

  /** All runs, the latest first; of a kind where one is given. */
  runs(kind?: string): Run[] {
    return this.file
      .all('SELECT id FROM runs WHERE kind = coalesce(?, kind) ORDER BY id DESC', kind ?? null)
      .map(({ id }) => new Run(this.file, Number(id)));
  }

  /** The steps of imports that would write what one of `digests` stands for, in the order of their runs, but for those that were undone. */
  *withDigests(digests: Iterable<Uint8Array>): Generator<BegunStep & { readonly run: string; readonly n: number }> {
    if (this.file.get("SELECT 1 FROM runs WHERE kind = 'import' LIMIT 1") === undefined) return;
    const sql = `SELECT name, n, ${this.file.stateSql} AS now FROM steps JOIN runs ON runs.id = steps.run
      WHERE digest = ? AND runs.kind = 'import'
        AND NOT EXISTS (SELECT 1 FROM made WHERE made.run = steps.run AND step = n AND place = 0 AND deleted = 1) ORDER BY run, n`;
    const found = this.file.statement(sql);
    for (const digest of digests) {
      for (const { name, n, now } of this.file.guard(() => found.all(digest))) {
        yield { run: String(name), n: Number(n), digest, state: stateOf(now) };
      }
    }
  }

  /**
   * Of the latest run of changes that did what one of `digests` stands for, or may have done it, that step, unless the run did all that it
   * meant to, or began more than a day ago: then it is done again on purpose.
   */
  *begun(digests: Iterable<Uint8Array>): Generator<BegunStep> {
    const since = new Date(this.file.clock.now().getTime() - day).toISOString();
    this.file.flush();
    const found = this.file.statement(`SELECT steps.run, sent_at, boot, body, before, ${this.file.stateSql} AS now, runs.ended FROM steps
      JOIN runs ON runs.id = steps.run LEFT JOIN sessions ON sessions.id = steps.session
      WHERE digest = ? AND now IN (1, 2) AND runs.kind = 'change' AND runs.began >= ?
      ORDER BY steps.run DESC LIMIT 1`);
    const whole = new Map<number, boolean>();
    const isWhole = (run: number): boolean => {
      const sql = 'SELECT 1 FROM steps WHERE run = ? AND state <> 2 LIMIT 1';
      const isDone = whole.get(run) ?? this.file.get(sql, run) === undefined;
      whole.set(run, isDone);
      return isDone;
    };
    for (const digest of digests) {
      const [row] = this.file.guard(() => found.all(digest, since));
      if (row === undefined || (row.ended !== null && isWhole(Number(row.run)))) continue;
      yield {
        digest,
        state: stateOf(row.now),
        ...(row.sent_at === null || row.boot !== this.file.boot ? {} : { sentAt: Number(row.sent_at) }),
        ...(row.body === null ? {} : { body: bodyOf(String(row.body)) }),
        ...(row.before === null ? {} : { before: parseJson(String(row.before)) }),
      };
    }
  }

  /** A copy in memory of a run, and of what other runs made since it began, for whoever only tells what it would do. */
  copyOf(run: Run): Run {
    return new Run(this.file.copyOf(run.id), run.id);
  }

  /** Forgets what ended long ago and can't be gone on with, some steps at a time. Seeds that stand, and what is unfinished, stay. */
  forgetOld(now: Date): void {
    const before = new Date(now.getTime() - kept).toISOString();
    const row = this.file.get(
      `SELECT id FROM runs WHERE (ended < ? OR (ended IS NULL AND began < ? AND kind NOT IN ('import', 'seed')))
       AND NOT (kind = 'seed' AND EXISTS (SELECT 1 FROM made WHERE made.run = runs.id AND own = 1 AND deleted = 0)) ORDER BY id LIMIT 1`,
      before,
      before,
    );
    if (row === undefined) return;
    const run = new Run(this.file, Number(row.id));
    const isSmall = run.highest <= forgottenSteps;
    if (isSmall) {
      run.remove();
      return;
    }
    this.file.now(() => {
      this.file.statement('DELETE FROM made WHERE run = ? AND step > ?').run(run.id, run.highest - forgottenSteps);
      this.file.statement('DELETE FROM steps WHERE run = ? AND n > ?').run(run.id, run.highest - forgottenSteps);
    });
  }

  close(): void {
    this.file.close();
  }

  /** Four letters and digits that no run has; without those that are mistaken for each other. */
  #newName(): string {
    for (;;) {
      const name = Array.from({ length: 4 }, (_, place) => letterAt(place, this.file.clock.random())).join('');
      if (this.file.get('SELECT 1 FROM runs WHERE name = ?', name) === undefined) return name;
    }
  }
}

/** A letter first, so that no name is taken for an id. */
function letterAt(place: number, random: number): string {
  const letters = place === 0 ? 'abcdefghjkmnpqrstvwxyz' : 'abcdefghjkmnpqrstvwxyz23456789';
  return letters.charAt(Math.floor(random * letters.length));
}

function opened(open: () => Journal, unread: (error: CrmError) => void): Journal | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    unread(error);
    return undefined;
  }
}
