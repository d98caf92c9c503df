// Folders and files of crm that somebody else could have changed: they are refused, told by doctor, and nothing is left behind.

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configDirOf, dataDirOf, foreignAt } from '../../../src/base/files/own-folders.ts';
import type { Crm } from '../../support/crm.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';
import { on } from '../../support/on-platform.ts';
import { runHere } from '../../support/run-here.ts';

let folder: string;
const [config, data, journals] = ['config', 'data', 'data/journals'].map((name) => () => join(folder, name)) as [
  () => string,
  () => string,
  () => string,
];
const journal = (): string => join(journals(), readdirSync(journals()).find((name) => name.endsWith('.sqlite')) ?? '');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-own-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const crm = (...argv: string[]): Promise<Crm> => runHere([...argv, '--json'], { env: { CRM_CONFIG_DIR: config(), CRM_DATA_DIR: data() } });
const errorOf = ({ stderr }: Crm): { message: string; hint: string } => JSON.parse(stderr).error;
const change = (title: string): Promise<Crm> => crm('leads', 'update', '12,13', '--title', title, '--yes');

const anybody = 12_345;
const isRoot = process.getuid?.() === 0;
const ways: [string, (path: string) => void, string, string][] = [
  [
    'open to others',
    (path) => chmodSync(path, 0o777),
    'Other users can write to PATH',
    'See that nobody changed it, then close it to others (chmod go-w PATH)',
  ],
  [
    'open to a group',
    (path) => chmodSync(path, 0o770),
    'Other users can write to PATH',
    'See that nobody changed it, then close it to others (chmod go-w PATH)',
  ],
  ...(isRoot
    ? ([
        [
          "another user's",
          (path: string) => chownSync(path, anybody, anybody),
          `PATH belongs to another user (${anybody})`,
          'Make it yours (chown 0 PATH)',
        ],
      ] as never[])
    : []),
];

describe.runIf(process.platform !== 'win32').each(ways)('what is %s', (_what, spoil, found, advice) => {
  it('is no data folder', async () => {
    await crm('sandbox', 'init');
    spoil(data());
    for (const argv of [['leads', 'list'], ['history'], ['sandbox', 'reset', '--yes']]) {
      const run = await crm(...argv);
      expect([run.status, errorOf(run)]).toMatchObject([
        argv[0] === 'history' ? 10 : 4,
        {
          message: `${found.replace('PATH', data())}, so its data are not used.`,
          hint: `${advice.replace('PATH', data())}, or set CRM_DATA_DIR to a folder of your own.`,
        },
      ]);
    }
    expect(JSON.parse((await crm('doctor')).stdout)).toContainEqual(expect.objectContaining({ check: 'data folder', state: 'wrong' }));
  });

  it('as a data folder keeps creates, --resume, seeds and undo from running, and nothing else', async () => {
    const file = join(folder, 'elsewhere.sqlite');
    makeSandbox(file, { demo: true });
    await crm('profile', 'add', 'mine', '--base-url', `sandbox:${file}`);
    const before = await change('A');
    expect(before.status, before.stderr).toBe(0);
    const [{ run }] = JSON.parse((await crm('history')).stdout);
    spoil(data());
    const there = readdirSync(data(), { recursive: true }).sort();
    writeFileSync(join(folder, 'rows.csv'), 'title,description\na,b\n');
    writeFileSync(join(folder, 'seed.yaml'), 'version: 1\nrecords: [{ name: n, type: note, set: { title: x, description: y } }]');
    writeFileSync(join(folder, 'changes.csv'), 'id,title\n12,C\n');
    for (const argv of [
      ['notes', 'import', join(folder, 'rows.csv'), '--yes'],
      ['leads', 'import', join(folder, 'changes.csv'), '--mode', 'update', '--resume', '--yes'],
      ['seed', 'apply', join(folder, 'seed.yaml')],
      ['seed', 'destroy', '--run', 'seed', '--yes'],
      ['undo', run, '--yes'],
    ]) {
      const refused = await crm(...argv);
      expect([argv[0], refused.status, errorOf(refused)]).toMatchObject([
        argv[0],
        10,
        {
          message: `${found.replace('PATH', data())}, so its data are not used.`,
          hint: `${advice.replace('PATH', data())}, or set CRM_DATA_DIR to a folder of your own.`,
        },
      ]);
    }
    for (const argv of [
      ['leads', 'list', '--limit', '2'],
      ['leads', 'update', '12,13', '--title', 'B', '--yes'],
      ['leads', 'create', '--title', 'x', '--status', 'New', '--category', '1'],
      ['profile', 'set', 'mine', '--me', '3'],
    ]) {
      const done = await crm(...argv);
      expect([argv[1], done.status, done.stderr.match(/so its data are not used/g)]).toEqual([argv[1], 0, [expect.anything()]]);
    }
    expect(readdirSync(data(), { recursive: true }).sort()).toEqual(there);
  });

  it.each([
    ['the folder of the journals', journals],
    ['a journal', journal],
  ])('is not believed: %s', async (_name, path) => {
    await crm('sandbox', 'init');
    await change('A');
    const [{ run }] = JSON.parse((await crm('history')).stdout);
    spoil(path());
    writeFileSync(join(folder, 'rows.csv'), 'title,description\na,b\n');
    for (const argv of [['undo', run, '--yes'], ['history'], ['notes', 'import', join(folder, 'rows.csv'), '--yes']]) {
      const refused = await crm(...argv);
      expect([refused.status, errorOf(refused)]).toMatchObject([
        10,
        { message: `${found.replace('PATH', path())}, so the journal is not trusted.` },
      ]);
    }
    const changed = await change('B');
    expect([changed.status, changed.stderr]).toEqual([0, expect.stringContaining('The history will not hold the changes made now.')]);
    const doctor = await crm('doctor');
    expect([doctor.status, JSON.parse(doctor.stdout)]).toEqual([
      11,
      expect.arrayContaining([
        { check: 'journal', state: 'wrong', found: found.replace('PATH', path()), advice: advice.replace('PATH', path()) },
      ]),
    ]);
  });

  it.each([config, data])('keeps sandbox init from making anything', async (path) => {
    mkdirSync(path());
    spoil(path());
    expect((await crm('sandbox', 'init')).status).toBe(4);
    expect([config(), data()].flatMap((one) => (existsSync(one) ? readdirSync(one) : []))).toEqual([]);
  });

  it('keeps sandbox init from replacing what is there', async () => {
    await crm('sandbox', 'init');
    await change('A');
    spoil(config());
    expect((await crm('sandbox', 'init', '--force', '--yes')).status).toBe(4);
    chownSync(config(), process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    chmodSync(config(), 0o700);
    expect(JSON.parse((await crm('leads', 'get', '12')).stdout).title).toBe('A');
  });
});

it('a folder like /tmp, to which others can only add, is used', async () => {
  await crm('sandbox', 'init');
  chmodSync(data(), 0o1777);
  expect([(await crm('leads', 'list')).status, (await change('A')).status]).toEqual([0, 0]);
});

it.runIf(process.platform !== 'win32')('a journal that is a pipe is damaged, and nobody waits for it', async () => {
  await crm('sandbox', 'init');
  await change('A');
  const path = journal();
  rmSync(path);
  execFileSync('mkfifo', ['-m', '600', path]);
  expect(await crm('history').then((run) => [run.status, errorOf(run).message])).toEqual([
    10,
    expect.stringContaining(`The journal ${path} is damaged`),
  ]);
});

it.runIf(process.platform !== 'win32')('remembered names that are a pipe are none, and nobody waits for them', async () => {
  await crm('sandbox', 'init');
  const path = join(data(), 'names', 'sandbox.json');
  rmSync(path, { force: true });
  execFileSync('mkfifo', ['-m', '600', path]);
  expect((await crm('leads', 'list', '--limit', '1')).status).toBe(0);
});

it('sandbox init makes nothing beside a profile of that name which is a service', async () => {
  await crm('profile', 'add', 'sandbox', '--base-url', 'https://crm.example', '--key-command', 'echo x', '--no-verify');
  const run = await crm('sandbox', 'init');
  expect([run.status, errorOf(run).message]).toEqual([
    10,
    'The profile "sandbox" is another service\'s (https://crm.example), so no embedded CRM is made.',
  ]);
  expect(existsSync(join(data(), 'sandbox.sqlite'))).toBe(false);
});

it.runIf(process.platform === 'linux')('sandbox init takes back what it made where the profile can not be saved', async () => {
  const env = { CRM_CONFIG_DIR: '/proc/nowhere', CRM_DATA_DIR: data() };
  expect((await runHere(['sandbox', 'init'], { env })).status).toBe(4);
  expect(readdirSync(data())).toEqual([]);
});

it.each(['https://CRM.example/api/', 'https://crm.example'])(
  'profile show names the member of a service that was typed %s',
  async (address) => {
    await crm('profile', 'add', 'acme', '--base-url', address, '--key-command', 'echo x', '--no-verify', '--me', '3');
    mkdirSync(join(data(), 'names'), { recursive: true });
    const known = { version: 1, baseUrl: 'https://crm.example', names: { team: [{ id: 3, name: 'Priya Raman' }] }, words: {}, titles: {} };
    writeFileSync(join(data(), 'names', 'acme.json'), JSON.stringify(known));
    const { memberName } = await import('../../../src/commands/profile/record.ts');
    const { readProfiles } = await import('../../../src/session/profiles/store.ts');
    const profile = (await readProfiles(config())).profiles.get('acme');
    if (profile === undefined) throw new Error('There is no profile.');
    expect(await memberName({ ownDataDir: async () => data() } as never, { name: 'acme', profile })).toBe('Priya Raman (3)');
  },
);

it('the folders are those of a Mac on a Mac', async () => {
  const folders = await on('darwin', async () => [await configDirOf({ HOME: homedir() }), await dataDirOf({ HOME: homedir() })]);
  expect(folders).toEqual(['Preferences', 'Application Support'].map((name) => join(homedir(), 'Library', name, 'crm')));
});

it('advice quotes a path with blanks', () => {
  const path = join(folder, 'Application Support');
  mkdirSync(path);
  chmodSync(path, 0o777);
  expect(foreignAt(path)?.advice).toContain(`(chmod go-w '${path}')`);
});
