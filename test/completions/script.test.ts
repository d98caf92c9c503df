// The completion scripts as text: the committed files, what commander accepts, and declarations that could break a shell.
// `npm run generate` writes completions/ again.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command as CommanderCommand } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from '../../src/command.ts';
import { type LoadedGroup, loadGroups } from '../../src/command.ts';
import { groups as declared } from '../../src/commands/index.ts';
import { commandLine } from '../../src/completions/levels.ts';
import { completionScript } from '../../src/completions/script.ts';
import { buildProgram } from '../../src/program/program.ts';
import { describeWith } from '../support/tools.ts';
import { complete } from './shell.ts';

const groups = await loadGroups(declared);

const committed = { bash: 'crm.bash', zsh: '_crm', fish: 'crm.fish' } as const;
const shells = ['bash', 'zsh', 'fish'] as const;

describe('the committed scripts', () => {
  test.each(shells)('%s is what the declarations say', async (shell) => {
    await expect(completionScript(shell, groups)).toMatchFileSnapshot(`../../completions/${committed[shell]}`);
  });

  test('bash has nothing that bash 3.2 lacks', () => {
    const newer = /declare -[Ag]|local -[An]|mapfile|readarray|\$\{[^}]*(\^\^|,,|@[QEPAa])|;;&|;&|&>>|\|&|coproc|\[-1\]|%\(/;
    expect(completionScript('bash', groups)).not.toMatch(newer);
  });

  test.each([
    ['bash', '$(command crm __complete bash "${asked[@]}" 2>/dev/null)'],
    ['zsh', '$(command crm __complete zsh "$typed[@]" 2>/dev/null)'],
  ] as const)('%s evaluates nothing, and runs crm __complete alone', (shell, call) => {
    const code = completionScript(shell, groups)
      .replace(call, '')
      .replace(/^\s*#.*$/gm, '')
      .replace(/'[^']*'/g, "''");
    expect(code).not.toMatch(/\beval\b|compgen|[^\\]`|\$\((?!\()/);
  });
});

test('the levels are those of the program, with the same flags', () => {
  const { levels, flags } = commandLine(groups);
  const spelled = (level: (typeof levels)[number]): string[] => [...level.flags, ...flags].flatMap(({ spellings }) => spellings).sort();
  const derived = new Map(levels.map((level) => [level.path, spelled(level)]));
  const words = levels.flatMap(({ path }) => path.split(' '));
  const program = buildProgram(groups, words, { print: ignore, explain: ignore, pick: ignore });
  // `crm help …` is read before commander sees it.
  for (const path of derived.keys()) if (/^help\b/.test(path)) derived.delete(path);
  expect(derived).toEqual(new Map(programLevels(program, []).filter(([path]) => path !== 'help')));
});

const ignore = (): undefined => undefined;

function programLevels(commander: CommanderCommand, path: readonly string[]): [string, string[]][] {
  const options = commander
    .createHelp()
    .visibleOptions(commander)
    .flatMap(({ short, long }) => [short, long]);
  const spelled = options.filter((name) => name !== undefined && name !== null).sort();
  return [[path.join(' '), spelled], ...commander.commands.flatMap((below) => programLevels(below, [...path, below.name()]))];
}

const nasty = `it's "a" $(touch ran) \`touch ran\` [b]: c\\d {e,f} * ? ~ ; & | < > %s ! # \\`;

const odd: Command = {
  path: ['odd', 'end', 'do'],
  aliases: ['make'],
  summary: nasty,
  args: [
    { name: 'first[1]:', help: nasty },
    { name: 'kind', help: nasty, choices: ['plain', nasty, '$(touch ran)'], many: true },
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

for (const shell of shells) {
  describeWith([shell], `invented commands in ${shell}`, {}, () => {
    test('texts are only texts, and the last value repeats', async () => {
      const cwd = mkdtempSync(join(tmpdir(), 'crm-odd-'));
      onTestFinished(() => rm(cwd, { recursive: true, force: true }));
      const script = join(cwd, committed[shell]);
      writeFileSync(script, completionScript(shell, oddGroups));
      const lines = {
        'crm ': ['help', 'odd'],
        'crm o ': ['end'],
        'crm odd end ': ['do'],
        'crm odd end ma': ['make'],
        'crm odd end do --xyl': ['--xylo'],
        'crm odd end do --xylo do 1 pl': ['plain'],
        'crm odd end do 1 2 3 pl': ['plain'],
        'crm odd end do 1 it': [nasty],
        'crm odd end do -w ': ['one', 'two:three', "it's"].sort(),
        'crm odd end do --way=on': ['one'],
        'crm odd end do --again x --ag': ['--again'],
      };
      const found = await complete(shell, Object.keys(lines), { cwd, script });
      expect(Object.fromEntries(found.map(({ offered }, index) => [Object.keys(lines)[index], offered]))).toEqual(lines);
      expect(readdirSync(cwd)).toEqual([committed[shell]]);
      expect(readFileSync(script, 'utf8')).toContain('touch ran');
    });
  });
}
