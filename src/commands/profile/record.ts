// A profile as a record: the members that output shows, with the key masked.

import type { Encoding } from '../../api/encoding.ts';
import type { Shape } from '../../output/result.ts';
import type { NamedProfile } from '../../profiles/profile.ts';
import { isSandbox, shownBaseUrl } from '../../values/base-url.ts';
import { maskKey } from '../../values/key.ts';

interface ProfileRecord {
  readonly name: string;
  readonly base_url: string;
  /** Masked; `command` for a key command; empty for the embedded CRM. */
  readonly key: string;
  readonly encoding: Encoding;
  /** The user's own id as a team member. */
  readonly me: string | null;
  readonly protected: boolean;
  readonly insecure_http: boolean;
  readonly current: boolean;
}

/** What --json prints of a profile: its members and their types. */
export const profileMembers = {
  name: 'text',
  base_url: 'text',
  key: 'text',
  encoding: 'text',
  me: 'text|null',
  protected: 'boolean',
  insecure_http: 'boolean',
  current: 'boolean',
} as const satisfies Readonly<Record<keyof ProfileRecord, string>>;

export const profileShape: Shape = {
  columns: ['name', 'base_url', 'key', 'encoding', 'current'].map((path) => ({ path })),
  record: Object.keys(profileMembers),
};

/** The record of a profile. `current` is the name of the current one. */
export function profileRecord({ name, profile }: NamedProfile, current: string | undefined): ProfileRecord {
  return {
    name,
    base_url: shownBaseUrl(profile.baseUrl),
    key: shownKey({ name, profile }),
    encoding: profile.encoding,
    me: profile.me ?? null,
    protected: profile.protected,
    insecure_http: profile.insecureHttp,
    current: name === current,
  };
}

function shownKey({ profile }: NamedProfile): string {
  if (isSandbox(profile.baseUrl)) return '';
  if (profile.keyCommand !== undefined) return 'command';
  return profile.key === undefined ? '' : maskKey(profile.key);
}
