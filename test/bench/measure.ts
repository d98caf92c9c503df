// Measuring: commands in turn in one run, so that whatever else the machine does falls on all of them alike.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

export interface Runnable {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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

/**
 * Median time of each command, in milliseconds: `rounds` rounds, one run of each per round, after one to warm up. `around`
 * sets up what a run needs; that is not measured.
 */
export async function medianTimes(
  commands: readonly Runnable[],
  rounds: number,
  around: (command: Runnable, work: (ready: Runnable) => Promise<void>) => Promise<void> = (command, work) => work(command),
): Promise<Map<string, number>> {
  const times = new Map(commands.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of commands) {
      await around(one, async (ready) => {
        const start = performance.now();
        await run(ready);
        if (round > 0) times.get(one.name)?.push(performance.now() - start);
      });
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** Like `medianTimes`, for short commands without an environment of their own: with hyperfine where it is installed, in blocks that take turns. */
export async function medianStarts(commands: readonly Runnable[], rounds: number): Promise<Map<string, number>> {
  if (!installed('hyperfine')) return medianTimes(commands, rounds);
  const times = commands.map(() => [] as number[]);
  const blocks = Math.ceil(rounds / runsInBlock);
  for (let block = 0; block < blocks; block += 1) {
    for (const [index, one] of hyperfine(commands).entries()) times[index]?.push(...one);
  }
  return new Map(commands.map(({ name }, index) => [name, median(times[index] ?? [])]));
}

const runsInBlock = 7;

/** The times of some runs of each command, in milliseconds. Throws when one fails. */
function hyperfine(commands: readonly Runnable[]): number[][] {
  const folder = mkdtempSync(join(tmpdir(), 'crm-hyperfine-'));
  try {
    const report = join(folder, 'times.json');
    const lines = commands.map(({ command, args }) => [command, ...args].map((word) => `'${word}'`).join(' '));
    const options = ['-N', '--style', 'none', '--warmup', '1', '--runs', String(runsInBlock), '--export-json', report];
    const { status, stderr } = spawnSync('hyperfine', [...options, ...lines], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`hyperfine ended with status ${status}: ${stderr.slice(0, 500)}`);
    const { results } = JSON.parse(readFileSync(report, 'utf8')) as { results: { times: number[] }[] };
    return results.map(({ times }) => times.map((seconds) => seconds * 1000));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const installed = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** The row for two of the measured commands; one that was not measured is not installed. */
export function against(times: ReadonlyMap<string, number>, one: string, other: string, bound: number): Row {
  const [first, second] = [times.get(one), times.get(other)];
  const what = `${one} / ${other}`;
  if (first === undefined) return { what, bound, detail: `${one}: not installed` };
  if (second === undefined) return { what, bound, detail: `${other}: not installed` };
  return { what, ratio: first / second, bound, detail: `${first.toFixed(1)} ms / ${second.toFixed(1)} ms` };
}

/** Runs a command to its end with its output thrown away. Throws when it fails. */
export async function run({ name, command, args, env }: Runnable): Promise<void> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${name} ended with status ${status}: ${errors.slice(0, 500)}`);
}

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
  const all = [['measured', 'ratio', 'wanted', 'met', 'medians'], ...lines];
  const widths = all[0]?.map((_cell, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  for (const cells of all)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
