// What a Tab offers out of files of this machine, in the real shells: names, records, profiles, runs and fields, among them names that
// would run or break something if a shell took them for more than texts. With CRM_SLOW=1 all of them; else a few. The built command answers
// bash; where the same lines come again, or what is inserted is the matter, this process answers in its place.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Journal } from '../../../src/runs/journal/journal.ts';
import { runCrm } from '../../support/crm.ts';
import { builtOnPath } from '../../support/crm-on-path.ts';
import { startTmux } from '../../support/tmux.ts';
import { describeWith } from '../../support/tools.ts';
import { type Answering, answerHere, complete, fewOf, isSlow, type Shell } from './shell.ts';

const service = 'https://crm.example';

/** Names that are to come out as they went in. Each begins with a letter of its own. */
const hostile = [
  `a it's "it" $(touch ran)`,
  'b `touch ran`; touch ran',
  'c: d=e@f',
  'Éva Kórház, 東京',
  'g "half',
  "h 'half",
  'i \\ back\\slash',
  'j *?[x]{y,z} ~ # & | < > %s',
  'k !! !x Hey!you',
  'l $HOME ${HOME}',
];

/** Names that can't be typed, or mean something else: their ids stand for them. */
const unspeakable = [
  [901, 'esc\u001b[31mape'],
  [902, 'new\nline'],
  [903, '2024'],
  [904, '-x'],
  [905, '@me'],
  [906, 'Twin'],
  [907, 'twin'],
  [908, 'bidi\u202egnp'],
  [909, ' edge'],
] as const;

let cwd = '';
let here: Answering;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'crm-live-'));
  for (const folder of ['config', 'data', 'data/names']) mkdirSync(join(cwd, folder));
  here = await answerHere(cwd, folders());
  const profiles = { acme: { baseUrl: `${service}/api/`, key: 'secret-key' }, other: { baseUrl: 'sandbox:' } };
  writeFileSync(join(cwd, 'config', 'config.json'), JSON.stringify({ version: 1, current: 'acme', profiles }));
  const names = (pairs: readonly (readonly [number, string])[]) => pairs.map(([id, name]) => ({ id, name }));
  const known = {
    version: 1,
    baseUrl: service,
    names: {
      'lead-status': names([
        [1, 'New'],
        [5, 'Negotiation'],
        [6, 'Lost'],
      ]),
      client: names([...hostile.map((name, index) => [100 + index, name] as const), ...unspeakable]),
    },
    titles: {
      leads: [
        { id: 33, title: 'Third-party\u001b[31m warehouse\nin two lines' },
        { id: 7, title: '$(touch ran)' },
      ],
    },
  };
  writeFileSync(join(cwd, 'data', 'names', 'acme.json'), JSON.stringify(known));
  const others = { version: 1, baseUrl: 'sandbox:', names: { 'lead-status': names([[1, 'Other']]) }, titles: {} };
  writeFileSync(join(cwd, 'data', 'names', 'other.json'), JSON.stringify(others));
  begun(service, ['seed', 'smoke'], ['import', 'x.csv']);
  begun('sandbox:', ['seed', 'demo-2'], ['seed', 'smoke']);
});

afterEach(() => {
  here.close();
  return rm(cwd, { recursive: true, force: true });
});

/** The journal of a service, with runs in it; gives their names. */
function begun(address: string, ...runs: readonly (readonly [kind: string, title: string])[]): string[] {
  const journal = Journal.open(join(cwd, 'data', 'journals'), address);
  const [began, command] = ['2026-11-02T08:00:00Z', 'crm'];
  const names = runs.map(
    ([kind, title]) => journal.begin({ kind, title, began, command, details: { typed: `crm \u001b[31m${kind} ${title}` } }).name,
  );
  journal.close();
  return names;
}

const folders = () => ({ CRM_CONFIG_DIR: join(cwd, 'config'), CRM_DATA_DIR: join(cwd, 'data') });

/** Lines that make a shell's crm find its files. */
function home(shell: Shell): string {
  const set = (name: string, value: string): string => (shell === 'fish' ? `set -gx ${name} '${value}'` : `export ${name}='${value}'`);
  return Object.entries(folders())
    .map(([name, value]) => set(name, value))
    .join('\n');
}

const offers: readonly (readonly [string, readonly string[]])[] = [
  ['crm leads list --status ', ['Lost', 'Negotiation', 'New']],
  ['crm leads list --status=Ne', ['Negotiation', 'New']],
  ['crm leads status 33 Neg', ['Negotiation']],
  ['crm lead create --title "two words" --status L', ['Lost']],
  ['crm leads list -p other --status ', ['Other']],
  ['crm leads list --profile=other --status ', ['Other']],
  ['crm leads list -qp ', ['acme', 'other']],
  ['crm profile use a', ['acme']],
  ['crm profile set o', ['other']],
  ['crm profile remove ', ['acme', 'other']],
  ['crm profile add ', []],
  ['crm leads get ', ['33', '7']],
  ['crm leads delete 7 3', ['33']],
  ['crm leads get 7,', ['7,33']],
  ['crm notes get ', []],
  ['crm leads get 7 --with comments,', ['comments,notes', 'comments,proposals']],
  ['crm leads get 7 --with p', ['proposals']],
  ['crm items list --unit ', []],
  ['crm seed destroy --run ', ['smoke']],
  ['crm seed destroy -p other --run ', ['demo-2', 'smoke']],
  ['crm seed apply --run ', []],
  ['crm notes list --fields id,ti', ['id,title']],
  ['crm leads list --fields=company', ['company-name']],
  ['crm leads list --where company', ['company-name=']],
  ['crm report leads --where company', ['company-name=']],
  ['crm report lead --by ag', ['age']],
  ['crm leads delete --where no:company', ['company-name']],
  ['crm leads list --where status=Ne', ['Negotiation', 'New']],
  ['crm leads status --where=active_state!=a --to Neg', ['Negotiation']],
  ['crm leads list --where active_state!=a', ['active', 'archived']],
  ['crm clients list --fields id,comp', ['id,company_name']],
];

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  describeWith([shell], shell, { timeout: 600_000 }, () => {
    test('offers what files know', async () => {
      const some = fewOf(offers, 5);
      const lines = some.map(([line]) => line);
      const found = await complete(shell, lines, { cwd, before: home(shell), ...(shell !== 'bash' && { crm: here.command }) });
      // bash offers what comes after the last = or : of a word, and in a list an id's meaning with it.
      const rest = (word: string): string => word.replace(/ {2}\(.*\)$/, '').replace(/^.*[=:](?=.)/, '');
      expect(found.map(({ offered }, index) => [lines[index], offered.map(rest)])).toEqual(some);
    });

    test.runIf(shell === 'bash')('lists ids with titles that are harmless, and inserts the id alone', async () => {
      const [list, one] = await complete(shell, ['crm leads get ', 'crm leads get 3'], { cwd, before: home(shell) });
      expect(list?.offered).toEqual(['33  (Third-party\\x1b[31m warehouse↵in two lines)', '7  ($(touch ran))']);
      expect(one?.offered).toEqual(['33']);
    });

    test('offers nothing, and says nothing, without crm on the path or with a file that is broken', async () => {
      const lines = ['crm leads list --status ', 'crm leads get ', 'crm profile use '];
      const bare = await complete(shell, lines, { cwd, before: home(shell), crm: undefined });
      writeFileSync(join(cwd, 'config', 'config.json'), '{"profiles": 5');
      const broken = await complete(shell, lines, { cwd, before: home(shell) });
      expect([...bare, ...broken].map(({ offered }) => offered)).toEqual(Array(6).fill([]));
    });

    test.skipIf(shell === 'fish')('inserts names that read back as themselves, and runs nothing', async () => {
      const starts = hostile.flatMap((name) => {
        const [letter = ''] = name;
        return [
          `crm leads list; crm contacts list --client ${letter}`,
          `crm contacts list --client=${letter}`,
          `crm contacts list --client '${letter}`,
          `crm contacts list --client "${letter}`,
        ];
      });
      const found = await complete(shell, starts, { cwd, before: home(shell), crm: here.command });
      // In double quotes zsh writes an exclamation mark as \!, which it reads so on a terminal alone.
      const asTyped = (line: string): string => (shell === 'zsh' && line.includes(' "k ') ? line.replaceAll('\\!', '!') : line);
      const words = found.map(({ line }) => lastWord(shell, asTyped(line.replace(/^crm leads list; /, ''))).replace('--client=', ''));
      expect(words).toEqual(hostile.flatMap((name) => [name, name, name, name]));
      expect(readdirSync(cwd)).not.toContain('ran');
    });

    test.runIf(shell === 'bash')('goes on in the middle of a name, whatever the case and the accents', async () => {
      const starts = [
        'crm contacts list --client EVA\\ kor',
        'crm contacts list --client c:\\ d',
        'crm contacts list --client "C: d=e@',
        "crm contacts list --client=a\\ it\\'s",
      ];
      const found = await complete(shell, starts, { cwd, before: home(shell) });
      expect(found.map(({ line }) => lastWord(shell, line).replace('--client=', '').toLowerCase())).toEqual(
        [hostile[3], hostile[2], hostile[2], hostile[0]].map((name) => name?.toLowerCase()),
      );
    });

    test.runIf(shell === 'fish')('tells what each is, on one harmless line', async () => {
      const found = await complete(shell, ['crm leads list --status Neg', 'crm leads get 3', 'crm leads get 7', 'crm -p o'], {
        cwd,
        before: home(shell),
      });
      expect(found.map(({ descriptions }) => descriptions)).toEqual([
        ['id 5'],
        ['Third-party\\x1b[31m warehouse↵in two lines'],
        ['$(touch ran)'],
        ['sandbox:'],
      ]);
    });
  });
}

// fish's own engine tells what is offered, but not what is typed for it: that takes a terminal.
describeWith(['fish', 'tmux'], 'fish on a terminal', { skip: !isSlow }, () => {
  test('inserts names that read back as themselves, and runs nothing', async () => {
    const [out, setup] = [join(cwd, 'out'), join(cwd, 'setup.fish')];
    const script = join(import.meta.dirname, '../../../completions/crm.fish');
    writeFileSync(out, '');
    const instead = `function crm; printf '%s\\n' $argv[-1] >>'${out}'; end\nfunction fish_prompt; printf '> '; end`;
    writeFileSync(
      setup,
      `${home('fish')}\nset -gx PATH '${builtOnPath(cwd, here.command).folder}' $PATH\nset -gx LANG C.UTF-8\nsource '${script}'\n${instead}\n`,
    );
    const env = { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', TERM: 'xterm' };
    const tmux = startTmux({ socket: join(cwd, 'tmux'), env });
    const session = ['-t', 'fish'];
    const screen = (): Promise<string> => tmux.run(['capture-pane', '-p', ...session]);
    const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
      for (let turns = 0; !(await isSo()); turns += 1) {
        if (turns > 500) throw new Error(`Never came:\n${await screen()}`);
        await sleep(20);
      }
    };
    const lastLine = async (): Promise<string> => (await screen()).trimEnd().split('\n').at(-1) ?? '';
    const lines = (): string[] => readFileSync(out, 'utf8').split('\n').slice(0, -1);
    try {
      await tmux.run(['new-session', '-d', '-s', 'fish', '-x', '200', '-y', '50', `fish --no-config -i -C "source '${setup}'"`]);
      await until(async () => (await lastLine()) === '>');
      const starts = hostile.flatMap(([letter = '']) =>
        ['--client ', '--client=', "--client '", '--client "'].map((start) => start + letter),
      );
      for (const [index, start] of starts.entries()) {
        const typed = `crm contacts list ${start}`;
        await tmux.run(['send-keys', '-l', ...session, typed]);
        await until(async () => (await lastLine()).endsWith(typed));
        await tmux.run(['send-keys', ...session, 'Tab']);
        await until(async () => !(await lastLine()).endsWith(typed));
        await tmux.run(['send-keys', ...session, 'Enter']);
        await until(() => lines().length > index);
      }
      expect(lines().map((line) => line.replace('--client=', ''))).toEqual(hostile.flatMap((name) => [name, name, name, name]));
      expect(readdirSync(cwd)).not.toContain('ran');
    } finally {
      await tmux.stop();
    }
  });
});

describe('crm __complete', () => {
  const ask = (...words: string[]) => runCrm(['__complete', 'fish', ...words], { env: folders() });

  test("offers the seeds of the profile's own service, each once, the latest first", async () => {
    begun('sandbox:', ['seed', 'demo-2']);
    expect((await ask('seed', 'destroy', '--run', '')).stdout).toBe('smoke\n');
    expect((await ask('seed', 'destroy', '-p', 'other', '--run', '')).stdout).toBe('demo-2\nsmoke\n');
  });

  test('offers the runs of the service, the latest first, with what was typed', async () => {
    const [older, newer] = begun(service, ['import', 'leads.csv'], ['change', 'leads tags']);
    for (const words of [['undo'], ['history', 'show'], ['history', 'forget']]) {
      const [first, second, ...others] = (await ask(...words, '')).stdout.trimEnd().split('\n');
      expect([first, second, others.length]).toEqual([
        `${newer}\tcrm \\x1b[31mchange leads tags`,
        `${older}\tcrm \\x1b[31mimport leads.csv`,
        2,
      ]);
    }
    expect((await ask('undo', newer ?? '', '')).stdout).toBe('');
  });

  test('offers the runs of the service that the environment names', async () => {
    const { stdout } = await runCrm(['__complete', 'fish', 'seed', 'destroy', '--run', ''], {
      env: { ...folders(), CRM_BASE_URL: 'sandbox:' },
    });
    expect(stdout).toBe('smoke\ndemo-2\n');
  });

  test('offers the runs beside journals that are damaged, and none of its own that is', async () => {
    const journals = join(cwd, 'data', 'journals');
    const sound = readdirSync(journals).filter((name) => name.endsWith('.sqlite'));
    for (const name of ['0-damaged.sqlite', 'z-damaged.sqlite']) writeFileSync(join(journals, name), 'no database');
    expect((await ask('seed', 'destroy', '--run', '')).stdout).toBe('smoke\n');
    for (const name of sound) writeFileSync(join(journals, name), 'no database');
    expect(await ask('seed', 'destroy', '--run', '')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('offers the id of a name that can not be typed', async () => {
    const { stdout } = await ask('contacts', 'list', '--client', '');
    const words = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    expect(words).toEqual([...hostile, ...unspeakable.map(([id]) => String(id))]);
    expect(stdout.replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  test('offers nothing where the environment names another service, and that of the profile that it names', async () => {
    const elsewhere = await runCrm(['__complete', 'fish', 'leads', 'list', '--status', ''], {
      env: { ...folders(), CRM_BASE_URL: service, CRM_API_KEY: 'secret-key' },
    });
    expect(elsewhere).toEqual({ status: 0, stdout: '', stderr: '' });
    const { stdout } = await runCrm(['__complete', 'fish', 'leads', 'list', '--status', ''], {
      env: { ...folders(), CRM_PROFILE: 'other' },
    });
    expect(stdout).toBe('Other\tid 1\n');
  });

  test.each([
    [['leads', 'list', 'constructor', '']],
    [['toString', '--status', '']],
    [['leads', 'list', '--__proto__', '']],
    [['notes', 'list', '--fields', 'constructor.']],
    [[]],
  ])('%j is only text', async (words) => {
    expect(await ask(...words)).toMatchObject({ status: 0, stderr: '' });
  });

  test('makes no file and leaves those that there are alone', async () => {
    const all = () => readdirSync(cwd, { recursive: true }).sort();
    const before = all();
    await ask('leads', 'list', '--status', '');
    expect(all()).toEqual(before);
  });
});

/** The last word of a command line, as the shell itself reads it. */
function lastWord(shell: Shell, line: string): string {
  const script = join(cwd, 'line');
  writeFileSync(script, `crm() { for word; do :; done; printf %s "$word"; }\n${line}\n`);
  return spawnSync(shell, [script], { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } }).stdout;
}
