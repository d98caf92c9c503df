// The lock under many processes that take it and give it back: never two at once.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { takeLock } from '../../src/runs/lock.ts';

const taking = (lock: string, log: string): string => `
  import { appendFileSync } from 'node:fs';
  import { takeLock } from ${JSON.stringify(join(import.meta.dirname, '../../src/runs/lock.ts'))};
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

it('a file that is no lock stays as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-lock-'));
  const path = join(folder, 'yarn.lock');
  writeFileSync(path, 'a@1:\n'.repeat(200));
  expect(() => takeLock(path)).toThrow('not a database');
  expect(readFileSync(path, 'utf8')).toHaveLength(1000);
  rmSync(folder, { recursive: true });
});

// Only some systems let a test have a disk of its own.
const mount = (folder: string): string => `mount -t tmpfs -o size=8k tmpfs ${folder}`;
const mayMount = spawnSync('unshare', ['-rm', 'sh', '-c', mount(tmpdir())]).status === 0;

it.runIf(mayMount)('a full disk keeps no lock file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-lock-'));
  const script = `import { takeLock } from ${JSON.stringify(join(import.meta.dirname, '../../src/runs/lock.ts'))};
    try { takeLock('lock'); } catch (error) { console.log(error.message); }`;
  const node = `"${process.execPath}" --experimental-strip-types --no-warnings --input-type=module -e "$SCRIPT"`;
  const words = `${mount(folder)} && cd ${folder} && { head -c 9000 /dev/zero > fill; ${node}; ls; }`;
  const said = execFileSync('unshare', ['-rm', 'sh', '-c', words], {
    env: { ...process.env, SCRIPT: script },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(said.toString()).toBe('database or disk is full\nfill\n');
  rmSync(folder, { recursive: true });
});
