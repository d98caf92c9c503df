// Programs beside Node that some tests need. A developer's machine may lack these programs. In CI (CI=true, see .ci/run) a missing program
// fails the test: otherwise a change that breaks the tested code would pass unnoticed.

import { spawnSync } from 'node:child_process';
import { describe, expect, it, type TestOptions } from 'vitest';

/**
 * Declares tests that need some programs. If a program is missing, the tests are skipped and the title names the program; with CI=true they
 * fail.
 */
export function describeWith(tools: readonly string[], title: string, options: TestOptions, tests: () => void): void {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) describe(title, options, tests);
  else if (process.env.CI === 'true') it(`${title}: the needed programs are installed`, () => expect(missing, 'missing').toEqual([]));
  else describe.skip(`${title} (skipped: ${missing.join(' and ')} missing)`, options, tests);
}

const isInstalled = (tool: string): boolean => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status === 0;
