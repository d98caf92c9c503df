// Measuring: commands in turn in one run, so that whatever else the machine does falls on all of them alike.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Runnable {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The columns of the terminal on which the command runs. Default: no terminal. */
  readonly terminal?: number;
}

export interface Row {
  readonly what: string;
  /** Absent: a peer is missing. */
  readonly ratio?: number;
  /** The most (or, with `atLeast`, the least) that the ratio should be. */
  readonly bound?: number;
  readonly atLeast?: true;
  readonly detail: string;
}

/** A run of a command: processor time of user and system, and time by the clock, in milliseconds. */
export interface Sample {
  readonly cpu: number;
  readonly wall: number;
}

/** So far may a median move from one round to the next, twice, when there are rounds enough. */
const steadiness = 0.03;

/**
 * Samples of each command, one run of each per round, after one to warm up: as many rounds as the noise wants, at most `rounds`. There are
 * enough when no command's median ratio to the first one moved by more than 3 % in two rounds. `around` sets up what a run needs; that is
 * not measured.
 */
export async function samplesOf(
  commands: readonly Runnable[],
  rounds: number,
  around: (command: Runnable, work: (ready: Runnable) => Promise<void>) => Promise<void> = (command, work) => work(command),
): Promise<Map<string, readonly Sample[]>> {
  const samples = new Map(commands.map(({ name }) => [name, [] as Sample[]]));
  let [medians, steady] = [[] as number[], 0];
  for (let round = 0; round <= rounds && steady < 2; round += 1) {
    for (const one of commands) {
      await around(one, async (ready) => {
        const sample = await run(ready);
        if (round > 0) samples.get(one.name)?.push(sample);
      });
    }
    const [first = [], ...others] = samples.values();
    const now = others.map((taken) => medianRatio(taken, first, 'cpu'));
    const isSteady = round > 1 && now.every((ratio, index) => Math.abs(ratio / (medians[index] ?? Number.NaN) - 1) <= steadiness);
    [medians, steady] = [now, isSteady ? steady + 1 : 0];
  }
  return samples;
}

export const installed = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/**
 * The row for two of the measured commands; one that was not measured is not installed. The ratio is the median of the ratios of processor
 * time in each round: the speed of a machine changes within minutes, and both ran within the same seconds. The least times would compare the
 * luck of one command with the luck of the other. Time by the clock stands beside it.
 */
export function against(samples: ReadonlyMap<string, readonly Sample[]>, one: string, other: string, bound: number): Row {
  const [first, second] = [samples.get(one), samples.get(other)];
  const what = `${one} / ${other}`;
  if (first === undefined) return { what, bound, detail: `${one}: not installed` };
  if (second === undefined) return { what, bound, detail: `${other}: not installed` };
  const detail = `cpu ${leastOf(first, 'cpu')} / ${leastOf(second, 'cpu')} · wall ${leastOf(first, 'wall')} / ${leastOf(second, 'wall')}`;
  return { what, ratio: medianRatio(first, second, 'cpu'), bound, detail };
}

/** The median of the ratios in each round. */
export const medianRatio = (first: readonly Sample[], second: readonly Sample[], kind: keyof Sample): number =>
  median(first.map((sample, round) => sample[kind] / (second[round]?.[kind] ?? Number.NaN)));

const least = (samples: readonly Sample[], kind: keyof Sample): number => Math.min(...samples.map((sample) => sample[kind]));

/** The least and, in brackets, the median: `61 (64)`. */
const leastOf = (samples: readonly Sample[], kind: keyof Sample): string =>
  `${Math.round(least(samples, kind))} (${Math.round(median(samples.map((sample) => sample[kind])))})`;

/** The median time by the clock of a measured command; NaN for one that was not measured. */
export const medianWall = (samples: ReadonlyMap<string, readonly Sample[]>, name: string): number =>
  median((samples.get(name) ?? []).map(({ wall }) => wall));

/** Runs a command to its end with its output thrown away. bash tells what the process used, also through a terminal. Throws when it fails. */
export async function run({ name, command, args, env, terminal }: Runnable): Promise<Sample> {
  const words = terminal === undefined ? [command, ...args] : ['script', '-qec', [command, ...args].map(quoted).join(' '), '/dev/null'];
  const size = terminal === undefined ? {} : { COLUMNS: String(terminal), TERM: 'xterm-256color', CRM_PAGER: 'cat' };
  const line = 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null';
  const child = spawn('bash', ['-c', line, 'bash', ...words], {
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...size, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${name} ended with status ${status}: ${errors.slice(0, 500)}`);
  const [user = 0, system = 0, wall = 0] = errors.trimEnd().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { cpu: (user + system) * 1000, wall: wall * 1000 };
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The median of the most memory that a command held at a time in some runs, in KiB. Throws when it fails. */
export async function medianMemory(command: Runnable, rounds: number): Promise<number> {
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) peaks.push(await peakMemory(command));
  return median(peaks);
}

/** The most memory of one run (Linux: what the kernel counted, polled to its end). */
async function peakMemory({ name, command, args, env }: Runnable): Promise<number> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, highWater(child.pid));
  }, 5);
  const [status] = await once(child, 'close');
  clearInterval(timer);
  if (status !== 0) throw new Error(`${name} ended with status ${status}`);
  return peak;
}

function highWater(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Prints rows as one table. */
export function printTable(rows: readonly Row[]): void {
  const lines = rows.map(({ what, ratio, bound, atLeast, detail }) => {
    const wanted = bound === undefined ? '' : `${atLeast ? '≥' : '≤'} ${bound}`;
    if (ratio === undefined) return [what, '-', wanted, '-', detail];
    const met = bound === undefined ? '' : (atLeast ? ratio >= bound : ratio <= bound) ? 'yes' : 'no';
    return [what, ratio.toFixed(2), wanted, met, detail];
  });
  const all = [['measured', 'ratio', 'wanted', 'met', 'milliseconds: least (median)'], ...lines];
  const widths = all[0]?.map((_cell, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  for (const cells of all)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
