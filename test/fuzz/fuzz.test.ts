// Command lines, configuration files and input files made up at random, against the embedded CRM: whatever comes, the command
// ends, with a status of the contract's table, no fault, no stack trace, and what --json promises on both streams.
// CRM_FUZZ_RUNS makes it long, CRM_FUZZ_SEED repeats a run; the seed stands in the name of the tests.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import { globalFlags, outputInArgv } from '../../src/base/global-flags.ts';
import { loadGroups } from '../../src/cli/command.ts';
import { groups } from '../../src/commands/index.ts';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from '../support/fake-io.ts';
import { makeSandbox } from '../support/make-sandbox.ts';
import { startCrm } from '../support/start-crm.ts';

const runs = Number(process.env.CRM_FUZZ_RUNS ?? 60);
const seed = Number(process.env.CRM_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Half an hour where a person asks for many runs. */
const testTimeout = process.env.CRM_FUZZ_RUNS === undefined ? 240_000 : 24 * 60 * 60 * 1000;

/** Typed from the contract: 1 is a fault of crm itself. */
const statuses = new Set([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 129, 130, 143]);

const folder = mkdtempSync(join(tmpdir(), 'crm-fuzz-'));
const fresh = join(folder, 'fresh.sqlite');
const home = process.cwd();
let count = 0;

beforeAll(() => {
  makeSandbox(fresh, { demo: true });
  // A command line may name files to write.
  const cwd = join(folder, 'cwd');
  mkdirSync(cwd);
  process.chdir(cwd);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Folders of a run's own, with a CRM in it. */
function surroundings(): { folder: string; env: Record<string, string> } {
  count += 1;
  const own = join(folder, String(count));
  mkdirSync(join(own, 'config'), { recursive: true, mode: 0o700 });
  copyFileSync(fresh, join(own, 'crm.sqlite'));
  return { folder: own, env: { CRM_CONFIG_DIR: join(own, 'config'), CRM_DATA_DIR: join(own, 'data') } };
}

/** Runs a command line in this process; a signal comes after some seconds, for some commands go on for as long as they are told to. */
async function run(argv: readonly string[], cwd: string, env: Record<string, string>, stdin = ''): Promise<Ended> {
  const io = fakeIo({ stdin });
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new InterruptedError('SIGTERM')), 5_000);
  const limit = new AbortController();
  const hang = sleep(60_000, 'hang' as const, { signal: limit.signal }).catch(() => 'hang' as const);
  const status = await Promise.race([main(argv, { io, env, cwd, signal: abort.signal }), hang]);
  clearTimeout(timer);
  limit.abort();
  expect(status, 'it goes on after a signal').not.toBe('hang');
  return { status: Number(status), stdout: io.stdoutText(), stderr: io.stderrText() };
}

/** The same with the built command. One that a signal doesn't end is killed, and has no status. */
async function runProcess(argv: readonly string[], env: Record<string, string>): Promise<Ended> {
  const { process: child, ended } = startCrm(argv, env);
  const signals = [setTimeout(() => child.kill('SIGTERM'), 10_000), setTimeout(() => child.kill('SIGKILL'), 60_000)];
  const crm = await ended;
  for (const timer of signals) clearTimeout(timer);
  return crm;
}

/** What holds of every command line. */
function check(argv: readonly string[], { status, stdout, stderr }: Ended): void {
  const told = `${JSON.stringify(argv)}\n${status}\n${stdout.slice(0, 2000)}\n${stderr.slice(0, 4000)}`;
  // `sandbox exec` ends as its command does, which may not be there.
  const isOfCommand = argv.includes('exec') && (status === 126 || status === 127);
  expect(statuses.has(status ?? -1) || isOfCommand, told).toBe(true);
  expect(stderr, told).not.toContain('crm has a fault');
  const isTalkative = argv.some((word) => /^--(debug|verbose)/.test(word));
  if (!isTalkative) expect(stderr, told).not.toMatch(/^\s+at .*[(/]/m);
  if (outputInArgv(argv) !== 'json' || isTalkative || argv.some((word) => /^(help|completion|--help|--version|-\w*[hV]\w*)$/.test(word)))
    return;
  if (status !== 0 && status !== 8 && status !== 11) {
    expect(stdout, told).toBe('');
    expect(JSON.parse(stderr), told).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
  } else if (stdout !== '' && !stdout.startsWith('Usage:')) expect(() => JSON.parse(stdout), told).not.toThrow();
}

const junk = fc.oneof(
  fc.constantFrom('', '-', '--', '@', '@@', '@no-such-file', '@.', '0', '-1', '12', '1e9', '99999999999999999999', 'true', 'null', '{}'),
  fc.constantFrom(
    '{"title":"x"}',
    '[1]',
    '2026-02-30',
    '2026-12-24',
    'a@b.c',
    'draft',
    'title',
    'x=y',
    '=',
    'client:1',
    'sandbox:',
    '/dev/null',
  ),
  fc.constantFrom('__proto__', 'constructor', 'x'.repeat(100_000), '\u0000', '\ud800', '\u202e', 'é'.repeat(300), '\r\n', '[', "'", '${x}'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 12 }),
);

/** Command lines: a real command with flags of its own and others, or words in any order. */
async function commandLines(): Promise<fc.Arbitrary<string[]>> {
  const commands = (await loadGroups(groups)).flatMap((group) => group.commands);
  const flagWords = (flags: (typeof commands)[number]['flags']) =>
    flags
      // What this runs would be run by the shell.
      .filter(({ name }) => name !== 'key-command')
      .flatMap(({ name, short, choices = [] }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`]), ...choices]);
  const common = fc.constantFrom(...flagWords(globalFlags), '--json', '--json', '--yes', '--dry-run', '--help');
  const anyWord = fc.constantFrom(...new Set(commands.flatMap(({ path, aliases = [] }) => [...path, ...aliases])));
  const real = fc.constantFrom(...commands).chain(({ path, flags }) => {
    const own = flagWords(flags);
    const word = fc.oneof(junk, junk, common, own.length === 0 ? common : fc.constantFrom(...own));
    return fc.array(word, { maxLength: 9 }).map((words) => [...path, ...words]);
  });
  const words = fc.array(fc.oneof(anyWord, common, junk), { maxLength: 8 });
  // A server ends only when it is told to, and --key-command=… is the shell's again.
  return fc.oneof({ weight: 4, arbitrary: real }, { weight: 1, arbitrary: words }).filter((argv) => {
    return !argv.includes('serve') && !argv.some((word) => word.startsWith('--key-command'));
  });
}

/** A text with some of its bytes cut out, doubled or replaced. */
const mutated = (text: string): fc.Arbitrary<Uint8Array> =>
  fc
    .array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.integer({ min: 0, max: 40 }),
        put: fc.oneof(
          fc.uint8Array({ maxLength: 6 }),
          fc.constantFrom(...'{}[]",:\n\\&*#|>-\t').map((one) => Buffer.from(one)),
        ),
      }),
      { maxLength: 4 },
    )
    .map((changes) => {
      let bytes = Buffer.from(text);
      for (const { at, cut, put } of changes) {
        const from = Math.floor(at * bytes.length);
        bytes = Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)]);
      }
      return bytes;
    });

const options = (numRuns: number): fc.Parameters<unknown> => ({ seed, numRuns: Math.ceil(numRuns) });

describe(`made up at random (CRM_FUZZ_SEED=${seed})`, () => {
  it('command lines', { timeout: testTimeout }, async () => {
    const property = fc.asyncProperty(await commandLines(), fc.oneof(fc.constant(''), junk), async (argv, stdin) => {
      const own = surroundings();
      check(argv, await run(argv, own.folder, { ...own.env, CRM_BASE_URL: `sandbox:${join(own.folder, 'crm.sqlite')}` }, stdin));
    });
    await fc.assert(property, options(runs * 2));
  });

  it('command lines of a process', { timeout: testTimeout }, async () => {
    const words = (await commandLines()).filter((argv) => !argv.some((word) => word.includes('\u0000')));
    const property = fc.asyncProperty(words, async (argv) => {
      const own = surroundings();
      check(argv, await runProcess(argv, { ...own.env, CRM_BASE_URL: `sandbox:${join(own.folder, 'crm.sqlite')}` }));
    });
    await fc.assert(property, options(runs / 12));
  });

  it('configuration files', { timeout: testTimeout }, async () => {
    const document = (file: string) =>
      JSON.stringify({
        version: 1,
        current: 'a',
        profiles: { a: { baseUrl: `sandbox:${file}`, encoding: 'json', protected: true }, b: { baseUrl: 'sandbox:', insecureHttp: false } },
      });
    const contents = fc.oneof(
      mutated(document('FILE')),
      mutated(document('FILE')),
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
    );
    const commands = fc.constantFrom(
      ['profile', 'list'],
      ['leads', 'list'],
      ['profile', 'show', 'a'],
      ['profile', 'use', 'b'],
      ['profile', 'remove', 'a', '-y'],
    );
    const property = fc.asyncProperty(contents, commands, async (bytes, command) => {
      const own = surroundings();
      const text = Buffer.from(bytes).toString('latin1').replaceAll('FILE', join(own.folder, 'crm.sqlite'));
      writeFileSync(join(own.env.CRM_CONFIG_DIR ?? '', 'config.json'), text, { encoding: 'latin1', mode: 0o600 });
      const argv = [...command, '--json'];
      check(argv, await run(argv, own.folder, own.env));
    });
    await fc.assert(property, options(runs));
  });

  const csv = 'title,status,category,value,tags\n"A ""big"" deal",1,1,12.50,\nOther,2,1,,"a;b"\r\nLast,1,1,7,x\n';
  const rows = [
    { title: 'A', status: 1, category: 1, value: '1.50' },
    { title: 'B', status: 2, category: 1 },
  ];
  const yaml =
    "version: 1\nvars: { n: 2 }\nrecords:\n  - name: one\n    type: lead\n    count: 2\n    set: &s\n      title: 'Deal ${n}'\n      status: 1\n      category: 1\n" +
    "  - name: two\n    type: note\n    set:\n      title: x\n      description: |\n        A text\n        of lines\n      resource: 'lead:${one.id}'\n";
  it.each([
    ['CSV', 'rows.csv', csv, ['leads', 'import']],
    ['NDJSON', 'rows.ndjson', rows.map((row) => `${JSON.stringify(row)}\n`).join(''), ['leads', 'import']],
    ['JSON', 'rows.json', JSON.stringify(rows, null, 1), ['leads', 'import']],
    ['YAML seeds', 'seed.yaml', yaml, ['seed', 'apply']],
    ['JSON seeds', 'seed.json', JSON.stringify({ version: 1, records: [{ name: 'a', type: 'lead', set: rows[0] }] }), ['seed', 'apply']],
  ])('%s', { timeout: testTimeout }, async (_name, file, text, command) => {
    const property = fc.asyncProperty(mutated(text), fc.constantFrom([], ['--dry-run'], ['--json']), async (bytes, flags) => {
      const own = surroundings();
      writeFileSync(join(own.folder, file), bytes);
      const argv = [...command, join(own.folder, file), '--yes', ...flags];
      check(argv, await run(argv, own.folder, { ...own.env, CRM_BASE_URL: `sandbox:${join(own.folder, 'crm.sqlite')}` }));
    });
    await fc.assert(property, options(runs / 3));
  });
});
