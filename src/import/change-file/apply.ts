// `crm apply FILE`: carries out a change file that --plan wrote.

import { requireNamed } from '../../ask/confirm.ts';
import { canAsk } from '../../ask/prompt.ts';
import { agreeTo, changesOfRows, outcomesOfChanges, type PlannedChange, tagsAdded } from '../../changes/file/rows.ts';
import { tellNewTags } from '../../changes/new-tags.ts';
import type { Context } from '../../context.ts';
import { Problems } from '../../files/problems.ts';
import type { Input } from '../../flag.ts';
import type { Result } from '../../output/result.ts';
import { pluralOf, type Resource } from '../../resources/define.ts';
import { howMany } from '../../values/text/wording.ts';
import { outcomesResult } from '../../verbs/each-record.ts';
import { notationOf } from '../columns/notation.ts';
import { readChangeFile } from './change-rows.ts';

export async function apply(context: Context, { args, flags }: Input): Promise<Result> {
  const [file = ''] = args;
  const problems = new Problems();
  const { resource, rows } = await readChangeFile(context, file, problems, notationOf(flags));
  const nothing = `There is nothing to change in ${file}.`;
  if (resource === undefined) {
    problems.throwIfAny(file);
    return { kind: 'outcomes', ids: [], outcomes: none(), shape: { columns: [], record: [] }, empty: nothing };
  }
  const changes = await changesOfRows(context, resource, rows, { problems });
  problems.throwIfAny(file);
  await agree(context, resource, changes);
  const run = outcomesOfChanges(resource, context, changes, { title: `${resource.name} apply` });
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: nothing });
}

async function* none(): AsyncGenerator<never> {}

/** Shows the changes at a terminal and asks for consent; elsewhere the file is the consent. Throws UnconfirmedError. */
async function agree(context: Context, resource: Resource, changes: readonly PlannedChange[]): Promise<void> {
  const { flags } = context;
  if (changes.length === 0) return;
  await requireNamed(context, { asks: canAsk(context) });
  const isAsked = canAsk(context) && !flags.yes;
  if (flags.dryRun || isAsked) await tellNewTags(context, resource, tagsAdded(changes));
  if (!isAsked || flags.dryRun) return;
  const question = `Change ${howMany(changes.length, resource.singular, pluralOf(resource))}?`;
  await agreeTo(resource, context, changes, { title: `${resource.name} apply`, question });
}
