// Measuring: commands in turn in one run, so that whatever else the machine does falls on all of them alike.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

export interface Runnable {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Row {
  readonly what: string;
  readonly ratio: number;
  /** The most (or, with `atLeast`, the least) that the ratio should be. */
  readonly bound?: number;
  readonly atLeast?: true;
  readonly detail: string;
}

/** Median time of each command, in milliseconds: `rounds` rounds, one run of each per round, after one to warm up. */
export async function medianTimes(commands: readonly Runnable[], rounds: number): Promise<Map<string, number>> {
  const times = new Map(commands.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of commands) {
      const start = performance.now();
      await run(one);
      if (round > 0) times.get(one.name)?.push(performance.now() - start);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
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

/** The most memory that a command held at a time, in KiB (Linux: what the kernel counted, polled to its end). Throws when it fails. */
export async function peakMemory({ name, command, args, env }: Runnable): Promise<number> {
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
