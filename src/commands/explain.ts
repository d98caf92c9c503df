// `crm explain`: describes what commands take, send and print, and their errors. Sends nothing and needs no profile.

import { isDocument } from '../base/global-flags.ts';
import type { Command, LoadedGroup } from '../cli/command.ts';
import { explained } from '../cli/derive/explain.ts';
import { explainDocument } from '../cli/derive/explain-document.ts';
import { explainedRows, explainPage } from '../cli/derive/explain-page.ts';
import { referenceFamilies, resources } from '../model/resources/index.ts';
import { shapeless } from '../output/result.ts';

/** The command. `allGroups` loads every command of crm. */
export const explainCommand = (allGroups: () => Promise<readonly LoadedGroup[]>): Command => ({
  path: ['explain'],
  summary: 'Show what commands take, send and print',
  description:
    'Shows flags with wire names and types, what is required, when --yes is needed, the requests, the printed members, and errors ' +
    'that few commands have. Sends nothing. --json is for programs. Without a name it prints an index, a line for each command. With a name ' +
    'it prints everything; for a family also the flags, exit statuses and error codes that all commands share. Members that are null, ' +
    'false or empty are left out. A new schema_version means that programs must change.',
  args: [{ name: 'command', help: 'A family, or a command: leads, leads.create', optional: true, many: true, isCommand: true }],
  flags: [],
  sends: [],
  does: 'reads',
  prints: { json: 'anything' },
  topics: ['agents', 'scripting'],
  examples: [
    'crm explain leads.create',
    'crm explain proposals',
    'crm explain --json | jq -r \'.commands[] | select(.does == "destroys" or .destroys_when).command\'',
  ],
  run: async ({ flags }, { args }) => {
    const all = await allGroups();
    const families = [...resources, ...referenceFamilies];
    const found = explained(all, families, args);
    if (!isDocument(flags.output))
      return { kind: 'rows', data: explainedRows(found), shape: shapeless, drawn: { page: explainPage(found) } };
    const document = explainDocument(found);
    if (found.kind !== 'command') return { kind: 'rows', data: document, shape: shapeless };
    const { schemasOf } = await import('../cli/derive/schemas.ts');
    const command = all.flatMap(({ commands }) => commands).find(({ path }) => path.join('.') === found.command.name);
    const schemas = command === undefined ? {} : schemasOf(command, families);
    return { kind: 'rows', data: { ...document, ...schemas }, shape: shapeless };
  },
});
