// Programs beside Node that some tests need. A developer's machine may lack them; where the whole suite is to decide (CI=true,
// see .ci/run) it may not, or a change that breaks what they test would pass in silence.

import { spawnSync } from 'node:child_process';
import { describe, expect, it, type TestOptions } from 'vitest';

/** Tests that need some programs: skipped, by name, where one is missing; with CI=true they fail instead. */
export function describeWith(tools: readonly string[], title: string, options: TestOptions, tests: () => void): void {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length === 0) describe(title, options, tests);
  else if (process.env.CI === 'true') it(`${title}: what they need is installed`, () => expect(missing, 'missing').toEqual([]));
  else describe.skip(`${title} (skipped: ${missing.join(' and ')} missing)`, options, tests);
}

const isInstalled = (tool: string): boolean => spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status === 0;
