// A world with a clock of its own: events happen one after the other, time moves on when nothing is left to do, and a program
// lives in it until it ends or is killed between two of its events. Nothing of a killed one runs any more.

import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import fs, { type Mode, type OpenMode, type PathLike, type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { StatementSync } from 'node:sqlite';
import type { Clock } from '../../src/clock.ts';
import type { Random } from '../support/random.ts';

/** SQLite as it is, whatever programs are handed. */
const { DatabaseSync: SystemDatabase } = process.getBuiltinModule('node:sqlite');

/** A program that runs in a world. */
export interface Life {
  readonly name: string;
  isOver: boolean;
  /** What the system takes back when a process dies. */
  readonly open: Set<{ close(): unknown }>;
  /** How many events were its own. */
  happened: number;
  /** Resolves once the disk has given it something; by default at once. */
  readonly disk?: (() => Promise<void>) | undefined;
  /** What somebody does in the editor that it starts on a file; `left` is told the editor's status. */
  readonly edits?: ((path: string, left: (status: number) => void) => void) | undefined;
  /** What comes over it once that many were. */
  moment?: { readonly after: number; work(life: Life): void } | undefined;
}

interface Event {
  readonly at: number;
  readonly order: number;
  readonly owner: Life | undefined;
  work(): void;
}

/** The moment at which every world begins. */
const dawn = Date.parse('2026-03-02T09:00:00Z');
/** No story takes so long, in milliseconds, or so many events. */
const longest = 6 * 3_600_000;
const mostEvents = 100_000;
/** So often it is waited for what may still come about, 10 ms each. */
const mostPatience = 200;

/** A world that came to no end, or in which nothing can happen any more although somebody waits. */
export class Stuck extends Error {}

export class World {
  /** Milliseconds since it began. */
  now = 0;
  /** How far the clock of the programs' machine was set on since, in milliseconds. */
  stepped = 0;
  readonly log: string[] = [];
  readonly #readers: { close(): void }[] = [];
  #events: Event[] = [];
  #count = 0;

  /** Adds a line to the log. */
  note(text: string): void {
    this.log.push(`${(this.now / 1000).toFixed(3).padStart(9)} ${text}`);
  }

  /** Does some work so many milliseconds from now, unless its owner is dead by then. Gives what calls it off. */
  after(milliseconds: number, work: () => void, owner?: Life): () => void {
    this.#count += 1;
    const event = { at: this.now + Math.max(0, milliseconds), order: this.#count, owner, work };
    this.#events.push(event);
    return () => {
      this.#events = this.#events.filter((one) => one !== event);
    };
  }

  /** Lets things happen until `isOver`; without it until nothing is left. Throws Stuck. */
  async run(isOver?: () => boolean): Promise<void> {
    for (let patience = mostPatience; ; ) {
      await quiet();
      if (isOver?.()) return;
      const next = this.#next();
      if (next === undefined) {
        if (isOver === undefined) return;
        // What is loaded for the first time takes its time, and nobody sees it.
        patience -= 1;
        if (patience > 0) await new Promise((resolve) => setTimeout(resolve, 10));
        if (patience > 0) continue;
        throw new Stuck('It waits, and nothing happens any more.');
      }
      if (this.now > longest || this.#count > mostEvents) throw new Stuck('It comes to no end.');
      if (next.owner === undefined) next.work();
      else live(next.owner, next.work);
    }
  }

  #next(): Event | undefined {
    this.#events = this.#events.filter(({ owner }) => owner?.isOver !== true);
    const [first, ...others] = this.#events;
    if (first === undefined) return undefined;
    const next = others.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a), first);
    this.#events.splice(this.#events.indexOf(next), 1);
    this.now = Math.max(this.now, next.at);
    return next;
  }

  /** The wall clock of the world, ahead by so many milliseconds. */
  wall(ahead = 0): Date {
    return new Date(dawn + Math.floor(this.now) + ahead);
  }

  /** The clock by which a program lives. */
  clockOf(life: Life, random: Random, boot: string): Clock {
    return {
      now: () => this.wall(this.stepped),
      steady: () => this.now + 1_000_000,
      boot: () => boot,
      after: (milliseconds, work) => this.after(milliseconds, work, life),
      turn: () => new Promise((resolve) => this.after(0, resolve, life)),
      random: () => random.next(),
    };
  }

  /** Begins a program in so many milliseconds; its life is over with it. */
  live(life: Life, after: number, work: () => Promise<void>): void {
    this.after(
      after,
      () =>
        void work().finally(() => {
          life.isOver = true;
        }),
      life,
    );
  }

  /** Nothing of it happens any more; the system takes its files and locks back. */
  kill(life: Life): void {
    life.isOver = true;
    for (const one of life.open) if (one instanceof SystemDatabase && one.location() !== null) this.#keepLog(String(one.location()));
    for (const one of life.open) void one.close();
    life.open.clear();
  }

  /** What is closed in order leaves no log beside a database; the dead close nothing. It stays as long as somebody has it open. */
  #keepLog(path: string): void {
    const reader = new SystemDatabase(path);
    reader.prepare('SELECT count(*) FROM sqlite_master').get();
    this.#readers.push(reader);
  }

  /** Closes what was kept open for the dead, and for programs that don't come any more. */
  end(): void {
    for (const one of [...atHand.values()].flat()) one.close();
    atHand.clear();
    for (const reader of this.#readers.splice(0)) reader.close();
  }
}

/** Lets an event happen to a program, unless something comes over it first. */
function live(life: Life, work: () => void): void {
  life.happened += 1;
  const { moment } = life;
  if (moment !== undefined && life.happened > moment.after) {
    life.moment = undefined;
    lives.run(life, () => moment.work(life));
  }
  if (!life.isOver) lives.run(life, work);
}

const lives = new AsyncLocalStorage<Life>();

/**
 * Databases that were closed in order, by their paths: opening one and preparing its statements costs more than all that a program does
 * with it. What a program finds is the same, since a log that it leaves behind is whole.
 */
const atHand = new Map<string, { close(): void }[]>();

/** Resolves once this process has nothing at hand: no callbacks, and no files that it waits for. */
async function quiet(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (process.getActiveResourcesInfo().some((name) => /^(FS|File|Close|Immediate)/.test(name)));
}

/**
 * From now on databases of programs that live in a world don't wait for the disk, and what such a program opens is closed
 * when it is killed. Call it before the program is loaded.
 */
export function ownTheSystem(): void {
  const sqlite = process.getBuiltinModule('node:sqlite');
  const { DatabaseSync } = sqlite;
  class Unsynced extends DatabaseSync {
    readonly #statements = new Map<string, StatementSync>();
    #opening: string | undefined;
    /** The path by which it waits for the next program, once one has closed it in order. */
    readonly #waitsAs: string | undefined;

    constructor(...args: ConstructorParameters<typeof DatabaseSync>) {
      super(...args);
      const life = lives.getStore();
      if (life !== undefined && /\.(sqlite|lock)$/.test(String(args[0]))) this.#waitsAs = String(args[0]);
      life?.open.add(this);
    }

    override exec(sql: string): void {
      // What a program sets when it opens a file stays set.
      if (this.#waitsAs !== undefined && this.#opening === sql && !sql.includes('BEGIN')) return;
      this.#opening ??= sql;
      super.exec(sql.replaceAll(/synchronous *= *\w+/gi, 'synchronous=OFF'));
    }

    override prepare(...[sql, ...how]: Parameters<InstanceType<typeof SystemDatabase>['prepare']>): StatementSync {
      if (this.#waitsAs === undefined) return super.prepare(sql, ...how);
      const known = this.#statements.get(sql) ?? super.prepare(sql, ...how);
      this.#statements.set(sql, known);
      return known;
    }

    override close(): void {
      const life = lives.getStore();
      if (!life?.open.delete(this) || this.#waitsAs === undefined || life.isOver) {
        super.close();
        return;
      }
      if (this.isTransaction) super.exec('ROLLBACK');
      atHand.set(this.#waitsAs, [...(atHand.get(this.#waitsAs) ?? []), this]);
    }
  }
  const opens = new Proxy(Unsynced, {
    construct: (made, [path, ...how]: ConstructorParameters<typeof SystemDatabase>) => {
      const life = lives.getStore();
      const waiting = life === undefined ? undefined : atHand.get(String(path))?.pop();
      if (waiting === undefined) return new made(path, ...how);
      life?.open.add(waiting);
      return waiting;
    },
  });
  Object.assign(sqlite, { DatabaseSync: opens });
  const files = process.getBuiltinModule('node:fs/promises');
  for (const [name, atOnce] of Object.entries(answersAtOnce)) {
    const { [name as 'stat']: asked } = files;
    const answered = async (...args: Parameters<typeof asked>): Promise<unknown> =>
      lives.getStore() === undefined ? asked(...args) : Reflect.apply(atOnce, fs, args);
    Object.assign(files, { [name]: answered });
  }
  const { open } = files;
  const opened = async (...args: Parameters<typeof open>): Promise<unknown> => {
    const life = lives.getStore();
    if (life === undefined) return open(...args);
    await life.disk?.();
    return new OpenFile(life, ...args);
  };
  Object.assign(files, { open: opened });
  const processes = process.getBuiltinModule('node:child_process');
  const { spawn } = processes;
  const spawned = (...args: readonly unknown[]): unknown => {
    const edits = lives.getStore()?.edits;
    if (edits === undefined) return Reflect.apply(spawn, processes, args);
    const child = Object.assign(new EventEmitter(), { kill: () => true });
    edits((args[1] as string[]).at(-1) ?? '', (status) => child.emit('exit', status));
    return child;
  };
  Object.assign(processes, { spawn: spawned });
  // The memory of thousands of programs in one process is no concern of one of them.
  Object.assign(process.getBuiltinModule('node:v8'), { setFlagsFromString: () => {} });
  // Errors are thrown by the thousand, and nobody reads where.
  Error.stackTraceLimit = 0;
  syncBuiltinESMExports();
}

/** What programs ask the disk: the threads of the system would take longer to answer than a story to be played. */
const answersAtOnce = {
  access: fs.accessSync,
  lstat: fs.lstatSync,
  mkdtemp: fs.mkdtempSync,
  readFile: fs.readFileSync,
  readdir: fs.readdirSync,
  realpath: fs.realpathSync,
  rename: fs.renameSync,
  rm: fs.rmSync,
  stat: fs.statSync,
  writeFile: fs.writeFileSync,
} as const;

/** A file that a program has open, of which every answer is there at once. */
class OpenFile {
  readonly #life: Life;
  #descriptor: number | undefined;

  constructor(life: Life, path: PathLike, flags: OpenMode = 'r', mode?: Mode) {
    this.#life = life;
    this.#descriptor = fs.openSync(path, flags, mode);
    life.open.add(this);
  }

  async read(into: Uint8Array | Place, offset = 0, length?: number, position?: number): Promise<Reading> {
    await this.#life.disk?.();
    const place: Place = into instanceof Uint8Array ? { buffer: into, position: position ?? null } : into;
    const { buffer } = place;
    return { buffer, bytesRead: fs.readSync(this.#open, buffer, offset, length ?? buffer.byteLength, place.position) };
  }

  async appendFile(data: string | Uint8Array): Promise<void> {
    fs.appendFileSync(this.#open, data);
  }

  async stat(): Promise<Stats> {
    return fs.fstatSync(this.#open);
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    this.#life.open.delete(this);
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  get #open(): number {
    if (this.#descriptor === undefined) throw new Error('It is closed.');
    return this.#descriptor;
  }
}

interface Place {
  readonly buffer: Uint8Array;
  readonly position: number | null;
}

interface Reading {
  readonly buffer: Uint8Array;
  readonly bytesRead: number;
}
