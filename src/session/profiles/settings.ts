// Decides the settings in force: flag > environment > profile. A key belongs to the origin that it was saved with. Settings that would
// send a key to another origin are refused here.

import { isExposed, isSandbox, normaliseBaseUrl, originOf, shownBaseUrl } from '../../base/base-url.ts';
import { type CodeOf, UnauthorizedError } from '../../base/errors.ts';
import { cleanKey } from '../../base/key.ts';
import type { Encoding } from '../../client/encoding.ts';
import type { Io } from '../../output/streams/io.ts';
import type { KeyCommandSurroundings } from './key-command.ts';
import type { NamedProfile, Profile, ProfileStoreData } from './profile.ts';
import { howToChoose, profileNames } from './profile.ts';
import { readProfiles } from './store.ts';

export interface Settings {
  /** Normalised base: origin plus path, no trailing slash and no trailing /api; or the `sandbox:` URL. */
  readonly baseUrl: string;
  /** The source of the base URL for messages: `CRM_BASE_URL`, `profile "acme"`. Undefined for a profile that isn't saved yet. */
  readonly baseUrlSource: string | undefined;
  /** The key; undefined for the in-process sandbox. Runs the key command on first use. */
  key(): Promise<string | undefined>;
  /** The source of the key for messages: `CRM_API_KEY`, `profile "acme"`. */
  readonly keySource: string;
  /** The command that saves a new key, where the key is a profile's own. */
  readonly newKey?: string | undefined;
  readonly profile?: string;
  /** The profile under which names are remembered. Undefined when the environment gives the service. */
  readonly rememberedAs?: string | undefined;
  readonly encoding: Encoding;
  readonly protected: boolean;
  /** The user's own id as a team member of the service, when the profile has one. */
  readonly me: string | undefined;
  /** The columns of a terminal's tables, by family. */
  readonly columns?: Profile['columns'];
}

interface SettingsInput {
  /** `--profile`: beats every variable. */
  readonly flagProfile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called only when a profile is needed. */
  readonly loadStore: () => Promise<ProfileStoreData>;
  /** Runs a key command and returns its output. `owner` names the profile in messages: `profile "acme"`. */
  readonly runKeyCommand: (command: string, owner: string) => Promise<string>;
  /** Called with every key before it is checked, so that no message can show it. */
  readonly keepSecret: (secret: string) => void;
}

/** The parts of a session that read keys and keep them secret. */
interface KeySurroundings extends KeyCommandSurroundings {
  readonly io: KeyCommandSurroundings['io'] & Pick<Io, 'keepSecret'>;
}

/** The parts of a session that the settings are read from. */
interface SettingsSurroundings extends KeySurroundings {
  readonly flags: { readonly profile?: string; readonly quiet?: boolean };
  configDir(): Promise<string>;
}

type KeyAccess = Pick<SettingsInput, 'runKeyCommand' | 'keepSecret'>;

/** The settings in the environment. An empty variable sets nothing. */
interface Overrides {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * The settings in force. The store is not read when the environment is enough: CRM_BASE_URL with CRM_API_KEY or `sandbox:`, and no
 * CRM_PROFILE. Throws UnauthorizedError for unusable settings.
 */
export async function decideSettings(input: SettingsInput): Promise<Settings> {
  if (input.flagProfile !== undefined) {
    return settingsInForce(findProfile(await input.loadStore(), input.flagProfile, '--profile'), {}, input);
  }
  const overrides = readOverrides(input.env);
  if (isComplete(overrides)) return settingsInForce(undefined, overrides, input);
  const store = await input.loadStore();
  const chosen = chosenProfile(store, overrides.profile);
  if (chosen === undefined && overrides.baseUrl === undefined) throw noService(store, overrides);
  return settingsInForce(chosen, overrides, input);
}

/** The settings of a profile alone, without the environment: for a check before the profile is saved. */
export function profileSettings(named: NamedProfile, input: KeyAccess): Settings {
  return settingsInForce(named, {}, input);
}

/** `decideSettings` with the real store and shell, loaded only when needed. `name` replaces `--profile`. */
export function loadSettings(surroundings: SettingsSurroundings, name: string | undefined = surroundings.flags.profile): Promise<Settings> {
  return decideSettings({
    flagProfile: name,
    env: surroundings.env,
    loadStore: async () => readProfiles(await surroundings.configDir()),
    ...keyAccess(surroundings),
  });
}

/** The profiles that protect a base URL, or keep it read only, whatever names the URL. Throws UnauthorizedError if they can't be read. */
export async function guardsOf(
  { configDir }: Pick<SettingsSurroundings, 'configDir'>,
  baseUrl: string,
  guard: 'protected' | 'readOnly' = 'protected',
): Promise<string[]> {
  // Without a home folder there is no folder of settings, so there are no profiles.
  const folder = await configDir().catch(() => undefined);
  if (folder === undefined) return [];
  const { profiles } = await readProfiles(folder);
  return [...profiles].filter(([name, one]) => one[guard] && profileBaseUrl({ name, profile: one }) === baseUrl).map(([name]) => name);
}

/** True if CRM_READ_ONLY makes every service read only. */
export const isReadOnlyByVariable = ({ CRM_READ_ONLY }: SettingsInput['env']): boolean =>
  !['', '0', 'false', undefined].includes(CRM_READ_ONLY);

/** Says what makes the service of a base URL read only: CRM_READ_ONLY, or a profile. Undefined: writes may be sent there. */
export async function readOnlyBy(
  surroundings: Pick<SettingsSurroundings, 'configDir' | 'env'>,
  { baseUrl, profile }: { readonly baseUrl: string; readonly profile?: string | undefined },
): Promise<string | undefined> {
  if (isReadOnlyByVariable(surroundings.env)) return 'CRM_READ_ONLY is set, so crm only reads';
  const guards = await guardsOf(surroundings, baseUrl, 'readOnly').catch((error: unknown): string[] => {
    // Settings from the environment alone need no readable profiles.
    if (profile !== undefined) throw error;
    return [];
  });
  if (profile !== undefined && guards.includes(profile)) return `Profile "${profile}" is read only`;
  return guards[0] === undefined ? undefined : `${shownBaseUrl(baseUrl)} is read only by profile "${guards[0]}"`;
}

/** The real shell for key commands. Keys are kept secret from all streams. */
export function keyAccess(surroundings: KeySurroundings): KeyAccess {
  return {
    runKeyCommand: async (command, owner) => (await import('./key-command.ts')).runKeyCommand(command, owner, surroundings),
    keepSecret: (secret) => keepSecret(surroundings.io, secret),
  };
}

function keepSecret(io: Pick<Io, 'keepSecret'>, text: string): void {
  const secret = text.trim();
  if (secret !== '') io.keepSecret(secret);
}

function readOverrides(env: SettingsInput['env']): Overrides {
  const set = (name: string) => env[name] || undefined;
  return { profile: set('CRM_PROFILE'), baseUrl: set('CRM_BASE_URL'), key: set('CRM_API_KEY') };
}

function isComplete({ profile, baseUrl, key }: Overrides): boolean {
  return profile === undefined && baseUrl !== undefined && (key !== undefined || isSandbox(baseUrl.trim()));
}

function chosenProfile(store: ProfileStoreData, fromEnv: string | undefined): NamedProfile | undefined {
  if (fromEnv !== undefined) return findProfile(store, fromEnv, 'CRM_PROFILE');
  if (store.current === undefined) return undefined;
  return findProfile(store, store.current, 'The current profile');
}

function findProfile(store: ProfileStoreData, name: string, source: string): NamedProfile {
  const profile = store.profiles.get(name);
  if (profile !== undefined) return { name, profile };
  throw new UnauthorizedError(`${source}: there is no profile "${name}".`, { code: 'no_profile', hint: profileNames(store) });
}

function settingsInForce(named: NamedProfile | undefined, overrides: Overrides, access: KeyAccess): Settings {
  if (overrides.key !== undefined) access.keepSecret(overrides.key);
  if (named?.profile.key !== undefined) access.keepSecret(named.profile.key);
  const baseUrl = baseUrlInForce(named, overrides);
  const isOfProfile = overrides.baseUrl === undefined;
  return {
    baseUrl,
    baseUrlSource: isOfProfile ? `profile "${named?.name}"` : 'CRM_BASE_URL',
    ...keyInForce(baseUrl, named, overrides, access),
    ...(named === undefined ? {} : { profile: named.name }),
    encoding: named?.profile.encoding ?? 'form',
    protected: named?.profile.protected ?? false,
    // Another service has other ids and names.
    rememberedAs: isOfProfile ? named?.name : undefined,
    me: isOfProfile ? named?.profile.me : undefined,
    ...(named?.profile.columns === undefined ? {} : { columns: named.profile.columns }),
  };
}

function baseUrlInForce(named: NamedProfile | undefined, overrides: Overrides): string {
  const baseUrl =
    overrides.baseUrl === undefined && named !== undefined
      ? profileBaseUrl(named)
      : normaliseBaseUrl(overrides.baseUrl ?? '', 'CRM_BASE_URL', unauthorized);
  if (!isExposed(baseUrl) || mayUsePlainHttp(baseUrl, named)) return baseUrl;
  throw unauthorized(
    `${originOf(baseUrl)} would get the key unencrypted: plain http is for this machine only.`,
    `Use https, or add a profile that allows plain http: crm profile add NAME --base-url ${baseUrl} --insecure-http`,
  );
}

/** A profile's normalised base URL. Throws UnauthorizedError when the URL is invalid. */
function profileBaseUrl({ name, profile }: NamedProfile): string {
  return normaliseBaseUrl(profile.baseUrl, `The base URL of profile "${name}"`, unauthorized);
}

function mayUsePlainHttp(baseUrl: string, named: NamedProfile | undefined): boolean {
  return named?.profile.insecureHttp === true && originOf(profileBaseUrl(named)) === originOf(baseUrl);
}

function keyInForce(
  baseUrl: string,
  named: NamedProfile | undefined,
  overrides: Overrides,
  access: KeyAccess,
): Pick<Settings, 'key' | 'keySource' | 'newKey'> {
  if (isSandbox(baseUrl)) return { key: async () => undefined, keySource: 'the sandbox' };
  if (overrides.key !== undefined) {
    const key = cleanKey(overrides.key, 'CRM_API_KEY', unauthorized);
    return { key: async () => key, keySource: 'CRM_API_KEY' };
  }
  if (named === undefined || !hasKey(named.profile)) throw noKey(baseUrl, named);
  refuseOtherOrigin(baseUrl, named);
  return {
    key: profileKey(named, access),
    keySource: `profile "${named.name}"`,
    ...(named.profile.key === undefined ? {} : { newKey: `crm profile set ${named.name} --key-stdin` }),
  };
}

function hasKey(profile: Profile): boolean {
  return profile.key !== undefined || profile.keyCommand !== undefined;
}

function refuseOtherOrigin(baseUrl: string, named: NamedProfile): void {
  const [asked, own] = [originOf(baseUrl), originOf(profileBaseUrl(named))];
  if (asked === own) return;
  throw unauthorized(
    `CRM_BASE_URL is at ${asked}, but the key of profile "${named.name}" belongs to ${own}. The key is not sent elsewhere.`,
    `Set CRM_API_KEY to a key of ${asked}, or add a profile for this address: crm profile add NAME --base-url ${baseUrl}`,
  );
}

function profileKey({ name, profile }: NamedProfile, access: KeyAccess): Settings['key'] {
  if (profile.keyCommand === undefined) {
    const key = cleanKey(profile.key ?? '', `The key of profile "${name}"`, unauthorized);
    return async () => key;
  }
  const command = profile.keyCommand;
  const run = async (): Promise<string> => {
    const text = await access.runKeyCommand(command, `profile "${name}"`);
    access.keepSecret(text);
    return cleanKey(text, `The output of the key command of profile "${name}"`, unauthorized);
  };
  let running: Promise<string> | undefined;
  return () => (running ??= run());
}

function noService(store: ProfileStoreData, overrides: Overrides): UnauthorizedError {
  if (overrides.key !== undefined) {
    return unauthorized('CRM_API_KEY is set, but nothing says which service it is for.', 'Set CRM_BASE_URL as well.', 'no_profile');
  }
  return unauthorized('No profile is chosen and no settings are in the environment.', howToChoose(store), 'no_profile');
}

function noKey(baseUrl: string, named: NamedProfile | undefined): UnauthorizedError {
  const whose = named === undefined ? '' : ` and profile "${named.name}" has no key`;
  return unauthorized(
    `There is no key for ${originOf(baseUrl)}: CRM_API_KEY is not set${whose}.`,
    `Set CRM_API_KEY, or add a profile: crm profile add NAME --base-url ${baseUrl}`,
    'no_key',
  );
}

function unauthorized(message: string, hint?: string, code?: CodeOf<'unauthorized'>): UnauthorizedError {
  return new UnauthorizedError(message, { code, ...(hint === undefined ? {} : { hint }) });
}
