// The name that a protected profile wants to hear before seed commands write to its service.

import type { Context } from '../../context.ts';
import { UnconfirmedError } from '../../errors.ts';
import type { Flag, Input } from '../../flag.ts';
import type { Settings } from '../../profiles/settings.ts';
import { textFlag } from './flags.ts';

export const confirmFlag: Flag = { name: 'confirm', value: 'profile', help: 'The name of a protected profile', group: 'Run' };

/**
 * Lets a protected profile's service be written to only when --confirm names the profile: also where CRM_BASE_URL leads
 * there and the profile itself is not in force. Throws UnconfirmedError otherwise; nothing is sent.
 */
export async function requireConfirmed(context: Context, flags: Input['flags']): Promise<void> {
  const settings = await context.settings();
  const guards = await protectedProfiles(context, settings);
  const typed = textFlag(flags, 'confirm');
  if (typed !== undefined) return checkTyped(typed, settings, guards);
  const [guard] = guards;
  if (guard === undefined || context.flags.dryRun) return;
  const what =
    guard === settings.profile ? `Profile "${guard}" is protected` : `${settings.baseUrl} belongs to the protected profile "${guard}"`;
  throw new UnconfirmedError(`${what}: nothing was sent.`, { hint: `If it is really meant, add --confirm ${guard}` });
}

function checkTyped(typed: string, { profile }: Settings, guards: readonly string[]): void {
  const wanted = guards.length > 0 || profile === undefined ? guards : [profile];
  if (wanted.includes(typed)) return;
  const names = wanted.map((name) => `"${name}"`).join(' or ');
  throw new UnconfirmedError(`--confirm: the profile in force is ${names || 'none'}, not "${typed}".`);
}

/** The profile in force if it is protected, else every protected one of the same base URL. */
async function protectedProfiles(context: Context, { profile, protected: isProtected, baseUrl }: Settings): Promise<string[]> {
  if (isProtected && profile !== undefined) return [profile];
  const [{ readProfiles }, { profileBaseUrl }] = await Promise.all([
    import('../../profiles/store.ts'),
    import('../../profiles/settings.ts'),
  ]);
  const { profiles } = await readProfiles(await context.configDir());
  const guards = [...profiles].filter(([name, one]) => one.protected && profileBaseUrl({ name, profile: one }) === baseUrl);
  return guards.map(([name]) => name);
}
