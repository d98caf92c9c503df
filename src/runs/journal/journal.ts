// The journal of a service: the runs of this machine, in a single file. Queries find work that was done before, the makers of records, and
// runs to forget. The journal knows no import files and no families.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { ConflictError, CrmError } from '../../base/errors.ts';
import type { Body } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import type { MadeRecord, SentRequest } from '../step.ts';
import { JournalFile } from './journal-file.ts';
import { bodyOf, Run, type RunHeader, type StepState, stateOf } from './run.ts';
import { serviceFile } from './service-address.ts';

const day = 24 * 3600 * 1000;
/** Milliseconds that an ended run is kept. */
const keptMilliseconds = 90 * day;
/** The most steps that a transaction deletes. */
const forgottenSteps = 10_000;

/** A step that an earlier run did or may have done. */
export interface BegunStep {
  readonly digest: Uint8Array;
  readonly state: StepState;
  /** The sent values (`body`) and the overwritten values (`before`). */
  readonly body?: Body;
  readonly before?: unknown;
}

export interface DoneWrite {
  /** The name of the step for a person: `lead 12`. */
  readonly key: string;
  readonly family: string;
  readonly sent: SentRequest;
  readonly did: string;
  /** The record's values after the write. */
  readonly after?: unknown;
  readonly made?: Pick<MadeRecord, 'id' | 'created'>;
}

/** An open journal. */
export class Journal {
  readonly file: JournalFile;

  private constructor(file: JournalFile) {
    this.file = file;
  }

  /** A journal in memory only. */
  static inMemory(service: string, clock = systemClock): Journal {
    return new Journal(JournalFile.inMemory(service, clock));
  }

  /**
   * Opens the journal of a service in a folder. Makes a missing journal (0600). `isBrief`: to note a single write. Throws ConflictError
   * when the file is damaged or of another version, UnavailableError when the file can't be written.
   */
  static open(folder: string, service: string, clock = systemClock, isBrief = false): Journal {
    const path = join(folder, serviceFile(service, 'sqlite'));
    if (!JournalFile.exists(path)) JournalFile.make(path, service);
    return new Journal(JournalFile.open(path, clock, isBrief));
  }

  /** The journal of a service; undefined when the service has no journal. Throws as `open` does. */
  static find(folder: string, service: string, clock = systemClock): Journal | undefined {
    const path = join(folder, serviceFile(service, 'sqlite'));
    return JournalFile.exists(path) ? new Journal(JournalFile.open(path, clock)) : undefined;
  }

  /**
   * The journals of all services in a folder, one after the other. The error of an unreadable journal goes to `unread`, and the next
   * journal follows.
   */
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

  /**
   * Removes the journal of a service, and SQLite's files beside the journal. For an embedded CRM that was made anew: its ids begin at 1
   * again.
   */
  static remove(folder: string, service: string): void {
    for (const ending of ['sqlite', 'sqlite-wal', 'sqlite-shm']) rmSync(join(folder, serviceFile(service, ending)), { force: true });
  }

  /** Begins a run, and gives it a name. */
  begin(header: Omit<RunHeader, 'name'>): Run {
    const name = this.#newName();
    this.file.now(() => {
      this.file.insert('runs', { ...header, name, details: JSON.stringify(header.details) });
    });
    return this.run(name);
  }

  /** Notes a run of a single step whose writes are already done, in one transaction and without marks. */
  noteDone({ kind, title, began, command, details }: Omit<RunHeader, 'name'>, writes: readonly DoneWrite[]): void {
    const { file } = this;
    file.now(() => {
      const run = file.insert('runs', {
        name: this.#newName(),
        kind,
        title,
        began,
        command,
        details: JSON.stringify(details),
        ended: began,
      });
      const session = file.insert('sessions', { run, began, timeout: 0, ended: 1 });
      for (const [part, { key, family, sent, did, after, made }] of writes.entries()) {
        const body = sent.body === undefined ? undefined : JSON.stringify([...sent.body]);
        const target = sent.target === undefined ? undefined : scalarText(sent.target);
        const [before, left] = [sent.before, after].map((value) => JSON.stringify(value));
        const { kind, created } = sent;
        file.insert('steps', { run, n: 1, part, key, family, state: 2, session, kind, target, body, before, created, after: left, did });
        if (made === undefined) continue;
        file.insert('baselines', { run, family, ids: '[]', session });
        const record = { family, id: scalarText(made.id), sure: 1, own: 1, created: made.created };
        file.insert('made', { run, step: 1, part, place: 0, ...record, session });
      }
    });
  }

  /** The run with a name. Throws ConflictError when the run has been forgotten meanwhile. */
  run(name: string): Run {
    const run = this.named(name);
    if (run === undefined) throw new ConflictError(`There is no run ${name} any more.`);
    return run;
  }

  /** The run with a name; undefined when no run has the name. */
  named(name: string): Run | undefined {
    const row = this.file.get('SELECT id FROM runs WHERE name = ?', name);
    return row === undefined ? undefined : new Run(this.file, Number(row.id));
  }

  /** The latest run of a kind with a title; undefined without such a run. */
  latest(kind: string, title: string): Run | undefined {
    const row = this.file.get('SELECT id FROM runs WHERE kind = ? AND title = ? ORDER BY id DESC LIMIT 1', kind, title);
    return row === undefined ? undefined : new Run(this.file, Number(row.id));
  }

  /** The runs, or only the runs of a kind, the latest first. */
  runs(kind?: string): Run[] {
    return this.file
      .all('SELECT id FROM runs WHERE kind = coalesce(?, kind) ORDER BY id DESC', kind ?? null)
      .map(({ id }) => new Run(this.file, Number(id)));
  }

  /** True when the journal holds an import. */
  get hasImports(): boolean {
    return this.file.get("SELECT 1 FROM runs WHERE kind = 'import' LIMIT 1") !== undefined;
  }

  /** The steps of imports with the given digests, in the order of their runs. Undone steps are left out. */
  *withDigests(digests: Iterable<Uint8Array>): Generator<BegunStep & { readonly run: string; readonly n: number }> {
    const sql = `SELECT name, n, state FROM steps JOIN runs ON runs.id = steps.run
      WHERE digest = ? AND runs.kind = 'import'
        AND NOT EXISTS (SELECT 1 FROM made WHERE made.run = steps.run AND step = n AND made.part = 0 AND place = 0 AND deleted = 1) ORDER BY run, n`;
    const found = this.file.statement(sql);
    for (const digest of digests) {
      for (const { name, n, state } of this.file.guard(() => found.all(digest))) {
        yield { run: String(name), n: Number(n), digest, state: stateOf(state) };
      }
    }
  }

  /**
   * The steps with the given digests that an interrupted run of changes did, or may have done. Only the latest run with a digest counts.
   * After a day no run counts: then the user repeats the change on purpose.
   */
  *begun(digests: Iterable<Uint8Array>): Generator<BegunStep> {
    const since = new Date(this.file.clock.now().getTime() - day).toISOString();
    this.file.flush();
    const found = this.file.statement(`SELECT steps.run, body, before, state, runs.ended FROM steps JOIN runs ON runs.id = steps.run
      WHERE digest = ? AND state IN (1, 2) AND runs.kind = 'change' AND runs.began >= ?
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
      yield this.file.guard(() => ({
        digest,
        state: stateOf(row.state),
        ...(row.body === null ? {} : { body: bodyOf(String(row.body)) }),
        ...(row.before === null ? {} : { before: parseJson(String(row.before)) }),
      }));
    }
  }

  /** A copy in memory of a run, and of the records that later runs made. For --dry-run. */
  copyOf(run: Run): Run {
    return new Run(this.file.copyOf(run.id), run.id);
  }

  /** Deletes an old run, some steps at a time. Unfinished imports, unfinished seeds and seeds whose records stand are kept. */
  forgetOld(now: Date): void {
    const before = new Date(now.getTime() - keptMilliseconds).toISOString();
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

  /** A name that no run has: four letters and digits, without characters that look alike. */
  #newName(): string {
    for (;;) {
      const name = Array.from({ length: 4 }, (_, place) => letterAt(place, this.file.clock.random())).join('');
      if (this.file.get('SELECT 1 FROM runs WHERE name = ?', name) === undefined) return name;
    }
  }
}

/** A letter or digit of a name. The first is a letter, so that no name looks like an id. */
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
