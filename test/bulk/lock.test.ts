// The lock under many processes that take it and give it back: never two at once.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const taking = (lock: string, log: string): string => `
  import { appendFileSync } from 'node:fs';
  import { takeLock } from ${JSON.stringify(join(import.meta.dirname, '../../src/bulk/lock.ts'))};
  for (let taken = 0; taken < 40; ) {
    const release = takeLock(${JSON.stringify(lock)});
    if (release === undefined) continue;
    appendFileSync(${JSON.stringify(log)}, 'in\\n');
    appendFileSync(${JSON.stringify(log)}, 'out\\n');
    release();
    taken += 1;
  }`;

it('one process at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-lock-'));
  const [lock, log] = [join(folder, 'lock'), join(folder, 'log')];
  const run = (): Promise<unknown> =>
    promisify(execFile)(process.execPath, ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', taking(lock, log)]);
  await Promise.all([run(), run(), run(), run()]);
  expect(readFileSync(log, 'utf8')).toBe('in\nout\n'.repeat(160));
  expect(existsSync(lock)).toBe(false);
  rmSync(folder, { recursive: true });
});
