// `crm apply FILE`: carries out a change file that --plan wrote.

import { NotationError, Problems } from '../../base/files/problems.ts';
import type { Input } from '../../base/flag.ts';
import { howMany } from '../../base/values/text/wording.ts';
import { holdsText } from '../../changes/file/change-cells.ts';
import { agreeTo, changesOfRows, outcomesOfChanges, type PlannedChange, tagsAdded } from '../../changes/file/rows.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { idText } from '../../model/records/display.ts';
import { valueNamed } from '../../model/values.ts';
import type { Outcome, Result } from '../../output/result.ts';
import { requireNamed } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { outcomesResult } from '../../verbs/each-record.ts';
import { type Notation, notationOf, plainText } from '../columns/notation.ts';
import { tellNewTags } from '../new-tags.ts';
import { readChangeFile } from './change-rows.ts';

export async function apply(context: Context, { args, flags }: Input): Promise<Result> {
  const [file = ''] = args;
  const problems = new Problems();
  const notation = notationOf(flags);
  const { resource, rows } = await readChangeFile(context, file, problems, notation, flags);
  const prints = flags.summary === true ? 'counts' : 'outcomes';
  const nothing = `There is nothing to change in ${file}.`;
  if (resource === undefined) {
    problems.throwIfAny(file);
    return { kind: 'outcomes', ids: [], outcomes: none(), shape: { columns: [], record: [] }, empty: nothing, prints };
  }
  const changes = await changesOfRows(context, resource, rows, { problems });
  problems.throwIfAny(file);
  await agreeToFile(context, resource, changes);
  const run = tellingAlike(
    resource,
    context,
    changes,
    notation,
    outcomesOfChanges(resource, context, changes, { title: `${resource.name} apply` }),
  );
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: nothing, prints });
}

/** The outcomes. At the end counts the values that the file doesn't change, and that are different in the records. */
async function* tellingAlike(
  resource: Resource,
  context: Context,
  changes: readonly PlannedChange[],
  notation: Notation,
  outcomes: AsyncIterable<Outcome>,
): AsyncGenerator<Outcome> {
  const rows = new Map(changes.map(({ row }) => [String(row.id), row]));
  const counts = new Map<string, number>();
  let records = 0;
  for await (const outcome of outcomes) {
    yield outcome;
    const record = 'error' in outcome ? undefined : outcome.answer.data;
    const alike = idText(record) === String(outcome.id) ? [...(rows.get(String(outcome.id))?.alike ?? [])] : [];
    const different = alike.filter(([name, was]) => !holdsCell(resource, name, record, was, notation));
    for (const [name] of different) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (different.length > 0) records += 1;
  }
  const named = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  if (records > 0)
    context.afterwards.push(
      `${howMany(records, `${resource.singular} holds`, `${resource.name} hold`)} other values than the file in columns that the file doesn't change: ${named}.`,
    );
}

/** True when the record holds a cell, and for a cell in another notation. */
function holdsCell(resource: Resource, name: string, record: unknown, text: string, notation: Notation): boolean {
  const { type } = valueNamed(resource, name);
  try {
    return holdsText(resource, name, record, type === undefined ? text : plainText(type, text, notation));
  } catch (error) {
    if (error instanceof NotationError) return true;
    throw error;
  }
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
