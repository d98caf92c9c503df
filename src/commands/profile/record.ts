// A profile as a printed record, with the key masked, and the sentences about profiles.

import { isSandbox, shownBaseUrl } from '../../base/base-url.ts';
import { maskKey } from '../../base/key.ts';
import type { Encoding } from '../../client/encoding.ts';
import type { Shape } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import type { NamedProfile, Profile } from '../../session/profiles/profile.ts';

interface ProfileRecord {
  readonly name: string;
  readonly base_url: string;
  /** The masked key; `command` for a key command; empty for the embedded CRM. */
  readonly key: string;
  readonly encoding: Encoding;
  /** The user's own id as a team member. */
  readonly me: string | null;
  /** The columns of tables: `leads=id,title; items=id,rate`. */
  readonly columns: string | null;
  readonly protected: boolean;
  readonly read_only: boolean;
  readonly insecure_http: boolean;
  readonly current: boolean;
}

/** The members of a profile in JSON, with their types. */
export const profileMembers = {
  name: 'text',
  base_url: 'text',
  key: 'text',
  encoding: 'text',
  me: 'text|null',
  columns: 'text|null',
  protected: 'boolean',
  read_only: 'boolean',
  insecure_http: 'boolean',
  current: 'boolean',
} as const satisfies Readonly<Record<keyof ProfileRecord, string>>;

export const profileShape: Shape = {
  singular: 'profile',
  columns: ['name', 'base_url', 'key', 'encoding', 'current'].map((path) => ({ path })),
  record: Object.keys(profileMembers),
};

/** The record of a profile. `current`: the name of the current profile. */
export function profileRecord({ name, profile }: NamedProfile, current: string | undefined): ProfileRecord {
  return {
    name,
    base_url: shownBaseUrl(profile.baseUrl),
    key: shownKey({ name, profile }),
    encoding: profile.encoding,
    me: profile.me ?? null,
    columns: profile.columns === undefined ? null : columnsText(profile.columns),
    protected: profile.protected,
    read_only: profile.readOnly ?? false,
    insecure_http: profile.insecureHttp,
    current: name === current,
  };
}

const columnsText = (columns: NonNullable<Profile['columns']>): string =>
  Object.entries(columns)
    .map(([family, names]) => `${family}=${names.join(',')}`)
    .join('; ');

function shownKey({ profile }: NamedProfile): string {
  if (isSandbox(profile.baseUrl)) return '';
  if (profile.keyCommand !== undefined) return 'command';
  return profile.key === undefined ? '' : maskKey(profile.key);
}

/**
 * The sentences `CRM_API_KEY in the environment wins over this profile. The key in CRM_API_KEY goes to https://crm.example.com.` Undefined
 * if none of the variables is set.
 */
export function environmentWins(
  env: Context['env'],
  variables: readonly ('CRM_PROFILE' | 'CRM_BASE_URL' | 'CRM_API_KEY')[],
  { profile }: NamedProfile,
): string | undefined {
  const set = variables.filter((variable) => env[variable]);
  if (set.length === 0) return undefined;
  const wins = `${set.join(' and ')} in the environment ${set.length > 1 ? 'win' : 'wins'} over this profile.`;
  const place = set.includes('CRM_PROFILE') ? '' : shownBaseUrl(env.CRM_BASE_URL || profile.baseUrl);
  return !env.CRM_API_KEY || place === '' || isSandbox(place) ? wins : `${wins} The key in CRM_API_KEY goes to ${place}.`;
}

/** The remembered name of the team member whose id the profile holds as `me`: `Priya Raman (3)`. Undefined if unknown. */
export async function memberName(context: Context, { name, profile }: NamedProfile): Promise<string | undefined> {
  const { me, baseUrl } = profile;
  if (me === undefined) return undefined;
  const { knownPath, readNames } = await import('../../session/names/known.ts');
  const folder = await context.ownDataDir();
  if (folder === undefined) return undefined;
  const known = readNames(knownPath(folder, name), shownBaseUrl(baseUrl), 'team').find(({ id }) => String(id) === me);
  return known === undefined ? undefined : `${known.name} (${me})`;
}
