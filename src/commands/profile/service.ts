// The common parts of `profile add` and `profile set`: the flags for a service, the check of its address, and a new key, which is tried
// before it is saved.

import { checkBaseUrl, isExposed, isSandbox, originOf } from '../../base/base-url.ts';
import { UnauthorizedError, UsageError, withHints } from '../../base/errors.ts';
import { readStdin } from '../../base/files/read-whole.ts';
import type { Flag, FlagValues, Input } from '../../base/flag.ts';
import { cleanKey, keyProblem } from '../../base/key.ts';
import { checkChoice, parseId } from '../../base/values/parse.ts';
import type { Encoding } from '../../client/encoding.ts';
import { notice } from '../../output/streams/notice.ts';
import { askLine, canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { openClient } from '../../session/open-client.ts';
import { encodings, type NamedProfile, type Profile } from '../../session/profiles/profile.ts';
import { keyAccess, profileSettings } from '../../session/profiles/settings.ts';
import type { VerifyKey } from '../../session/profiles/verify.ts';

export const serviceFlags = [
  { name: 'base-url', value: 'url', help: 'Where the service is: https://crm.example.com' },
  { name: 'key-stdin', help: 'Read the key from standard input; on a terminal, ask for the key' },
  { name: 'key-command', value: 'command', help: 'A shell command that prints the key; run each time, and saved instead of the key' },
  { name: 'encoding', value: 'encoding', help: 'How request bodies are sent (default form)', choices: encodings, standard: 'form' },
  { name: 'me', value: 'user', help: 'Your own team member in the service, by id or name' },
  { name: 'no-verify', help: 'Save without trying the key' },
  { name: 'insecure-http', help: 'Allow plain http to a host other than this machine' },
  {
    name: 'protected',
    help: 'Where --yes would do, want the name of the profile: --confirm NAME. A single update goes through',
  },
  { name: 'read-only', help: 'Refuse every command that writes to the service of this address, a brake against mistakes' },
] as const satisfies readonly Flag[];

export type ServiceInput = Input<FlagValues<typeof serviceFlags>>;

/** A profile without its key. */
export type Keyless = Omit<Profile, 'key' | 'keyCommand'>;

/** The key or the key command of a profile. The embedded CRM has neither. */
type KeySource = Pick<Profile, 'key' | 'keyCommand'>;

/** The checked base URL, as a profile keeps it. `source`: the first word of errors, such as `--base-url`. Throws UsageError. */
export function checkedAddress(text: string, insecureHttp: boolean, source = '--base-url'): string {
  const baseUrl = checkBaseUrl(text, source, usage);
  if (!isExposed(baseUrl) || insecureHttp) return baseUrl;
  throw usage(`${source} is plain http, which is for this machine only.`, 'Use https, or --insecure-http to send the key unencrypted.');
}

/** The member of a profile for --read-only; none where the flag is not given. */
export const readOnlyOf = (flags: { readonly 'read-only'?: boolean | undefined }): Pick<Profile, 'readOnly'> =>
  flags['read-only'] ? { readOnly: true } : {};

/** The values of --encoding (checked) and --me (as typed), if given. Throws UsageError. */
export function checkedDetails({ encoding, me }: ServiceInput['flags']): { encoding?: Encoding; me?: string } {
  return {
    ...(encoding === undefined ? {} : { encoding: checkChoice(encoding, encodings, '--encoding') }),
    ...(me === undefined ? {} : { me: me.trim() }),
  };
}

/** The profile with a name in `me` replaced by the id of that team member in the profile's service. Throws UsageError. */
export async function withMember(context: Context, { name, profile }: NamedProfile): Promise<Profile> {
  const { me } = profile;
  if (me === undefined) return profile;
  if (/^\d+$/.test(me)) return { ...profile, me: String(parseId(me, '--me')) };
  if (/^@?me$/i.test(me)) throw usage(`--me: ${me} stands for this setting. Give an id or a name.`);
  const [{ openNames }, { idNamed }] = await Promise.all([
    import('../../session/names/run-names.ts'),
    import('../../session/names/resolve.ts'),
  ]);
  const settings = profileSettings({ name, profile }, keyAccess(context));
  const [api, names] = [await openClient(context, settings), await openNames(context, settings)];
  try {
    const sources = { api: async () => api, names: async () => names, settings: async () => settings };
    return { ...profile, me: String(await idNamed(sources, { of: 'team', text: me, where: '--me', match: 'whole' })) };
  } finally {
    await api.close();
  }
}

/** True if a flag gives a new key. */
export const namesKey = ({ flags }: ServiceInput): boolean => flags['key-stdin'] || flags['key-command'] !== undefined;

/** How many keys a user may type before the command fails. */
const mostTries = 3;

/**
 * The profile with a new key, which the service accepted unless --no-verify is given. Asks again for a typed key that is refused. Throws
 * UsageError for flags that exclude each other, and the errors of `verify`.
 */
export async function withNewKey(
  context: Context,
  input: ServiceInput,
  { name, profile: wanted }: NamedProfile,
  verify: VerifyKey,
): Promise<Profile> {
  const { source, read } = keyReader(context, input, wanted);
  for (let tries = 1; ; tries += 1) {
    const profile = { ...wanted, ...(await read()) };
    try {
      if (!input.flags['no-verify']) await tryUnsaved(context, { name, profile }, source, verify);
      return profile;
    } catch (error) {
      if (source !== typed || tries === mostTries || !isRefusedKey(error)) throw error;
      // Shown even with --quiet, because the user has to type again.
      await notice(context.io, { quiet: false }, `${error.message} Type the key again, or end with Ctrl-C.`, 'failed');
    }
  }
}

/** Tries a profile before it is saved. `keySource`: the origin of the key, for errors. */
export async function tryUnsaved(context: Context, named: NamedProfile, keySource: string, verify: VerifyKey): Promise<void> {
  const settings = profileSettings(named, keyAccess(context));
  try {
    await verify(context, { ...settings, keySource, newKey: undefined, baseUrlSource: undefined });
  } catch (error) {
    throw withHints(error, ['Nothing was saved.']);
  }
}

const isRefusedKey = (error: unknown): error is UnauthorizedError => error instanceof UnauthorizedError && error.details.httpStatus === 401;

const typed = 'your input';

function keyReader(context: Context, { flags }: ServiceInput, wanted: Keyless): { readonly source: string; read(): Promise<KeySource> } {
  const command = flags['key-command'];
  const { 'key-stdin': fromStdin = false } = flags;
  if (fromStdin && command !== undefined) throw usage('Choose one of --key-stdin and --key-command.');
  if (isSandbox(wanted.baseUrl)) {
    if (fromStdin || command !== undefined) throw usage('The embedded CRM needs no key.', 'Leave out --key-stdin and --key-command.');
    return { source: 'the sandbox', read: async () => ({}) };
  }
  if (command !== undefined) {
    if (command.trim() === '') throw usage('--key-command is empty: give a command that prints the key.');
    return { source: '--key-command', read: async () => ({ keyCommand: command }) };
  }
  if (fromStdin && !context.io.stdin.isTTY) return { source: '--key-stdin', read: () => keyFromStdin(context) };
  if (!canAsk(context)) throw noWayToAsk(context, fromStdin);
  return { source: typed, read: () => typedKey(context, originOf(wanted.baseUrl)) };
}

async function keyFromStdin(context: Context): Promise<KeySource> {
  const text = await readStdin(context, '--key-stdin: ');
  if (text.trim() !== '') context.io.keepSecret(text.trim());
  return { key: cleanKey(text, '--key-stdin: the key', usage) };
}

async function typedKey(context: Context, origin: string): Promise<KeySource> {
  const problem = (text: string): string | undefined => {
    const what = keyProblem(text);
    return what === undefined ? undefined : `That ${what}.`;
  };
  const key = await askLine(context, { message: `API key for ${origin}`, hidden: true, problem });
  context.io.keepSecret(key);
  return { key };
}

function noWayToAsk({ env }: Context, fromStdin: boolean): UsageError {
  if (fromStdin) return usage('--key-stdin needs a file or a pipe here: standard input is the terminal, and --no-input forbids questions.');
  const message = "crm can't ask for the key here: give it with --key-stdin or --key-command.";
  if (!env.CRM_API_KEY) return usage(message);
  return usage(message, 'To save the key of CRM_API_KEY, begin with printenv CRM_API_KEY | and add --key-stdin.');
}

function usage(message: string, hint?: string): UsageError {
  return new UsageError(message, hint === undefined ? {} : { hint });
}
