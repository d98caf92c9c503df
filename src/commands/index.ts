// The groups of commands, by their first word. A family's group is made from its declaration, with its unusual commands. All other groups
// load on demand.

import { type Command, type Group, type Heading, loadGroups } from '../cli/command.ts';
import type { Resource } from '../model/define.ts';
import { categories } from '../model/resources/categories.ts';
import { clients } from '../model/resources/clients.ts';
import { contacts } from '../model/resources/contacts.ts';
import { items } from '../model/resources/items.ts';
import { leads } from '../model/resources/leads.ts';
import { notes } from '../model/resources/notes.ts';
import { projects } from '../model/resources/projects.ts';
import { proposals } from '../model/resources/proposals.ts';
import { tasks } from '../model/resources/tasks.ts';
import { team } from '../model/resources/team.ts';
import { familyCommands } from './family.ts';
import { leadCommands } from './leads/index.ts';
import { proposalCommands } from './proposals/index.ts';

export const groups: readonly Group[] = [
  family(contacts, ['contact']),
  family(proposals, ['proposal'], proposalCommands),
  family(leads, ['lead'], leadCommands),
  family(items, ['item']),
  family(notes, ['note']),
  group('search', 'Records', 'Find records by a text, in several families at once', async () => [
    (await import('./search.ts')).searchCommand,
  ]),
  family(clients, ['client']),
  family(team, []),
  family(categories, ['category']),
  family(projects, ['project']),
  family(tasks, ['task']),
  group('names', 'Reference records (read only)', 'Show the names of statuses, units and the like', async () => [
    (await import('./names.ts')).namesCommand,
  ]),
  group('report', 'Many at once', 'Counts and sums of leads and proposals', async () => (await import('./report.ts')).reportCommands),
  group('apply', 'Many at once', 'Carry out a change file', async () => [(await import('./apply.ts')).applyCommand]),
  group(
    'history',
    'Many at once',
    'What was imported and changed, and what is unfinished',
    async () => (await import('./history.ts')).historyCommands,
  ),
  group('undo', 'Many at once', 'Take back what a run changed', async () => [(await import('./undo.ts')).undoCommand]),
  group('snapshot', 'Many at once', 'Write every record into a folder, as a copy', async () => [
    (await import('./snapshot.ts')).snapshotCommand,
  ]),
  group('diff', 'Many at once', 'What changed since a snapshot', async () => [(await import('./diff.ts')).diffCommand]),
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
      const { sandboxCommands, aboutSandbox } = await import('./sandbox/index.ts');
      return { summary: 'An embedded CRM, for trying and testing', description: aboutSandbox, commands: sandboxCommands };
    },
  },
  group('doctor', 'Settings', 'Check this machine, the settings and the service', async () => [
    (await import('./doctor.ts')).doctorCommand,
  ]),
  group('completion', 'Settings', 'Install or print the completion script of a shell', async () => {
    const { completionInstall, completionPrint } = await import('./completion.ts');
    return [completionInstall, completionPrint];
  }),
  group('api', 'Programs', "Send any request with the profile's key", async () => [(await import('./api.ts')).apiCommand]),
  group('explain', 'Programs', 'Show what commands take, send and print', async () => [
    (await import('./explain.ts')).explainCommand(() => loadGroups(groups)),
  ]),
];

function group(name: string, heading: Heading, summary: string, commands: () => Promise<readonly Command[]>): Group {
  return { name, aliases: [], heading, load: async () => ({ summary, commands: await commands() }) };
}

function family(resource: Resource, aliases: readonly string[], unusual: readonly Command[] = []): Group {
  const { name, summary, readOnly } = resource;
  return {
    name,
    aliases,
    heading: readOnly ? 'Reference records (read only)' : 'Records',
    load: async (words) => ({
      summary,
      ...(readOnly ? { description: 'They can only be read.' } : {}),
      commands: [...familyCommands(resource, words), ...unusual],
    }),
  };
}
