// crm profile add: checks the name, the URL and the key, tries the key once, and saves.

import { canAsk } from '../../ask/prompt.ts';
import type { Command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import type { Input } from '../../flag.ts';
import type { Result } from '../../output/result.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { VerifyKey } from './verify.ts';
import { verifyByRequest } from './verify.ts';

export const profileAdd: Command = {
  path: ['profile', 'add'],
  summary: 'Add a profile: a service and the key to it',
  description:
    'On a terminal the key is asked for and not shown. It is checked with one request and saved in a file that only you can read. ' +
    'The first profile becomes the current one.',
  args: [{ name: 'name', help: 'What to call it: letters, digits, dots, hyphens, underscores' }],
  flags: [
    { name: 'base-url', value: 'url', help: 'Where the service is: https://crm.example.com' },
    { name: 'key-stdin', help: 'Read the key from standard input' },
    { name: 'key-command', value: 'command', help: 'A shell command that prints the key; run each time, and saved instead of the key' },
    { name: 'encoding', value: 'encoding', help: 'How request bodies are sent (default form)', choices: ['form', 'json'] },
    { name: 'no-verify', help: 'Save without trying the key' },
    { name: 'insecure-http', help: 'Allow plain http to a host other than this machine' },
    { name: 'protected', help: 'Refuse imports, seeds and what asks first, unless --confirm names the profile' },
  ],
  examples: [
    'crm profile add demo --base-url sandbox:',
    'crm profile add acme --base-url https://crm.example.com --key-command "pass show crm"',
    'crm profile add acme --base-url https://crm.example.com --key-stdin < key.txt',
  ],
  run: (context, input) => addProfile(context, input, verifyByRequest),
};

/** `profile add` with a given way to check the key, which tests replace. */
export async function addProfile(context: Context, input: Input, verify: VerifyKey): Promise<Result> {
  const { readProfiles, saveProfile, nameTaken } = await import('../../profiles/store.ts');
  const { profileRecord, profileShape } = await import('./record.ts');
  const { name, plan } = await readInput(input);
  const configDir = await context.configDir();
  const store = await readProfiles(configDir);
  if (store.profiles.has(name)) throw nameTaken(name);

  const profile: Profile = { ...plan, ...(await obtainKey(context, input, name, plan)) };
  if (input.flags['no-verify'] !== true) await verifyProfile(context, name, profile, verify);
  if (context.flags.dryRun) return { kind: 'nothing', notice: `Would save profile "${name}".` };

  const { current } = await saveProfile(configDir, name, profile, { makeCurrentIfFirst: true });
  return {
    kind: 'local',
    data: profileRecord({ name, profile }, current ? name : store.current),
    shape: profileShape,
    notice: current ? `Saved profile "${name}". It is the current one.` : `Saved profile "${name}". Switch to it: crm profile use ${name}`,
  };
}

/** Everything of the profile but its key. */
type Plan = Omit<Profile, 'key' | 'keyCommand'>;

async function readInput({ args, flags }: Input): Promise<{ name: string; plan: Plan }> {
  const { checkProfileName, encodings } = await import('../../profiles/profile.ts');
  const { checkBaseUrl, isExposed } = await import('../../values/base-url.ts');
  const name = checkProfileName(args[0] ?? '');
  if (typeof flags['base-url'] !== 'string') throw new UsageError('--base-url is missing: say where the service is.');
  const baseUrl = checkBaseUrl(flags['base-url'], '--base-url', usage);
  const insecureHttp = flags['insecure-http'] === true;
  if (isExposed(baseUrl) && !insecureHttp) {
    throw usage('--base-url: plain http is for this machine only.', 'Use https, or --insecure-http to send the key unencrypted.');
  }
  const encoding = encodings.find((one) => one === (flags.encoding ?? 'form'));
  if (encoding === undefined) throw usage(`--encoding: choose ${encodings.join(' or ')}.`);
  return { name, plan: { baseUrl, encoding, insecureHttp, protected: flags.protected === true } };
}

/** The key, or the command that prints it; neither for the embedded CRM. */
async function obtainKey(context: Context, { flags }: Input, name: string, plan: Plan): Promise<Pick<Profile, 'key' | 'keyCommand'>> {
  const { isSandbox, originOf } = await import('../../values/base-url.ts');
  const command = flags['key-command'];
  const fromStdin = flags['key-stdin'] === true;
  if (fromStdin && command !== undefined) throw usage('Choose one of --key-stdin and --key-command.');
  if (isSandbox(plan.baseUrl)) {
    if (fromStdin || command !== undefined) throw usage('The embedded CRM needs no key.', 'Leave out --key-stdin and --key-command.');
    return {};
  }
  if (typeof command === 'string') return { keyCommand: checkCommand(command) };
  if (fromStdin) return { key: await readKey(context) };

  if (!canAsk(context)) throw noWayToAsk(context, name);
  const { askKey } = await import('../../ask/key.ts');
  const key = await askKey(context, `API key for ${originOf(plan.baseUrl)}`);
  context.io.keepSecret(key);
  return { key };
}

function checkCommand(command: string): string {
  if (command.trim() === '') throw usage('--key-command is empty: give a command that prints the key.');
  return command;
}

async function readKey(context: Context): Promise<string> {
  const { io } = context;
  if (io.stdin.isTTY) {
    throw usage('--key-stdin reads a file or a pipe, and standard input is the terminal.', 'Without --key-stdin the key is asked for.');
  }
  const { cleanKey } = await import('../../profiles/key.ts');
  const { readStdin } = await import('../../files/read-whole.ts');
  const text = await readStdin(context, '--key-stdin: ');
  if (text.trim() !== '') io.keepSecret(text.trim());
  return cleanKey(text, '--key-stdin: the key', usage);
}

function noWayToAsk({ env }: Context, name: string): UsageError {
  const message = "The key can't be asked for here: give it with --key-stdin or --key-command.";
  if (!env.CRM_API_KEY) return usage(message);
  return usage(message, `CRM_API_KEY is not saved by itself: printenv CRM_API_KEY | crm profile add ${name} --key-stdin …`);
}

async function verifyProfile(context: Context, name: string, profile: Profile, verify: VerifyKey): Promise<void> {
  const { keyAccess, profileSettings } = await import('../../profiles/settings.ts');
  await verify(context, profileSettings({ name, profile }, keyAccess(context)));
}

function usage(message: string, hint?: string): UsageError {
  return new UsageError(message, hint === undefined ? {} : { hint });
}
