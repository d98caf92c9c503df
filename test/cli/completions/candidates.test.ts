// What a Tab offers, without a shell: the levels are those of the program, and texts that could break a shell are only texts. The
// expectations are typed by hand.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { type Command, type LoadedGroup, loadGroups } from '../../../src/cli/command.ts';
import { type Knowledge, offerAt, offerLines } from '../../../src/cli/completions/candidates.ts';
import { type CommandLine, commandLine } from '../../../src/cli/completions/levels.ts';
import type { PreparedLine } from '../../../src/cli/completions/prepared-line.ts';
import { parse } from '../../../src/cli/program.ts';
import { groups as declared } from '../../../src/commands/index.ts';
import { referenceFamilies, resources } from '../../../src/model/resources/index.ts';
import { offers } from './offers.ts';

const groups = await loadGroups(declared);
const line = commandLine(groups, [...resources, ...referenceFamilies]);
const onTab = ({ levels, ...others }: CommandLine): PreparedLine => ({ ...others, levelAt: (path) => levels[path] });
const prepared = onTab(line);
const screen = { width: 80, color: false };
const nothing: Knowledge = { names: () => [], titles: () => [], profiles: () => [], runs: () => [] };

/** What bash offers for a line, sorted: the last parts of words after `--flag=` and `@`, as its test tells them. */
function offered(typed: string, from = prepared): string[] {
  const words = wordsOf(typed).slice(1);
  const lines = offerLines(
    'bash',
    offerAt(from, words, () => nothing),
    words.at(-1) ?? '',
  )
    .split('\n')
    .slice(0, -1);
  return lines.map((one) => one.replace(/\t.*/, '').replace(/^--[\w-]+=/, '')).sort();
}

const wordsOf = (typed: string): string[] =>
  [...typed.matchAll(/(?:"([^"]*)"|(\S+)|(?<=\s)$)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

describe('offers', () => {
  test.each(offers.filter(([, found]) => !found.includes('data.json')))('%s', (typed, found) => expect(offered(typed)).toEqual(found));

  test.each([
    ['crm sandbox serve --db da', ''],
    ['crm sandbox serve --db=da', '--db='],
    ['crm leads import su', ''],
    ['crm sandbox init --from da', ''],
    ['crm diff da', ''],
    ['crm leads create --description @da', '@'],
    ['crm leads create --description=@da', '--description=@'],
    ['crm leads comments add 3 @', '@'],
  ])('%s: files', (typed, lead) => {
    const words = wordsOf(typed).slice(1);
    expect(
      offerLines(
        'zsh',
        offerAt(prepared, words, () => nothing),
        words.at(-1) ?? '',
      ),
    ).toBe(`\x1f${lead}\n`);
  });

  test('all flags of a command without arguments at once', () => {
    expect(offered('crm profile list ')).toEqual(expect.arrayContaining(['--output', '--help', '--dry-run']));
  });

  test('a value that looks like a flag is a value', () => expect(offered('crm leads list --search --sort --or')).toEqual(['--order']));
});

test.each(Object.entries(line.levels))('crm %s: offers the flags that the parse takes', async (path, level) => {
  // `crm help …` takes words alone.
  if (level === undefined || path === '' || /^help\b/.test(path)) return;
  for (const { name, short, value } of [...level.flags, ...line.flags]) {
    for (const spelling of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) {
      const words = [...path.split(' '), spelling, ...(value === undefined ? [] : ['x'])];
      const error = await parse(declared, words, screen).catch((one: unknown) => one);
      if (error instanceof UsageError) expect([words, error.code]).not.toEqual([words, 'unknown_flag']);
    }
  }
});

const nasty = `it's "a" $(touch ran) \`touch ran\` [b]: c\\d {e,f} * ? ~ ; & | < > %s ! # \\`;

const odd: Command = {
  path: ['odd', 'end', 'do'],
  aliases: ['make'],
  summary: nasty,
  args: [
    { name: 'first[1]:', help: nasty },
    { name: 'kind', help: nasty, choices: ['plain', nasty, '$(touch ran)', 'two\nlines', 'a\ttab'], many: true },
  ],
  flags: [
    { name: 'way', short: 'w', value: 'way:to[go]', help: nasty, choices: ['one', 'two:three', "it's"] },
    { name: 'xylo', value: 'text', help: nasty },
    { name: 'again', short: 'a', value: 'text', help: nasty, repeatable: true },
  ],
  sends: [],
  does: 'reads',
  examples: [],
  run: async () => ({ kind: 'text', text: '' }),
};
const contents = { summary: nasty, commands: [odd] };
const oddGroups: readonly LoadedGroup[] = [{ name: 'odd', aliases: ['o'], heading: 'Programs', load: async () => contents, ...contents }];

test.each([
  ['crm ', ['help', 'odd']],
  ['crm o ', ['end']],
  ['crm odd end ', ['do']],
  ['crm odd end ma', ['make']],
  ['crm odd end do --xyl', ['--xylo']],
  ['crm odd end do --xylo do 1 pl', ['plain']],
  ['crm odd end do 1 2 3 pl', ['plain']],
  ['crm odd end do 1 it', [nasty]],
  ['crm odd end do 1 two', []],
  ['crm odd end do 1 a', []],
  ['crm odd end do -w ', ['one', 'two:three', "it's"].sort()],
  ['crm odd end do --way=on', ['one']],
  ['crm odd end do --again x --ag', ['--again']],
])('invented commands: %s', (typed, found) => expect(offered(typed, onTab(commandLine(oddGroups, [])))).toEqual(found));

describe('the scripts', () => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, '../../../completions', name), 'utf8');

  test('bash has nothing that bash 3.2 lacks', () => {
    const newer = /declare -[Ag]|local -[An]|mapfile|readarray|\$\{[^}]*(\^\^|,,|@[QEPAa])|;;&|;&|&>>|\|&|coproc|\[-1\]|%\(/;
    expect(read('crm.bash').replace(/^\s*#.*$/gm, '')).not.toMatch(newer);
  });

  test.each([
    ['crm.bash', '$(command crm __complete bash ${asked[@]+"${asked[@]}"} "$plain" 2>/dev/null)'],
    ['_crm', '$(command crm __complete zsh "$typed[@]" 2>/dev/null)'],
  ])('%s evaluates nothing, and runs crm __complete alone', (name, call) => {
    expect(read(name)).toContain(call);
    const code = read(name)
      .replace(call, '')
      .replace(/^\s*#.*$/gm, '')
      .replace(/'[^']*'/g, "''");
    expect(code).not.toMatch(/\beval\b|compgen|[^\\]`|\$\((?!\()/);
  });
});
