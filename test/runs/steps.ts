// Steps, journals and programs of a test's own.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Journal } from '../../src/runs/journal/journal.ts';
import type { Run, RunHeader } from '../../src/runs/journal/run.ts';
import type { Step } from '../../src/runs/step.ts';

export const service = 'http://crm.example';

export const header: Omit<RunHeader, 'name'> = {
  kind: 'test',
  title: 'f.csv',
  began: '2026-11-20T10:00:00.000Z',
  command: 'crm leads import f.csv --resume',
  details: { family: 'leads' },
};

/** A run whose journal is gone with the test. */
export const runInMemory = (): Run => Journal.inMemory(service).begin(header);

/** A step that is only noted. */
export const noted = (n: number, more: Partial<Step> = {}): Step => ({
  n,
  key: `line ${n + 1}`,
  family: 'leads',
  digest: new Uint8Array(16).fill(n),
  prepare: () => Promise.reject(new Error('It is only noted.')),
  lookFor: () => ({ kind: 'repeatable' }),
  ...more,
});

const source = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../src/runs', name));

/** Starts a program that imports from src/runs; `shell` goes before it on the command line. */
export function startProgram(
  imports: Record<string, string>,
  body: string,
  { cwd, shell = '' }: { cwd?: string; shell?: string } = {},
): ChildProcess {
  const lines = Object.entries(imports).map(([names, file]) => `import { ${names} } from ${source(file)};`);
  const options = { stdio: ['ignore', 'pipe', 'inherit'] as ('ignore' | 'pipe' | 'inherit')[], ...(cwd === undefined ? {} : { cwd }) };
  const words = '--experimental-strip-types --no-warnings --input-type=module -e "$PROGRAM"';
  const env = { ...process.env, PROGRAM: `${lines.join('\n')}\n${body}` };
  return spawn('sh', ['-c', `${shell} exec "${process.execPath}" ${words}`], { ...options, env });
}
