// `crm profile list`: lists the profiles, with keys masked.

import type { Command } from '../../cli/command.ts';
import { readProfiles } from '../../session/profiles/store.ts';
import { profileMembers, profileRecord, profileShape } from './record.ts';

export const profileList: Command = {
  path: ['profile', 'list'],
  sends: [],
  does: 'reads',
  prints: { json: 'array', members: profileMembers },
  aliases: ['ls'],
  summary: 'List the profiles',
  args: [],
  flags: [],
  examples: ['crm profile list', 'crm profile list --json'],
  run: async (context) => {
    const store = await readProfiles(await context.configDir());
    const data = Array.from(store.profiles, ([name, profile]) => profileRecord({ name, profile }, store.current));
    const list = { kind: 'rows', data, shape: profileShape, isRead: true } as const;
    return data.length > 0 ? list : { ...list, notice: 'No profiles. Add one: crm profile add NAME --base-url URL' };
  },
};
