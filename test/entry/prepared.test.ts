// What the build has prepared is what the program says: every page under every one of its names, at several widths.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadGroups, topics } from '../../src/cli/command.ts';
import { commandLine } from '../../src/cli/completions/levels.ts';
import { preparedLine } from '../../src/cli/completions/prepared-line.ts';
import { parse } from '../../src/cli/program.ts';
import { groups } from '../../src/commands/index.ts';
import { preparedText } from '../../src/entry/prepared.ts';
import { preparedFiles } from '../../src/entry/prepared-files.ts';
import { referenceFamilies, resources } from '../../src/model/resources/index.ts';
import type { Screen } from '../../src/output/help-page.ts';
import { bin, runCrm, shellCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { runHere } from '../support/run-here.ts';

const files = await preparedFiles();
const read = (name: string): string | undefined => files.get(name);
const loaded = await loadGroups(groups);

/** Every way to name a command, a level or a topic. */
const names = [
  ...new Set([
    ...loaded.flatMap(({ name, aliases, commands }) =>
      [name, ...aliases].flatMap((first) =>
        commands.flatMap(({ path, aliases: own = [], levelAliases = [] }) => [
          ...path.map((_word, depth) => [first, ...path.slice(1, depth + 1)].join(' ')),
          ...own.map((alias) => [first, ...path.slice(1, -1), alias].join(' ')),
          ...levelAliases.flatMap((level) =>
            [path.slice(0, 1), path.slice(0, 1).concat(path.slice(-1))].map(([, ...last]) => [first, level, ...last].join(' ')),
          ),
        ]),
      ),
    ),
    ...Object.keys(topics),
  ]),
].map((name) => name.split(' '));

const screens: readonly Screen[] = [
  { width: 100, color: false },
  { width: 60, color: true },
  { width: 24, color: false },
];

async function told(argv: readonly string[], screen: Screen): Promise<string> {
  const request = await parse(groups, argv, screen);
  if (request.kind !== 'print') throw new Error('ran');
  return request.text;
}

it('a Tab reads each level as the build wrote it', () => {
  const { levels, flags, families } = commandLine(loaded, [...resources, ...referenceFamilies]);
  const line = preparedLine(read('tab.txt') ?? '');
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  for (const [path, level] of Object.entries(levels)) expect(line.levelAt(path), path).toEqual(plain(level));
  expect([line.flags, line.families]).toEqual(plain([flags, families]));
  expect(line.levelAt('leads lis')).toBeUndefined();
});

describe('prepared answers', () => {
  it('are about every command', () => expect(names.length).toBeGreaterThan(100));

  it.each(screens)('say what the program says, on %j', async (screen) => {
    for (const words of [[], ...names]) {
      const text = await told([...words, '--help'], screen);
      expect(preparedText([...words, '--help'], read, () => screen)).toBe(text);
      expect(preparedText([...words, '-h'], read, () => screen)).toBe(text);
      expect(preparedText(['help', ...words], read, () => screen)).toBe(text);
    }
  });

  it.each([60, 80, 120])('fit %i columns, but for what is to be copied', (width) => {
    for (const words of [[], ...names]) {
      const text = preparedText([...words, '--help'], read, () => ({ width, color: false })) ?? '';
      const tooLong = text.split('\n').filter((line) => line.length > width && !/^(Usage: | {2}\$ | {2}\d+ )/.test(line));
      expect(tooLong, `${words.join(' ')}: shorten the word (a grouping's other name goes into \`also\`), or its flag's value`).toEqual([]);
    }
  });

  it('fit one screen, where all commands are listed', () => {
    const text = preparedText(['--help'], read, () => ({ width: 80, color: false })) ?? '';
    expect(
      text.split('\n').length - 1,
      'crm --help: join a family to a line, or raise the limit with a look at the screen',
    ).toBeLessThanOrEqual(45);
    for (const word of [...loaded.map(({ name }) => name), ...Object.keys(topics)]) expect(text).toContain(word);
    for (const heading of ['Records', 'Many at once', 'Settings', 'Programs']) expect(text).toContain(`\n${heading}:\n`);
  });

  it('of topics have examples that are command lines of crm', async () => {
    const [screen] = screens as [Screen];
    const texts = Object.keys(topics).map((topic) => preparedText(['help', topic], read, () => screen) ?? '');
    const lines = texts.flatMap((text) =>
      [...text.matchAll(/^ {2}\$ (?:id=\$\()?crm ((?:[^'|>]|'[^']*')*?)\)?(?: [|>] .*)?$/gm)].map(([, line = '']) => line),
    );
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) await parse(groups, line.match(/(?:[^ ']|'[^']*')+/g) ?? [], screen);
  });

  it('explain a word above commands', async () => {
    const [screen] = screens as [Screen];
    for (const words of [[], ['leads'], ['proposal'], ['sandbox']]) {
      expect(preparedText(words, read, () => screen)).toBe(await told(words, screen));
    }
  });

  it.each([
    [['leads', 'list', '--json', '--help']],
    [['--json', '--help']],
    [['-q', 'leads', '--verbose', '-h']],
    [['help', '--debug', 'leads', '-y', '--no-input', '--yes', '--quiet']],
    [['leads', '-q']],
    [['completion', 'bash', '-q']],
    [['completion', 'fish', '--json']],
  ])('%j says what it says without the flags that change nothing about it', async (argv) => {
    const [screen] = screens as [Screen];
    const said = preparedText(argv, read, () => screen);
    expect(said).toBeDefined();
    expect(said).toBe(argv[0] === 'completion' ? read(`${argv[0]}-${argv[1]}.txt`) : await told(argv, screen));
  });

  it.each([
    [['leads', 'list']],
    [['leads', 'list', '--search', '--json', '--help']],
    [['completion', 'bash', '--json', '--csv']],
    [['leads', 'comments']],
    [['api']],
    [['completion', 'tcsh']],
    [['leads', '--help', '--color', 'never']],
    [['--help', 'leads']],
    [['leads', 'nothing', '--help']],
    [['nothing', '--help']],
    [['../leads', '--help']],
    [['leads', 'toString', '--help']],
    [['--version', '--json']],
    [['']],
  ])('leave %j to the program', (argv) => {
    expect(preparedText(argv, read, () => ({ width: 80, color: false }))).toBeUndefined();
  });

  it.each(['--version', '-V', '-v', 'version'])('have the version for %s', async (word) => {
    const screen = { width: 80, color: false };
    expect(preparedText([word], read, () => screen)).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await told([word], screen)).toBe(preparedText([word], read, () => screen));
  });

  it('are in the bundle', () => {
    const folder = join(dirname(bin), '../dist/prepared');
    for (const [name, text] of files) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  });
});

describe('help on nothing', () => {
  it.each([
    [['nothing', '--help'], "Unknown command 'nothing'"],
    [['help', 'nothing'], "Unknown command 'nothing'"],
    [['help', 'leeds'], 'Did you mean crm leads?'],
    [['leads', 'lst', '-h'], 'Did you mean crm leads list?'],
    [['help', 'leads', 'nope'], "Unknown command 'nope'.\nSee: crm leads --help"],
    [['help', 'leads', 'archve'], 'Did you mean crm leads archive?'],
    [['help', 'leads', 'comments', 'lst'], 'Did you mean crm leads comments list?'],
    [['help', 'ouput'], 'Did you mean crm help output?'],
    [['import', 'leads.csv'], 'See: crm help import'],
    [['help', 'output', 'more'], "Unknown command 'output'"],
  ])('%j is a mistake', async (argv, message) => {
    // One process: it has no prepared answer, and goes on to the program.
    const { status, stdout, stderr } = await (argv[0] === 'nothing' ? runCrm(argv) : runHere(argv, { env: {} }));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

const hasScript = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true;

describe.skipIf(!hasScript)('help on a terminal that does not know its size', () => {
  it.each([
    [{}, 80],
    [{ COLUMNS: '50' }, 50],
  ])('with %j', (env: Record<string, string>, columns) => {
    const command = `${shellCommand()} leads get --help`;
    const { stdout } = spawnSync('script', ['-qc', command, '/dev/null'], {
      env: cleanEnv({ NO_COLOR: '1', ...env }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const longest = Math.max(...stdout.split('\r\n').map((line) => line.length));
    expect(longest, stdout).toBeLessThanOrEqual(columns);
    expect(longest, stdout).toBeGreaterThan(columns / 2);
  });
});
