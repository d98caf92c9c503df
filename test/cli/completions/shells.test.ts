// The completion scripts in the real shells: what TAB offers, what it inserts, and that nothing typed ever runs. The expectations are typed
// by hand. With CRM_SLOW=1 all of them, and under odd settings; else a few. The built command answers bash, and fish's descriptions; where
// the same lines come again, or what is offered is not the matter, this process answers in its place.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeWith } from '../../support/tools.ts';
import { offers } from './offers.ts';
import { type Answering, answerHere, complete, fewOf, isSlow, type Shell } from './shell.ts';

/** What stands on the line after TAB. */
const insertions: readonly (readonly [string, string])[] = [
  ['crm lea', 'crm leads '],
  ['crm leads list --sort=ti', 'crm leads list --sort=title '],
  ['crm notes create --resource le', 'crm notes create --resource lead:'],
  ['crm sandbox serve --db da', 'crm sandbox serve --db data.json '],
  ['crm sandbox serve --db=da', 'crm sandbox serve --db=data.json '],
  ['crm sandbox serve --db su', 'crm sandbox serve --db sub/'],
  ['crm leads list --out da', 'crm leads list --out data.json '],
  ['crm api PUT /x --data @su', 'crm api PUT /x --data @sub/'],
  ['crm api PUT /x --data @sub/', 'crm api PUT /x --data @sub/inner.json '],
];

/** Words that would leave the file `ran` behind, or break a script, if a shell evaluated them. */
const hostileWords = [
  '$(touch ran)',
  '$(touch ran)/',
  '`touch ran`',
  '"$(touch ran)"',
  '"$(touch ran)',
  '(touch ran)',
  '(touch ran)/',
  '${x:=$(touch ran)}',
  'a[$(touch ran)]',
  '$((a[$(touch ran)]))',
  '<(touch ran)',
  '-o$(touch ran)',
  '-$(touch ran)',
  '--sort=$(touch ran)',
  '--$(touch ran)=x',
  ';touch ran;',
  "'it's",
  '*',
  '[',
  '?(',
  '~',
  '%s%n',
  '\\',
  '!!',
  '--',
  'é',
];

const hostileLines = fewOf(hostileWords, 9).flatMap((word) => [
  `crm ${word} `,
  `crm leads ${word} --so`,
  `crm leads list --sort ${word}`,
  `crm leads list --sort=${word}`,
  `crm api PUT /x --data @${word}`,
  `crm sandbox serve --db=${word}`,
  `crm leads get -- ${word}`,
]);

/** Puts a `crm` on the path that leaves the file behind as well, when it is asked to do anything. */
const calledCrm: Record<Shell, string> = { bash: 'PATH=$PWD/sub:$PATH', zsh: 'path=($PWD/sub $path)', fish: 'set -x PATH $PWD/sub $PATH' };

const hostileNames = ['q$(touch ran)', 'r`touch ran`', "t it's", 'u;touch ran', 'v"w', 'y*?[z]'];

/** Settings that scripts trip over. */
const settings: Record<Shell, readonly (readonly [string, string])[]> = {
  bash: [
    ['set -eu, noglob and an odd IFS', "set -euf; IFS='a/'; shopt -u progcomp_alias 2>/dev/null || :"],
    ['no compopt, as in bash 3.2', 'enable -n compopt'],
    ['posix mode', 'set -o posix'],
  ],
  zsh: [
    ['nounset, noglob and sh word splitting', 'setopt no_unset no_glob sh_word_split err_return'],
    ['ksh arrays', 'setopt ksh_arrays'],
  ],
  fish: [],
};

let cwd = '';
let folder = '';
let here: Answering;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-answers-'));
  here = await answerHere(folder);
});

afterAll(async () => {
  here.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'crm-words-'));
  mkdirSync(join(cwd, 'sub'));
  for (const name of ['data.json', 'sub/inner.json']) writeFileSync(join(cwd, name), '{}');
});

afterEach(() => rm(cwd, { recursive: true, force: true }));

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  describeWith([shell], shell, { timeout: 600_000 }, () => {
    test('offers commands, flags and values', async () => {
      const some = fewOf(offers, 7);
      const found = await complete(
        shell,
        some.map(([line]) => line),
        { cwd, ...(shell !== 'bash' && { crm: here.command }) },
      );
      expect(found.map(({ offered }, index) => [some[index]?.[0], offered])).toEqual(some);
    });

    test('runs nothing that was typed, and of crm what gets it as text', async () => {
      const asked = join(cwd, 'sub', 'asked');
      writeFileSync(
        join(cwd, 'sub', 'crm'),
        `#!/bin/sh\n[ "$1" = __complete ] || touch ran\nprintf '<%s>\\n' "$@" >>'${asked}'\nexec ${here.command} "$@"\n`,
        { mode: 0o755 },
      );
      const found = await complete(shell, [...hostileLines, 'crm lea'], { cwd, before: calledCrm[shell] });
      expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['data.json', 'sub', 'sub/asked', 'sub/crm', 'sub/inner.json']);
      // The line `crm leads get -- $(touch ran)`.
      expect(readFileSync(asked, 'utf8')).toContain(`<${shell}>\n<leads>\n<get>\n<-->\n<$(touch ran)>\n`);
      expect(found.at(-1)?.offered).toEqual(['leads']);
    });

    test.skipIf(shell === 'fish')('inserts what was found', async () => {
      const found = await complete(
        shell,
        insertions.map(([line]) => line),
        { cwd, crm: here.command },
      );
      expect(found.map(({ line }) => line)).toEqual(insertions.map(([, line]) => line));
    });

    test.skipIf(shell === 'fish')('inserts file names that read back as themselves, and run nothing', async () => {
      for (const name of hostileNames) writeFileSync(join(cwd, name), '');
      const starts = hostileNames.flatMap((name) => [
        `crm sandbox serve --db ${name[0]}`,
        `crm leads create --body --description @${name[0]}`,
      ]);
      const found = await complete(shell, starts, { cwd, crm: here.command });
      const words = found.map(({ line }) => lastWord(shell, line));
      expect(words.map((word) => word.replace('@', ''))).toEqual(hostileNames.flatMap((name) => [name, name]));
      expect(readdirSync(cwd)).not.toContain('ran');
    });

    test.runIf(shell === 'fish')('tells what each is', async () => {
      const [commands, flags] = await complete(shell, ['crm lea', 'crm leads list --sor'], { cwd });
      expect(commands?.descriptions).toEqual(['Prospective customers, convertible to clients']);
      expect(flags?.descriptions).toEqual(['What to sort by: title, value, created, last_contacted, or any other field']);
    });

    test.runIf(shell === 'fish')('offers files for a flag that takes one', async () => {
      const found = await complete(shell, ['crm sandbox serve --db da', 'crm sandbox serve --db=su', 'crm sandbox serve --host da'], {
        cwd,
      });
      expect(found.map(({ offered }) => offered)).toEqual([['data.json'], ['sub/'], []]);
    });

    test.runIf(isSlow).for(settings[shell])('works with %s', async ([, before]) => {
      const noglob = /set -euf|no_glob/.test(before);
      const asked = offers.filter(([, found]) => !(noglob && found.includes('data.json')));
      expect(asked.length).toBeGreaterThan(45);
      const found = await complete(
        shell,
        asked.map(([line]) => line),
        { cwd, before, crm: here.command },
      );
      expect(found.map(({ offered }, index) => [asked[index]?.[0], offered])).toEqual(asked);
    });
  });
}

describeWith(['zsh'], 'zsh', {}, () => {
  test('needs no compinit before the script', () => {
    const script = join(import.meta.dirname, '../../../completions/_crm');
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', 'source "$1"; print -- $_comps[crm]', 'zsh', script], {
      encoding: 'utf8',
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd },
    });
    expect({ stdout, stderr }).toEqual({ stdout: '_crm\n', stderr: '' });
  });
});

/** The last word of a command line, as the shell itself reads it. */
function lastWord(shell: Shell, line: string): string {
  const { stdout } = spawnSync(shell, ['-c', `crm() { for word; do :; done; printf %s "$word"; }\n${line}`], { cwd, encoding: 'utf8' });
  return stdout;
}
