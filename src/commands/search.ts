// `crm search TEXT`: looks in the families that a person asks about.

import type { Command } from '../cli/command.ts';
import { clients } from '../model/resources/clients.ts';
import { resources } from '../model/resources/index.ts';
import { foundShape, search } from '../reading/search.ts';

const families = [...resources, clients];

export const searchCommand: Command = {
  path: ['search'],
  summary: 'Find records by a text, in several families at once',
  description:
    'Looks in contacts, proposals, leads, items, notes and clients at once, as --search of each list does; at most 100 of each are shown. ' +
    "A person's email finds the contact and the leads of that person.",
  args: [{ name: 'text', help: 'A part of a name, a title, an email, a company', many: true }],
  flags: [],
  sends: families.map(({ path }) => ({ method: 'GET', path })),
  does: 'reads',
  shows: foundShape,
  prints: { json: 'array', members: { family: 'text', id: 'id', title: 'text', about: 'text' } },
  examples: ['crm search ops@harbour.example', 'crm search harbour', 'crm search northgate --json'],
  topics: ['output'],
  run: (context, { args }) => search(families, context, args.join(' ')),
};
