// What a profile is, and what it may be called.

import type { Encoding } from '../api/encoding.ts';
import { NotFoundError, UsageError } from '../errors.ts';

export const encodings: readonly Encoding[] = ['form', 'json'];

/** A service and how to talk to it. One of `key` and `keyCommand`, or neither for the embedded CRM. */
export interface Profile {
  /** As the user gave it: canonical, its path as typed. Settings hold the normalised one. */
  readonly baseUrl: string;
  readonly key?: string;
  /** A shell command that prints the key. */
  readonly keyCommand?: string;
  readonly encoding: Encoding;
  /** The key may go to the profile's own origin over plain http. */
  readonly insecureHttp: boolean;
  /** What --yes would confirm, imports and seeds run only when the profile's name is typed (--confirm). */
  readonly protected: boolean;
  /** The user's own id as a team member: digits. */
  readonly me?: string;
}

export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** What the file holds. */
export interface ProfileStoreData {
  /** The current profile's name. A file edited by hand may name one that it doesn't hold. */
  readonly current?: string;
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** The name, checked. Throws UsageError when it is not a valid profile name. */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new UsageError('A profile name has 1 to 64 letters, digits, dots, hyphens and underscores, and begins with a letter or a digit.');
}

/** The profile of that name. Throws NotFoundError, which lists the existing ones. */
export function requireProfile(store: ProfileStoreData, name: string): NamedProfile {
  const profile = store.profiles.get(name);
  if (profile === undefined) throw new NotFoundError(`There is no profile "${name}".`, { hint: profileNames(store) });
  return { name, profile };
}

/** What to do when no profile is in force: choose one of those that there are, or make one. */
export function howToChoose(store: ProfileStoreData): string {
  if (store.profiles.size > 0) return `Choose one with crm profile use NAME, or for once with --profile NAME. ${profileNames(store)}`;
  return 'Try it without a service: crm sandbox init. Or add yours: crm profile add NAME --base-url URL';
}

/** A hint: the profiles to choose from, or how to add one. */
export function profileNames(store: ProfileStoreData): string {
  const names = [...store.profiles.keys()];
  return names.length === 0 ? 'Add one: crm profile add NAME --base-url URL' : `Profiles: ${names.join(', ')}.`;
}
