// The profile commands, with the service and the confirmation stood in for.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  ConflictError,
  InterruptedError,
  NotFoundError,
  UnauthorizedError,
  UnconfirmedError,
  UsageError,
} from '../../../src/base/errors.ts';
import type { Input } from '../../../src/base/flag.ts';
import { addProfile } from '../../../src/commands/profile/add.ts';
import { checkProfile } from '../../../src/commands/profile/check.ts';
import { profileCommands } from '../../../src/commands/profile/index.ts';
import { forgetProfile } from '../../../src/commands/profile/remove.ts';
import { changeSettings } from '../../../src/commands/profile/set.ts';
import type { Result } from '../../../src/output/result.ts';
import type { Context } from '../../../src/session/context.ts';
import type { Profile } from '../../../src/session/profiles/profile.ts';
import type { Settings } from '../../../src/session/profiles/settings.ts';
import { readProfiles, saveProfile } from '../../../src/session/profiles/store.ts';
import { verifyByRequest } from '../../../src/session/profiles/verify.ts';
import { acme, type FakeOptions, fakeContext, temporaryFolder, typed } from './support.ts';

const key = 'crm_0123456789a1b2';
const url = 'https://acme.test/crm/api/';

/** A service that accepts every key, and tells which it saw. */
function service(): { verify: (context: Context, settings: Settings) => Promise<void>; seen: [string, string | undefined][] } {
  const seen: [string, string | undefined][] = [];
  return { seen, verify: async (_context, settings) => void seen.push([settings.baseUrl, await settings.key()]) };
}

function run(verb: string, context: Context, args: string[] = []): Promise<Result> {
  const command = profileCommands.find(({ path }) => path[1] === verb);
  if (command === undefined) throw new Error(`no command ${verb}`);
  return command.run(context, typed(args));
}

const data = (result: Result): unknown => (result.kind === 'rows' ? result.data : undefined);
const notice = (result: Result): string | undefined => ('notice' in result ? result.notice : undefined);

test('a folder of profiles that is a file is told with the variable that names a folder', async () => {
  const file = join(await temporaryFolder(), 'taken');
  await writeFile(file, '');
  for (const configDir of [file, join(file, 'below')]) {
    const error = await run('list', fakeContext({ configDir })).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(UnauthorizedError);
    const hint = 'A folder of its path is a file. Set CRM_CONFIG_DIR to a folder that you can write to.';
    expect(error).toMatchObject({ details: { hint }, message: expect.stringContaining("can't be read (not a directory)") });
  }
});

describe('profile add', () => {
  test('reads the key from standard input, tries it, saves it, shows it masked', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, stdin: `${key}\n`, env: { CRM_BASE_URL: 'https://env.test', CRM_API_KEY: 'crm_env' } });
    const { verify, seen } = service();
    const flags = { 'base-url': url, 'key-stdin': true, encoding: 'json', me: '7', protected: true };
    const result = await addProfile(context, typed(['acme'], flags), verify);
    expect(seen).toEqual([['https://acme.test/crm', key]]);
    expect(data(result)).toEqual({
      name: 'acme',
      base_url: 'https://acme.test/crm',
      key: 'crm_…a1b2',
      encoding: 'json',
      me: '7',
      columns: null,
      protected: true,
      read_only: false,
      insecure_http: false,
      current: true,
    });
    expect(notice(result)).toContain('current');
    expect(context.secrets).toContain(key);
    expect((await readProfiles(configDir)).profiles.get('acme')).toEqual(
      acme({ baseUrl: url, key, encoding: 'json', me: '7', protected: true }),
    );
  });

  test('asks on a terminal, without showing the key, and again for one that can be none', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, terminal: true, env: { CRM_API_KEY: 'crm_env_not_this' } });
    const { verify, seen } = service();
    const adding = addProfile(context, typed(['acme'], { 'base-url': url }), verify);
    await expect.poll(() => context.shown()).toContain('API key for https://acme.test');
    context.type('two words\r');
    await expect.poll(() => context.shown()).toContain('white space');
    context.type(`${key}\r`);
    await adding;
    expect(seen).toEqual([['https://acme.test/crm', key]]);
    expect(context.secrets).toContain(key);
    expect(context.shown()).not.toContain(key);
  });

  test('Ctrl-C at the question ends it with nothing saved', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, terminal: true });
    const adding = addProfile(context, typed(['acme'], { 'base-url': url }), service().verify);
    const failed = expect(adding).rejects.toBeInstanceOf(InterruptedError);
    await expect.poll(() => context.shown()).toContain('API key');
    await sleep(20);
    context.type('\u0003');
    await failed;
    expect(await readdir(configDir)).toEqual([]);
  });

  test.each([
    ['off a terminal', {}],
    ['with --no-input', { terminal: true, flags: { noInput: true } }],
    ['with CRM_API_KEY set', { env: { CRM_API_KEY: key } }],
  ])('names the two flags %s', async (_title, options) => {
    const configDir = await temporaryFolder();
    const adding = addProfile(fakeContext({ configDir, ...options }), typed(['acme'], { 'base-url': url }), service().verify);
    const error: unknown = await adding.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toHaveProperty('message', expect.stringMatching(/--key-stdin.*--key-command/));
    expect(await readdir(configDir)).toEqual([]);
  });

  test.each([
    ['a refused name', '../x', { 'base-url': url, 'key-stdin': true }],
    ['__proto__', '__proto__', { 'base-url': url, 'key-stdin': true }],
    ['no URL', 'a', { 'key-stdin': true }],
    ['a URL with a password', 'a', { 'base-url': 'https://u:pa55@acme.test', 'key-stdin': true }],
    ['plain http', 'a', { 'base-url': 'http://acme.test', 'key-stdin': true }],
    ['an unknown encoding', 'a', { 'base-url': url, 'key-stdin': true, encoding: 'xml' }],
    ['two ways to the key', 'a', { 'base-url': url, 'key-stdin': true, 'key-command': 'x' }],
    ['an empty command', 'a', { 'base-url': url, 'key-command': ' ' }],
    ['a key for the sandbox', 'a', { 'base-url': 'sandbox:', 'key-stdin': true }],
  ])('%s is wrong usage', async (_title, name, flags) => {
    const configDir = await temporaryFolder();
    const { verify, seen } = service();
    const adding = addProfile(fakeContext({ configDir, stdin: key }), typed([name], flags), verify);
    const error: unknown = await adding.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain('pa55');
    expect([seen, await readdir(configDir)]).toEqual([[], []]);
  });

  test.each(['', '\n', 'two words', 'a\nb\n', 'key€'])('the key %j is wrong usage', async (stdin) => {
    const configDir = await temporaryFolder();
    const adding = addProfile(fakeContext({ configDir, stdin }), typed(['a'], { 'base-url': url, 'key-stdin': true }), service().verify);
    await expect(adding).rejects.toBeInstanceOf(UsageError);
  });

  test('--key-stdin is not for typing a key in sight', async () => {
    const context = fakeContext({ configDir: await temporaryFolder(), terminal: true, flags: { noInput: true } });
    const adding = addProfile(context, typed(['a'], { 'base-url': url, 'key-stdin': true }), service().verify);
    await expect(adding).rejects.toThrow(/^--key-stdin /);
  });

  test('asks on a terminal for all that is missing, and again for what can be none', async () => {
    const configDir = await temporaryFolder();
    await saveProfile(configDir, 'taken', acme());
    const context = fakeContext({ configDir, terminal: true });
    const adding = addProfile(context, typed([]), service().verify);
    const answers: [RegExp, string][] = [
      [/Name of the profile/, 'taken'],
      [/a profile "taken" already/, 'acme'],
      [/Base URL of the service/, 'acme.test'],
      [/That is not a web address/, 'http://acme.test'],
      [/That is plain http/, url],
      [/API key for https:\/\/acme\.test/, key],
    ];
    for (const [question, answer] of answers) {
      await expect.poll(() => context.shown()).toMatch(question);
      context.type(`${answer}\r`);
    }
    await adding;
    expect((await readProfiles(configDir)).profiles.get('acme')).toEqual(acme({ baseUrl: url, key }));
  });

  test.each([
    ['a name', [], { 'base-url': url }, /^<name>/],
    ['a base URL', ['acme'], {}, /^--base-url/],
  ])('off a terminal %s is wanted on the command line', async (_title, args, flags, message) => {
    const adding = addProfile(fakeContext({ configDir: await temporaryFolder() }), typed(args, flags), service().verify);
    await expect(adding).rejects.toThrow(message);
    await expect(adding).rejects.toBeInstanceOf(UsageError);
  });

  test('a typed key that the service refuses can be typed again, twice', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, terminal: true, flags: { quiet: true } });
    const seen: (string | undefined)[] = [];
    const refuse = async (_context: Context, settings: Settings): Promise<void> => {
      seen.push(await settings.key());
      throw new UnauthorizedError('Unauthorized.', { httpStatus: 401, hint: `The key came from ${settings.keySource}.` });
    };
    const adding = addProfile(context, typed(['acme'], { 'base-url': url }), refuse);
    const failed = expect(adding).rejects.toMatchObject({ details: { hint: 'The key came from your input.\nNothing was saved.' } });
    for (const count of [1, 2, 3]) {
      await expect.poll(() => context.shown().split('Type the key again').length).toBe(count);
      await expect.poll(() => context.shown().split('Type the key again').at(-1)).toContain('API key for https://acme.test');
      context.type(`wrong-key-${count}\r`);
    }
    await failed;
    expect(seen).toEqual(['wrong-key-1', 'wrong-key-2', 'wrong-key-3']);
    expect(await readdir(configDir)).toEqual([]);
  });

  test('no hint points at a profile that was not saved', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, stdin: key });
    const closed = { 'base-url': 'http://127.0.0.1:1', 'key-stdin': true };
    const error: unknown = await addProfile(context, typed(['acme'], closed), verifyByRequest).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ details: { hint: 'Is the service running, and is the port right?\nNothing was saved.' } });
  });

  test('a key that the service refuses is not saved; --no-verify does not ask', async () => {
    const configDir = await temporaryFolder();
    const refuse = () => Promise.reject(new UnauthorizedError('no'));
    const flags = { 'base-url': url, 'key-stdin': true };
    await expect(addProfile(fakeContext({ configDir, stdin: key }), typed(['a'], flags), refuse)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(await readdir(configDir)).toEqual([]);
    await addProfile(fakeContext({ configDir, stdin: key }), typed(['a'], { ...flags, 'no-verify': true }), refuse);
    expect((await readProfiles(configDir)).current).toBe('a');
  });

  test('a key command is saved instead of its key, and tried', async () => {
    const configDir = await temporaryFolder();
    const { verify, seen } = service();
    const flags = { 'base-url': url, 'key-command': `echo ${key}` };
    const result = await addProfile(fakeContext({ configDir }), typed(['a'], flags), verify);
    expect(seen).toEqual([['https://acme.test/crm', key]]);
    expect(data(result)).toMatchObject({ key: 'command' });
    expect((await readProfiles(configDir)).profiles.get('a')).toMatchObject({ keyCommand: `echo ${key}` });
    expect((await readProfiles(configDir)).profiles.get('a')).not.toHaveProperty('key');
  });

  test('--insecure-http allows plain http, the sandbox needs no key, a taken name is a conflict', async () => {
    const configDir = await temporaryFolder();
    const { verify, seen } = service();
    const add = (name: string, flags: Record<string, string | boolean>) =>
      addProfile(fakeContext({ configDir, stdin: key }), typed([name], flags), verify);
    await add('plain', { 'base-url': 'http://acme.test', 'key-stdin': true, 'insecure-http': true });
    expect(data(await add('demo', { 'base-url': 'sandbox:' }))).toMatchObject({ base_url: 'sandbox:', key: '', current: false });
    expect(seen).toEqual([
      ['http://acme.test', key],
      ['sandbox:', undefined],
    ]);
    await expect(add('demo', { 'base-url': 'sandbox:' })).rejects.toBeInstanceOf(ConflictError);
    expect(seen).toHaveLength(2);
  });

  test('--dry-run saves nothing', async () => {
    const configDir = await temporaryFolder();
    const context = fakeContext({ configDir, stdin: key, flags: { dryRun: true } });
    const result = await addProfile(context, typed(['a'], { 'base-url': url, 'key-stdin': true }), service().verify);
    expect(result).toEqual({ kind: 'text', notice: 'Would save profile "a".' });
    expect(await readdir(configDir)).toEqual([]);
  });
});

describe('profile set', () => {
  async function change(flags: Input['flags'], before = acme({ key, me: '7' }), options: Partial<FakeOptions> = {}) {
    const configDir = await temporaryFolder();
    await saveProfile(configDir, 'acme', before, { makeCurrentIfFirst: true });
    const { verify, seen } = service();
    const context = fakeContext({ configDir, stdin: 'crm_another_key_0123', ...options });
    const result: unknown = await changeSettings(context, typed(['acme'], flags), verify).catch((reason: unknown) => reason);
    return { configDir, result, seen, after: (await readProfiles(configDir)).profiles.get('acme') };
  }

  test.each<[string, Input['flags'], Partial<Profile>]>([
    ['the encoding', { encoding: 'json' }, { encoding: 'json' }],
    ['who one is', { me: '12' }, { me: '12' }],
    ['protection', { protected: true }, { protected: true }],
    ['what plain http is allowed to', { 'insecure-http': true }, { insecureHttp: true }],
  ])('changes %s alone, and asks the service nothing', async (_title, flags, changes) => {
    const { seen, after } = await change(flags);
    expect([seen, after]).toEqual([[], acme({ key, me: '7', ...changes })]);
  });

  test('says so where nothing is different', async () => {
    expect((await change({ me: '7' })).result).toMatchObject({ drawn: { sentence: 'Profile "acme" is as it was.' } });
    expect((await change({ encoding: 'json' })).result).toMatchObject({
      drawn: { sentence: expect.stringMatching(/^Changed profile "acme"\./) },
    });
  });

  test('takes protection back', async () => {
    const { after } = await change({ protected: false, 'no-protected': true }, acme({ protected: true }));
    expect(after).toEqual(acme());
  });

  test('tries a new address with the old key, within its origin', async () => {
    const { seen, after } = await change({ 'base-url': 'https://ACME.test/crm/api/' });
    expect(seen).toEqual([['https://acme.test/crm', key]]);
    expect(after).toEqual(acme({ baseUrl: 'https://acme.test/crm/api/', key, me: '7' }));
  });

  test('tries a new key, which takes the place of the old one', async () => {
    const { seen, after } = await change({ 'key-stdin': true });
    expect(seen).toEqual([['https://acme.test', 'crm_another_key_0123']]);
    expect(after).toEqual(acme({ key: 'crm_another_key_0123', me: '7' }));
    const commanded = await change({ 'key-command': 'echo crm_printed_0123' });
    expect(commanded.after).toEqual({ ...acme({ me: '7', keyCommand: 'echo crm_printed_0123' }), key: undefined });
  });

  test('another origin gets neither the key, nor the id, nor plain http', async () => {
    const elsewhere = { 'base-url': 'https://other.test' };
    const none = await change(elsewhere);
    expect([none.result, none.seen, none.after]).toEqual([expect.any(UsageError), [], acme({ key, me: '7' })]);
    expect(String(none.result)).toMatch(/--base-url has another origin/);
    const moved = await change({ ...elsewhere, 'key-stdin': true }, acme({ key, me: '7', insecureHttp: true }));
    expect(moved.after).toEqual(acme({ baseUrl: 'https://other.test/', key: 'crm_another_key_0123' }));
    expect(moved.seen).toEqual([['https://other.test', 'crm_another_key_0123']]);
    expect(moved.result).toHaveProperty('notice', expect.stringContaining('--me'));
    const exposed = await change({ 'base-url': 'http://other.test', 'key-stdin': true }, acme({ insecureHttp: true }));
    expect(exposed.result).toBeInstanceOf(UsageError);
    const embedded = await change({ 'base-url': 'sandbox:' });
    expect(embedded.after).toEqual({ baseUrl: 'sandbox:', encoding: 'form', insecureHttp: false, protected: false });
  });

  test('mends an address that a hand has broken, with a new key', async () => {
    const { after } = await change({ 'base-url': 'https://acme.test', 'key-stdin': true }, acme({ baseUrl: 'nonsense' }));
    expect(after).toEqual(acme({ baseUrl: 'https://acme.test/', key: 'crm_another_key_0123' }));
  });

  test.each<[string, Input['flags'], RegExp]>([
    ['nothing', {}, /^Nothing to change/],
    ['nothing but --no-verify', { 'no-verify': true }, /^Nothing to change/],
    ['an id that is none', { me: '0' }, /^--me/],
    ['an encoding', { encoding: 'xml' }, /^--encoding/],
    ['an address', { 'base-url': 'acme.test' }, /^--base-url/],
    ['two ways to the key', { 'key-stdin': true, 'key-command': 'x' }, /--key-stdin and --key-command/],
  ])('%s is wrong usage, and changes nothing', async (_title, flags, message) => {
    const { result, seen, after } = await change(flags);
    expect([result, seen, after]).toEqual([expect.any(UsageError), [], acme({ key, me: '7' })]);
    expect(result).toHaveProperty('message', expect.stringMatching(message));
  });

  test('keeps members that it does not know; --dry-run changes nothing', async () => {
    const { configDir } = await change({});
    const path = join(configDir, 'config.json');
    const document = JSON.parse(await readFile(path, 'utf8'));
    document.profiles.acme.colour = 'green';
    await writeFile(path, JSON.stringify(document));
    await changeSettings(fakeContext({ configDir, flags: { dryRun: true } }), typed(['acme'], { me: '9' }), service().verify);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(document);
    await changeSettings(fakeContext({ configDir }), typed(['acme'], { me: '9' }), service().verify);
    expect(JSON.parse(await readFile(path, 'utf8')).profiles.acme).toMatchObject({ colour: 'green', me: '9', key });
  });

  test('a profile that was changed in the meantime stays as it is, and one that is gone is not found', async () => {
    const { configDir } = await change({});
    const meanwhile = acme({ key: 'crm_meanwhile_0123' });
    const verify = async (): Promise<void> => void (await saveProfile(configDir, 'acme', meanwhile, { replace: true }));
    const changing = changeSettings(fakeContext({ configDir }), typed(['acme'], { 'base-url': 'https://acme.test/crm' }), verify);
    await expect(changing).rejects.toBeInstanceOf(ConflictError);
    expect((await readProfiles(configDir)).profiles.get('acme')).toEqual(meanwhile);
    await expect(changeSettings(fakeContext({ configDir }), typed(['gone'], { me: '9' }), verify)).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('the others', () => {
  async function three(): Promise<string> {
    const configDir = await temporaryFolder();
    await saveProfile(configDir, 'acme', acme({ key }), { makeCurrentIfFirst: true });
    await saveProfile(configDir, 'sandbox', { baseUrl: 'sandbox:', encoding: 'form', insecureHttp: false, protected: false });
    await saveProfile(configDir, 'hand-made', acme({ baseUrl: 'https://u:pa55@acme.test', key: 'short' }));
    return configDir;
  }

  test('list', async () => {
    const result = await run('list', fakeContext({ configDir: await three() }));
    expect(data(result)).toMatchObject([
      { name: 'acme', base_url: 'https://acme.test', key: 'crm_…a1b2', encoding: 'form', current: true },
      { name: 'sandbox', base_url: 'sandbox:', key: '', current: false },
      { name: 'hand-made', base_url: '', key: '…', current: false },
    ]);
    const none = await run('list', fakeContext({ configDir: await temporaryFolder() }));
    expect([data(none), notice(none)]).toEqual([[], expect.stringContaining('crm profile add')]);
  });

  test('show', async () => {
    const configDir = await three();
    expect(data(await run('show', fakeContext({ configDir })))).toMatchObject({ name: 'acme', key: 'crm_…a1b2' });
    expect(data(await run('show', fakeContext({ configDir }), ['sandbox']))).toMatchObject({ name: 'sandbox' });
    expect(data(await run('show', fakeContext({ configDir, flags: { profile: 'sandbox' } })))).toMatchObject({ name: 'sandbox' });
    expect(data(await run('show', fakeContext({ configDir, env: { CRM_PROFILE: 'sandbox' } })))).toMatchObject({ name: 'sandbox' });
    expect(notice(await run('show', fakeContext({ configDir, env: { CRM_API_KEY: 'x' } })))).toBe(
      'CRM_API_KEY in the environment wins over this profile. The key in CRM_API_KEY goes to https://acme.test.',
    );
    const both = { CRM_API_KEY: 'x', CRM_BASE_URL: 'https://other.test/api' };
    expect(notice(await run('show', fakeContext({ configDir, env: both })))).toBe(
      'CRM_BASE_URL and CRM_API_KEY in the environment win over this profile. The key in CRM_API_KEY goes to https://other.test.',
    );
    await expect(run('show', fakeContext({ configDir }), ['nope'])).rejects.toBeInstanceOf(NotFoundError);
    await expect(run('show', fakeContext({ configDir: await temporaryFolder() }))).rejects.toBeInstanceOf(UnauthorizedError);
  });

  test('use', async () => {
    const configDir = await three();
    const before = await readFile(join(configDir, 'config.json'));
    await run('use', fakeContext({ configDir, flags: { dryRun: true } }), ['sandbox']);
    expect((await readFile(join(configDir, 'config.json'))).equals(before)).toBe(true);
    const result = await run('use', fakeContext({ configDir, env: { CRM_PROFILE: 'acme' } }), ['sandbox']);
    expect(data(result)).toMatchObject({ name: 'sandbox', current: true });
    expect(notice(result)).toContain('CRM_PROFILE in the environment wins');
    expect((await readProfiles(configDir)).current).toBe('sandbox');
    await expect(run('use', fakeContext({ configDir }), ['nope'])).rejects.toBeInstanceOf(NotFoundError);
  });

  test('remove', async () => {
    const configDir = await three();
    const asked: string[] = [];
    const yes = async (_context: Context, _guards: readonly string[], question: string) => void asked.push(question);
    const no = () => Promise.reject(new UnconfirmedError('no'));
    const context = fakeContext({ configDir });
    await expect(forgetProfile(context, 'nope', yes)).rejects.toBeInstanceOf(NotFoundError);
    await expect(forgetProfile(context, 'acme', no)).rejects.toBeInstanceOf(UnconfirmedError);
    await forgetProfile(fakeContext({ configDir, flags: { dryRun: true } }), 'acme', no);
    expect((await readProfiles(configDir)).profiles.size).toBe(3);
    expect(asked).toEqual([]);
    expect(notice(await forgetProfile(context, 'acme', yes))).toMatch(/Removed profile "acme"\. No profile is the current one now/);
    expect(asked).toEqual(['Remove profile "acme" and its key?']);
    const store = await readProfiles(configDir);
    expect([store.current, [...store.profiles.keys()]]).toEqual([undefined, ['sandbox', 'hand-made']]);
    expect(notice(await forgetProfile(context, 'sandbox', yes))).toBe('Removed profile "sandbox".');
  });

  test('remove says where the records of an embedded CRM stay', async () => {
    const configDir = await three();
    const dataDir = await temporaryFolder();
    const file = join(dataDir, 'sandbox.sqlite');
    await writeFile(file, '');
    const context = fakeContext({ configDir, env: { CRM_DATA_DIR: dataDir }, flags: { yes: true } });
    const said = notice(await run('remove', context, ['sandbox']));
    expect(said).toBe(`Removed profile "sandbox". The embedded CRM stays in ${file}: delete the file if nobody needs it.`);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  test('remove needs --yes off a terminal', async () => {
    const configDir = await three();
    await expect(run('remove', fakeContext({ configDir }), ['acme'])).rejects.toBeInstanceOf(UnconfirmedError);
    await run('remove', fakeContext({ configDir, flags: { yes: true } }), ['acme']);
    expect((await readProfiles(configDir)).profiles.has('acme')).toBe(false);
  });

  test('remove of a protected profile wants its name, whatever profile is in force', async () => {
    const configDir = await three();
    await saveProfile(configDir, 'live', acme({ protected: true }));
    const remove = (flags: FakeOptions['flags']) => run('remove', fakeContext({ configDir, ...(flags && { flags }) }), ['live']);
    await expect(remove({ yes: true })).rejects.toMatchObject({
      message: 'Profile "live" is protected: nothing was done.',
      details: { hint: 'To do this anyway, give both --yes and --confirm live' },
    });
    await expect(remove({ yes: true, confirm: 'acme' })).rejects.toThrow('--confirm names "acme", but the protected profile is "live".');
    await expect(remove({ confirm: 'live' })).rejects.toThrow('Nobody can be asked here');
    expect((await readProfiles(configDir)).profiles.has('live')).toBe(true);
    await remove({ yes: true, confirm: 'live' });
    expect((await readProfiles(configDir)).profiles.has('live')).toBe(false);
  });

  test('check', async () => {
    const configDir = await three();
    const { verify, seen } = service();
    const env = { CRM_BASE_URL: 'https://env.test/api', CRM_API_KEY: 'crm_env' };
    const named = await checkProfile(fakeContext({ configDir, env }), 'acme', verify);
    expect(data(named)).toMatchObject({ profile: 'acme', origin: 'https://acme.test', ok: true });
    expect(notice(named)).toBe('The key from profile "acme" works at https://acme.test.');
    const inForce = await checkProfile(fakeContext({ configDir, env }), undefined, verify);
    expect(data(inForce)).toMatchObject({ profile: '', origin: 'https://env.test', key_source: 'CRM_API_KEY' });
    expect(seen).toEqual([
      ['https://acme.test', key],
      ['https://env.test', 'crm_env'],
    ]);
    await expect(checkProfile(fakeContext({ configDir }), 'nope', verify)).rejects.toBeInstanceOf(NotFoundError);
  });
});
