// `crm history`: lists, shows and forgets the runs of the profile's service. Reads only the journal and sends nothing.

import { UsageError } from '../base/errors.ts';
import { parseCount } from '../base/values/parse.ts';
import { type Command, command } from '../cli/command.ts';
import { waitFlag, waitOf } from '../cli/pace.ts';
import { resources } from '../model/resources/index.ts';

const limitFlag = { name: 'limit', value: 'n', help: 'At most n rows', least: 1 } as const;
const mostOf = (limit: string | undefined): number => (limit === undefined ? Number.POSITIVE_INFINITY : parseCount(limit, '--limit'));

const list = command({
  path: ['history', 'list'],
  aliases: ['ls'],
  meantBy: 'nothing',
  sends: [],
  does: 'reads',
  prints: {
    json: 'array',
    members: {
      run: 'text',
      at: 'date',
      profile: 'text|null',
      kind: 'text',
      seed: 'text|null',
      command: 'text',
      did: 'text',
      state: 'done|unfinished|cut off|undone',
      left: 'text|null',
    },
  },
  summary: 'List the runs of this service: unfinished runs first, then the newest',
  description:
    'Lists imports, seeds, edits, undos and changes of several records. Writes to one record are runs if they were made on a terminal. ' +
    "Each run shows the typed command, its outcome, and the command to go on with. A seed also has its name. On a terminal, a day's " +
    'writes to one record are one line. --record shows old and new values of one record in place of the runs. Finished runs are kept for 90 ' +
    'days. Nothing is sent.',
  args: [],
  flags: [
    { name: 'all', help: 'A line for each write to one record' },
    limitFlag,
    { name: 'record', value: 'family:id', help: 'What crm on this machine did to a record, the newest first: leads:719' },
  ],
  examples: [
    'crm history',
    'crm history --record leads:12',
    "crm leads update --where source=Website --source Web --yes -q && crm history list --jq '.[0].did'",
  ],
  run: async (context, { flags: { all = false, record, limit } }) => {
    const { listRuns, showRecord } = await import('../reading/history/runs.ts');
    const most = mostOf(limit);
    return record === undefined ? listRuns(context, all, most) : showRecord(context, record, most);
  },
});

const show = command({
  path: ['history', 'show'],
  meantBy: 'argument',
  sends: [],
  does: 'reads',
  prints: {
    json: 'array',
    members: { id: 'id|null', family: 'text', field: 'text|null', old: 'text|null', new: 'text|null', outcome: 'text', error: 'text|null' },
  },
  summary: 'Show what a run changed, a row for each value',
  description:
    'A report from the journal, not from the service: somebody may have changed the records since. --deleted shows the records that the run ' +
    'deleted, whole. With --out FILE.ndjson, crm leads import FILE.ndjson makes them anew: with new ids, a converted lead open, without ' +
    'comments, proposals and notes.',
  args: [{ name: 'run', help: 'The run, as crm history calls it', listedBy: 'history list', listedMember: 'run' }],
  flags: [
    { name: 'failed', help: 'Only what failed, was left out, or has an unknown outcome' },
    { name: 'deleted', help: 'The records that the run deleted, as they were before' },
    { name: 'family', value: 'family', help: 'With --deleted: only records of this family', choices: resources.map(({ name }) => name) },
    limitFlag,
  ],
  examples: [
    'crm leads tags 12,13 --add hot --yes -q && crm history show "$(crm history --jq \'.[0].run\')"',
    'crm leads tags 12,13 --add cold --yes -q && crm history show "$(crm history --jq \'.[0].run\')" --csv',
    'crm leads delete 6,7 --yes -q && crm history show "$(crm history --jq \'.[0].run\')" --deleted --out leads.ndjson',
  ],
  run: async (context, { args: [run = ''], flags: { failed = false, deleted = false, family, limit } }) => {
    if (deleted && limit !== undefined) throw new UsageError('--deleted shows every record: give it without --limit.');
    if (deleted && !failed) return (await import('../reading/history/deleted.ts')).deletedRecords(context, run, family);
    if (deleted) throw new UsageError('--failed and --deleted show different things: give one of them.');
    if (family !== undefined) throw new UsageError('--family goes with --deleted.');
    return (await import('../reading/history/runs.ts')).showRun(context, run, failed, mostOf(limit));
  },
});

const forget: Command = {
  path: ['history', 'forget'],
  sends: [],
  does: 'destroys',
  // Nothing: [].
  prints: { json: 'array', members: {} },
  summary: 'Forget runs: then they can no longer be resumed or undone',
  description: 'The records stay as they are, and nothing is sent. Asks first; off a terminal it needs --yes.',
  args: [
    {
      name: 'run',
      help: 'The runs, as crm history calls them, or seeds by their name',
      many: true,
      listedBy: 'history list',
      listedMember: 'run',
    },
  ],
  flags: [waitFlag()],
  examples: [
    'crm seed demo --leads 2 --run trial -q && crm history forget trial --yes',
    'crm leads tags 12,13 --add hot --yes -q && crm history forget "$(crm history --jq \'.[0].run\')" --yes',
  ],
  run: async (context, { args, flags }) =>
    (await import('../reading/history/runs.ts')).forgetRuns(context, args, waitOf(flags, context.env)),
};

export const historyCommands: readonly Command[] = [list, show, forget];
