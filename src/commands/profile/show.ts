// `crm profile show`: shows a profile, by default the profile in force, with its key masked.

import { UnauthorizedError } from '../../base/errors.ts';
import type { Command } from '../../cli/command.ts';
import { isLookedAt } from '../../reading/list/list-facts.ts';
import type { Context } from '../../session/context.ts';
import { howToChoose, type ProfileStoreData, requireProfile } from '../../session/profiles/profile.ts';
import { readProfiles } from '../../session/profiles/store.ts';
import { environmentWins, memberName, profileMembers, profileRecord, profileShape } from './record.ts';

export const profileShow: Command = {
  path: ['profile', 'show'],
  sends: [],
  does: 'reads',
  prints: { json: 'object', members: profileMembers },
  summary: 'Show a profile',
  description: 'Without a name: the profile in force. --profile chooses it, else CRM_PROFILE, else `crm profile use`.',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name', optional: true }],
  flags: [],
  topics: ['settings'],
  examples: ['crm profile show', 'crm profile show sandbox --json'],
  run: async (context, { args: [name] }) => {
    const store = await readProfiles(await context.configDir());
    const found = requireProfile(store, name ?? nameInForce(context, store));
    const inForce = name === undefined && context.flags.profile === undefined;
    const notice = inForce ? environmentWins(context.env, ['CRM_BASE_URL', 'CRM_API_KEY'], found) : undefined;
    const record = profileRecord(found, store.current);
    // A table on a terminal shows the name of the team member, other output the id.
    const isSeen = isLookedAt(context);
    return {
      kind: 'rows',
      data: isSeen ? { ...record, me: (await memberName(context, found)) ?? record.me } : record,
      shape: profileShape,
      isRead: true,
      ...(notice === undefined ? {} : { notice }),
    };
  },
};

function nameInForce({ flags, env }: Context, store: ProfileStoreData): string {
  const name = flags.profile ?? (env.CRM_PROFILE || store.current);
  if (name !== undefined) return name;
  throw new UnauthorizedError('No profile is the current one.', { code: 'no_profile', hint: howToChoose(store) });
}
