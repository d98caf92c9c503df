// Every command, by its first word. A family is its declaration plus the commands that aren't plain. A run loads only the
// group that it needs.

import { type Command, type Group, type GroupContents, type Heading, loadGroups } from '../command.ts';
import type { Resource } from '../resources/define.ts';

export const groups: readonly Group[] = [
  {
    name: 'contacts',
    aliases: ['contact'],
    heading: 'Records',
    load: async () => family((await import('../resources/contacts.ts')).contacts),
  },
  {
    name: 'proposals',
    aliases: ['proposal'],
    heading: 'Records',
    load: async () =>
      family((await import('../resources/proposals.ts')).proposals, (await import('./proposals/index.ts')).proposalCommands),
  },
  {
    name: 'leads',
    aliases: ['lead'],
    heading: 'Records',
    load: async () => family((await import('../resources/leads.ts')).leads, (await import('./leads/index.ts')).leadCommands),
  },
  {
    name: 'items',
    aliases: ['item'],
    heading: 'Records',
    load: async () => family((await import('../resources/items.ts')).items),
  },
  {
    name: 'notes',
    aliases: ['note'],
    heading: 'Records',
    load: async () => family((await import('../resources/notes.ts')).notes),
  },
  {
    name: 'clients',
    aliases: ['client'],
    heading: 'Reference records (read only)',
    load: async () => family((await import('../resources/clients.ts')).clients),
  },
  {
    name: 'team',
    aliases: [],
    heading: 'Reference records (read only)',
    load: async () => family((await import('../resources/team.ts')).team),
  },
  {
    name: 'categories',
    aliases: ['category'],
    heading: 'Reference records (read only)',
    load: async () => family((await import('../resources/categories.ts')).categories),
  },
  {
    name: 'projects',
    aliases: ['project'],
    heading: 'Reference records (read only)',
    load: async () => family((await import('../resources/projects.ts')).projects),
  },
  {
    name: 'tasks',
    aliases: ['task'],
    heading: 'Reference records (read only)',
    load: async () => family((await import('../resources/tasks.ts')).tasks),
  },
  group('names', 'Reference records (read only)', 'Show the names of statuses, units and the like that are known', async () => [
    (await import('./names.ts')).namesCommand,
  ]),
  group('report', 'Many at once', 'Counts and sums of leads and proposals', async () => (await import('./report/index.ts')).reportCommands),
  group(
    'history',
    'Many at once',
    'What was imported and changed, and what is unfinished',
    async () => (await import('./history/index.ts')).historyCommands,
  ),
  group('undo', 'Many at once', 'Take back what a run changed', async () => (await import('./undo/index.ts')).undoCommands),
  group('snapshot', 'Many at once', 'Write every record into a folder, to rehearse on and to compare with', async () => [
    (await import('./snapshot/index.ts')).snapshotCommand,
  ]),
  group(
    'seed',
    'Many at once',
    'Demo and test records, created once and destroyed again',
    async () => (await import('./seed/index.ts')).seedCommands,
  ),
  group('profile', 'Settings', 'Services and keys', async () => (await import('./profile/index.ts')).profileCommands),
  {
    name: 'sandbox',
    aliases: [],
    heading: 'Settings',
    load: async () => {
      const { sandboxCommands, whatItIs } = await import('./sandbox/index.ts');
      return { summary: 'An embedded CRM, for trying and testing', description: whatItIs, commands: sandboxCommands };
    },
  },
  group('doctor', 'Settings', 'Check this machine, the settings and the service', async () => [
    (await import('./doctor/index.ts')).doctorCommand,
  ]),
  group('completion', 'Settings', 'Print the completion script of a shell', async () => [
    (await import('./completion.ts')).completionCommand,
  ]),
  group('api', 'Programs', "Send any request with the profile's key", async () => [(await import('./api.ts')).apiCommand]),
  group('explain', 'Programs', 'What commands take, send and print', async () => [
    (await import('./explain.ts')).explainCommand(() => loadGroups(groups)),
  ]),
];

function group(name: string, heading: Heading, summary: string, commands: () => Promise<readonly Command[]>): Group {
  return { name, aliases: [], heading, load: async () => ({ summary, commands: await commands() }) };
}

async function family(resource: Resource, unusual: readonly Command[] = []): Promise<GroupContents> {
  const { familyCommands } = await import('./family.ts');
  const description = resource.readOnly ? { description: 'They can only be read.' } : {};
  return { summary: resource.summary, ...description, commands: [...familyCommands(resource), ...unusual] };
}
