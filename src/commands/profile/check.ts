// `crm profile check`: shows with one request whether the service accepts the key.

import { isSandbox, originOf } from '../../base/base-url.ts';
import type { Command } from '../../cli/command.ts';
import type { Result, Shape } from '../../output/result.ts';
import type { Context } from '../../session/context.ts';
import { requireProfile } from '../../session/profiles/profile.ts';
import { keyAccess, profileSettings } from '../../session/profiles/settings.ts';
import { readProfiles } from '../../session/profiles/store.ts';
import type { VerifyKey } from '../../session/profiles/verify.ts';
import { verifyByRequest } from '../../session/profiles/verify.ts';

export const profileCheck: Command = {
  path: ['profile', 'check'],
  sends: [{ method: 'GET', path: '/api/contacts' }],
  does: 'reads',
  prints: {
    json: 'object',
    members: { profile: 'text', origin: 'text', base_url: 'text', key_source: 'text', encoding: 'text', ok: 'boolean' },
  },
  summary: 'Check with one request that the key works',
  description: 'Without a name: the settings in force, from --profile, the environment or the current profile.',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name', optional: true }],
  flags: [],
  examples: ['crm profile check', 'crm profile check sandbox'],
  run: (context, { args }) => checkProfile(context, args[0], verifyByRequest),
};

const checkShape: Shape = {
  columns: [{ path: 'profile' }, { path: 'origin' }, { path: 'key_source' }, { path: 'ok' }],
  record: ['profile', 'origin', 'base_url', 'key_source', 'encoding', 'ok'],
};

/** Runs `profile check`. `verify` checks the key; tests replace it. */
export async function checkProfile(context: Context, name: string | undefined, verify: VerifyKey): Promise<Result> {
  const settings =
    name === undefined
      ? await context.settings()
      : profileSettings(requireProfile(await readProfiles(await context.configDir()), name), keyAccess(context));
  await verify(context, settings);
  const { baseUrl, keySource, encoding } = settings;
  const origin = originOf(baseUrl);
  return {
    kind: 'rows',
    data: { profile: settings.profile ?? '', origin, base_url: baseUrl, key_source: keySource, encoding, ok: true },
    shape: checkShape,
    notice: isSandbox(baseUrl) ? 'The embedded CRM answers; it needs no key.' : `The key from ${keySource} works at ${origin}.`,
  };
}
