// A run in the journal: its intended steps, its sent requests, their outcomes and records. Nothing here sends anything.

import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { ConflictError } from '../../base/errors.ts';
import type { Body, BodyValue } from '../../base/values/body.ts';
import { parseJson, scalarText } from '../../base/values/json.ts';
import { type Id, keptId } from '../../base/values/parse.ts';
import { isMembers, type Members } from '../../base/values/paths.ts';
import type { MadeRecord, SentRequest, WriteAt } from '../step.ts';
import { type Columns, insertion, type JournalFile, type SqlRow, version } from './journal-file.ts';

export interface RunHeader {
  /** The name for people: four letters and digits. */
  readonly name: string;
  /** The front end: `import`, `seed`. */
  readonly kind: string;
  /** The title in messages: the file, or the name of a seed's run. */
  readonly title: string;
  /** ISO 8601. */
  readonly began: string;
  /** The command that continues the run. */
  readonly command: string;
  /** The facts that only the front end reads. */
  readonly details: Members;
}

/** The state of a write. A `sent` write has no answer yet; after the death of its process, the write is lost. */
export type StepState = 'intended' | 'sent' | 'done' | 'failed';

const states: readonly StepState[] = ['intended', 'sent', 'done', 'failed'];

/** The state for its number in the journal. */
export const stateOf = (code: unknown): StepState => states[Number(code)] ?? 'intended';

/** The columns `n` and `part` of a write. A plain number is the first write of a step. */
const placeOf = (write: number | WriteAt): [n: number, part: number] =>
  typeof write === 'number' ? [write, 0] : [write.n, write.part ?? 0];

const writeAt = ({ n, part }: SqlRow): Required<WriteAt> => ({ n: Number(n), part: Number(part) });

/** A sent write without an answer, as the journal tells a later process. */
export interface SentStep extends SentRequest, Required<WriteAt> {
  readonly key: string;
  readonly family: string;
  /**
   * The steady time of sending in milliseconds. After a restart of the machine, the request looks younger than its true age, never older.
   */
  readonly sentAt: number;
  /** The time-out of the process that sent the request, in milliseconds. */
  readonly timeout: number;
}

/** A record of the run, with its step. */
export interface RunRecord extends MadeRecord {
  readonly step: number;
  readonly part: number;
  readonly key: string;
  /** The place among the records of the step. */
  readonly place: number;
}

/** A finished step, with the old and the written values of its record, as JSON. */
export interface PastStep extends Required<WriteAt> {
  readonly key: string;
  readonly family: string;
  readonly state: StepState;
  readonly did: string | undefined;
  /** The HTTP status with which the service refused the write; null without a refusal. */
  readonly status: number | null;
  /** Why the write failed, or why its outcome is unknown. */
  readonly error: string | undefined;
  /** The kind of write: `update`, `create`, the name of an action; undefined when nothing was sent. */
  readonly kind: string | undefined;
  /** The id of the record. */
  readonly id: string | undefined;
  readonly before: Members;
  /** The time at which the service created the record, by the service's answer. */
  readonly created: string | undefined;
  /** The sent values, as far as the journal holds them. */
  readonly body: ReadonlyMap<string, BodyValue>;
  /** The answered values; undefined without an answer. */
  readonly after: Members | undefined;
}

/** Selects writes by state, and by place: the first writes of steps, or the further writes. Without `state` and `part`: all writes. */
interface Which {
  readonly state?: StepState;
  readonly part?: 'first' | 'further';
}

/** The number of records of a family with the same outcome. */
export interface Tally {
  readonly family: string;
  readonly state: StepState;
  readonly did: string | undefined;
  readonly count: number;
}

/** Further facts of a finished write. */
export interface About {
  /** The id of the record. */
  readonly target?: Id;
  readonly after?: unknown;
}

/** The numbers of steps or writes by outcome. */
export interface Counts {
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
    const row = this.#get('SELECT * FROM runs WHERE id = ?', this.id) ?? {};
    return {
      name: String(row.name),
      kind: String(row.kind),
      title: String(row.title),
      began: String(row.began),
      command: String(row.command),
      details: this.file.guard(() => parseJson(String(row.details)) as Members),
    };
  }

  get name(): string {
    return String(this.#get('SELECT name FROM runs WHERE id = ?', this.id)?.name);
  }

  get details(): Members {
    return this.header.details;
  }

  /** Notes that a process begins to send, with its time-out in milliseconds. */
  begin(timeout: number): void {
    this.file.durably(() => {
      const { file, id } = this;
      this.#session = file.insert('sessions', { run: id, began: file.clock.now().toISOString(), timeout });
      // A run that ended under an earlier version left no open marks. The new marks are of this version.
      file.statement('UPDATE runs SET version = iif(ended IS NULL, version, ?), ended = NULL WHERE id = ?').run(version, id);
    });
  }

  /** Notes that this process sends nothing more for the run. */
  leave(): void {
    if (this.#session > 0) this.#note('UPDATE sessions SET ended = 1 WHERE id = ?', this.#session);
    this.file.flush();
  }

  /** Notes that these writes are about to be sent. The notes are written with the next mark. */
  intend(writes: readonly (WriteAt & { readonly key: string; readonly family: string; readonly digest?: Uint8Array })[]): void {
    for (const { n, part = 0, key, family, digest } of writes) {
      const row = { run: this.id, n, part, key, family, digest, state: 0, session: this.#session };
      const [sql, ...values] = insertion('steps', row);
      // When a write begins anew, only its column `again` is kept.
      const anew = `ON CONFLICT (run, n, part) DO UPDATE SET key = excluded.key, family = excluded.family, digest = excluded.digest, state = 0,
        session = excluded.session, sent_at = NULL, kind = NULL, target = NULL, body = NULL, before = NULL, created = NULL, after = NULL,
        did = NULL, status = NULL, error = NULL`;
      this.#note(`${sql} ${anew}`, ...values);
    }
  }

  /** Marks a write as sent. The request may leave only after a flush. */
  sent(write: number | WriteAt, { kind, target, before, created, body }: SentRequest): void {
    this.#set(write, {
      state: 1,
      session: this.#session,
      sent_at: Math.floor(this.file.clock.steady()),
      kind,
      target: idText(target),
      before: JSON.stringify(before),
      created,
      ...(body === undefined ? {} : { body: JSON.stringify([...body]) }),
    });
  }

  /** Notes that a write is done, with its records. */
  done(write: number | WriteAt, did: string, made: readonly MadeRecord[], { target, after }: About = {}): void {
    const about = target === undefined ? {} : { target: idText(target) };
    this.#set(write, { state: 2, did, status: null, error: null, after: JSON.stringify(after), ...about });
    const [step, part] = placeOf(write);
    for (const [place, { family, id, sure, own, created }] of made.entries()) {
      const told = { family, id: idText(id), sure: Number(sure), own: Number(own), created };
      this.#note(...insertion('made', { run: this.id, step, part, place, ...told, session: this.#session }, 'INSERT OR REPLACE'));
    }
  }

  /** Notes that a write failed. `status`: the HTTP status of the service's answer; null without an answer. */
  failed(write: number | WriteAt, status: number | null, error: string): void {
    this.#set(write, { state: 3, did: null, status, error });
  }

  /** Notes that a write was not sent on purpose, with the id of its record. */
  conflict(write: number | WriteAt, target: Id, error: string): void {
    this.#set(write, { state: 3, did: 'conflict', target: idText(target), status: null, error });
  }

  /** Takes back the mark of a write. `isAgain`: a look called the sent write absent, so the write is sent a second time. */
  unsent(write: number | WriteAt, isAgain = false): void {
    this.#set(write, { state: 0, sent_at: null, error: null, ...(isAgain ? { again: 1 } : {}) });
  }

  /** The keys of the finished steps that were sent again. */
  sentAgain(): string[] {
    const sql = 'SELECT key FROM steps WHERE run = ? AND again = 1 AND state = 2 ORDER BY n, part';
    return this.#all(sql, this.id).map(({ key }) => String(key));
  }

  /** Notes why the outcome of a lost write stays unknown. */
  unknown(write: number | WriteAt, why: string): void {
    this.#set(write, { error: why });
  }

  /** Deletes a write and its records, so that the write can be done anew. */
  forget(write: number | WriteAt): void {
    this.#note('DELETE FROM made WHERE run = ? AND step = ? AND part = ?', this.id, ...placeOf(write));
    this.#note(`DELETE FROM steps WHERE ${ofWrite}`, this.id, ...placeOf(write));
  }

  /** Deletes the writes that are only intended. */
  dropIntents(): void {
    this.#note(`DELETE FROM steps WHERE run = ? AND state = 0`, this.id);
    this.flush();
  }

  /** Notes that every step has its outcome, and deletes the parts that had nothing to write. */
  end(at: string): void {
    this.#note("DELETE FROM steps WHERE run = ? AND part > 0 AND did = 'unchanged'", this.id);
    this.#note('UPDATE runs SET ended = ? WHERE id = ?', at, this.id);
    this.flush();
  }

  /** The time at which the run ended (ISO 8601). Undefined while a step has no outcome. */
  get ended(): string | undefined {
    return textOr(this.#get('SELECT ended FROM runs WHERE id = ?', this.id)?.ended);
  }

  /** Adds `details` to the facts of the front end. */
  keep(details: Members): void {
    this.#note('UPDATE runs SET details = json_patch(details, ?) WHERE id = ?', JSON.stringify(details), this.id);
    this.flush();
  }

  /** Throws ConflictError for a run that was cut off under an earlier version of crm: this version would misread the marks. */
  refuseEarlierVersion(): void {
    if (this.#get('SELECT 1 FROM runs WHERE id = ? AND version < ? AND ended IS NULL', this.id, version) === undefined) return;
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
    return textOr(this.#get('SELECT max(began) AS began FROM sessions WHERE run = ?', this.id)?.began) ?? this.header.began;
  }

  /** Deletes the run with all its notes. */
  remove(): void {
    const { file, id } = this;
    file.now(() => {
      for (const table of ['steps', 'made', 'baselines', 'sessions']) file.statement(`DELETE FROM ${table} WHERE run = ?`).run(id);
      file.statement('DELETE FROM runs WHERE id = ?').run(id);
    });
  }

  /**
   * Writes the pending notes to the file. Other processes then see the notes, which survive the death of this process. Throws
   * UnavailableError when the disk is full.
   */
  flush(): void {
    this.file.flush();
  }

  /** Writes the pending notes. The pending notes and all earlier notes then survive a power cut. */
  sync(): void {
    this.file.sync();
  }

  /** The state of a write; undefined when the write was never intended. */
  state(write: number | WriteAt): StepState | undefined {
    const row = this.#get(`SELECT state FROM steps WHERE ${ofWrite}`, this.id, ...placeOf(write));
    return row === undefined ? undefined : stateOf(row.state);
  }

  /** `done` when all writes of a step are done, `failed` when one failed; else undefined. */
  endOf(n: number): 'done' | 'failed' | undefined {
    const row = this.#get('SELECT min(state) AS low, max(state) AS high FROM steps WHERE run = ? AND n = ?', this.id, n) ?? {};
    if (row.high === 3) return 'failed';
    return row.low === 2 ? 'done' : undefined;
  }

  /** The key of the step that made a record, even if the record was deleted since. */
  keyOf(family: string, id: string): string | undefined {
    // Without this index, SQLite reads all records of the run for every id.
    const sql = `SELECT key FROM made INDEXED BY made_by_id JOIN steps ON ${madeBy}
      WHERE made.family = ? AND id = ? AND made.run = ? AND own = 1`;
    return textOr(this.#get(sql, family, id, this.id)?.key);
  }

  /** Every write in order, with the facts that front ends compare. */
  *steps(): Generator<
    Required<WriteAt> & { key: string; family: string; digest: Uint8Array | null; state: StepState; did: string | undefined }
  > {
    for (const row of this.#steps(`SELECT n, part, key, family, digest, state, did`)) {
      yield {
        ...writeAt(row),
        key: String(row.key),
        family: String(row.family),
        digest: row.digest instanceof Uint8Array ? row.digest : null,
        state: stateOf(row.state),
        did: textOr(row.did),
      };
    }
  }

  /** The highest number of a step; 0 without steps. */
  get highest(): number {
    return Number(this.#get('SELECT coalesce(max(n), 0) AS n FROM steps WHERE run = ?', this.id)?.n);
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
        const [n, part] = placeOf(from);
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
      kind: textOr(row.kind) ?? 'create',
      ...(row.target === null ? {} : { target: String(row.target) }),
      ...(row.before === null ? {} : { before: parseJson(String(row.before)) }),
      ...(row.body === null ? {} : { body: bodyOf(String(row.body)) }),
      sentAt: Number(row.sent_at ?? Number.POSITIVE_INFINITY),
      timeout: Number(row.timeout),
    });
    return this.#allAs(sentOf, sql, this.id);
  }

  /** The create body of a write. */
  bodyOf(write: number | WriteAt): Body | undefined {
    const text = textOr(this.#get(`SELECT body FROM steps WHERE ${ofWrite}`, this.id, ...placeOf(write))?.body);
    return text === undefined ? undefined : this.file.guard(() => bodyOf(text));
  }

  /** The bodies that writes of a kind sent to a record. */
  bodiesTo(kind: string, target: Id): Body[] {
    const sql = 'SELECT body FROM steps WHERE run = ? AND kind = ? AND target = ? AND body IS NOT NULL';
    return this.#allAs((row) => bodyOf(String(row.body)), sql, this.id, kind, scalarText(target));
  }

  /** The writes that were sent, or whose record was already as wanted, in order. */
  *past({ state, part }: Which = {}): Generator<PastStep> {
    const inState = state === undefined ? 'state > 0' : `state = ${states.indexOf(state)}`;
    const ofPart = part === undefined ? 'true' : part === 'first' ? 'part = 0' : 'part > 0';
    for (const row of this.#steps(selectPast, `${inState} AND ${ofPart}`)) yield this.file.guard(() => pastOf(row));
  }

  /** The given writes, in order. */
  pastAt(writes: readonly (number | WriteAt)[]): PastStep[] {
    const sql = `${selectPast} FROM steps WHERE run = ? AND (n, part) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) ORDER BY n, part`;
    return this.#allAs(pastOf, sql, this.id, JSON.stringify(writes.map(placeOf)));
  }

  /**
   * The writes of later runs to the given records of a family, the latest last. An entry has the name of the later run and the names of the
   * written values.
   */
  writtenLater(family: string, ids: readonly string[]): { readonly id: string; readonly run: string; readonly names: readonly string[] }[] {
    const sql = `SELECT target, name, before, body FROM steps JOIN runs ON runs.id = run
      WHERE run > ? AND family = ? AND target IN (SELECT value FROM json_each(?)) AND steps.kind IS NOT NULL AND steps.state = 2
      ORDER BY run, n, part`;
    const written = ({ target, name, before, body }: SqlRow): ReturnType<Run['writtenLater']>[number] => ({
      id: String(target),
      run: String(name),
      names: [...Object.keys(membersInText(before) ?? {}), ...(typeof body === 'string' ? bodyOf(body).keys() : [])],
    });
    return this.#allAs(written, sql, this.id, family, JSON.stringify(ids));
  }

  /** True when a step of the run can be taken back, because the step changed or made a record. */
  get canBeUndone(): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM steps WHERE run = ?1 AND state = 2 AND kind NOT IN ('delete', 'comment')) AS some`;
    return this.hasMade || this.#get(sql, this.id)?.some === 1;
  }

  /** True when the run made a record that still stands, as far as the journal knows. */
  get hasMade(): boolean {
    const sql = 'SELECT EXISTS (SELECT 1 FROM made WHERE run = ? AND own = 1 AND deleted = 0) AS some';
    return this.#get(sql, this.id)?.some === 1;
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
    return this.#all(sql, this.id).map(({ family, state, did, number }) => ({
      family: String(family),
      state: stateOf(state),
      did: textOr(did),
      count: Number(number),
    }));
  }

  /** The numbers of steps by the outcome of their first writes. `upTo`: the highest step that counts. */
  stepCounts(upTo = Number.MAX_SAFE_INTEGER): Counts {
    return this.#countsOf('part = 0 AND n <= ?', upTo);
  }

  /** The numbers of writes by outcome. */
  counts(): Counts {
    return this.#countsOf('true');
  }

  #countsOf(condition: string, ...values: number[]): Counts {
    const did = new Map<string, number>();
    let [done, failed, conflicts, lost] = [0, 0, 0, 0];
    const sql = `SELECT state, did, count(*) AS number FROM steps WHERE run = ? AND ${condition} GROUP BY state, did`;
    for (const row of this.#all(sql, this.id, ...values)) {
      const [state, number] = [stateOf(row.state), Number(row.number)];
      if (state === 'done') {
        done += number;
        did.set(String(row.did), (did.get(String(row.did)) ?? 0) + number);
      } else if (state === 'failed') {
        failed += number;
        if (row.did !== null) conflicts += number;
      } else if (state === 'sent') lost += number;
    }
    return { did, done, failed, conflicts, lost };
  }

  /** The records of a write, the main record first. */
  made(write: number | WriteAt): RunRecord[] {
    const sql = `${selectMade} WHERE made.run = ? AND made.step = ? AND made.part = ? AND deleted = 0 ORDER BY place`;
    return this.#all(sql, this.id, ...placeOf(write)).map(recordOfRow);
  }

  /** Every record of the run that was not deleted, in the order of steps. */
  *records(): Generator<RunRecord> {
    const sql = `${selectMade} WHERE made.run = ? AND (made.step, made.part, place) > (?, ?, ?) AND deleted = 0
      ORDER BY made.step, made.part, place LIMIT ${rowsAtOnce}`;
    for (let after: [number, number, number] = [0, 0, -1]; ; ) {
      const some = this.#all(sql, this.id, ...after).map(recordOfRow);
      yield* some;
      const last = some.at(-1);
      if (last === undefined || some.length < rowsAtOnce) return;
      after = [last.step, last.part, last.place];
    }
  }

  /**
   * The values that the service changed or added in the run's first record of a family (`madeOf`). Undefined while no record has shown such
   * values.
   */
  firstMade(family: string): Members | undefined {
    const sql = "SELECT after FROM steps WHERE run = ? AND family = ? AND kind = 'create' AND after IS NOT NULL ORDER BY n, part LIMIT 1";
    return membersInText(this.#get(sql, this.id, family)?.after);
  }

  /**
   * The ids that no new record of a family can have: of this run's records, and of the records that other runs made or found since this
   * run's baseline.
   */
  *knownIds(family: string): Generator<string> {
    // Without the plus sign, SQLite would use another index and read the records of all runs.
    const sql = `SELECT id FROM made WHERE +family = ?1 AND id IS NOT NULL AND run IN (SELECT ?2 UNION SELECT run FROM sessions
      WHERE id > coalesce((SELECT session FROM baselines WHERE run = ?2 AND baselines.family = ?1), 0))`;
    this.file.flush();
    for (const { id } of this.file.statement(sql).iterate(family, this.id)) yield String(id);
  }

  /** Notes that a record is gone. */
  deleted({ step, part, place }: Pick<RunRecord, 'step' | 'part' | 'place'>): void {
    this.#note('UPDATE made SET deleted = 1 WHERE run = ? AND step = ? AND part = ? AND place = ?', this.id, step, part, place);
  }

  /** The ids of the newest records of a family, read before the creates of a round; undefined before the run's first create. */
  baseline(family: string): ReadonlySet<string> | undefined {
    const row = this.#get('SELECT ids FROM baselines WHERE run = ? AND family = ?', this.id, family);
    return row === undefined ? undefined : this.file.guard(() => new Set(JSON.parse(String(row.ids)) as string[]));
  }

  noteBaseline(family: string, ids: readonly string[]): void {
    const row = { run: this.id, family, ids: JSON.stringify(ids), session: this.#session };
    const [sql, ...values] = insertion('baselines', row);
    // The session stays that of the first baseline: records that other runs made since then are known.
    this.#note(`${sql} ON CONFLICT (run, family) DO UPDATE SET ids = excluded.ids`, ...values);
    this.flush();
  }

  /** The writes that meet `condition`, in order, `rowsAtOnce` at a time. */
  *#steps(select: string, condition = 'true'): Generator<SqlRow> {
    const sql = `${select} FROM steps WHERE run = ? AND (n, part) > (?, ?) AND ${condition} ORDER BY n, part LIMIT ${rowsAtOnce}`;
    for (let after: [number, number] = [0, 0]; ; ) {
      const some = this.#all(sql, this.id, ...after);
      yield* some;
      const last = some.at(-1);
      if (last === undefined || some.length < rowsAtOnce) return;
      after = placeOf(writeAt(last));
    }
  }

  /** Sets columns of a write with the next flush. */
  #set(write: number | WriteAt, columns: Columns): void {
    const sets = Object.keys(columns).map((name) => `${name} = ?`);
    const values = Object.values(columns).map((value) => value ?? null);
    this.#note(`UPDATE steps SET ${sets.join(', ')} WHERE ${ofWrite}`, ...values, this.id, ...placeOf(write));
  }

  #note(sql: string, ...values: SQLInputValue[]): void {
    this.file.note(sql, ...values);
  }

  #get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return this.file.get(sql, ...values);
  }

  /** The rows, each read by `as`. Throws ConflictError when a row holds broken JSON. */
  #allAs<T>(as: (row: SqlRow) => T, sql: string, ...values: SQLInputValue[]): T[] {
    return this.file.guard(() => this.#all(sql, ...values).map(as));
  }

  #all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return this.file.all(sql, ...values);
  }
}

/** The condition for one write. */
const ofWrite = 'run = ? AND n = ? AND part = ?';

/** The condition that joins records with the writes that made them. */
const madeBy = 'made.run = steps.run AND made.step = steps.n AND made.part = steps.part';

const selectMade = `SELECT made.*, steps.key FROM made JOIN steps ON ${madeBy}`;

const selectPast = `SELECT n, part, key, family, state, kind, did, status, error, before, created, body, after,
  coalesce(CASE WHEN kind <> 'create' THEN target END,
    (SELECT id FROM made WHERE ${madeBy} AND place = 0), target) AS id`;

function pastOf(row: SqlRow): PastStep {
  return {
    ...writeAt(row),
    key: String(row.key),
    family: String(row.family),
    state: stateOf(row.state),
    did: textOr(row.did),
    status: row.status === null ? null : Number(row.status),
    error: textOr(row.error),
    kind: textOr(row.kind),
    id: textOr(row.id),
    before: membersInText(row.before) ?? {},
    created: textOr(row.created),
    body: typeof row.body === 'string' ? bodyOf(row.body) : new Map(),
    after: membersInText(row.after),
  };
}

function membersInText(text: SQLOutputValue | undefined): Members | undefined {
  const value = typeof text === 'string' ? parseJson(text) : undefined;
  return isMembers(value) ? value : undefined;
}

function recordOfRow(row: SqlRow): RunRecord {
  const [id, created] = [textOr(row.id), textOr(row.created)];
  return {
    step: Number(row.step),
    part: Number(row.part),
    key: String(row.key),
    place: Number(row.place),
    family: String(row.family),
    ...(id === undefined ? {} : { id: keptId(id) }),
    ...(created === undefined ? {} : { created }),
    sure: row.sure === 1,
    own: row.own === 1,
  };
}

const idText = (id: Id | undefined): string | undefined => (id === undefined ? undefined : scalarText(id));

const textOr = (value: SQLOutputValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const bodyOf = (text: string): Body => new Map(JSON.parse(text) as [string, BodyValue][]);
