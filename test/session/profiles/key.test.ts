// Keys: how they are shown, and where a key command gets them from.

import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { InterruptedError, UnauthorizedError } from '../../../src/base/errors.ts';
import { maskKey } from '../../../src/base/key.ts';
import { runKeyCommand } from '../../../src/session/profiles/key-command.ts';
import { loadSettings } from '../../../src/session/profiles/settings.ts';
import { saveProfile } from '../../../src/session/profiles/store.ts';
import { startCrm } from '../../support/start-crm.ts';
import { fakeContext, temporaryFolder } from './support.ts';

test.each([
  ['crm_0123456789a1b2', 'crm_…a1b2'],
  ['crm_45678901', 'crm_…8901'],
  ['crm_4567890', '…'],
  ['0123456789abcdef0123', '…0123'],
  ['short', '…'],
  ['', '…'],
])('the mask of %s is %s', (key, mask) => {
  expect(maskKey(key)).toBe(mask);
});

describe.skipIf(process.platform === 'win32')('key command', () => {
  const run = async (command: string, env = {}, timeout?: number): Promise<string> =>
    runKeyCommand(command, 'profile "acme"', fakeContext({ configDir: await temporaryFolder(), env }), timeout);

  test('its standard output is the key, through the shell and with the environment', async () => {
    expect(await run('printf %s "$SOME_KEY" | tr a-z A-Z', { SOME_KEY: 'abc' })).toBe('ABC');
    expect(await run('echo abc; echo note >&2')).toBe('abc\n');
  });

  test('it gets no standard input off a terminal', async () => {
    expect(await run('cat; echo end')).toBe('end\n');
  });

  test.each([
    ['exit 3', 'The key command of profile "acme" failed with exit status 3.'],
    ['echo crm_secret; exit 1', 'The key command of profile "acme" failed with exit status 1.'],
    ['crm-no-such-program 2>/dev/null', 'The key command of profile "acme" failed with exit status 127.'],
    ['kill -9 $$', 'The key command of profile "acme" was ended by SIGKILL.'],
    ['true', 'The key command of profile "acme" printed nothing (exit status 0).'],
    ['echo', 'The key command of profile "acme" printed nothing (exit status 0).'],
    ['head -c 100000 /dev/zero', 'The key command of profile "acme" printed too much to be a key.'],
  ])('%s', async (command, message) => {
    const error: unknown = await run(command).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(error).toHaveProperty('message', message);
  });

  /** Whether a process that a command has noted in a file goes away. */
  const ends = async (file: string): Promise<boolean> => {
    const pid = Number(await readFile(file, 'utf8'));
    for (let tries = 0; tries < 500; tries += 1) {
      // A process that nobody waits for stays as a zombie: it has ended, too.
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
      if (state.includes(') Z')) return true;
      await sleep(10);
    }
    return false;
  };
  const startsAnother = 'sleep 600 & echo $! >"$PID_FILE"; wait';

  test.runIf(process.platform === 'linux')('one that hangs is ended, and what it started', async () => {
    const file = join(await temporaryFolder(), 'pid');
    const hangs = run(`echo crm_secret; ${startsAnother}`, { PID_FILE: file }, 1_000);
    await expect(hangs).rejects.toThrow('took longer than 1 s');
    expect(await ends(file)).toBe(true);
  });

  test.runIf(process.platform === 'linux').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends what it started, too',
    async (signal) => {
      const folder = await temporaryFolder();
      const file = join(folder, 'pid');
      const profile = { baseUrl: 'https://acme.test', encoding: 'form', insecureHttp: false, protected: false } as const;
      await saveProfile(folder, 'acme', { ...profile, keyCommand: startsAnother });
      const { process: child, ended } = startCrm(['leads', 'list', '-p', 'acme'], { CRM_CONFIG_DIR: folder, PID_FILE: file });
      while (!existsSync(file) || statSync(file).size === 0) await sleep(5);
      child.kill(signal);
      expect((await ended).status).toBe({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal]);
      expect(await ends(file)).toBe(true);
    },
  );

  test('on a terminal one that takes long is said to be waited for, and nothing else is drawn meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const context = fakeContext({ configDir: await temporaryFolder(), terminal: true });
      const running = runKeyCommand('sleep 0.3', 'profile "acme"', context);
      expect(context.io.waits.isHeld).toBe(true);
      vi.advanceTimersByTime(4999);
      expect(context.shown()).toBe('');
      vi.advanceTimersByTime(1);
      expect(context.shown()).toBe('\nWaiting for the key command of profile "acme".\n');
      await expect(running).rejects.toThrow('printed nothing');
      expect(context.io.waits.isHeld).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  test('Ctrl-C ends it', async () => {
    const controller = new AbortController();
    const context = fakeContext({ configDir: await temporaryFolder(), signal: controller.signal });
    const running = runKeyCommand('exec sleep 600', 'profile "acme"', context);
    const failed = expect(running).rejects.toBeInstanceOf(InterruptedError);
    await sleep(50);
    controller.abort(new InterruptedError('SIGINT'));
    await failed;
    await expect(runKeyCommand('echo x', 'profile "acme"', context)).rejects.toBeInstanceOf(InterruptedError);
  });

  test('as part of the settings: run on first use, kept secret, checked', async () => {
    const configDir = await temporaryFolder();
    const common = { baseUrl: 'https://acme.test', encoding: 'form', insecureHttp: false, protected: false } as const;
    await saveProfile(configDir, 'good', { ...common, keyCommand: 'echo crm_from_command' });
    await saveProfile(configDir, 'lines', { ...common, keyCommand: 'echo crm_from_command; echo more' });
    const context = fakeContext({ configDir });
    const settings = await loadSettings(context, 'good');
    expect(context.secrets).toEqual([]);
    expect(await settings.key()).toBe('crm_from_command');
    expect(context.secrets).toEqual(['crm_from_command']);
    await expect((await loadSettings(context, 'lines')).key()).rejects.toThrow('has white space in it');
  });
});
