// crm doctor: the profiles, and each setting in force with where it comes from. Keys are shown masked.

import type { Context } from '../../context.ts';
import type { ProfileStoreData } from '../../profiles/profile.ts';
import { loadSettings, type Settings } from '../../profiles/settings.ts';
import { readProfiles } from '../../profiles/store.ts';
import { isSandbox } from '../../values/base-url.ts';
import { maskKey } from '../../values/key.ts';
import { type CheckResult, ok, wrong } from './finding.ts';

interface InForce {
  readonly rows: readonly CheckResult[];
  /** Undefined where they can't be used. */
  readonly settings?: Settings;
}

/** The rows on profiles and settings, and the settings themselves. Throws the reason of a signal. */
export async function settingsRows(context: Context): Promise<InForce> {
  const store = await context
    .configDir()
    .then(readProfiles)
    .catch((error: unknown) => error);
  const profiles = isStore(store) ? ok('profiles', namesOf(store)) : wrong('profiles', store);
  let settings: Settings;
  try {
    settings = await loadSettings(context);
  } catch (error) {
    // A file that can't be read is told once.
    const isTold = !isStore(store) && error instanceof Error && store instanceof Error && error.message === store.message;
    return {
      rows: [profiles, isTold ? { check: 'settings', state: 'unknown', found: 'none without the profiles' } : wrong('settings', error)],
    };
  }
  const ofProfile = settings.profile === undefined ? 'the default' : `from profile "${settings.profile}"`;
  const rows = [
    profiles,
    ok('profile', settings.profile === undefined ? 'none: the environment says everything' : `${settings.profile}, ${chosenBy(context)}`),
    ok('base URL', `${settings.baseUrl}, from ${settings.baseUrlSource ?? 'what was typed'}`),
    await keyRow(settings, isStore(store) ? store : undefined),
    ok('encoding', `${settings.encoding}, ${ofProfile}`),
    ok('me', settings.me === undefined ? 'not set: @me means nobody' : `${settings.me}, ${ofProfile}`),
    ok('protected', settings.protected ? `yes, ${ofProfile}: writes that --yes would confirm need --confirm ${settings.profile}` : 'no'),
  ];
  return { rows, settings };
}

const isStore = (value: unknown): value is ProfileStoreData => value instanceof Object && 'profiles' in value;

function namesOf({ current, profiles }: ProfileStoreData): string {
  if (profiles.size === 0) return 'none';
  const names = [...profiles.keys()].map((name) => (name === current ? `${name} (current)` : name));
  return names.join(', ');
}

function chosenBy({ flags, env }: Context): string {
  if (flags.profile !== undefined) return 'from --profile';
  return env.CRM_PROFILE ? 'from CRM_PROFILE' : 'the current one';
}

/** The key, masked; of a key command only whether it prints one. */
async function keyRow(settings: Settings, store: ProfileStoreData | undefined): Promise<CheckResult> {
  if (isSandbox(settings.baseUrl)) return ok('key', 'the embedded CRM needs none');
  try {
    const key = (await settings.key()) ?? '';
    const isPrinted = settings.keySource !== 'CRM_API_KEY' && store?.profiles.get(settings.profile ?? '')?.keyCommand !== undefined;
    return ok('key', isPrinted ? `the key command of ${settings.keySource} prints one` : `${maskKey(key)}, from ${settings.keySource}`);
  } catch (error) {
    return wrong('key', error);
  }
}
