// `crm diff`: lists the differences between two snapshots, or between a snapshot and the service.

import type { Command } from '../command.ts';
import { gateFlags } from './family-flags.ts';
import { familiesFlag } from './snapshot/index.ts';

export const diffCommand: Command = {
  path: ['diff'],
  sends: [{ method: 'GET', path: '/api/{family}' }],
  does: 'reads',
  prints: {
    json: 'array',
    members: {
      family: 'text',
      id: 'id',
      title: 'text|null',
      change: 'changed|added|gone|renamed',
      field: 'text|null',
      old: 'text|null',
      new: 'text|null',
    },
  },
  summary: 'What is different since a snapshot',
  description:
    'Records are compared by their ids, in every value that can be written and in their state; time stamps, colours and comments are not. A ' +
    'relation is compared by its id: what has another name now is one line. On a terminal it counts; otherwise a row a value. --gone lists the ' +
    'records of one family that vanished, as the snapshot has them: crm FAMILY import creates them anew. --plan writes a change file ' +
    'that puts the old values back into records that are still there.',
  args: [
    { name: 'snapshot', help: 'The folder of a snapshot' },
    { name: 'later-snapshot', help: "The folder of a later one; without it the profile's service as it is", optional: true },
  ],
  flags: [
    familiesFlag,
    { name: 'gone', help: 'The records that vanished, of the one family that --family names' },
    { name: 'plan', value: 'file', help: 'Write a change file (.csv, .xlsx) that puts the old values of one family back' },
    ...gateFlags('records that differ'),
  ],
  topics: ['output'],
  examples: [
    'crm diff "$(crm snapshot "$(mktemp -d)/monday" --jq .folder)"',
    'crm diff "$(crm snapshot "$(mktemp -d)/monday" --jq .folder)" --family leads --at-most 0',
  ],
  run: async (context, input) => (await import('../changes/diff/diff.ts')).diff(context, input),
};
