// Every command through every fault of `sandbox serve --fault`: what it ends with, what it says, and what the service holds afterwards,
// beside what the same call comes to on a good day. In this process, over HTTP, by a clock that runs faster.

import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/clock.ts';
import { main } from '../../src/main.ts';
import { fill } from '../../src/sandbox/create.ts';
import { type Answer, type Answering, problem } from '../../src/sandbox/http/answer.ts';
import { faulty, parseFaults } from '../../src/sandbox/http/faults.ts';
import { listen, type Served, type WithFaults } from '../../src/sandbox/http/serve.ts';
import { keepState } from '../../src/sandbox/kept-state.ts';
import { createService } from '../../src/sandbox/service/service.ts';
import { openStore } from '../../src/sandbox/store/store.ts';
import { fakeIo } from '../support/fake-io.ts';
import { before, calls, edits, files } from './calls.ts';

/** How each fault is written, how often it comes being left to the day. `slow` is longer than `--timeout`. */
export const days: Readonly<Record<string, (often: number) => string>> = {
  reset: (often) => `reset=${often}`,
  'cut-after-commit': (often) => `cut-after-commit=${often}`,
  '503': (often) => `503=${often}`,
  '429': (often) => `429=${often}:retry-after=1`,
  slow: (often) => `slow=${often}:700`,
  garbage: (often) => `garbage=${often}`,
  mixed: (often) => ['reset', 'cut-after-commit', '503', '429', 'garbage'].map((kind) => `${kind}=${often / 5}`).join(),
};

/** How often, by the seed: now and then, always, half of the time. */
const oftens = [0.15, 1, 0.5];
/** Statuses that a day may come to, beside what the call comes to on a good one: of a single request, and of many. */
const allowed: Readonly<Record<string, readonly number[]>> = { '429': [6, 8], mixed: [6, 7, 8] };
const otherwise = [7, 8];
/** What looks whether the service is well. */
const finds = ['doctor'];

/** A call that takes more of the test's milliseconds hangs. */
const longest = 30_000;

const began = Date.now();
/** A clock that runs so many times as fast. A service that has refused for ten minutes is given up: that shall not take long. */
const fast = (speed: number): Clock => ({
  ...systemClock,
  steady: () => systemClock.steady() * speed,
  after: (milliseconds, work) => systemClock.after(milliseconds / speed, work),
});
const pace = (day: string | undefined): { readonly speed: number; readonly timeout: string } => {
  if (day === 'slow') return { speed: 20, timeout: '10' };
  return { speed: 400, timeout: '2000' };
};

/** The rows of the service, each by its table and number. */
type Rows = ReadonlyMap<string, string>;

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly rows: Rows;
  readonly faults: number;
  /** Milliseconds of the test's time. */
  readonly took: number;
}

export interface Wrong {
  readonly command: string;
  readonly day: string;
  readonly seed: number;
  readonly what: string;
  /** What was printed. */
  readonly said: string;
}

export interface Soak {
  /** The commands that the program declares. */
  readonly commands: readonly string[];
  /** Plays a command on a day by a seed; gives what is wrong with it, and how many requests failed. */
  play(
    command: string,
    day: string,
    seed: number,
  ): Promise<{ readonly wrongs: readonly Wrong[]; readonly faults: number; readonly status: number }>;
  close(): Promise<void>;
}

export async function openSoak(): Promise<Soak> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'crm-soak-'));
  const prepared = join(folder, 'prepared');
  mkdirSync(prepared);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(prepared, name), text);
  const store = openStore(':memory:', { mode: 'create' });
  fill(store, true);

  let answer: Answering = async () => problem(500, 'Not begun.');
  let faulted: ReturnType<WithFaults> | undefined;
  const withFaults: WithFaults = (own) => {
    answer = own;
    return async (...sent) => (faulted ?? own)(...sent);
  };
  const served = await listen(createService(store, { clock: () => began }), { host: '127.0.0.1', port: 0, key: 'soak', withFaults });

  for (const words of before) {
    const { status, stderr } = await run(words, prepared, served);
    if (status !== 0) throw new Error(`crm ${words.join(' ')}: ${status} ${stderr}`);
  }
  const listed = async (words: readonly string[], member: string): Promise<string> => {
    const { stdout } = await run([...words, '--json'], prepared, served);
    return String(JSON.parse(stdout).at(0)?.[member]);
  };
  const known = {
    run: await listed(['history', 'list'], 'run'),
    comment: await listed(['leads', 'comments', 'list', '3'], 'id'),
    contact: await listed(['contacts', 'list'], 'id'),
    url: served.baseUrl,
  };
  const said = JSON.parse((await run(['explain', '--json'], prepared, served)).stdout) as { commands: readonly { command: string }[] };
  const putBack = keepState(store);
  const rowsNow = (): Rows => {
    const tables = store.all<{ name: string }>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'");
    return new Map(
      tables.flatMap(({ name }) =>
        store.all<{ id?: number }>(`SELECT * FROM main."${name}"`).map((row) => {
          // When it was written differs from call to call; within a document its quotes are escaped.
          const text = JSON.stringify(row).replaceAll(/\\?"\d{4}-\d\d-\d\dT[\d:.]+Z\\?"/g, '"then"');
          return [`${name} ${row.id ?? text}`, text] as const;
        }),
      ),
    );
  };
  const start = rowsNow();

  /** Runs a call in a place of its own, with the service as it was. */
  const call = async (command: string, day?: Day): Promise<Ended> => {
    putBack();
    const own = mkdtempSync(join(folder, 'call-'));
    cpSync(prepared, own, { recursive: true });
    const count = { faults: 0 };
    faulted = day && counted(answer, day, count);
    const words = `${command} ${calls[command]}`.replaceAll(/\{(\w+)\}/g, (_all, name: keyof typeof known) => known[name]);
    const family = command.endsWith(' edit') ? command.split(' ')[0] : undefined;
    try {
      const ended = await run(words.split(' ').filter(Boolean), own, served, { family, day: day?.name });
      return { ...ended, rows: rowsNow(), faults: count.faults };
    } finally {
      faulted = undefined;
      rmSync(own, { recursive: true });
    }
  };

  const good = new Map<string, Ended>();
  return {
    commands: said.commands.map(({ command }) => command),
    play: async (command, name, seed) => {
      if (calls[command] === undefined) throw new Error(`Nobody typed a call of ${command}: test/soak/calls.ts.`);
      const best = good.get(command) ?? (await call(command));
      if (best.status !== 0) throw new Error(`crm ${command} ends with ${best.status} on a good day: ${best.stderr}`);
      good.set(command, best);
      const text = days[name]?.(oftens[seed % oftens.length] ?? 1) ?? '';
      const ended = await call(command, { name, text, seed });
      const wrongs = wrongsOf({ start, best, ended, name, command }).map((what) => ({
        ...{ command, day: name, seed, what },
        said: `${ended.stdout}\n${ended.stderr}`,
      }));
      return { wrongs, faults: ended.faults, status: ended.status };
    },
    close: async () => {
      await served.close();
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Day {
  readonly name: string;
  readonly text: string;
  readonly seed: number;
}

/** A day of faults that counts them. */
function counted(answer: Answering, { text, seed }: Day, count: { faults: number }): ReturnType<WithFaults> {
  // What came as it was answered, and at once, was no fault.
  const given = new WeakMap<Answer, number>();
  const noted: Answering = async (message) => {
    const answered = await answer(message);
    given.set(answered, Date.now());
    return answered;
  };
  const day = faulty(noted, parseFaults(text, 'day'), seed);
  return async (...sent) => {
    const answered = await day(...sent);
    const at = answered && given.get(answered);
    if (at === undefined || Date.now() - at > 400) count.faults += 1;
    return answered;
  };
}

async function run(
  args: readonly string[],
  at: string,
  served: Served,
  { family, day }: { family?: string | undefined; day?: string | undefined } = {},
): Promise<Omit<Ended, 'rows' | 'faults'> & { took: number }> {
  const io = fakeIo({ tty: family !== undefined });
  const env = {
    PATH: process.env.PATH ?? '',
    TMPDIR: at,
    CRM_CONFIG_DIR: join(at, 'config'),
    CRM_DATA_DIR: join(at, 'data'),
    CRM_BASE_URL: served.baseUrl,
    CRM_API_KEY: 'soak',
    ...(family === undefined ? {} : { EDITOR: `sed -i -e '${edits[family]}'` }),
  };
  const { speed, timeout } = pace(day);
  const start = Date.now();
  const controller = new AbortController();
  const hang = setTimeout(() => controller.abort(new Error('It hangs.')), longest);
  const status = await main([...args, '--timeout', timeout], { io, env, cwd: at, signal: controller.signal, clock: fast(speed) });
  clearTimeout(hang);
  return { status, stdout: io.stdoutText(), stderr: io.stderrText(), took: Date.now() - start };
}

/** What must not be of a call that ended on a bad day. */
function wrongsOf({
  start,
  best,
  ended,
  name,
  command,
}: {
  start: Rows;
  best: Ended;
  ended: Ended;
  name: string;
  command: string;
}): string[] {
  const { status, stdout, stderr, rows } = ended;
  const wrongs: string[] = [];
  if (ended.took >= longest) wrongs.push('hangs');
  if (status !== best.status && ![...(allowed[name] ?? otherwise), ...(finds.includes(command) ? [11] : [])].includes(status))
    wrongs.push(`ends with ${status}`);
  if (/^\s+at .+:\d+:\d+|node:internal|\bundefined\b|\[object |\bNaN\b/m.test(`${stdout}\n${stderr}`))
    wrongs.push('prints what is no sentence');
  // On a terminal a spinner stood before it.
  const errors = stderr.split('\n').filter((line) => /^(.*l)?error:/.test(line)).length;
  if (errors > 1) wrongs.push('has several errors');
  if (status !== 0 && status !== 8 && status !== best.status && errors !== 1) wrongs.push('has no error');
  const differs = [...new Set([...start.keys(), ...rows.keys()])].filter((key) => rows.get(key) !== start.get(key));
  const strange = without(contents(rows), contents(best.rows)).concat(without(contents(best.rows), contents(rows)));
  if (status === best.status && strange.length > 0) wrongs.push(`says done, and holds another thing: ${strange.slice(0, 2).join(', ')}`);
  const changed = differs.filter((key) => told.test(key)).length;
  const said = [...stderr.matchAll(/^(contact|proposal|lead|item|note|client)s? \d+ \w+/gim)].length;
  const counted = [...stdout.matchAll(/^(?:created|updated|deleted|changed)\t(\d+)/gm)].reduce(
    (sum, [, number]) => sum + Number(number),
    0,
  );
  if (
    status !== best.status &&
    changed > said + counted &&
    !/\bmay\b|not known|unknown\b(?!\t0)|crm undo|--resume/.test(`${stderr}\n${stdout}`)
  )
    wrongs.push('keeps silent of what it wrote');
  for (const table of new Set([...rows.keys()].map((key) => key.split(' ')[0]))) {
    const count = (of: Rows): number => [...of.keys()].filter((key) => key.startsWith(`${table} `)).length;
    if (count(rows) > Math.max(count(start), count(best.rows))) wrongs.push(`made too many ${table}`);
    if (count(rows) < Math.min(count(start), count(best.rows))) wrongs.push(`lost some ${table}`);
  }
  return wrongs;
}

/** Tables of what a command says each of. */
const told = /^(users|proposals|leads|items|notes|lead_comments) /;

/** What the rows hold, each with its table: which of several new ones came first is nobody's concern. */
const contents = (rows: Rows): string[] =>
  [...rows].map(([key, text]) => `${key.split(' ')[0]} ${text.replace(/^\{"id":\d+,/, '{').replace(/"doc":"\{\\"id\\":\d+,/, '"doc":"{')}`);

/** What is in a list, and not in another, as often as it is there. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const there = left.get(one) ?? 0;
    left.set(one, there - 1);
    return there <= 0;
  });
}
