// Where settings come from: flag > environment > profile, and whose key may go where.

import { describe, expect, test } from 'vitest';
import { UnauthorizedError } from '../../../src/base/errors.ts';
import type { Profile, ProfileStoreData } from '../../../src/session/profiles/profile.ts';
import { decideSettings } from '../../../src/session/profiles/settings.ts';
import { acme, fakeContext, temporaryFolder } from './support.ts';

const profiles = new Map<string, Profile>([
  ['acme', acme()],
  ['other', acme({ baseUrl: 'https://other.test/crm/', key: 'crm_other_0123456789', encoding: 'json', protected: true, me: '7' })],
  ['plain', acme({ baseUrl: 'http://plain.test', key: 'crm_plain_0123456789', insecureHttp: true })],
  ['exposed', acme({ baseUrl: 'http://exposed.test' })],
  ['sandbox', { baseUrl: 'sandbox:', encoding: 'form', insecureHttp: false, protected: false }],
  ['command', { baseUrl: 'https://acme.test', keyCommand: 'print-key', encoding: 'form', insecureHttp: false, protected: false }],
  ['keyless', { baseUrl: 'https://acme.test', encoding: 'form', insecureHttp: false, protected: false }],
  ['password', acme({ baseUrl: 'https://user:pa55word@acme.test' })],
]);

interface Given {
  flag?: string;
  current?: string;
  env?: Record<string, string>;
  printed?: string;
}

async function decide({ flag, current, env = {}, printed = 'crm_printed_0123456789\n' }: Given) {
  const secrets: string[] = [];
  const commands: string[] = [];
  let loads = 0;
  const store: ProfileStoreData = { ...(current === undefined ? {} : { current }), profiles };
  const settings = await decideSettings({
    flagProfile: flag,
    env,
    loadStore: async () => {
      loads += 1;
      return store;
    },
    runKeyCommand: async (command) => {
      commands.push(command);
      return printed;
    },
    keepSecret: (secret) => void secrets.push(secret),
  });
  return { settings, secrets, commands, loads };
}

async function refusal(given: Given): Promise<UnauthorizedError> {
  try {
    const { settings } = await decide(given);
    await settings.key();
  } catch (error) {
    expect(error).toBeInstanceOf(UnauthorizedError);
    if (error instanceof UnauthorizedError) return error;
  }
  throw new Error('the settings were accepted');
}

describe('what wins', () => {
  const url = 'https://env.test';
  const key = 'crm_env_0123456789';
  const acme = 'https://acme.test';
  const ofAcme = ['crm_acme_0123456789', 'profile "acme"', 'acme'] as const;
  const ofEnv = [key, 'CRM_API_KEY'] as const;
  const ofSandbox = [undefined, 'the sandbox'] as const;
  const [profile, service, apiKey] = [{ CRM_PROFILE: 'other' }, { CRM_BASE_URL: url }, { CRM_API_KEY: key }];
  const other = 'https://other.test/crm';
  type Row = [title: string, given: Given, baseUrl: string, key: string | undefined, source: string, profile: string | undefined];
  test.each<Row>([
    ['the current profile', { current: 'acme' }, acme, ...ofAcme],
    ['CRM_PROFILE over current', { current: 'acme', env: profile }, other, 'crm_other_0123456789', 'profile "other"', 'other'],
    ['--profile over CRM_PROFILE', { flag: 'acme', env: profile }, acme, ...ofAcme],
    ['--profile over all variables', { flag: 'acme', env: { ...service, ...apiKey } }, acme, ...ofAcme],
    ['--profile over CRM_API_KEY', { flag: 'acme', env: apiKey }, acme, ...ofAcme],
    ['both variables over current', { current: 'acme', env: { ...service, ...apiKey } }, url, ...ofEnv, undefined],
    ['both variables, no profile', { env: { ...service, ...apiKey } }, url, ...ofEnv, undefined],
    ['all three variables', { env: { ...profile, ...service, ...apiKey } }, url, ...ofEnv, 'other'],
    ['the key alone', { current: 'acme', env: apiKey }, acme, ...ofEnv, 'acme'],
    ['the key and CRM_PROFILE', { current: 'acme', env: { ...apiKey, ...profile } }, other, ...ofEnv, 'other'],
    ['another path', { current: 'acme', env: { CRM_BASE_URL: 'https://ACME.test:443/v2/api' } }, `${acme}/v2`, ...ofAcme],
    ['nothing by empty ones', { current: 'acme', env: { CRM_PROFILE: '', CRM_BASE_URL: '', CRM_API_KEY: '' } }, acme, ...ofAcme],
    ['the sandbox from a variable', { current: 'acme', env: { CRM_BASE_URL: 'sandbox:' } }, 'sandbox:', ...ofSandbox, undefined],
    ['a sandbox file', { env: { CRM_BASE_URL: 'sandbox:/tmp/a b.sqlite' } }, 'sandbox:/tmp/a b.sqlite', ...ofSandbox, undefined],
    ['the sandbox takes no key', { env: { CRM_BASE_URL: 'sandbox:', ...apiKey } }, 'sandbox:', ...ofSandbox, undefined],
    ['a sandbox profile', { current: 'sandbox' }, 'sandbox:', ...ofSandbox, 'sandbox'],
    ['a keyless profile with CRM_API_KEY', { current: 'keyless', env: apiKey }, acme, ...ofEnv, 'keyless'],
    ['one newline behind the key', { env: { ...service, CRM_API_KEY: `${key}\n` } }, url, ...ofEnv, undefined],
  ])('%s', async (_title, given, baseUrl, expectedKey, source, profile) => {
    const { settings } = await decide(given);
    expect(settings.baseUrl).toBe(baseUrl);
    expect(await settings.key()).toBe(expectedKey);
    expect(settings.keySource).toBe(source);
    expect(settings.profile).toBe(profile);
  });

  test('encoding and protection are the profile’s, and plain without one', async () => {
    expect((await decide({ flag: 'other' })).settings).toMatchObject({ encoding: 'json', protected: true });
    expect((await decide({ current: 'other', env: { CRM_API_KEY: 'k' } })).settings).toMatchObject({ encoding: 'json', protected: true });
    expect((await decide({ current: 'other', env: { CRM_BASE_URL: 'https://env.test', CRM_API_KEY: 'k' } })).settings).toMatchObject({
      encoding: 'form',
      protected: false,
    });
  });

  test('who one is goes for the service of the profile alone', async () => {
    const me = (given: Given) => decide(given).then(({ settings }) => settings.me);
    expect(await me({ current: 'other' })).toBe('7');
    expect(await me({ current: 'other', env: { CRM_API_KEY: 'k' } })).toBe('7');
    expect(
      await me({ current: 'other', env: { CRM_BASE_URL: 'https://env.test', CRM_API_KEY: 'k', CRM_PROFILE: 'other' } }),
    ).toBeUndefined();
    expect(await me({ current: 'acme' })).toBeUndefined();
  });

  test('the store is left alone when the environment says it all', async () => {
    expect((await decide({ env: { CRM_BASE_URL: 'https://env.test', CRM_API_KEY: 'k' } })).loads).toBe(0);
    expect((await decide({ env: { CRM_BASE_URL: 'sandbox:' } })).loads).toBe(0);
  });

  test('every key is kept secret before anything is said about it', async () => {
    expect((await decide({ current: 'acme' })).secrets).toEqual(['crm_acme_0123456789']);
    const { settings, secrets } = await decide({ current: 'command', printed: 'a key with blanks' });
    await expect(settings.key()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(secrets).toEqual(['a key with blanks']);
    const context = fakeContext({ configDir: await temporaryFolder(), env: { CRM_BASE_URL: 'https://a.test', CRM_API_KEY: 'se cret' } });
    await expect(context.settings()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(context.secrets).toEqual(['se cret']);
  });
});

describe('what is refused', () => {
  test.each<[title: string, given: Given, message: RegExp, hint: RegExp]>([
    ['no profile of several', {}, /No profile/, /crm profile use NAME.*--profile NAME\. Profiles: acme, other/],
    ['a key and no service', { env: { CRM_API_KEY: 'k' } }, /CRM_API_KEY/, /CRM_BASE_URL/],
    ['a service and no key', { env: { CRM_BASE_URL: 'https://env.test' } }, /CRM_API_KEY/, /CRM_API_KEY/],
    ['a profile without a key', { current: 'keyless' }, /"keyless" has no key/, /CRM_API_KEY/],
    ['an unknown --profile', { flag: 'nope', current: 'acme' }, /--profile: there is no profile "nope"/, /acme, other/],
    ['an empty --profile', { flag: '', current: 'acme' }, /--profile/, /acme/],
    ['an unknown CRM_PROFILE', { current: 'acme', env: { CRM_PROFILE: 'nope' } }, /CRM_PROFILE: there is no profile "nope"/, /acme/],
    ['CRM_PROFILE=__proto__', { env: { CRM_PROFILE: '__proto__' } }, /no profile "__proto__"/, /acme/],
    ['--profile constructor', { flag: 'constructor' }, /no profile "constructor"/, /acme/],
    ['a current profile that is gone', { current: 'gone' }, /current profile: there is no profile "gone"/, /acme/],
  ])('%s', async (_title, given, message, hint) => {
    const error = await refusal(given);
    expect(error.message).toMatch(message);
    expect(error.details.hint).toMatch(hint);
  });

  test.each([
    ['another host', 'https://evil.test'],
    ['another port', 'https://acme.test:8443'],
    ['plain http', 'http://acme.test'],
    ['plain http on this machine', 'http://localhost:8080'],
    ['a host that begins alike', 'https://acme.test.evil.test'],
  ])('the key of a profile goes to no other origin: %s', async (_title, CRM_BASE_URL) => {
    for (const current of ['acme', 'command', 'plain']) {
      const error = await refusal({ current, env: { CRM_BASE_URL } });
      expect(error.message).not.toContain('0123456789');
    }
    const named = await refusal({ env: { CRM_PROFILE: 'acme', CRM_BASE_URL: 'https://evil.test' } });
    expect(named.message).toBe(
      'CRM_BASE_URL is at https://evil.test, but the key of profile "acme" belongs to https://acme.test. The key is not sent elsewhere.',
    );
    expect(named.details.hint).toMatch(/CRM_API_KEY.*crm profile add/);
  });

  test('a key command does not run for another origin', async () => {
    await expect(decide({ current: 'command', env: { CRM_BASE_URL: 'https://evil.test' } })).rejects.toBeInstanceOf(UnauthorizedError);
    const { settings, commands } = await decide({ current: 'command' });
    expect(commands).toEqual([]);
    expect(await settings.key()).toBe('crm_printed_0123456789');
    await settings.key();
    expect(commands).toEqual(['print-key']);
  });

  test.each(['https://user:pa55word@env.test', 'https://user@env.test', 'user:pa55word@env.test', 'https://env.test?pa55word', 'pa55word'])(
    'an unusable CRM_BASE_URL is not quoted: %s',
    async (CRM_BASE_URL) => {
      const error = await refusal({ env: { CRM_BASE_URL, CRM_API_KEY: 'k' } });
      expect(error.message).toContain('CRM_BASE_URL');
      expect(`${error.message} ${error.details.hint}`).not.toMatch(/pa55word|user@|user:/);
    },
  );

  test('nor is one that a hand-edited file holds', async () => {
    expect((await refusal({ current: 'password' })).message).toBe(
      'The base URL of profile "password" must not hold a user name or a password.',
    );
  });

  test.each([
    ['white space', 'se cret'],
    ['two newlines', 'secret\n\n'],
    ['a tab', 'secret\t'],
    ['a control character', 'se\u0000cret'],
    ['an escape', 'se\u001bcret'],
    ['a C1 control', 'se\u0085cret'],
    ['a character beyond Latin-1', 'secret€'],
    ['only a newline', '\n'],
  ])('a key with %s', async (_title, CRM_API_KEY) => {
    const error = await refusal({ env: { CRM_BASE_URL: 'https://env.test', CRM_API_KEY } });
    expect(error.message).toMatch(/^CRM_API_KEY (has|is)/);
    expect(error.message).not.toContain('cret');
    const printed = await refusal({ current: 'command', printed: `${CRM_API_KEY}\n` });
    expect(printed.message).toMatch(/^The output of the key command of profile "command" (has|is)/);
  });
});

describe('plain http', () => {
  const key = { CRM_API_KEY: 'k' };
  test.each(
    'http://localhost:3000 http://a.localhost http://127.0.0.1 http://127.9.9.9:1 http://127.1 http://[::1]:80 http://LOCALHOST'.split(' '),
  )('is for this machine: %s', async (CRM_BASE_URL) => {
    await expect(decide({ env: { CRM_BASE_URL, ...key } })).resolves.toBeDefined();
  });

  test.each(
    'http://acme.test http://127.0.0.1.evil.test http://localhost.evil.test http://evillocalhost http://[::2] http://128.0.0.1 http://0.0.0.0'.split(
      ' ',
    ),
  )('and for no other: %s', async (CRM_BASE_URL) => {
    const error = await refusal({ env: { CRM_BASE_URL, ...key } });
    expect(error.details.hint).toContain('--insecure-http');
  });

  test('unless the profile allows it, and then for its own origin', async () => {
    await expect(decide({ current: 'plain' })).resolves.toBeDefined();
    await expect(decide({ current: 'plain', env: { CRM_BASE_URL: 'http://plain.test/v2' } })).resolves.toBeDefined();
    await expect(decide({ current: 'plain', env: key })).resolves.toBeDefined();
    await refusal({ env: { CRM_PROFILE: 'plain', CRM_BASE_URL: 'http://other.test', ...key } });
    await refusal({ current: 'exposed' });
    await refusal({ flag: 'exposed' });
  });
});
