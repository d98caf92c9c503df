// The journal of a service: the runs of this machine, in a single file. Queries find work that was done before, the makers of records, and
// runs to forget. The journal knows no import files and no families.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { systemClock } from '../../base/clock.ts';
import { CrmError } from '../../base/errors.ts';
import { scalarText } from '../../base/values/json.ts';
import type { Id } from '../../base/values/parse.ts';
import { JournalFile, type SqlRow } from './journal-file.ts';
import { type PastStep, Run, type RunHeader, stateOf } from './run.ts';

const day = 24 * 3600 * 1000;
/** Milliseconds that an ended run is kept. */
const keptMilliseconds = 90 * day;
/** The most steps that a transaction deletes. */
const forgottenSteps = 10_000;

/** The folder of the journals below the data folder. */
export const journalFolder = (dataDir: string): string => join(dataDir, 'journals');

/** The name of a service's file: `crm.example-1a2b3c4d.sqlite`. Loading node:crypto for the digest would take 10 ms. */
export function serviceFile(service: string, ending: string): string {
  const plain = service
    .replace(/^https?:\/\//, '')
    .replaceAll(/[^A-Za-z0-9.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${plain}-${Buffer.from(sha256(Buffer.from(service)))
    .toString('hex')
    .slice(0, 8)}.${ending}`;
}

/** A step of an earlier import. */
export type EarlierStep = Pick<PastStep, 'n' | 'state'> & {
  readonly run: string;
  readonly digest: Uint8Array;
  /** True when the record of the step was deleted since, by crm on this machine. */
  readonly isDeleted: boolean;
};

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

  /** Opens the journal of a service in a folder. Makes a missing journal. Throws as `JournalFile.open` and `JournalFile.make` do. */
  static open(folder: string, service: string, clock = systemClock, isBrief = false): Journal {
    const path = join(folder, serviceFile(service, 'sqlite'));
    if (!JournalFile.exists(path)) JournalFile.make(path, service);
    return new Journal(JournalFile.open(path, clock, isBrief));
  }

  /** The journal of a service; undefined when the service has no journal. Throws as `JournalFile.open` does. */
  static find(folder: string, service: string, clock = systemClock): Journal | undefined {
    const path = join(folder, serviceFile(service, 'sqlite'));
    return JournalFile.exists(path) ? new Journal(JournalFile.open(path, clock)) : undefined;
  }

  /** The journals of all services in a folder, one after the other, without unreadable journals. */
  static *all(folder: string): Generator<Journal> {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sqlite')) : [];
    for (const name of names.sort()) {
      let journal: Journal | undefined;
      try {
        journal = new Journal(JournalFile.open(join(folder, name), systemClock));
        yield journal;
      } catch (error) {
        if (!(error instanceof CrmError)) throw error;
      } finally {
        journal?.close();
      }
    }
  }

  /** Removes the journal of a service. For an embedded CRM that was made anew: its ids begin at 1 again. */
  static remove(folder: string, service: string): void {
    for (const ending of ['sqlite', 'sqlite-wal', 'sqlite-shm']) rmSync(join(folder, serviceFile(service, ending)), { force: true });
  }

  /** Begins a run, and gives it a name. */
  begin(header: Omit<RunHeader, 'name'>): Run {
    const row = { ...header, name: this.#newName(), details: JSON.stringify(header.details) };
    const id = this.file.now(() => this.file.insert('runs', row));
    return new Run(this.file, id);
  }

  /** Notes a run of a single step whose writes are already done, in one transaction that is not synced. `note` notes the writes. */
  noteDone(header: Omit<RunHeader, 'name'>, note: (run: Run) => void): void {
    this.file.now(() => {
      const run = this.begin(header);
      run.begin(0);
      note(run);
      run.end(header.began);
      run.leave();
    });
  }

  /** The run with a name; undefined when no run has the name. */
  named(name: string): Run | undefined {
    return this.#runs('name = ?', name)[0];
  }

  /** The runs, or only the runs of a kind, or with a title, the latest first. */
  runs(kind?: string, title?: string): Run[] {
    return this.#runs('kind = coalesce(?, kind) AND title = coalesce(?, title)', kind ?? null, title ?? null);
  }

  #runs(condition: string, ...values: (string | null)[]): Run[] {
    return this.#runsIn(`SELECT id FROM runs WHERE ${condition} ORDER BY id DESC`, ...values);
  }

  #runsIn(sql: string, ...values: (string | null)[]): Run[] {
    return this.file.all(({ id }) => new Run(this.file, Number(id)), sql, ...values);
  }

  /** The steps of imports with the given digests, in the order of their runs. */
  *withDigests(digests: Iterable<Uint8Array>): Generator<EarlierStep> {
    const sql = `SELECT name, n, state,
        EXISTS (SELECT 1 FROM made WHERE made.run = steps.run AND step = n AND made.part = 0 AND place = 0 AND deleted > 0) AS gone
      FROM steps JOIN runs ON runs.id = steps.run WHERE digest = ? AND runs.kind = 'import' ORDER BY run, n`;
    for (const digest of digests) {
      const stepOf = ({ name, n, state, gone }: SqlRow): EarlierStep => ({
        run: String(name),
        n: Number(n),
        digest,
        state: stateOf(state),
        isDeleted: gone === 1,
      });
      yield* this.file.all(stepOf, sql, digest);
    }
  }

  /** The names of the runs that hold values of any of these records, the latest first. */
  holding(family: string, ids: readonly Id[]): string[] {
    const sql = `SELECT DISTINCT runs.id, name FROM steps JOIN runs ON runs.id = steps.run, json_each(?2) AS one
      WHERE family = ?1 AND coalesce(body, before, after) IS NOT NULL AND (target = one.value OR EXISTS (SELECT 1 FROM made
        WHERE made.family = ?1 AND made.id = one.value AND made.run = steps.run AND made.step = steps.n)) ORDER BY runs.id DESC`;
    return this.file.all(({ name }) => String(name), sql, family, JSON.stringify(ids.map(scalarText)));
  }

  /** A copy in memory of a run, and of the records that later runs made. For --dry-run. */
  copyOf(run: Run): Run {
    return new Run(this.file.copyOf(run.id), run.id);
  }

  /**
   * Deletes an old run, some steps at a time; the run is not listed from then on. Unfinished imports, unfinished seeds and seeds whose
   * records stand are kept.
   */
  forgetOld(now: Date): void {
    const before = new Date(now.getTime() - keptMilliseconds).toISOString();
    const isOld = `(ended < ?1 OR (ended IS NULL AND began < ?1 AND kind NOT IN ('import', 'seed')))
      AND NOT (kind = 'seed' AND EXISTS (SELECT 1 FROM made WHERE made.run = runs.id AND own = 1 AND deleted = 0))`;
    const begun = 'SELECT DISTINCT run AS id FROM sessions WHERE run NOT IN (SELECT id FROM runs)';
    (this.#runsIn(begun)[0] ?? this.#runs(isOld, before).at(-1))?.remove(forgottenSteps);
  }

  close(): void {
    this.file.close();
  }

  /** A name that no run has: four letters and digits. The first is a letter, so that no name looks like an id. */
  #newName(): string {
    for (;;) {
      const name = [letters, characters, characters, characters]
        .map((some) => some.charAt(Math.floor(this.file.clock.random() * some.length)))
        .join('');
      if (this.named(name) === undefined) return name;
    }
  }
}

/** The characters of names, without characters that look alike. */
const letters = 'abcdefghjkmnpqrstvwxyz';
const characters = `${letters}23456789`;
