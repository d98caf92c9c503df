// Files that are read whole: pipes that nobody writes to, devices that never end, and seed files that take a parser long.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { parseSeedFile } from '../../../src/seed/language/file.ts';
import { runCrm, shellCommand } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';
import { startCrm } from '../../support/start-crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-read-'));
const env = {
  CRM_BASE_URL: `sandbox:${join(folder, 'crm.sqlite')}`,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
};
const pipe = join(folder, 'pipe');

beforeAll(() => {
  makeSandbox(join(folder, 'crm.sqlite'), { demo: true });
  execFileSync('mkfifo', [pipe]);
  writeFileSync(join(folder, 'rows.csv'), 'title,description\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const create = ['notes', 'create', '--title', 'x', '--description'];
const statuses = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Waits until a process has the pipe open. */
async function opened(pid: number | undefined): Promise<void> {
  const isOpen = async (): Promise<boolean> => {
    const names = await readdir(`/proc/${pid}/fd`);
    const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    return targets.includes(pipe);
  };
  while (!(await isOpen())) await sleep(10);
}

describe.runIf(process.platform === 'linux').concurrent('pipes and devices', () => {
  const readers: [string, string[]][] = [
    ['a text', [...create, `@${pipe}`]],
    ['--data', ['notes', 'create', '--data', `@${pipe}`]],
    ['a seed file', ['seed', 'apply', pipe]],
    ['a file of rows', ['notes', 'import', pipe]],
    ['a change file', ['apply', pipe]],
    ['a mapping', ['notes', 'import', join(folder, 'rows.csv'), '--mapping', pipe]],
  ];
  // What a signal is, a reader does not see: one of them is ended by each.
  for (const [place, [name, argv]] of readers.entries()) {
    it.each(Object.entries(statuses).filter(([signal]) => place === 0 || signal === 'SIGTERM'))(
      `%s ends the wait for a pipe: ${name}`,
      async (signal, status) => {
        const { process: child, ended } = startCrm([...argv, '--json'], env);
        await opened(child.pid);
        child.kill(signal as NodeJS.Signals);
        const crm = await ended;
        expect(crm.status).toBe(status);
        expect(JSON.parse(crm.stderr).error.code).toBe('interrupted');
      },
    );
  }

  it('a pipe gives what is written to it, whenever that is', async () => {
    const script = `${shellCommand()} ${create.map((word) => `'${word}'`).join(' ')} @<(sleep 0.3; echo one; sleep 0.3; echo two) --json`;
    const { stdout } = spawnSync('bash', ['--norc', '-c', script], { env: cleanEnv(env), encoding: 'utf8' });
    expect(JSON.parse(stdout).description).toBe('one\ntwo\n');
    const named = join(folder, 'named');
    execFileSync('mkfifo', [named]);
    const written = startCrm([...create, `@${named}`, '--json'], env);
    spawnSync('bash', ['--norc', '-c', `sleep 0.5; echo late >'${named}'`]);
    expect(JSON.parse((await written.ended).stdout).description).toBe('late\n');
    const rows = `${shellCommand()} notes import <(sleep 0.3; echo title,description; sleep 0.3; echo a,b) --dry-run --json`;
    const imported = spawnSync('bash', ['--norc', '-c', rows], { env: cleanEnv(env), encoding: 'utf8' });
    expect(JSON.parse(imported.stdout)).toMatchObject({ rows: [{ line: 2, title: 'a', outcome: 'would_create' }] });
  });

  it.each(['manifest.json', 'notes.ndjson'])('a snapshot whose %s is a pipe is none', async (name) => {
    const dir = mkdtempSync(join(folder, 'snapshot-'));
    const notes = { records: 0, sha256: '0'.repeat(64) };
    writeFileSync(
      join(dir, 'manifest.json'),
      JSON.stringify({ format: 'crm snapshot 1', service: 'sandbox:', taken: '2026-11-02', files: { notes } }),
    );
    rmSync(join(dir, name), { force: true });
    execFileSync('mkfifo', [join(dir, name)]);
    for (const argv of [
      ['diff', dir, '--json'],
      ['sandbox', 'init', '-p', 'copy', '--from', dir, '--json'],
    ]) {
      const { status, stderr } = await runCrm(argv, { env });
      expect([status, JSON.parse(stderr).error.message]).toEqual([
        2,
        expect.stringMatching(/ (was not written by this version of crm|was changed after it was written)/),
      ]);
    }
  });

  it('a pipe that never ends is cut off', () => {
    const script = `${shellCommand()} notes create --title x --description @<(yes)`;
    const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], { env: cleanEnv(env), encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --description: \/dev\/fd\/\d+ is longer than 16 MiB\.$/m);
  });

  it.each([
    ['/dev/zero', [...create, '@/dev/zero']],
    ['/dev/random', [...create, '@/dev/random']],
    ['/dev/null', [...create, '@/dev/null']],
    ['/dev/zero', ['seed', 'apply', '/dev/zero']],
  ])('%s is not a file: %j', async (device, argv) => {
    const { status, stderr } = await runCrm(argv, { env });
    expect(status).toBe(2);
    expect(stderr).toMatch(`${device} is a device, not a file.`);
  });
});

describe('seed files that take a parser long', () => {
  const many = (count: number, line: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => line(index)).join('');
  /** Each with `count` things in it. */
  const shapes: Record<string, (count: number) => string> = {
    'a comma, 100,000 times': (count) => ','.repeat(count),
    'commas in brackets': (count) => `version: 1\nrecords: [${','.repeat(count)}]\n`,
    'commas in braces': (count) => `{${','.repeat(count)}}`,
    'keys of a map': (count) => many(count / 3, (index) => `k${index}: 1\n`),
    'keys of a map in braces': (count) => `{${many(count / 3, (index) => `k${index}: 1,`)}}`,
    'names of variables that can be none': (count) => `version: 1\nrecords: []\nvars:\n${many(count / 3, (index) => `  ${index}: 1\n`)}`,
    aliases: (count) => `- &a x\n${'- *a\n'.repeat(count / 3)}`,
    merges: (count) => `a: &a {x: 1}\nb:\n${'  <<: *a\n'.repeat(count / 3)}`,
    brackets: (count) => '['.repeat(count),
    braces: (count) => '{'.repeat(count),
    'implicit keys in brackets': (count) => `[${'a: '.repeat(count / 2)}]`,
    'too many words': (count) => `- ${'a\n- '.repeat(count)}`,
    'a long text': (count) => `x: ${'a'.repeat(150 * count)}`,
    'documents without end': (count) => '---\n'.repeat(count / 2),
  };
  /** Seconds of the processor that it takes to refuse a text. */
  const refusing = async (text: string): Promise<number> => {
    const before = process.cpuUsage();
    await expect(parseSeedFile(text, 'x.yaml')).rejects.toBeInstanceOf(UsageError);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  it.each(Object.entries(shapes))('%s', async (_name, text) => {
    // Four times as much; the square would take sixteen times as long. Half a second is nobody's square. Other work slows down one of two.
    const bound = 6 * (await refusing(text(25_000))) + 0.5;
    const first = await refusing(text(100_000));
    expect(first < bound ? first : await refusing(text(100_000))).toBeLessThan(bound);
  });

  it('keys that stand twice have a line, wherever they stand', async () => {
    const text = 'version: 1\nrecords:\n  - name: a\n    set: { x: 1,\n     x: 2 }\n';
    await expect(parseSeedFile(text, 'x.yaml')).rejects.toMatchObject({
      details: { fields: [{ name: 'line 5', messages: ['Map keys must be unique.'] }] },
    });
  });

  it('the command says it, with status 2', async () => {
    const path = join(folder, 'commas.yaml');
    writeFileSync(path, `version: 1\nrecords: [${','.repeat(1000)}]\n`);
    const { status, stderr } = await runCrm(['seed', 'apply', path, '--dry-run'], { env });
    expect(stderr).toContain('  line 2: Unexpected , in flow sequence.');
    expect(status).toBe(2);
  });
});
