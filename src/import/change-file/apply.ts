// `crm apply FILE`: carries out a change file that --plan wrote.

import { Problems } from '../../base/files/problems.ts';
import type { Input } from '../../base/flag.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { agreeTo, changesOfRows, outcomesOfChanges, type PlannedChange, tagsAdded } from '../../changes/file/rows.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import type { Result } from '../../output/result.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { outcomesResult } from '../../verbs/each-record.ts';
import { notationOf } from '../columns/notation.ts';
import { encodingNamed } from '../files/encodings.ts';
import { tellNewTags } from '../new-tags.ts';
import { readChangeFile } from './change-rows.ts';

export async function apply(context: Context, { args, flags }: Input): Promise<Result> {
  const [file = ''] = args;
  const problems = new Problems();
  const encoding = typeof flags.encoding === 'string' ? encodingNamed(flags.encoding, '--encoding') : undefined;
  const { resource, rows } = await readChangeFile(context, file, problems, notationOf(flags), encoding);
  const prints = flags.summary === true ? 'counts' : 'outcomes';
  const nothing = `There is nothing to change in ${file}.`;
  if (resource === undefined) {
    problems.throwIfAny(file);
    return { kind: 'outcomes', ids: [], outcomes: none(), shape: { columns: [], record: [] }, empty: nothing, prints };
  }
  const changes = await changesOfRows(context, resource, rows, { problems });
  problems.throwIfAny(file);
  await agreeToFile(context, resource, changes);
  const run = outcomesOfChanges(resource, context, changes, { title: `${resource.name} apply` });
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: nothing, prints });
}

async function* none(): AsyncGenerator<never> {}

/** Shows the changes at a terminal and asks for consent; elsewhere the file is the consent. Throws UnconfirmedError. */
async function agreeToFile(context: Context, resource: Resource, changes: readonly PlannedChange[]): Promise<void> {
  const { flags } = context;
  if (changes.length === 0) return;
  await requireNamed(context, { asks: canAsk(context) });
  const isAsked = canAsk(context) && !flags.yes;
  if (flags.dryRun || isAsked) await tellNewTags(context, resource, tagsAdded(changes));
  if (!isAsked || flags.dryRun) return;
  const question = `Change ${howMany(changes.length, resource.singular, pluralOf(resource))}?`;
  await agreeTo(resource, context, changes, { title: `${resource.name} apply`, question });
}
