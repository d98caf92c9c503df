// A world with a clock of its own: events happen one after the other, time moves on when nothing is left to do, and a program
// lives in it until it ends or is killed between two of its events. Nothing of a killed one runs any more.

import { EventEmitter } from 'node:events';
import fs, { type Mode, type NoParamCallback, type OpenMode, type PathLike, type Stats } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../support/random.ts';
import { openDatabase } from './databases.ts';

/** A program that runs in a world. */
export interface Life {
  readonly name: string;
  isOver: boolean;
  /** It spaces its requests itself (`--rate`). */
  readonly isPaced?: boolean;
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
      alive = undefined;
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
  clockOf(life: Life, random: Random): Clock {
    return {
      now: () => this.wall(this.stepped),
      steady: () => this.now + 1_000_000,
      after: (milliseconds, work) => this.after(milliseconds, work, life),
      tick: () => new Promise((resolve) => this.after(0, resolve, life)),
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
    for (const one of [...life.open]) void one.close();
    life.open.clear();
  }
}

/** Lets an event happen to a program, unless something comes over it first. */
function live(life: Life, work: () => void): void {
  life.happened += 1;
  const { moment } = life;
  if (moment !== undefined && life.happened > moment.after) {
    life.moment = undefined;
    alive = life;
    moment.work(life);
  }
  alive = life;
  if (!life.isOver) work();
}

/** Whose event is happening: nothing else happens before all that came of it is over. */
let alive: Life | undefined;

/** So many looks are made without a pause at what a process waits for: a slow disk leaves the processor to others. */
const looks = 20;

/** Resolves once this process has nothing at hand: no callbacks, and no files that it waits for. */
async function quiet(): Promise<void> {
  for (let look = 0; ; look += 1) {
    await new Promise<void>((resolve) => (look < looks ? setImmediate(resolve) : setTimeout(resolve, 1)));
    if (!process.getActiveResourcesInfo().some((name) => /^(FS|File|Close|Immediate)/.test(name))) return;
  }
}

/**
 * From now on databases of programs that live in a world don't wait for the disk, and what such a program opens is closed
 * when it is killed. Call it before the program is loaded.
 */
export function ownTheSystem(): void {
  const sqlite = process.getBuiltinModule('node:sqlite');
  const { DatabaseSync } = sqlite;
  const opens = new Proxy(DatabaseSync, {
    construct: (made, [path, options]: ConstructorParameters<typeof DatabaseSync>) => {
      const life = alive;
      if (life === undefined) return new made(path, options ?? {});
      const opened = openDatabase(String(path), options);
      life.open.add(opened);
      const close = opened.close.bind(opened);
      opened.close = () => {
        if (life.open.delete(opened)) close();
      };
      return opened;
    },
  });
  Object.assign(sqlite, { DatabaseSync: opens });
  const files = process.getBuiltinModule('node:fs/promises');
  for (const [name, atOnce] of Object.entries(answersAtOnce)) {
    const { [name as 'stat']: asked } = files;
    const answered = async (...args: Parameters<typeof asked>): Promise<unknown> =>
      alive === undefined ? asked(...args) : Reflect.apply(atOnce, fs, args);
    Object.assign(files, { [name]: answered });
  }
  // Nothing of a story has to survive a power cut.
  const { fdatasync } = fs;
  const synced = (file: number, done: NoParamCallback): void =>
    alive === undefined ? fdatasync(file, done) : process.nextTick(done, null);
  Object.assign(fs, { fdatasync: synced });
  const { open } = files;
  const opened = async (...args: Parameters<typeof open>): Promise<unknown> => {
    const life = alive;
    if (life === undefined) return open(...args);
    await life.disk?.();
    return new OpenFile(life, ...args);
  };
  Object.assign(files, { open: opened });
  const processes = process.getBuiltinModule('node:child_process');
  const { spawn } = processes;
  const spawned = (...args: readonly unknown[]): unknown => {
    const edits = alive?.edits;
    if (edits === undefined) return Reflect.apply(spawn, processes, args);
    const child = Object.assign(new EventEmitter(), { kill: () => true });
    edits((args[1] as string[]).at(-1) ?? '', (status) => child.emit('exit', status));
    return child;
  };
  Object.assign(processes, { spawn: spawned });
  // Node keeps a signal of several, with all who listen to it, until one of them tells something; a dead program's never do.
  AbortSignal.any = anyOf;
  // The memory of thousands of programs in one process is no concern of one of them.
  Object.assign(process.getBuiltinModule('node:v8'), { setFlagsFromString: () => {} });
  // Errors are thrown by the thousand, and nobody reads where.
  Error.stackTraceLimit = 0;
  syncBuiltinESMExports();
}

function anyOf(signals: Iterable<AbortSignal>): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason);
    else signal.addEventListener('abort', () => any.abort(signal.reason), { once: true });
  }
  return any.signal;
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

  async writeFile(data: string | Uint8Array): Promise<void> {
    fs.writeFileSync(this.#open, data);
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
