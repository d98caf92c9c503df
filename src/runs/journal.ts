// The journal of a run: one SQLite file that says what was intended, what was sent, and what became of it. It survives
// kill -9 and power cuts, and anybody may read it while it is written. It knows nothing of files or families.

import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Clock, systemClock } from '../clock.ts';
import { ConflictError, CrmError, systemCode, UnavailableError, UsageError } from '../errors.ts';
import { makeFolder, makeOwnFile } from '../files/make-folder.ts';
import { hasSqliteCode, loadSqlite } from '../files/sqlite.ts';
import type { Body } from '../values/body.ts';
import { parseJson, scalarText } from '../values/json.ts';
import type { Id } from '../values/parse.ts';
import type { Members } from '../values/paths.ts';
import type { MadeRecord, SentRequest, Step } from './step.ts';

/** What a run is about; written once, with the journal itself. */
export interface RunHeader {
  /** Which front end it belongs to: `import`, `seed`. */
  readonly kind: string;
  /** As messages call it: the file or the run. */
  readonly title: string;
  /** The address of the service, as `serviceAddress` writes it. */
  readonly service: string;
  /** ISO 8601. */
  readonly began: string;
  /** The command that goes on with it. */
  readonly command: string;
  /** What the front end wants to know again. */
  readonly details: Members;
}

/** How far a step has come. `sent` without an answer is a doubt. */
export type StepState = 'intended' | 'sent' | 'done' | 'failed';

const states: readonly StepState[] = ['intended', 'sent', 'done', 'failed'];
const stateOf = (code: unknown): StepState => states[Number(code)] ?? 'intended';

/** A step that was sent, as a later process finds it. */
export interface SentStep extends SentRequest {
  readonly n: number;
  readonly key: string;
  readonly family: string;
  /** Milliseconds of the steady clock at which it was sent; undefined when the machine was started again since. */
  readonly sentAt?: number;
  /** The time-out of the process that sent it, in milliseconds. */
  readonly timeout: number;
}

/** A record of the run, with the step that made it. */
export interface JournalRecord extends MadeRecord {
  readonly step: number;
  readonly key: string;
  /** Its place among what the step made. */
  readonly place: number;
  /** When the service said that it was last changed, once the run was over. */
  readonly updated?: string;
}

/** How many steps ended how. */
export interface Counts {
  /** Outcomes by what was done: `created`, `updated`. */
  readonly did: ReadonlyMap<string, number>;
  readonly done: number;
  readonly failed: number;
  /** Of the failed ones those that were not sent on purpose, by the name of the reason. */
  readonly barred: ReadonlyMap<string, number>;
  /** Sent, and not answered. */
  readonly doubts: number;
}

/** The newest records of a family before the run wrote to it. */
export interface Baseline {
  readonly ids: ReadonlySet<string>;
  /** The newest `created` of them; undefined where none was told. */
  readonly newest?: string;
}

const version = 1;

const schema = `
CREATE TABLE run (version INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, service TEXT NOT NULL, began TEXT NOT NULL,
  command TEXT NOT NULL, details TEXT NOT NULL, ended TEXT) STRICT;
CREATE TABLE sessions (id INTEGER PRIMARY KEY, boot TEXT NOT NULL, began TEXT NOT NULL, timeout INTEGER NOT NULL) STRICT;
CREATE TABLE baselines (family TEXT PRIMARY KEY, ids TEXT NOT NULL, newest TEXT) STRICT;
CREATE TABLE steps (n INTEGER PRIMARY KEY, key TEXT NOT NULL, family TEXT NOT NULL, digest BLOB, state INTEGER NOT NULL, session INTEGER NOT NULL,
  sent_at INTEGER, kind TEXT, target TEXT, before TEXT, body TEXT, did TEXT, status INTEGER, error TEXT,
  again INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE made (step INTEGER NOT NULL, place INTEGER NOT NULL, family TEXT NOT NULL, id TEXT, sure INTEGER NOT NULL, own INTEGER NOT NULL,
  created TEXT, updated TEXT, answered_at INTEGER, session INTEGER, deleted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (step, place)) STRICT, WITHOUT ROWID;
`;

/** Among so many of the newest steps are those that made the records on the newest page of a list. */
const newestSteps = 4096;

/** How many pages the log of changes may hold before they go into the file: fewer waits for the disk. */
const logPages = 4000;

/** `copy`: a copy in memory, for a run that only tells what it would do. */
export type OpenedFor = 'read' | 'write' | 'copy';

/** An open journal. */
export class Journal {
  /** Undefined for one in memory. */
  readonly path: string | undefined;
  readonly header: RunHeader;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #clock: Clock;
  readonly #boot: string;
  /** A step's state in SQL. A power cut may have taken marks away: what an earlier start of the machine intended counts as sent. */
  readonly #state: string;
  #session = 0;

  private constructor(path: string | undefined, database: DatabaseSync, header: RunHeader, clock: Clock) {
    this.path = path;
    this.#database = database;
    this.#clock = clock;
    this.#boot = clock.boot();
    this.header = header;
    const earlier = database.prepare('SELECT id FROM sessions WHERE boot <> ?').all(this.#boot);
    this.#state = `(CASE WHEN state = 0 AND session IN (${earlier.map(({ id }) => id).join(', ')}) THEN 1 ELSE state END)`;
  }

  /** Makes a journal (0600), or one in memory without a path. Throws ConflictError where there is a file, UsageError where none can be. */
  static create(path: string | undefined, header: RunHeader, clock = systemClock): Journal {
    if (path !== undefined) makeFile(path);
    return guarded(path, () => {
      const database = openDatabase(path ?? ':memory:', false);
      database.exec('PRAGMA synchronous=FULL; BEGIN');
      database.exec(schema);
      database
        .prepare('INSERT INTO run (version, kind, title, service, began, command, details) VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(version, header.kind, header.title, header.service, header.began, header.command, JSON.stringify(header.details));
      database.exec('COMMIT; PRAGMA synchronous=NORMAL');
      return new Journal(path, database, header, clock);
    });
  }

  /** Opens the journal of an earlier process. Throws ConflictError for what is no whole journal. */
  static open(path: string, how: OpenedFor, clock = systemClock): Journal {
    if (how === 'copy') return Journal.#openCopy(path, clock);
    return guarded(path, () => {
      const database = openDatabase(path, how === 'read');
      try {
        return new Journal(path, database, readHeader(path, database), clock);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  static #openCopy(path: string, clock: Clock): Journal {
    const open = Journal.open(path, 'read', clock);
    try {
      return open.#copy();
    } finally {
      open.close();
    }
  }

  #copy(): Journal {
    const copy = Journal.create(undefined, this.header, this.#clock);
    for (const table of ['sessions', 'baselines', 'steps', 'made']) {
      for (const row of this.#all(`SELECT * FROM ${table}`)) {
        const columns = Object.keys(row);
        const marks = columns.map(() => '?').join(', ');
        copy.#run(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`, ...Object.values(row));
      }
    }
    copy.#run(`UPDATE steps SET state = ${this.#state}`);
    return copy;
  }

  /** Notes that a process begins to send, and with which time-out in milliseconds. */
  begin(timeout: number): void {
    this.#run(`UPDATE steps SET state = 1 WHERE state = 0 AND ${this.#state} = 1`);
    this.#run('INSERT INTO sessions (boot, began, timeout) VALUES (?, ?, ?)', this.#boot, this.#clock.now().toISOString(), timeout);
    this.#session = Number(this.#get('SELECT max(id) AS id FROM sessions')?.id);
    this.#run('UPDATE run SET ended = NULL');
    this.flush();
  }

  /** Notes that these steps may be sent from now on. Durable when it returns, also through a power cut. */
  intend(steps: readonly Step[]): void {
    this.flush();
    this.#guard(() => {
      this.#database.exec('PRAGMA synchronous=FULL');
      for (const { n, key, family, digest } of steps) {
        this.#run(
          `INSERT INTO steps (n, key, family, digest, state, session) VALUES (?, ?, ?, ?, 0, ?)
           ON CONFLICT (n) DO UPDATE SET key = excluded.key, digest = excluded.digest, state = 0, session = excluded.session,
             did = NULL, status = NULL, error = NULL`,
          n,
          key,
          family,
          digest ?? null,
          this.#session,
        );
      }
      this.flush();
      this.#database.exec('PRAGMA synchronous=NORMAL');
    });
  }

  /** Notes that a step's request leaves now: flush before it does. */
  sent(n: number, { kind, target, before, body }: SentRequest): void {
    this.#run(
      'UPDATE steps SET state = 1, session = ?, sent_at = ?, kind = ?, target = ?, before = ?, body = coalesce(?, body) WHERE n = ?',
      this.#session,
      Math.floor(this.#clock.steady()),
      kind,
      target === undefined ? null : scalarText(target),
      before === undefined ? null : JSON.stringify(before),
      body === undefined ? null : JSON.stringify([...body]),
      n,
    );
  }

  /** Notes that a step is done, and what it made; `target`: the record that it is about; `answeredAt`: null for what was found later. */
  done(n: number, did: string, made: readonly MadeRecord[], target?: Id, answeredAt: number | null = this.#clock.steady()): void {
    const about = target === undefined ? null : scalarText(target);
    this.#run('UPDATE steps SET state = 2, did = ?, status = NULL, error = NULL, target = coalesce(?, target) WHERE n = ?', did, about, n);
    made.forEach(({ family, id, sure, own, created }, place) => {
      this.#run(
        `INSERT OR REPLACE INTO made (step, place, family, id, sure, own, created, answered_at, session) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        n,
        place,
        family,
        id === undefined ? null : scalarText(id),
        Number(sure),
        Number(own),
        created ?? null,
        answeredAt === null ? null : Math.floor(answeredAt),
        this.#session,
      );
    });
  }

  /** Notes that a step failed: `status` is the service's, null where nothing was sent. */
  failed(n: number, status: number | null, error: string): void {
    this.#run('UPDATE steps SET state = 3, did = NULL, status = ?, error = ? WHERE n = ?', status, error, n);
  }

  /** Notes that a step was not sent on purpose, under which name, and which record it is about. */
  barred(n: number, why: string, target: Id, error: string): void {
    const sql = 'UPDATE steps SET state = 3, did = ?, target = ?, status = NULL, error = ? WHERE n = ?';
    this.#run(sql, why, scalarText(target), error, n);
  }

  /** Notes that a step was not sent after all, or did not arrive as far as could be seen (`isAgain`): it is merely intended again. */
  unsent(n: number, isAgain = false): void {
    const sql = 'UPDATE steps SET state = 0, session = ?, sent_at = NULL, error = NULL, again = max(again, ?) WHERE n = ?';
    this.#run(sql, this.#session, Number(isAgain), n);
  }

  /** Notes of a step that was sent again what it made besides, in words; null: nothing that could be seen. */
  twice(n: number, what: string | null): void {
    this.#run('UPDATE steps SET error = ? WHERE n = ? AND state = 2', what, n);
  }

  /** The steps that were sent again and are done; `twice`: what they made besides. */
  sentAgain(): { readonly n: number; readonly key: string; readonly family: string; readonly twice: string | undefined }[] {
    return this.#all('SELECT n, key, family, error FROM steps WHERE again = 1 AND state = 2 ORDER BY n').map((row) => ({
      n: Number(row.n),
      key: String(row.key),
      family: String(row.family),
      twice: textOr(row.error),
    }));
  }

  /** Notes of a step in doubt why nobody can tell. */
  untold(n: number, why: string): void {
    this.#run('UPDATE steps SET error = ? WHERE n = ?', why, n);
  }

  /** Forgets a step and what it made: it is to be done anew. */
  forget(n: number): void {
    this.#run('DELETE FROM made WHERE step = ?', n);
    this.#run('DELETE FROM steps WHERE n = ?', n);
  }

  /** Forgets what was intended and never sent. */
  dropIntents(): void {
    this.#run(`DELETE FROM steps WHERE ${this.#state} = 0`);
    this.flush();
  }

  /** Notes that every step has its outcome. */
  end(at: string): void {
    this.#run('UPDATE run SET ended = ?', at);
    this.flush();
  }

  /** When every step had its outcome, ISO 8601. */
  get ended(): string | undefined {
    return textOr(this.#get('SELECT ended FROM run')?.ended);
  }

  /** Keeps what a front end wants to know again, beside what it said before. */
  keep(details: Members): void {
    this.#run('UPDATE run SET details = json_patch(details, ?)', JSON.stringify(details));
    this.flush();
  }

  /** When a process last began to send for this run, ISO 8601. */
  get lastBegan(): string {
    return textOr(this.#get('SELECT max(began) AS began FROM sessions')?.began) ?? this.header.began;
  }

  get details(): Members {
    return parseJson(String(this.#get('SELECT details FROM run')?.details)) as Members;
  }

  /** Makes what was noted visible to others; it survives the death of the process. Throws UnavailableError when the disk is full. */
  flush(): void {
    if (this.#database.isTransaction) this.#guard(() => this.#database.exec('COMMIT'));
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#database.close();
    }
  }

  /** How far a step has come; undefined for one that was never intended. */
  state(n: number): StepState | undefined {
    const row = this.#get(`SELECT ${this.#state} AS state FROM steps WHERE n = ?`, n);
    return row === undefined ? undefined : stateOf(row.state);
  }

  /** The number of a step by its key. */
  numberOf(key: string): number | undefined {
    const row = this.#get('SELECT n FROM steps WHERE key = ?', key);
    return row === undefined ? undefined : Number(row.n);
  }

  /** The key of the step that made a record, whether or not that was deleted since. */
  keyOf(family: string, id: string): string | undefined {
    const row = this.#get('SELECT key FROM made JOIN steps ON n = step WHERE made.family = ? AND id = ? AND own = 1', family, id);
    return textOr(row?.key);
  }

  /** Every step, in order, as far as front ends compare them. */
  *steps(): Generator<{ n: number; key: string; family: string; digest: Uint8Array | null; state: StepState; did: string | undefined }> {
    for (const row of this.#iterate(`SELECT n, key, family, digest, ${this.#state} AS state, did FROM steps ORDER BY n`)) {
      yield {
        n: Number(row.n),
        key: String(row.key),
        family: String(row.family),
        digest: row.digest instanceof Uint8Array ? row.digest : null,
        state: stateOf(row.state),
        did: textOr(row.did),
      };
    }
  }

  /** The highest number of a step; 0 without any. */
  get highest(): number {
    return Number(this.#get('SELECT coalesce(max(n), 0) AS n FROM steps')?.n);
  }

  /** Gives steps other numbers and keys, and drops those that are not named; made records follow their steps. */
  renumber(numbers: ReadonlyMap<number, { readonly n: number; readonly key: string }>): void {
    this.#run('UPDATE steps SET n = -n');
    this.#run('UPDATE made SET step = -step');
    for (const [from, { n, key }] of numbers) {
      this.#run('UPDATE steps SET n = ?, key = ? WHERE n = ?', n, key, -from);
      this.#run('UPDATE made SET step = ? WHERE step = ?', n, -from);
    }
    this.#run('DELETE FROM made WHERE step < 0');
    this.#run('DELETE FROM steps WHERE n < 0');
    this.flush();
  }

  /** The steps that were sent and have no answer. */
  doubts(): SentStep[] {
    const rows = this.#all(
      `SELECT steps.*, sessions.boot, sessions.timeout FROM steps JOIN sessions ON sessions.id = steps.session
       WHERE ${this.#state} = 1 ORDER BY n`,
    );
    return rows.map((row) => ({
      n: Number(row.n),
      key: String(row.key),
      family: String(row.family),
      kind: textOr(row.kind) ?? 'create',
      ...(row.target === null ? {} : { target: String(row.target) }),
      ...(row.before === null ? {} : { before: parseJson(String(row.before)) }),
      ...(row.body === null ? {} : { body: bodyOf(String(row.body)) }),
      ...(row.sent_at === null || row.boot !== this.#boot ? {} : { sentAt: Number(row.sent_at) }),
      timeout: Number(row.timeout),
    }));
  }

  /** The create body that a seed's step was sent with. */
  bodyOf(n: number): Body | undefined {
    const text = textOr(this.#get('SELECT body FROM steps WHERE n = ?', n)?.body);
    return text === undefined ? undefined : bodyOf(text);
  }

  /** What a step overwrote, as it was kept. */
  before(n: number): unknown {
    const text = textOr(this.#get('SELECT before FROM steps WHERE n = ?', n)?.before);
    return text === undefined ? undefined : parseJson(text);
  }

  /** The failed steps in order: what the service said, and its status. */
  *failures(): Generator<{ n: number; key: string; status: number | null; error: string }> {
    for (const row of this.#iterate('SELECT n, key, status, error FROM steps WHERE state = 3 ORDER BY n')) {
      yield { n: Number(row.n), key: String(row.key), status: row.status === null ? null : Number(row.status), error: String(row.error) };
    }
  }

  /** What became of the steps that were sent or need not be, in order: `id` is that of the record that a step made, or is about. */
  *outcomes(): Generator<{ n: number; state: StepState; did: string | undefined; id: string | undefined; error: string | undefined }> {
    const sql = `SELECT n, ${this.#state} AS now, did, error, coalesce((SELECT id FROM made WHERE step = n AND place = 0), target) AS id
      FROM steps WHERE ${this.#state} > 0 ORDER BY n`;
    for (const row of this.#iterate(sql)) {
      yield { n: Number(row.n), state: stateOf(row.now), did: textOr(row.did), id: textOr(row.id), error: textOr(row.error) };
    }
  }

  /** The steps in doubt of which nobody can tell, in order. */
  *untolds(): Generator<{ n: number; key: string; error: string | undefined }> {
    for (const row of this.#iterate(`SELECT n, key, error FROM steps WHERE ${this.#state} = 1 ORDER BY n`)) {
      yield { n: Number(row.n), key: String(row.key), error: textOr(row.error) };
    }
  }

  /** How many steps ended how; `upTo`: only those with a number up to this. */
  counts(upTo = Number.MAX_SAFE_INTEGER): Counts {
    const did = new Map<string, number>();
    const barred = new Map<string, number>();
    let [done, failed, doubts] = [0, 0, 0];
    const sql = `SELECT ${this.#state} AS now, did, count(*) AS number FROM steps WHERE n <= ? GROUP BY now, did`;
    for (const row of this.#all(sql, upTo)) {
      const [state, number] = [stateOf(row.now), Number(row.number)];
      if (state === 'done') {
        done += number;
        did.set(String(row.did), (did.get(String(row.did)) ?? 0) + number);
      } else if (state === 'failed') {
        failed += number;
        if (typeof row.did === 'string') barred.set(row.did, number);
      } else if (state === 'sent') doubts += number;
    }
    return { did, done, failed, barred, doubts };
  }

  /** What a step made, its own record first. */
  made(n: number): JournalRecord[] {
    return this.#all(`${selectMade} WHERE made.step = ? AND deleted = 0 ORDER BY place`, n).map(recordOf);
  }

  /** Every record of the run that was not deleted, in the order in which the steps stand. */
  *records(): Generator<JournalRecord> {
    for (const row of this.#iterate(`${selectMade} WHERE deleted = 0 ORDER BY made.step, place`)) yield recordOf(row);
  }

  /** Own records of a family whose `created` a list told, with the steady time of their answers, newest answers first. */
  anchors(family: string, most: number): { readonly created: string; readonly answeredAt: number }[] {
    const rows = this.#all(
      `SELECT created, answered_at FROM made JOIN sessions ON sessions.id = made.session
       WHERE family = ? AND own = 1 AND created IS NOT NULL AND answered_at IS NOT NULL AND boot = ? ORDER BY answered_at DESC LIMIT ?`,
      family,
      this.#boot,
      most,
    );
    return rows.map((row) => ({ created: String(row.created), answeredAt: Number(row.answered_at) }));
  }

  /** The steady time of the newest answer that told of an own record; `ids`: of one of these. Undefined without any. */
  newestAnswer(family: string, ids?: readonly string[]): number | undefined {
    const row = this.#get(
      `SELECT max(answered_at) AS newest FROM made JOIN sessions ON sessions.id = made.session
       WHERE family = ? AND own = 1 AND sure = 1 AND boot = ?${ids === undefined ? '' : ' AND made.id IN (SELECT value FROM json_each(?))'}`,
      family,
      this.#boot,
      ...(ids === undefined ? [] : [JSON.stringify(ids)]),
    );
    return typeof row?.newest === 'number' ? row.newest : undefined;
  }

  /** The newest steps of a family that made a record which is known for certain. */
  newestMade(family: string, most: number): { readonly step: number; readonly id: string }[] {
    const rows = this.#all(
      'SELECT step, id FROM made WHERE family = ? AND own = 1 AND sure = 1 AND place = 0 AND deleted = 0 AND id IS NOT NULL ORDER BY step DESC LIMIT ?',
      family,
      most,
    );
    return rows.map((row) => ({ step: Number(row.step), id: String(row.id) }));
  }

  /** The steps of a family that made a record of which nobody can tell which it is. */
  unsure(family: string): number[] {
    return this.#all('SELECT step FROM made WHERE family = ? AND sure = 0', family).map((row) => Number(row.step));
  }

  /** Of some ids of a family those that the run made or found. */
  claims(family: string, ids: readonly string[]): Map<string, string | undefined> {
    const rows = this.#all(
      'SELECT id, created FROM made WHERE family = ? AND id IN (SELECT value FROM json_each(?))',
      family,
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [String(row.id), textOr(row.created)]));
  }

  /** Of some ids of a family those that the run made or found, with the keys of the steps. */
  makersOf(family: string, ids: readonly string[]): Map<string, string> {
    const rows = this.#all(
      'SELECT id, key FROM made JOIN steps ON steps.n = made.step WHERE made.family = ? AND id IN (SELECT value FROM json_each(?))',
      family,
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [String(row.id), String(row.key)]));
  }

  /** Of some ids of a family the own records of the newest steps whose `created` no list has told yet. */
  unstamped(family: string, ids: readonly string[]): JournalRecord[] {
    const sql = `${selectMade} WHERE made.step > ? AND made.family = ? AND own = 1 AND created IS NULL AND id IN (SELECT value FROM json_each(?))`;
    const newest = Number(this.#get('SELECT coalesce(max(step), 0) AS step FROM made')?.step);
    return this.#all(sql, newest - newestSteps, family, JSON.stringify(ids)).map(recordOf);
  }

  /** Notes when the service says that a record was created, and last changed. */
  stamp({ step, place }: Pick<JournalRecord, 'step' | 'place'>, created: string | undefined, updated: string | undefined): void {
    this.#run(
      'UPDATE made SET created = coalesce(created, ?), updated = ? WHERE step = ? AND place = ?',
      created ?? null,
      updated ?? null,
      step,
      place,
    );
  }

  /** Notes that a record is gone. */
  deleted({ step, place }: Pick<JournalRecord, 'step' | 'place'>): void {
    this.#run('UPDATE made SET deleted = 1 WHERE step = ? AND place = ?', step, place);
  }

  /** The newest records of a family before the run wrote to it; undefined before anybody looked. */
  baseline(family: string): Baseline | undefined {
    const row = this.#get('SELECT ids, newest FROM baselines WHERE family = ?', family);
    if (row === undefined) return undefined;
    const newest = textOr(row.newest);
    return { ids: new Set(JSON.parse(String(row.ids)) as string[]), ...(newest === undefined ? {} : { newest }) };
  }

  noteBaseline(family: string, { ids, newest }: Baseline): void {
    this.#run('INSERT OR IGNORE INTO baselines (family, ids, newest) VALUES (?, ?, ?)', family, JSON.stringify([...ids]), newest ?? null);
    this.flush();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#guard(() => {
      if (!this.#database.isTransaction) this.#database.exec('BEGIN IMMEDIATE');
      this.#statement(sql).run(...values);
    });
  }

  #get(sql: string, ...values: (string | number | null)[]): Record<string, SQLOutputValue> | undefined {
    return this.#guard(() => this.#statement(sql).get(...values));
  }

  #all(sql: string, ...values: (string | number | null)[]): Record<string, SQLOutputValue>[] {
    return this.#guard(() => this.#statement(sql).all(...values));
  }

  /** A statement of its own, because the loop may be left half way. */
  *#iterate(sql: string): Generator<Record<string, SQLOutputValue>> {
    yield* this.#guard(() => this.#database.prepare(sql).iterate());
  }

  #guard<T>(work: () => T): T {
    return guarded(this.path, work);
  }
}

const selectMade = 'SELECT made.*, steps.key FROM made JOIN steps ON steps.n = made.step';

function recordOf(row: Record<string, SQLOutputValue>): JournalRecord {
  const [id, created, updated] = [textOr(row.id), textOr(row.created), textOr(row.updated)];
  return {
    step: Number(row.step),
    key: String(row.key),
    place: Number(row.place),
    family: String(row.family),
    ...(id === undefined ? {} : { id: idOf(id) }),
    ...(created === undefined ? {} : { created }),
    ...(updated === undefined ? {} : { updated }),
    sure: row.sure === 1,
    own: row.own === 1,
  };
}

/** Ids are kept as text; a number that a float holds is one again. */
const idOf = (text: string): Id => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text);

const textOr = (value: SQLOutputValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const bodyOf = (text: string): Body => new Map(JSON.parse(text) as [string, string | number][]);

/** Makes the file for its owner alone; what SQLite puts beside it has the same mode. */
function makeFile(path: string): void {
  try {
    makeFolder(dirname(path));
    if (makeOwnFile(path)) return;
  } catch (error) {
    if (error instanceof CrmError) throw error;
    if (systemCode(error) === 'ENOSPC') throw diskFull(path, error);
    throw new UsageError(`The journal ${path} can't be written (${error instanceof Error ? error.message : error}).`, { cause: error });
  }
  throw new ConflictError(`There is a file ${path} already.`);
}

function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { readOnly, timeout: 5000 });
  if (!readOnly) database.exec(`PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=${logPages}; PRAGMA synchronous=NORMAL`);
  return database;
}

function readHeader(path: string, database: DatabaseSync): RunHeader {
  const tables = database.prepare("SELECT count(*) AS number FROM sqlite_master WHERE name = 'run'").get();
  const row = tables?.number === 1 ? database.prepare('SELECT * FROM run').get() : undefined;
  if (row === undefined) throw damaged(path);
  if (row.version !== version) {
    throw new ConflictError(`The journal ${path} is of another version of crm.`, {
      hint: 'Finish that run with the version that began it.',
    });
  }
  return {
    kind: String(row.kind),
    title: String(row.title),
    service: String(row.service),
    began: String(row.began),
    command: String(row.command),
    details: parseJson(String(row.details)) as Members,
  };
}

/** Runs work on a journal. Throws UnavailableError for a full disk, ConflictError for a file that is damaged. */
function guarded<T>(path: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (hasSqliteCode(error, 'full') || hasSqliteCode(error, 'io')) throw diskFull(path, error);
    if (hasSqliteCode(error, 'notDatabase') || hasSqliteCode(error, 'corrupt')) {
      throw damaged(path, error);
    }
    if (hasSqliteCode(error, 'cannotOpen') || hasSqliteCode(error, 'readOnly')) {
      throw new UsageError(`The journal ${path} can't be opened.`, { cause: error });
    }
    throw error;
  }
}

function damaged(path: string | undefined, cause?: unknown): ConflictError {
  return new ConflictError(`The journal ${path} is damaged, or is none: it can't be relied upon.`, {
    hint: 'Look at the service to see what is there, then move the file away.',
    cause,
  });
}

function diskFull(path: string | undefined, error: unknown): UnavailableError {
  return new UnavailableError(`The journal ${path} can't be written (the disk is full), so nothing more is sent.`, {
    code: 'disk_full',
    hint: 'Once there is room again, go on as the last lines say: the journal is whole.',
    cause: error,
  });
}
