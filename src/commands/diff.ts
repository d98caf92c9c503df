// `crm diff`: lists the differences between two snapshots, or between a snapshot and the service.

import { command } from '../cli/command.ts';
import { gateFlags } from '../reading/flags.ts';
import { gateOf } from '../reading/list/gate.ts';
import { familiesFlag } from './snapshot.ts';

export const diffCommand = command({
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
  summary: 'What changed since a snapshot',
  description:
    'Compares records by id: every value that can be written, and the state. Time stamps, colours and comments are not compared. A ' +
    'relation is compared by its id; a new name for the same id is one line. A terminal shows counts; elsewhere each value is a row. ' +
    '--gone lists the records of one family that vanished: crm FAMILY import creates them anew. --plan writes a change file that puts ' +
    'old values back into records that still exist.',
  args: [
    { name: 'snapshot', help: 'The folder of a snapshot' },
    { name: 'later-snapshot', help: 'The folder of a later snapshot (default: the service as it is now)', optional: true },
  ],
  flags: [
    familiesFlag,
    { name: 'gone', help: 'List the records of one family (--family) that vanished' },
    { name: 'plan', value: 'file', help: 'Write a change file, .csv or .xlsx, that puts back the old values of one family (--family)' },
    ...gateFlags('records that differ'),
  ],
  topics: ['output'],
  examples: [
    'crm diff "$(crm snapshot "$(mktemp -d)/monday" --jq .folder)"',
    'crm diff "$(crm snapshot "$(mktemp -d)/monday" --jq .folder)" --family leads --at-most 0',
  ],
  run: async (context, { args: [old = '', later], flags: { family, gone = false, plan, ...gate } }) => {
    const { diff } = await import('../changes/diff/diff.ts');
    return diff(context, { old, later, families: family, isGone: gone, plan, gate: gateOf(gate) });
  },
});
