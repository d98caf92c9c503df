// `crm seed apply FILE`: creates the records of a seed file, each only once even if the command is repeated or interrupted.

import { command } from '../../cli/command.ts';
import { paceFlags, paceOf } from '../../cli/pace.ts';
import { notice } from '../../output/streams/notice.ts';
import type { SeedFile } from '../../seed/language/file.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import type { Context } from '../../session/context.ts';
import { envFlag, envNames, namedIds, randomSeedFlag, runFlag, seedFlag, seedRequests } from './flags.ts';

export const seedApply = command({
  path: ['seed', 'apply'],
  sends: seedRequests,
  does: 'writes',
  fails: ['email_taken', 'partial'],
  prints: { json: 'object', members: namedIds },
  summary: 'Create the records of a seed file, once',
  description:
    'A journal keeps what the run created. Applied again, the file creates only its new records; after an interruption the seed goes on. ' +
    'Records that somebody deleted are not created again: destroy the run, then apply the file anew. New records are created, and new actions at the end ' +
    'of a `then` are carried out; any other edit of a created record is refused. --json prints an object with the ids by name.',
  args: [{ name: 'file', help: 'YAML or JSON; - reads standard input', from: ['-'] }],
  flags: [runFlag, seedFlag, envFlag, ...paceFlags('Pace')],
  topics: ['seeds'],
  examples: ['crm seed apply examples/sales-team.yaml', 'crm seed apply examples/ci-smoke.yaml --run ci-42 --json'],
  run: async (context, { args, flags }) => {
    const [{ readSeedFile, runOf }, { applySeed }] = await Promise.all([import('../../seed/run.ts'), import('../../seed/apply.ts')]);
    const path = args[0] ?? '';
    const pace = paceOf(flags, context.env);
    const asked = randomSeedFlag(flags);
    const readable = envNames(flags);
    await requireNamed(context);
    const file = await readSeedFile(context, path);
    await tellVariables(context, file);
    return applySeed(context, { file, title: runOf(path, file, flags.run), ...asked, readable, pace });
  },
});

/** Tells before anything is sent: somebody else may have written the file. */
async function tellVariables({ io, flags, env }: Context, file: SeedFile): Promise<void> {
  const { variablesRead } = await import('../../seed/language/evaluate.ts');
  const names = variablesRead(file, env);
  if (names.length > 0) await notice(io, flags, `${file.shown} reads these environment variables: ${names.join(', ')}`);
}
