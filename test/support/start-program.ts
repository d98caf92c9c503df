// Starts a program of a test's own that uses the engine.

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

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
