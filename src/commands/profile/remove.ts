// `crm profile remove`: removes a profile, its key and its remembered names, after a confirmation.

import { existsSync } from 'node:fs';
import { isSandbox } from '../../base/base-url.ts';
import type { Command } from '../../cli/command.ts';
import type { Result } from '../../output/result.ts';
import { confirmNamed } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { requireProfile } from '../../session/profiles/profile.ts';
import { readProfiles, removeProfile } from '../../session/profiles/store.ts';

export const profileRemove: Command = {
  path: ['profile', 'remove'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Remove a profile and its key',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name' }],
  flags: [],
  examples: ['crm profile remove sandbox --yes', 'crm profile remove acme --dry-run'],
  run: async (context, { args }) => forgetProfile(context, args[0] ?? '', confirmNamed),
};

/** Runs `profile remove`. `confirm` asks the user; tests replace it. */
export async function forgetProfile(context: Context, name: string, confirm: typeof confirmNamed): Promise<Result> {
  const configDir = await context.configDir();
  const { profile } = requireProfile(await readProfiles(configDir), name);
  if (context.flags.dryRun) return { kind: 'text', notice: `Would remove profile "${name}".` };
  await confirm(context, profile.protected ? [name] : [], `Remove profile "${name}" and its key?`);
  const { wasCurrent, left } = await removeProfile(configDir, name);
  const { forgetKnown } = await import('../../session/names/known.ts');
  forgetKnown(await context.dataDir(), name);
  const stays = isSandbox(profile.baseUrl) ? await embeddedStays(context, profile.baseUrl) : '';
  return { kind: 'text', notice: `Removed profile "${name}".${stays}${wasCurrent ? noneCurrent(left) : ''}` };
}

/** The sentence for the file of an embedded CRM, which stays. Empty if there is no file. */
async function embeddedStays(context: Context, baseUrl: string): Promise<string> {
  const { sandboxFile } = await import('../../session/open-client.ts');
  const path = await sandboxFile(context, baseUrl);
  return existsSync(path) ? ` The embedded CRM stays in ${path}: delete the file if nobody needs it.` : '';
}

function noneCurrent(left: number): string {
  return left === 0 ? ' None is left.' : ' No profile is the current one now: choose one with crm profile use NAME.';
}
