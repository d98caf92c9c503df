// Profiles and their names.

import { NotFoundError, UsageError } from '../../base/errors.ts';
import type { Encoding } from '../../client/encoding.ts';

export const encodings: readonly Encoding[] = ['form', 'json'];

/** A service and its settings. Has `key` or `keyCommand`; for the embedded CRM neither. */
export interface Profile {
  /** The checked URL, with the path as typed. Settings have the normalised URL. */
  readonly baseUrl: string;
  readonly key?: string;
  /** A shell command that prints the key. */
  readonly keyCommand?: string;
  readonly encoding: Encoding;
  /** The key may go to the profile's own origin over plain http. */
  readonly insecureHttp: boolean;
  /** A protected profile: destructive commands, imports and seeds also need --confirm with the profile's name. */
  readonly protected: boolean;
  /** A read-only profile: nothing but reads goes to the service of its base URL. */
  readonly readOnly?: boolean;
  /** The user's own id as a team member: digits. */
  readonly me?: string;
  /** The columns of a terminal's tables, by family. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
}

export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

export interface ProfileStoreData {
  /** The current profile's name. After an edit by hand there may be no such profile. */
  readonly current?: string;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** The valid name. Throws UsageError for another name. */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new UsageError('A profile name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.');
}

/** The profile with the given name. Throws NotFoundError, which lists the existing profiles. */
export function requireProfile(store: ProfileStoreData, name: string): NamedProfile {
  const profile = store.profiles.get(name);
  if (profile === undefined) throw new NotFoundError(`There is no profile "${name}".`, { hint: profileNames(store) });
  return { name, profile };
}

/** The hint when no profile is in force: choose a profile, or add one. */
export function howToChoose(store: ProfileStoreData): string {
  if (store.profiles.size > 0) return `Choose one with crm profile use NAME, or for once with --profile NAME. ${profileNames(store)}`;
  return 'Try it without a service: crm sandbox init. Or add yours: crm profile add NAME --base-url URL';
}

/** A hint: the profiles to choose from, or how to add one. */
export function profileNames(store: ProfileStoreData): string {
  const names = [...store.profiles.keys()];
  return names.length === 0 ? 'Add one: crm profile add NAME --base-url URL' : `Profiles: ${names.join(', ')}.`;
}
