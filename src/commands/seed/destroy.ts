// `crm seed destroy`: deletes the records that a seed created, and no other records.

import { UsageError } from '../../base/errors.ts';
import { command } from '../../cli/command.ts';
import { paceFlags, paceOf } from '../../cli/pace.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import { keepChangedFlag, runFlag, withCommentsFlag } from './flags.ts';

export const seedDestroy = command({
  path: ['seed', 'destroy'],
  sends: [
    { method: 'GET', path: '/api/{family}/{id}' },
    { method: 'DELETE', path: '/api/{family}/{id}' },
  ],
  does: 'destroys',
  prints: { json: 'array', members: { name: 'text', type: 'text', id: 'id|null', state: 'text' } },
  fails: ['partial'],
  summary: 'Delete what a run created',
  description:
    'Deletes the newest records first, and skips records that are gone already. Records that the run did not create stay, and ' +
    'a record stays when its deletion would also delete such a record. Asks first, and says how many records were changed since; off a ' +
    'terminal it needs --yes. After an interruption, type the command again.',
  args: [{ name: 'file', help: 'The seed file of the run; --run NAME names one of several runs of the file', optional: true }],
  flags: [{ ...runFlag, listedBy: 'history list', listedMember: 'seed' }, keepChangedFlag, withCommentsFlag, ...paceFlags('Pace')],
  needs: [{ count: 'at least one', of: ['run', 'file'] }],
  examples: [
    'crm seed demo --leads 3 --run trial -q && crm seed destroy --run trial --yes',
    'crm seed apply examples/sales-team.yaml -q && crm seed destroy examples/sales-team.yaml --keep-changed --yes',
  ],
  run: async (context, { args, flags }) => {
    const path = args[0];
    const named = flags.run;
    if (path === undefined && named === undefined)
      throw new UsageError('Say which run: its seed file, or --run NAME. See: crm history', { code: 'missing_value' });
    const pace = paceOf(flags, context.env);
    const [{ checkRun, readSeedFile, runOf }, { destroyRun }] = await Promise.all([
      import('../../seed/run.ts'),
      import('../../seed/teardown/destroy.ts'),
    ]);
    const file = path === undefined ? undefined : await readSeedFile(context, path);
    const run = path === undefined || file === undefined ? checkRun(named ?? '') : runOf(path, file, named);
    await requireNamed(context, { asks: true });
    return destroyRun(context, {
      title: run,
      pace,
      keepChanged: flags['keep-changed'] ?? false,
      withComments: flags['with-comments'] ?? false,
    });
  },
});
