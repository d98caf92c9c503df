// `crm profile use`: makes a profile the current one.

import type { Command } from '../../cli/command.ts';
import { requireProfile } from '../../session/profiles/profile.ts';
import { readProfiles, sayingUnlocked, useProfile } from '../../session/profiles/store.ts';
import { environmentWins, profileMembers, profileRecord, profileShape } from './record.ts';

export const profileUse: Command = {
  path: ['profile', 'use'],
  sends: [],
  does: 'writes',
  prints: { json: 'object', members: profileMembers },
  summary: 'Make a profile the current one',
  args: [{ name: 'name', help: 'The profile', listedBy: 'profile list', listedMember: 'name' }],
  flags: [],
  examples: ['crm profile use sandbox', 'crm profile use acme'],
  run: async (context, { args: [name = ''] }) => {
    const configDir = await context.configDir();
    if (context.flags.dryRun) {
      requireProfile(await readProfiles(configDir), name);
      return { kind: 'text', notice: `Would make profile "${name}" the current one.` };
    }
    const used = await useProfile(configDir, name, sayingUnlocked(context.io, context.flags));
    const warning = environmentWins(context.env, ['CRM_PROFILE', 'CRM_BASE_URL', 'CRM_API_KEY'], used);
    const sentence = `Profile "${name}" is the current one.${warning === undefined ? '' : ` But ${warning}`}`;
    return {
      kind: 'rows',
      data: profileRecord(used, name),
      shape: profileShape,
      notice: sentence,
      drawn: { sentence },
    };
  },
};
