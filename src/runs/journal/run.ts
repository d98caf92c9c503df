// A run in the journal: its intended steps, its sent requests, their outcomes and records. Nothing here sends anything.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { ConflictError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { type Id, storedId } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import { converted, deleted } from '../../model/identity.ts';
import type { MadeRecord, SentRequest, WriteAt } from '../step.ts';
import { type ColumnValues, insertion, type JournalFile, type SqlRow, version } from './journal-file.ts';

export interface RunHeader {
  /** The name for people: four letters and digits. */
  readonly name: string;
  /** The front end: `import`, `seed`. */
  readonly kind: string;
  /** The title in messages: the file, the name of a seed's run, or family and verb of a change. */
  readonly title: string;
  /** ISO 8601. */
  readonly began: string;
  /** The command that continues the run. */
  readonly command: string;
  /** The facts that only the front end reads. */
  readonly details: Members;
  /** The time at which the run ended (ISO 8601). Undefined while a step has no outcome. */
  readonly ended?: string | undefined;
}

/** The title of a run that changes records: `leads merge`. */
export const changeTitle = (family: string, verb: string): string => `${family} ${verb}`;

/** The verb of a run that changes records, undefined for another run: `merge`. */
export const changeVerb = ({ kind, title }: RunHeader): string | undefined => (kind === 'change' ? title.split(' ')[1] : undefined);

/** The state of a write. A `sent` write has no answer yet; after the death of its process, the write is lost. */
export type StepState = 'intended' | 'sent' | 'done' | 'failed';

const states: readonly StepState[] = ['intended', 'sent', 'done', 'failed'];

/** The state for its number in the journal. */
export const stateOf = (code: unknown): StepState => states[Number(code)] ?? 'intended';

/** The columns `n` and `part` of a write. A plain number is the first write of a step. */
const stepAndPart = (write: number | WriteAt): [n: number, part: number] =>
  typeof write === 'number' ? [write, 0] : [write.n, write.part ?? 0];

const writeAt = ({ n, part }: SqlRow): Required<WriteAt> => ({ n: Number(n), part: Number(part) });

/** A sent write without an answer, as the journal tells a later process. */
export interface SentStep extends SentRequest, Required<WriteAt> {
  readonly key: string;
  readonly family: string;
  /** The steady time of sending in milliseconds. After a restart of the machine, the request looks younger, never older. */
  readonly sentAt: number;
  /** The time-out of the process that sent the request, in milliseconds. */
  readonly timeout: number;
  /** The HTTP status with which the service confirmed a create whose record is in doubt; `target` is the id in the answer, if any. Else null. */
  readonly confirmed: number | null;
}

/** A record of the run, with its step. */
export interface RunRecord extends MadeRecord {
  readonly step: number;
  readonly part: number;
  readonly key: string;
  /** The place among the records of the step. */
  readonly place: number;
  /** True when an earlier look did not find the record. The record may be there for another key. */
  readonly isGone: boolean;
}

/**
 * What became of a record of a run, by its number in the journal. `over`: the record is deleted, or another record has its id, so nobody
 * looks for the record again. `gone`: a look did not find the record, maybe because the key doesn't see it.
 */
const ends = { stands: 0, over: 1, gone: 2 } as const;

/** A write as the journal holds it, with the old and the written values of its record, as JSON. */
export interface PastStep extends Required<WriteAt> {
  readonly key: string;
  readonly family: string;
  readonly digest: Uint8Array | null;
  readonly state: StepState;
  readonly did: string | undefined;
  /** The HTTP status with which the service refused the write, or confirmed a create whose record is in doubt. Else null. */
  readonly status: number | null;
  /** Why the write failed, why its outcome is unknown, or what the service did not take of it. */
  readonly error: string | undefined;
  /** The kind of write: `update`, `create`, the name of an action; undefined when nothing was sent. */
  readonly kind: string | undefined;
  /** The id of the record. */
  readonly id: string | undefined;
  readonly before: Members;
  /** The time at which the service created the record, by the service's answer. */
  readonly created: string | undefined;
  /** The sent values, as far as the journal holds them. */
  readonly body: Body;
  /** The answered values; undefined without an answer. */
  readonly after: Members | undefined;
}

/**
 * The whole record that a write deleted, as read before the write. Undefined for other writes, and where only the title was kept or
 * nothing at all.
 */
export const deletedRecord = ({ kind, before }: Pick<PastStep, 'kind' | 'before'>): Members | undefined =>
  (kind === 'delete' || kind === 'convert') && before.id !== undefined ? before : undefined;

/** The number of records of a family with the same outcome. */
export type Tally = Pick<PastStep, 'family' | 'state' | 'did'> & { readonly count: number };

/** Further facts of a finished write. */
export interface WriteFacts {
  /** The id of the record. */
  readonly target?: Id;
  readonly after?: unknown;
  /** What the service did not take of the write: the values, a colon, and a sentence. */
  readonly lacks?: string | undefined;
}

/** The numbers of steps or writes by outcome. */
interface Counts {
  /** Successful outcomes by name: `created`, `updated`. */
  readonly did: ReadonlyMap<string, number>;
  readonly done: number;
  readonly failed: number;
  /** The failed writes that were not sent on purpose. */
  readonly conflicts: number;
  /** The writes that were sent and have no answer. */
  readonly lost: number;
}

/** The number of rows that are read at a time. No statement stays open while the caller works on the rows. */
const rowsAtOnce = 1024;

/** A run in a journal file. */
export class Run {
  readonly file: JournalFile;
  /** The number of the run in the file. */
  readonly id: number;
  #session = 0;

  constructor(file: JournalFile, id: number) {
    this.file = file;
    this.id = id;
  }

  get header(): RunHeader {
    const headerOf = ({ name, kind, title, began, command, details, ended }: SqlRow): RunHeader => ({
      name: String(name),
      kind: String(kind),
      title: String(title),
      began: String(began),
      command: String(command),
      details: membersInText(details) ?? {},
      ended: textInSql(ended),
    });
    return this.#all(headerOf, 'SELECT * FROM runs WHERE id = ?')[0] ?? headerOf({});
  }

  get name(): string {
    return this.header.name;
  }

  get details(): Members {
    return this.header.details;
  }

  get ended(): string | undefined {
    return this.header.ended;
  }

  /** Notes that a process begins to send, with its time-out in milliseconds. The note survives a power cut. */
  begin(timeout: number): void {
    const { file, id } = this;
    file.durably(() => {
      this.#session = file.insert('sessions', { run: id, began: file.clock.now().toISOString(), timeout });
      // A run that ended under an earlier version left no open marks. The new marks are of this version.
      file.statement('UPDATE runs SET version = iif(ended IS NULL, version, ?), ended = NULL WHERE id = ?').run(version, id);
    });
  }

  /** Notes that this process sends nothing more for the run. */
  leave(): void {
    if (this.#session > 0) this.file.note('UPDATE sessions SET ended = 1 WHERE id = ?', this.#session);
    this.file.flush();
  }

  /** Notes that these writes are about to be sent. The notes are written with the next mark. */
  intend(writes: readonly (WriteAt & { readonly key: string; readonly family: string; readonly digest?: Uint8Array })[]): void {
    for (const { n, part = 0, key, family, digest } of writes)
      this.file.note(intention, this.id, n, part, key, family, digest ?? null, this.#session);
  }

  /** Marks a write as sent. The request may leave only after a flush. */
  sent(write: number | WriteAt, { kind, target, before, created, body }: SentRequest): void {
    const sentAt = Math.floor(this.file.clock.steady());
    const [n, part] = stepAndPart(write);
    const [was, sent] = [JSON.stringify(before) ?? null, body === undefined ? null : JSON.stringify([...body])];
    this.file.note(marking, this.#session, sentAt, kind, idInSql(target) ?? null, was, created ?? null, sent, this.id, n, part);
  }

  /** Notes that a write is done, with its records. */
  done(write: number | WriteAt, did: string, made: readonly MadeRecord[], { target, after, lacks }: WriteFacts = {}): void {
    const [step, part] = stepAndPart(write);
    this.file.note(ending, did, lacks ?? null, JSON.stringify(after) ?? null, idInSql(target) ?? null, this.id, step, part);
    if (did === deleted || did === converted) this.file.note(goneForImports, this.id, step, part);
    for (const [place, { family, id, own, created }] of made.entries()) {
      const told = [family, idInSql(id) ?? null, Number(id !== undefined), Number(own), created ?? null];
      this.file.note(making, this.id, step, part, place, ...told, this.#session);
    }
  }

  /**
   * Notes that a write failed. `status`: the HTTP status of the service's answer; null without an answer. `conflictOn`: the record of a
   * write that was not sent on purpose.
   */
  failed(write: number | WriteAt, status: number | null, error: string, conflictOn?: Id): void {
    const conflict = conflictOn === undefined ? { did: null, status } : { did: 'conflict', status: null, target: idInSql(conflictOn) };
    this.#set(write, { state: 3, error, ...conflict });
  }

  /** Takes back the mark of a write. `isAgain`: a look called the sent write absent, so the write is sent a second time. */
  unsent(write: number | WriteAt, isAgain = false): void {
    this.#set(write, { state: 0, sent_at: null, status: null, error: null, ...(isAgain ? { again: 1 } : {}) });
  }

  /** The creates and comments that were sent again. */
  sentAgain(): PastStep[] {
    return [...this.#steps('again = 1 AND state > 0')];
  }

  /**
   * Notes that the service confirmed a create with an HTTP status, and that the record is in doubt: the create is never sent again. `id`:
   * of the answer, if it told one.
   */
  confirmed(write: number | WriteAt, status: number, id: Id | undefined): void {
    this.#set(write, { status, target: idInSql(id) });
  }

  /** Notes why the outcome of a lost write stays unknown. */
  unknown(write: number | WriteAt, why: string): void {
    this.#set(write, { error: why });
  }

  /** Deletes a write and its records, so that the write can be done anew. */
  forget(write: number | WriteAt): void {
    this.file.note('DELETE FROM made WHERE run = ? AND step = ? AND part = ?', this.id, ...stepAndPart(write));
    this.file.note(`DELETE FROM steps WHERE ${ofWrite}`, this.id, ...stepAndPart(write));
  }

  /** Deletes the writes that are only intended. */
  dropIntents(): void {
    this.file.note(`DELETE FROM steps WHERE run = ? AND state = 0`, this.id);
    this.flush();
  }

  /** Notes that every step has its outcome, and deletes the parts that had nothing to write. */
  end(at: string): void {
    this.file.note("DELETE FROM steps WHERE run = ? AND part > 0 AND did = 'unchanged'", this.id);
    this.file.note('UPDATE runs SET ended = ? WHERE id = ?', at, this.id);
    this.flush();
  }

  /** Adds `details` to the facts of the front end. */
  keep(details: Members): void {
    this.file.note('UPDATE runs SET details = json_patch(details, ?) WHERE id = ?', JSON.stringify(details), this.id);
    this.flush();
  }

  /** Notes the time of the answer to the run's last write, by the service's clock: a Date header. */
  noteLastWrite(date: string): void {
    const sql = "UPDATE runs SET details = json_set(details, '$.last_write', ?) WHERE id = ?";
    this.file.note(sql, date, this.id);
  }

  /** Throws ConflictError for a run that was cut off under an earlier version of crm: this version would misread the marks. */
  refuseEarlierVersion(): void {
    if (!this.#has('FROM runs WHERE id = ? AND version < ? AND ended IS NULL', version)) return;
    throw new ConflictError(
      `Run ${this.name} was cut off under an earlier version of crm, so this version can't resume the run. Nothing was sent.`,
      {
        code: 'run_unfinished',
        hint: `crm history ${this.name} lists the writes of the run, and crm undo ${this.name} takes them back.`,
      },
    );
  }

  /** The time when a process last began to send, ISO 8601. */
  get lastBegan(): string {
    const sql = 'SELECT max(began) AS began FROM sessions WHERE run = ?';
    return this.#all(({ began }) => textInSql(began), sql)[0] ?? this.header.began;
  }

  /** Deletes the run with all its notes. Of a run with more than `most` steps, deletes its name and its last steps. */
  remove(most = Number.MAX_SAFE_INTEGER): void {
    const { file, id } = this;
    const kept = this.highest - most;
    file.now(() => {
      file.statement('DELETE FROM runs WHERE id = ?').run(id);
      file.statement('DELETE FROM made WHERE run = ? AND step > ?').run(id, kept);
      file.statement('DELETE FROM steps WHERE run = ? AND n > ?').run(id, kept);
      if (kept > 0) return;
      for (const table of ['baselines', 'sessions']) file.statement(`DELETE FROM ${table} WHERE run = ?`).run(id);
    });
  }

  /** `JournalFile.flush` */
  flush(): void {
    this.file.flush();
  }

  /** `JournalFile.sync` */
  sync(): Promise<void> {
    return this.file.sync();
  }

  /** The state of a write; undefined when the write was never intended. */
  state(write: number | WriteAt): StepState | undefined {
    return this.#all(({ state }) => stateOf(state), `SELECT state FROM steps WHERE ${ofWrite}`, ...stepAndPart(write))[0];
  }

  /** True when all writes of a step are done. */
  isDone(n: number): boolean {
    return (
      this.#all(({ done }) => done === 1, 'SELECT min(state) = 2 AND max(state) = 2 AS done FROM steps WHERE run = ? AND n = ?', n)[0] ===
      true
    );
  }

  /** The key of the step that made a record, even if the record was deleted since. */
  keyOf(family: string, id: string): string | undefined {
    // Without this index, SQLite reads all records of the run for every id.
    const sql = `SELECT key FROM made INDEXED BY made_by_id JOIN steps ON ${madeBy}
      WHERE made.run = ? AND made.family = ? AND id = ? AND own = 1`;
    return this.#all(({ key }) => String(key), sql, family, id)[0];
  }

  /** The highest number of a step; 0 without steps. */
  get highest(): number {
    return Number(this.#all(({ n }) => n, 'SELECT max(n) AS n FROM steps WHERE run = ?')[0] ?? 0);
  }

  /** Gives each write in `moved` a new step number and a new key, and deletes all other writes. Records move with their writes. */
  renumber(moved: readonly { readonly from: WriteAt; readonly to: number; readonly key: string }[]): void {
    const { file, id } = this;
    file.now(() => {
      file.statement('UPDATE steps SET n = -n WHERE run = ?').run(id);
      file.statement('UPDATE made SET step = -step WHERE run = ?').run(id);
      const step = file.statement(`UPDATE steps SET n = ?, key = ? WHERE ${ofWrite}`);
      const made = file.statement('UPDATE made SET step = ? WHERE run = ? AND step = ? AND part = ?');
      for (const { from, to, key } of moved) {
        const [n, part] = stepAndPart(from);
        step.run(to, key, id, -n, part);
        made.run(to, id, -n, part);
      }
      file.statement('DELETE FROM made WHERE run = ? AND step < 0').run(id);
      file.statement('DELETE FROM steps WHERE run = ? AND n < 0').run(id);
    });
  }

  /** The writes that were sent and have no answer. */
  lost(): SentStep[] {
    const sql = `SELECT steps.*, sessions.timeout FROM steps JOIN sessions ON sessions.id = steps.session
      WHERE steps.run = ? AND state = 1 ORDER BY n, part`;
    const sentOf = (row: SqlRow): SentStep => ({
      ...writeAt(row),
      key: String(row.key),
      family: String(row.family),
      kind: textInSql(row.kind) ?? 'create',
      ...(row.target === null ? {} : { target: String(row.target) }),
      ...(row.before === null ? {} : { before: parseJson(String(row.before)) }),
      ...(row.body === null ? {} : { body: bodyOf(String(row.body)) }),
      sentAt: Number(row.sent_at ?? Number.POSITIVE_INFINITY),
      timeout: Number(row.timeout),
      confirmed: row.status === null ? null : Number(row.status),
    });
    return this.#all(sentOf, sql);
  }

  /** The writes of which the service took some values, and others not. */
  notTaken(): Generator<PastStep> {
    return this.#steps('state = 2 AND error IS NOT NULL');
  }

  /** Every write in order, also the writes that are only intended. */
  steps(): Generator<PastStep> {
    return this.#steps('true');
  }

  /** The writes that were sent, or whose record was already as wanted, in order. `part`: the first or the further writes of steps. */
  past({ state, part }: { readonly state?: StepState; readonly part?: 'first' | 'further' } = {}): Generator<PastStep> {
    const inState = state === undefined ? 'state > 0' : `state = ${states.indexOf(state)}`;
    return this.#steps(`${inState} AND ${part === undefined ? 'true' : part === 'first' ? 'part = 0' : 'part > 0'}`);
  }

  /** The writes of the run that changed or made a record, or may have done so, in order. */
  writesTo(family: string, id: Id): PastStep[] {
    return [...this.#steps(`${mayHaveDone} AND family = ? AND id = ?`, family, idInSql(id) ?? '')];
  }

  /** The given writes, in order. */
  pastAt(writes: readonly (number | WriteAt)[]): PastStep[] {
    const sql = `${selectPast} WHERE run = ? AND (n, part) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) ORDER BY n, part`;
    return this.#all(pastStepOf, sql, JSON.stringify(writes.map(stepAndPart)));
  }

  /** True when a step of the run can be taken back, because the step changed or made a record. */
  get canBeUndone(): boolean {
    return (
      this.hasMade ||
      this.#has("FROM steps WHERE run = ? AND state = 2 AND did <> 'unchanged' AND kind NOT IN ('delete', 'convert', 'comment')")
    );
  }

  /** True when a step of the run changed or made a record, or may have done so. */
  get mayHaveChanged(): boolean {
    return this.hasMade || this.#has(`FROM steps WHERE run = ? AND ${mayHaveDone}`);
  }

  /** True when this process sent a write of the run. */
  get hasSent(): boolean {
    return this.#has('FROM steps WHERE run = ? AND state > 0 AND session = ?', this.#session);
  }

  /** True when the run deleted or converted records, and did nothing else that can be taken back. */
  get isFinal(): boolean {
    return !this.canBeUndone && this.#has("FROM steps WHERE run = ? AND state = 2 AND kind IN ('delete', 'convert')");
  }

  /** True when the run made a record that still stands, as far as the journal knows. */
  get hasMade(): boolean {
    return this.#has('FROM made WHERE run = ? AND own = 1 AND deleted = 0');
  }

  /**
   * The numbers of records of each family by outcome. A record counts as changed when any write changed the record. For an import and a
   * single write, only the first writes count.
   */
  tally(): Tally[] {
    const record = `family || ' ' || COALESCE(target, -n)`;
    const sql = `SELECT family, state, did, count(DISTINCT ${record}) AS number FROM steps WHERE run = ?1 AND
      (part = 0 OR (SELECT kind FROM runs WHERE id = ?1) NOT IN ('import', 'single')) AND
      (did IS NOT 'unchanged' OR ${record} NOT IN (SELECT ${record} FROM steps WHERE run = ?1 AND state = 2 AND did <> 'unchanged'))
      GROUP BY family, state, did`;
    const tallyOf = ({ family, state, did, number }: SqlRow): Tally => ({
      family: String(family),
      state: stateOf(state),
      did: textInSql(did),
      count: Number(number),
    });
    return this.#all(tallyOf, sql);
  }

  /** The numbers of writes by outcome, or of steps by the outcome of their first writes. `upTo`: the highest step that counts. */
  counts(of: 'writes' | 'steps' = 'writes', upTo = Number.MAX_SAFE_INTEGER): Counts {
    const sql = `SELECT did, sum(state = 1) AS lost, sum(state = 2) AS done, sum(state = 3) AS failed,
      sum(state = 3 AND did IS NOT NULL) AS conflicts FROM steps WHERE run = ? AND n <= ? AND ${of === 'steps' ? 'part = 0' : 'true'} GROUP BY did`;
    const rows = this.#all((row) => row, sql, upTo);
    const sum = (column: string): number => rows.reduce((total, row) => total + Number(row[column]), 0);
    return {
      did: new Map(rows.filter(({ done }) => done !== 0).map(({ did, done }) => [String(did), Number(done)])),
      done: sum('done'),
      failed: sum('failed'),
      conflicts: sum('conflicts'),
      lost: sum('lost'),
    };
  }

  /** The records of a write, the main record first. */
  made(write: number | WriteAt): RunRecord[] {
    return this.#all(
      recordOfSql,
      `${selectMade} AND deleted = 0 AND made.step = ? AND made.part = ? ORDER BY place`,
      ...stepAndPart(write),
    );
  }

  /** Every record of the run that stands, in the order of steps. `withGone`: also the records that an earlier look did not find. */
  records({ withGone = false } = {}): RunRecord[] {
    return this.#all(recordOfSql, `${selectMade} AND deleted IN (0, ${withGone ? ends.gone : 0}) ORDER BY made.step, made.part, place`);
  }

  /** The values that the service changed or added in the run's first record of a family (`madeOf`); undefined while unknown. */
  firstMade(family: string): Members | undefined {
    const sql = "SELECT after FROM steps WHERE run = ? AND family = ? AND kind = 'create' AND after IS NOT NULL ORDER BY n, part LIMIT 1";
    return this.#all(({ after }) => membersInText(after), sql, family)[0];
  }

  /**
   * The ids that a lost create of this run can't have, because journals know whose they are: records of this run, and of runs that began
   * to send after this run's baseline.
   */
  *knownIds(family: string): Generator<string> {
    // Without the plus sign, SQLite would use another index and read the records of all runs.
    const sql = `SELECT id FROM made WHERE +family = ?1 AND id IS NOT NULL AND run IN (SELECT ?2 UNION SELECT run FROM sessions
      WHERE id > coalesce((SELECT session FROM baselines WHERE run = ?2 AND baselines.family = ?1), 0))`;
    this.file.flush();
    for (const { id } of this.file.statement(sql).iterate(family, this.id)) yield String(id);
  }

  /** The records among `ids` to which this run wrote after finding them. */
  changedAmong(family: string, ids: readonly Id[]): ReadonlySet<string> {
    const sql = "SELECT target FROM steps WHERE run = ? AND family = ? AND kind <> 'create' AND target IN (SELECT value FROM json_each(?))";
    return new Set(this.#all(({ target }) => String(target), sql, family, JSON.stringify(ids.map(scalarText))));
  }

  /** Notes what became of a record. */
  noteEnd({ step, part, place }: Pick<RunRecord, 'step' | 'part' | 'place'>, end: keyof typeof ends): void {
    const sql = 'UPDATE made SET deleted = ? WHERE run = ? AND step = ? AND part = ? AND place = ?';
    this.file.note(sql, ends[end], this.id, step, part, place);
  }

  /** The ids of the newest records of a family, read before the creates of a round; undefined before the run's first create. */
  baseline(family: string): ReadonlySet<string> | undefined {
    const sql = 'SELECT ids FROM baselines WHERE run = ? AND family = ?';
    return this.#all(({ ids }) => new Set(JSON.parse(String(ids)) as string[]), sql, family)[0];
  }

  noteBaseline(family: string, ids: readonly string[]): void {
    const row = { run: this.id, family, ids: JSON.stringify(ids), session: this.#session };
    const [sql, ...values] = insertion('baselines', row);
    // The session stays that of the first baseline: records that other runs made since then are known.
    this.file.note(`${sql} ON CONFLICT (run, family) DO UPDATE SET ids = excluded.ids`, ...values);
    this.flush();
  }

  /** The writes that meet `condition`, in order, `rowsAtOnce` at a time. */
  *#steps(condition: string, ...values: readonly string[]): Generator<PastStep> {
    const sql = `${selectPast} WHERE run = ? AND (n, part) > (?, ?) AND ${condition} ORDER BY n, part LIMIT ${rowsAtOnce}`;
    for (let after: [number, number] = [0, 0]; ; ) {
      const some = this.#all(pastStepOf, sql, ...after, ...values);
      yield* some;
      const last = some.at(-1);
      if (last === undefined || some.length < rowsAtOnce) return;
      after = stepAndPart(last);
    }
  }

  /** Sets columns of a write with the next flush. */
  #set(write: number | WriteAt, columns: ColumnValues): void {
    const values = Object.values(columns).map((value) => value ?? null);
    const sets = Object.keys(columns).join(' = ?, ');
    this.file.note(`UPDATE steps SET ${sets} = ? WHERE ${ofWrite}`, ...values, this.id, ...stepAndPart(write));
  }

  /** `JournalFile.all` for a query whose first value is the run. */
  #all<T>(as: (row: SqlRow) => T, sql: string, ...values: SQLInputValue[]): T[] {
    return this.file.all(as, sql, this.id, ...values);
  }

  /** True when there is a row. The first value is the run. */
  #has(rows: string, ...values: SQLInputValue[]): boolean {
    return this.#all(() => true, `SELECT 1 ${rows} LIMIT 1`, ...values).length > 0;
  }
}

/** The condition for writes that changed or made a record, or may have done so. */
const mayHaveDone = "state IN (1, 2) AND did IS NOT 'unchanged'";

/** The condition for one write. */
const ofWrite = 'run = ? AND n = ? AND part = ?';

/** The condition that joins records with the writes that made them. */
const madeBy = 'made.run = steps.run AND made.step = steps.n AND made.part = steps.part';

const selectMade = `SELECT made.*, steps.key FROM made JOIN steps ON ${madeBy} WHERE made.run = ?`;

/** Adds the row of a write. When a write begins anew, only its column `again` is kept. */
const intention = `INSERT INTO steps (run, n, part, key, family, digest, state, session) VALUES (?, ?, ?, ?, ?, ?, 0, ?)
  ON CONFLICT (run, n, part) DO UPDATE SET key = excluded.key, family = excluded.family, digest = excluded.digest, state = 0,
  session = excluded.session, sent_at = NULL, kind = NULL, target = NULL, body = NULL, before = NULL, created = NULL, after = NULL,
  did = NULL, status = NULL, error = NULL`;

/** Marks a write as sent. A request without a body leaves the column as it is. */
const marking = `UPDATE steps SET state = 1, session = ?, sent_at = ?, kind = ?, target = ?, before = ?, created = ?, body = coalesce(?, body)
  WHERE ${ofWrite}`;

/** Notes that a write is done. Without a target, the target of the request stays; the id in the answer to a create goes. */
const ending = `UPDATE steps SET state = 2, did = ?, status = NULL, error = ?, after = ?,
  target = coalesce(?, iif(kind = 'create', NULL, target)) WHERE ${ofWrite}`;

/**
 * Notes a deleted record as gone in the imports that made the record. An import's row then no longer counts as created. Seeds look at the
 * service for themselves.
 */
const goneForImports = `UPDATE made SET deleted = ${ends.gone} WHERE deleted = ${ends.stands} AND run IN (SELECT id FROM runs WHERE kind = 'import')
  AND (family, id) = (SELECT family, target FROM steps WHERE ${ofWrite} AND (kind = 'delete' OR before ->> 'id' IS NOT NULL))`;

const making = `INSERT OR REPLACE INTO made (run, step, part, place, family, id, sure, own, created, session)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const selectPast = `SELECT run, n, part, key, family, digest, state, kind, did, status, error, before, created, body, after,
  coalesce(CASE WHEN kind <> 'create' THEN target END,
    (SELECT id FROM made WHERE ${madeBy} AND place = 0), target) AS id FROM steps`;

function pastStepOf(row: SqlRow): PastStep {
  return {
    ...writeAt(row),
    key: String(row.key),
    family: String(row.family),
    digest: row.digest instanceof Uint8Array ? row.digest : null,
    state: stateOf(row.state),
    did: textInSql(row.did),
    status: row.status === null ? null : Number(row.status),
    error: textInSql(row.error),
    kind: textInSql(row.kind),
    id: textInSql(row.id),
    before: membersInText(row.before) ?? {},
    created: textInSql(row.created),
    body: typeof row.body === 'string' ? bodyOf(row.body) : new Map(),
    after: membersInText(row.after),
  };
}

function membersInText(text: SQLOutputValue | undefined): Members | undefined {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  return isMembers(value) ? value : undefined;
}

function recordOfSql(row: SqlRow): RunRecord {
  const id = textInSql(row.id);
  return {
    step: Number(row.step),
    part: Number(row.part),
    key: String(row.key),
    place: Number(row.place),
    family: String(row.family),
    id: id === undefined || row.sure === 0 ? undefined : storedId(id),
    created: textInSql(row.created),
    own: row.own === 1,
    isGone: row.deleted === ends.gone,
  };
}

const idInSql = (id: Id | undefined): string | undefined => (id === undefined ? undefined : scalarText(id));

const textInSql = (value: SQLOutputValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const bodyOf = (text: string): Body => new Map(JSON.parse(text) as [string, BodyValue][]);
