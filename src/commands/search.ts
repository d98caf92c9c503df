// `crm search TEXT`: looks in the families that a person asks about.

import { inThousands, limits } from '../base/limits.ts';
import { parseCount } from '../base/values/parse.ts';
import { command } from '../cli/command.ts';
import { searchedFamilies } from '../model/resources/index.ts';
import { foundShape, search } from '../reading/search.ts';

export const searchCommand = command({
  path: ['search'],
  summary: 'Find records by a text, in several families at once',
  description:
    'Looks in contacts, proposals, leads, items, notes and clients at once. One word is looked for as --search of each list does. Of several ' +
    'words, each must stand in some text of the record, whatever its case and accents. The service searches leads by title, company and ' +
    `email alone: if there are at most ${inThousands(limits.searched)}, crm reads them all and looks in every text. At most 100 of each are ` +
    "shown, or --limit of all. A person's email finds the contact and the leads of that person; a phone finds them in any spelling.",
  args: [{ name: 'text', help: 'A part of a name, a title, an email, a company, a phone', many: true }],
  flags: [{ name: 'limit', value: 'n', help: 'At most n records, of all families', least: 1 }],
  sends: searchedFamilies.map(({ path }) => ({ method: 'GET', path })),
  does: 'reads',
  shows: foundShape,
  prints: { json: 'array', members: { family: 'text', id: 'id', title: 'text', about: 'text' } },
  examples: ['crm search ops@harbour.example', "crm search 'curtis boyd'", 'crm search northgate --json'],
  topics: ['output'],
  run: (context, { args, flags: { limit } }) =>
    search(searchedFamilies, context, args.join(' '), limit === undefined ? undefined : parseCount(limit, '--limit')),
});
