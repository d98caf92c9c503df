// `crm profile remove`: removes a profile, its key and its remembered names, after a confirmation.

import { existsSync, rmSync } from 'node:fs';
import { isSandbox } from '../../base/base-url.ts';
import { ConflictError, UsageError } from '../../base/errors.ts';
import { usualLockWait } from '../../base/limits.ts';
import { command } from '../../cli/command.ts';
import { waitFlag, waitOf } from '../../cli/pace.ts';
import { refuseReadOnly } from '../../client/problem.ts';
import type { Result } from '../../output/result.ts';
import { confirmNamed } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { requireProfile } from '../../session/profiles/profile.ts';
import { readOnlyBy } from '../../session/profiles/settings.ts';
import { readProfiles, removeProfile, sayingUnlocked } from '../../session/profiles/store.ts';

export const profileRemove = command({
  path: ['profile', 'remove'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Remove a profile and its key',
  description: 'The file of an embedded CRM stays, unless --with-data removes the file, its records and its history, too.',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name' }],
  flags: [{ name: 'with-data', help: 'Also remove the file of the embedded CRM', group: 'Data' }, waitFlag('Data')],
  examples: ['crm profile remove sandbox --yes', 'crm profile remove acme --dry-run'],
  run: async (context, { args: [name = ''], flags }) =>
    forgetProfile(context, name, confirmNamed, flags['with-data'], waitOf(flags, context.env)),
});

/** Runs `profile remove`. `confirm` asks the user; tests replace it. `wait`: milliseconds to wait for a run on the embedded CRM. */
export async function forgetProfile(
  context: Context,
  name: string,
  confirm: typeof confirmNamed,
  withData = false,
  wait = usualLockWait,
): Promise<Result> {
  const configDir = await context.configDir();
  const store = await readProfiles(configDir);
  const { profile } = requireProfile(store, name);
  const path = isSandbox(profile.baseUrl) ? await madeFile(context, profile.baseUrl) : undefined;
  if (withData && path === undefined) throw new UsageError(`--with-data: profile "${name}" has no file of an embedded CRM.`);
  const other = [...store.profiles].find(([one, { baseUrl }]) => one !== name && baseUrl === profile.baseUrl)?.[0];
  if (withData && other !== undefined) throw new ConflictError(`Profile "${other}" uses the same embedded CRM, so nothing was removed.`);
  if (withData && !context.flags.dryRun) refuseReadOnly(await readOnlyBy(context, { baseUrl: profile.baseUrl, profile: name }));
  if (context.flags.dryRun) return { kind: 'text', notice: `Would remove profile "${name}".` };
  const also = withData ? `, and the embedded CRM at ${path} with everything in it` : '';
  const offer = path === undefined || withData ? '' : ' Its embedded CRM stays; --with-data removes it, too.';
  await confirm(context, profile.protected ? [name] : [], `Remove profile "${name}" and its key${also}?${offer}`);
  const { wasCurrent, left } = await removeProfile(configDir, name, sayingUnlocked(context.io, context.flags));
  const { forgetKnown } = await import('../../session/names/known.ts');
  const folder = await context.ownDataDir();
  if (folder !== undefined) forgetKnown(folder, name);
  if (withData && path !== undefined) await removeEmbedded(context, { baseUrl: profile.baseUrl, wait }, path);
  const data = withData ? ' Its embedded CRM is gone.' : ` The embedded CRM stays in ${path}: delete the file if nobody needs it.`;
  return { kind: 'text', notice: `Removed profile "${name}".${path === undefined ? '' : data}${wasCurrent ? noneCurrent(left) : ''}` };
}

async function madeFile(context: Context, baseUrl: string): Promise<string | undefined> {
  const { sandboxFile } = await import('../../session/open-client.ts');
  const path = await sandboxFile(context, baseUrl);
  return existsSync(path) ? path : undefined;
}

/** Removes an embedded CRM and its history, while no run writes to it. */
async function removeEmbedded(context: Context, locked: { readonly baseUrl: string; readonly wait: number }, path: string): Promise<void> {
  const { forgettingRuns } = await import('../sandbox/forget-runs.ts');
  await forgettingRuns(context, locked, () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  });
}

function noneCurrent(left: number): string {
  return left === 0 ? ' None is left.' : ' No profile is the current one now: choose one with crm profile use NAME.';
}
