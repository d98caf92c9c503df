// `crm snapshot`: writes every record of the service into a folder, as the service answers it.

import type { Flag } from '../base/flag.ts';
import { command } from '../cli/command.ts';
import { allFamilies } from '../model/resources/index.ts';
import { leadComments, leads } from '../model/resources/leads.ts';

export const familiesFlag = {
  name: 'family',
  value: 'families',
  help: 'Only these families, separated by commas',
  choices: allFamilies.map(({ name }) => name),
  isListed: true,
} as const satisfies Flag;

/** The printed counts by family. `?`: only families that were read. */
const counts = Object.fromEntries([...allFamilies.map(({ name }) => name), 'comments'].map((name) => [`records.${name}`, 'integer?']));

export const snapshotCommand = command({
  path: ['snapshot'],
  sends: [
    { method: 'GET', path: '/api/{family}' },
    { method: 'GET', path: `${leads.path}/{id}/${leadComments.path}` },
  ],
  does: 'reads',
  prints: { json: 'object', members: { folder: 'text', service: 'text', taken: 'date', ...counts } },
  summary: 'Write every record into a folder, as a copy',
  description:
    'Writes a file of NDJSON for each family, with the records as the service answers them, archived leads too. Also writes ' +
    'manifest.json with counts and digests. The folder must be new. When a list changes while it is read, the command ends and leaves ' +
    'nothing: take the snapshot again when nobody writes. crm sandbox init --from makes an embedded CRM of a snapshot, crm diff ' +
    'compares two. A snapshot is no backup: nothing can restore it into the service. A snapshot holds no key, and only you can read ' +
    'the folder (not checked on Windows). --comments sends a request for each lead. --mask makes up every text and number but ids, ' +
    'decimals, dates, states, statuses, tags, units, taxes and the names of categories: what is equal stays equal, by the forms that ' +
    'duplicates compares. Made up is not anonymous: rare values, dates and amounts can still tell who it was. A masked snapshot is ' +
    'compared only with an embedded CRM that was made from it, and its files are imported only there.',
  args: [{ name: 'folder', help: 'A new folder' }],
  flags: [
    familiesFlag,
    { name: 'comments', help: 'Also the comments of all leads: a request for each lead' },
    { name: 'mask', help: 'Make up names, emails, phones and all other texts, for tests: not anonymous' },
  ],
  topics: ['privacy'],
  examples: [
    'crm snapshot "$(mktemp -d)/monday"',
    'crm snapshot "$(mktemp -d)/leads" --family leads --comments',
    'crm snapshot "$(mktemp -d)/masked" --mask',
  ],
  run: async (context, { args: [folder = ''], flags: { family, comments = false, mask = false } }) => {
    const own = mask ? { mask: (await import('../seed/mask.ts')).createMask() } : {};
    return (await import('../reading/snapshot.ts')).takeSnapshot(context, folder, { families: family, withComments: comments, ...own });
  },
});
