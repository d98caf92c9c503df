// Every command, by its first word. A family is its declaration plus the commands that aren't plain.

import type { Command } from '../command.ts';
import { contacts } from '../resources/contacts.ts';
import type { Resource } from '../resources/define.ts';
import { items } from '../resources/items.ts';
import { leads } from '../resources/leads.ts';
import { notes } from '../resources/notes.ts';
import { proposals } from '../resources/proposals.ts';
import { familyCommands } from '../verbs/family.ts';
import { apiCommand } from './api.ts';
import { completionCommand } from './completion.ts';
import { leadCloneCommand } from './leads/clone.ts';
import { leadCommentCommands } from './leads/comments.ts';
import { leadConvertCommand } from './leads/convert.ts';
import { profileCommands } from './profile/index.ts';
import { proposalCloneCommand } from './proposals/clone.ts';
import { proposalStatusCommand } from './proposals/status.ts';
import { sandboxCommands } from './sandbox/index.ts';
import { seedCommands } from './seed/index.ts';

/** The commands under one first word. */
export interface Group {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  /** The heading under which `crm --help` lists it. */
  readonly heading: string;
  /** Made on demand: a run needs the commands of one group only. */
  readonly commands: () => readonly Command[];
}

function family(resource: Resource, unusual: readonly Command[] = []): Group {
  return {
    name: resource.name,
    aliases: [resource.singular],
    summary: resource.summary,
    heading: 'Records',
    commands: () => [...familyCommands(resource), ...unusual],
  };
}

export const groups: readonly Group[] = [
  family(contacts),
  family(proposals, [proposalStatusCommand, proposalCloneCommand]),
  family(leads, [leadConvertCommand, leadCloneCommand, ...leadCommentCommands]),
  family(items),
  family(notes),
  {
    name: 'seed',
    aliases: [],
    summary: 'Demo and test records, created once and destroyed again',
    heading: 'Records',
    commands: () => seedCommands,
  },
  { name: 'profile', aliases: [], summary: 'Services and keys', heading: 'Settings', commands: () => profileCommands },
  { name: 'sandbox', aliases: [], summary: 'The embedded CRM', heading: 'Settings', commands: () => sandboxCommands },
  { name: 'api', aliases: [], summary: apiCommand.summary, heading: 'More', commands: () => [apiCommand] },
  { name: 'completion', aliases: [], summary: completionCommand.summary, heading: 'More', commands: () => [completionCommand] },
];
