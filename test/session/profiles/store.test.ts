// The file: who can read it, what survives a change, what happens to one that is broken, and ten changes at once.

import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ConflictError, NotFoundError, UnauthorizedError, UsageError } from '../../../src/base/errors.ts';
import { lockOn } from '../../../src/base/files/sqlite.ts';
import { readProfiles, removeProfile, saveProfile, useProfile } from '../../../src/session/profiles/store.ts';
import { runHere } from '../../support/run-here.ts';
import { acme, runScript, temporaryFolder } from './support.ts';

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
const json = async (folder: string): Promise<unknown> => JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'));

describe('reading', () => {
  test('makes no file and no folder', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b');
    expect(await readProfiles(folder)).toEqual({ profiles: new Map() });
    await expect(useProfile(folder, 'x')).rejects.toBeInstanceOf(NotFoundError);
    await expect(removeProfile(folder, 'x')).rejects.toBeInstanceOf(NotFoundError);
    await expect(stat(join(folder, '..'))).rejects.toThrow('ENOENT');
  });

  test('fills in what a file leaves out, and takes a byte order mark', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'config.json'), '\uFEFF{"version":1,"profiles":{"a":{"baseUrl":"https://a.test","key":"k"}}}');
    const { profiles, current } = await readProfiles(folder);
    expect(current).toBeUndefined();
    expect(profiles.get('a')).toEqual({ baseUrl: 'https://a.test', key: 'k', encoding: 'form', insecureHttp: false, protected: false });
  });
});

describe('changing', () => {
  test('the file has the documented shape', async () => {
    const folder = await temporaryFolder();
    expect(await saveProfile(folder, 'acme', acme(), { makeCurrentIfFirst: true })).toEqual({ current: true });
    expect(await saveProfile(folder, 'b', acme({ encoding: 'json' }), { makeCurrentIfFirst: true })).toEqual({ current: false });
    const common = { baseUrl: 'https://acme.test', key: 'crm_acme_0123456789', insecureHttp: false, protected: false };
    expect(await json(folder)).toEqual({
      version: 1,
      current: 'acme',
      profiles: { acme: { ...common, encoding: 'form' }, b: { ...common, encoding: 'json' } },
    });
    expect(await readdir(folder)).toEqual(['config.json', 'config.lock']);
  });

  test('use and remove', async () => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme(), { makeCurrentIfFirst: true });
    await saveProfile(folder, 'b', acme());
    await useProfile(folder, 'b');
    expect((await readProfiles(folder)).current).toBe('b');
    expect(await removeProfile(folder, 'b')).toEqual({ wasCurrent: true, left: 1 });
    const store = await readProfiles(folder);
    expect([store.current, [...store.profiles.keys()]]).toEqual([undefined, ['a']]);
    expect(await removeProfile(folder, 'a')).toEqual({ wasCurrent: false, left: 0 });
  });

  test('a taken name is refused, or replaced when that is asked for', async () => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme());
    await expect(saveProfile(folder, 'a', acme({ key: 'other' }))).rejects.toBeInstanceOf(ConflictError);
    expect((await readProfiles(folder)).profiles.get('a')?.key).toBe('crm_acme_0123456789');
    await saveProfile(folder, 'a', acme({ key: 'other' }), { replace: true });
    expect((await readProfiles(folder)).profiles.get('a')?.key).toBe('other');
  });

  test.each(['', '__proto__', '.a', '-a', '_a', 'a b', 'a/b', 'a\n', 'ä', 'a'.repeat(65)])('no profile is called %j', async (name) => {
    const folder = join(await temporaryFolder(), 'new');
    await expect(saveProfile(folder, name, acme())).rejects.toBeInstanceOf(UsageError);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'a.b.c', '1', 'a'.repeat(64)])('a profile may be called %s', async (name) => {
    const folder = await temporaryFolder();
    await expect(useProfile(folder, name)).rejects.toBeInstanceOf(NotFoundError);
    await saveProfile(folder, name, acme(), { makeCurrentIfFirst: true });
    expect([...(await readProfiles(folder)).profiles.keys()]).toEqual([name]);
    await useProfile(folder, name);
    expect(await removeProfile(folder, name)).toEqual({ wasCurrent: true, left: 0 });
  });

  test('members of a later version stay', async () => {
    const folder = await temporaryFolder();
    const entry = { baseUrl: 'https://a.test', key: 'k', since: { year: 2026 } };
    await writeFile(join(folder, 'config.json'), JSON.stringify({ version: 1, theme: ['dark'], profiles: { a: entry } }));
    await saveProfile(folder, 'b', acme());
    expect(await json(folder)).toMatchObject({ theme: ['dark'], profiles: { a: entry } });
  });

  test('a link to the file stays a link', async () => {
    const folder = await temporaryFolder();
    const elsewhere = join(await temporaryFolder(), 'dotfiles.json');
    await writeFile(elsewhere, '{"version":1,"profiles":{}}', { mode: 0o644 });
    await symlink(elsewhere, join(folder, 'config.json'));
    await saveProfile(folder, 'a', acme());
    expect(await readFile(elsewhere, 'utf8')).toContain('crm_acme');
    expect(await modeOf(elsewhere)).toBe('600');
  });
});

describe.skipIf(process.platform === 'win32')('modes', () => {
  test.each(['000', '022', '077', '002'])('under umask %s the file is 0600 from its first byte, the folder 0700', async (umask) => {
    const folder = join(await temporaryFolder(), 'deep', 'crm');
    const { status, stdout, stderr } = await runScript('watch-modes.ts', [folder], umask);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const opened: { file: string; mode: string }[] = JSON.parse(stdout);
    expect(opened).toHaveLength(2);
    expect(opened.every(({ file }) => /^config\.json\.tmp-/.test(file))).toBe(true);
    expect(opened.map(({ mode }) => mode)).toEqual(['600', '600']);
    expect(await modeOf(join(folder, 'config.json'))).toBe('600');
    expect(await modeOf(folder)).toBe('700');
    expect(await modeOf(join(folder, '..'))).toBe('700');
  });

  const refusal = async (folder: string): Promise<unknown> => {
    const error: unknown = await readProfiles(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnauthorizedError);
    // Nor is anything saved there.
    await expect(saveProfile(folder, 'b', acme())).rejects.toBeInstanceOf(UnauthorizedError);
    return error;
  };

  test.each([
    ['config.json', 0o620, 0o700],
    ['config.json', 0o602, 0o700],
    ['config.json', 0o666, 0o777],
    ['.', 0o600, 0o770],
    ['.', 0o600, 0o703],
  ])('what others can write to is refused: %s, %o in %o', async (which, fileMode, folderMode) => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme());
    await chmod(join(folder, 'config.json'), fileMode);
    await chmod(folder, folderMode);
    const path = join(folder, which);
    expect(await refusal(folder)).toMatchObject({
      message: `Other users can write to ${path}, so its settings are not used.`,
      details: { hint: expect.stringContaining(`(chmod go-w ${path})`) },
    });
    await chmod(join(folder, 'config.json'), 0o600);
    await chmod(folder, 0o700);
    expect((await readProfiles(folder)).profiles.size).toBe(1);
  });

  test("a folder like /tmp is no danger to a file of one's own", async () => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme());
    await chmod(folder, 0o1777);
    expect((await readProfiles(folder)).profiles.size).toBe(1);
  });

  test.runIf(process.getuid?.() === 0).each(['config.json', '.'])("another user's is refused: %s", async (which) => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme());
    await chown(join(folder, which), 12_345, 12_345);
    expect(await refusal(folder)).toMatchObject({ message: expect.stringContaining('belongs to another user (12345)') });
  });

  test.each(['a pipe', 'a device', 'a folder', 'too long'])('%s is no file of profiles, and nobody waits for it', async (what) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'config.json');
    if (what === 'a pipe') execFileSync('mkfifo', ['-m', '600', path]);
    else if (what === 'a device') await symlink('/dev/zero', path);
    else if (what === 'a folder') await mkdir(path);
    else await writeFile(path, `{"version":1,"profiles":{}}${' '.repeat(1024 * 1024)}`, { mode: 0o600 });
    expect(await refusal(folder)).toMatchObject({
      message: expect.stringContaining(path),
      details: { hint: expect.stringMatching('Move') },
    });
  });

  test.each([{}, { SNAP: '/snap/editor/1' }])('a looser file is closed at the next change %j', async (env) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'config.json'), '{"version":1,"profiles":{}}');
    await chmod(join(folder, 'config.json'), 0o644);
    expect((await runScript('save-profile.ts', [folder, 'a'], '000', env)).status).toBe(0);
    expect(await modeOf(join(folder, 'config.json'))).toBe('600');
  });
});

describe('at once', () => {
  test('several processes add a profile each, and all are there: with CRM_SLOW=1 ten', async () => {
    const folder = join(await temporaryFolder(), 'crm');
    const names = Array.from({ length: process.env.CRM_SLOW === '1' ? 10 : 4 }, (_, index) => `p${index}`);
    const ended = await Promise.all(names.map((name) => runScript('save-profile.ts', [folder, name])));
    expect(ended.map(({ status, stderr }) => ({ status, stderr }))).toEqual(names.map(() => ({ status: 0, stderr: '' })));
    const { profiles, current } = await readProfiles(folder);
    expect([...profiles.keys()].toSorted()).toEqual(names);
    expect(ended.filter(({ stdout }) => stdout === 'true\n')).toHaveLength(1);
    expect(names).toContain(current);
    expect(await readdir(folder)).toEqual(['config.json', 'config.lock']);
  });

  test('ten changes in one process', async () => {
    const folder = await temporaryFolder();
    const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
    await Promise.all(names.map((name) => saveProfile(folder, name, acme())));
    expect([...(await readProfiles(folder)).profiles.keys()].toSorted()).toEqual(names);
  });

  test('one name, four processes: one gets it', async () => {
    const folder = await temporaryFolder();
    const ended = await Promise.all([1, 2, 3, 4].map((n) => runScript('save-profile.ts', [folder, 'same', `crm_key_number_${n}`])));
    expect(ended.filter(({ status }) => status === 0)).toHaveLength(1);
  });

  test('a change waits for the lock, which is left in its place', async () => {
    const folder = await temporaryFolder();
    await saveProfile(folder, 'a', acme());
    const lock = lockOn(join(folder, 'config.lock'));
    expect(lock).not.toBe('held');
    const saving = saveProfile(folder, 'b', acme());
    await sleep(60);
    expect([...(await readProfiles(folder)).profiles.keys()]).toEqual(['a']);
    if (typeof lock === 'object') lock.close();
    await saving;
    expect([...(await readProfiles(folder)).profiles.keys()]).toEqual(['a', 'b']);
  });

  test('where no lock can be had, every change goes on with a word', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'config.lock'));
    const env = { CRM_CONFIG_DIR: folder, CRM_DATA_DIR: join(folder, 'data') };
    const url = ['--base-url', 'http://127.0.0.1:1', '--no-verify', '--key-command', 'true'];
    for (const argv of [
      ['add', 'a', ...url],
      ['set', 'a', '--encoding', 'json'],
      ['use', 'a'],
      ['remove', 'a', '--yes'],
    ]) {
      const { status, stderr } = await runHere(['profile', ...argv], { env });
      expect([status, stderr], argv[0]).toEqual([0, expect.stringContaining("The folder of the profiles can't be locked")]);
    }
  });
});

describe('a broken file', () => {
  const secret = 'crm_secret_0123456789';
  test.each<[title: string, contents: string | Uint8Array]>([
    ['empty', ''],
    ['cut off', `{"version":1,"profiles":{"a":{"key":"${secret}"`],
    ['not JSON', `key = ${secret}`],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['an array', '[]'],
    ['null', 'null'],
    ['no version', '{"profiles":{}}'],
    ['a version that is no number', '{"version":"1","profiles":{}}'],
    ['profiles of another kind', '{"version":1,"profiles":[]}'],
    ['a profile without a URL', `{"version":1,"profiles":{"a":{"key":"${secret}"}}}`],
    ['a key of another kind', '{"version":1,"profiles":{"a":{"baseUrl":"https://a.test","key":12345678901234}}}'],
    ['a key and a command', `{"version":1,"profiles":{"a":{"baseUrl":"https://a.test","key":"${secret}","keyCommand":"x"}}}`],
    ['an unknown encoding', '{"version":1,"profiles":{"a":{"baseUrl":"https://a.test","encoding":"xml"}}}'],
  ])('%s: it is named, and stays byte for byte', async (_title, contents) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'config.json');
    await writeFile(path, contents);
    const before = await readFile(path);
    const attempts = [
      () => readProfiles(folder),
      () => saveProfile(folder, 'b', acme()),
      () => useProfile(folder, 'a'),
      () => removeProfile(folder, 'a'),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(UnauthorizedError);
      if (!(error instanceof UnauthorizedError)) return;
      expect(error.message).toContain(path);
      expect(error.details.hint).toContain(path);
      expect(`${error.message} ${error.details.hint} ${error.stack}`).not.toMatch(/crm_secret|12345678901234/);
    }
    expect(Buffer.compare(await readFile(path), before)).toBe(0);
    expect(await readdir(folder)).toEqual(['config.json', 'config.lock']);
  });

  test('a folder in its place', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'config.json'));
    await expect(readProfiles(folder)).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(saveProfile(folder, 'a', acme())).rejects.toBeInstanceOf(UnauthorizedError);
    expect((await stat(join(folder, 'config.json'))).isDirectory()).toBe(true);
  });

  test('a file where the folder belongs', async () => {
    const path = join(await temporaryFolder(), 'crm');
    await writeFile(path, 'mine');
    await expect(readProfiles(path)).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(saveProfile(path, 'a', acme())).rejects.toBeInstanceOf(UnauthorizedError);
    expect(await readFile(path, 'utf8')).toBe('mine');
  });

  test.skipIf(process.getuid?.() === 0)('one that may not be read', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'config.json');
    await writeFile(path, '{"version":1,"profiles":{}}', { mode: 0o000 });
    await expect(readProfiles(folder)).rejects.toBeInstanceOf(UnauthorizedError);
    await expect(saveProfile(folder, 'a', acme())).rejects.toBeInstanceOf(UnauthorizedError);
    await rm(path);
  });
});
