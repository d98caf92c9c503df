// `crm leads merge`: merges records into one that is kept, as a run. First says what can't be merged, and asks.

import { UsageError } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import { type Id, parseId } from '../../base/values/parse.ts';
import { howMany, listed } from '../../base/values/text/wording.ts';
import { recordsOf } from '../../client/envelope.ts';
import { listPages } from '../../client/paging.ts';
import { readRecord } from '../../client/read-record.ts';
import { attachedQuery } from '../../model/attached.ts';
import { pluralOf, type Resource } from '../../model/define.ts';
import { familyNamed } from '../../model/resources/index.ts';
import type { Result } from '../../output/result.ts';
import { notice } from '../../output/streams/notice.ts';
import { subjectOf } from '../../output/subject.ts';
import { outcomesResult } from '../../reading/each-record.ts';
import { selectionOf } from '../../reading/selection.ts';
import { confirm, requireNamed } from '../../session/ask/confirm.ts';
import { canAsk } from '../../session/ask/prompt.ts';
import type { Context } from '../../session/context.ts';
import { agreeTo, outcomesOfChanges } from '../file/carry-out.ts';
import type { ChangeRow } from '../file/change-file.ts';
import { changesOfRows } from '../file/rows.ts';
import { type ChangeOfRow, type FileRow, type TargetChange, targetOf } from '../file/target.ts';
import { shownValue } from '../question.ts';
import { noLongerOpen } from './into.ts';
import { mergedRows, type RefusedValue } from './merged-rows.ts';

/** Merges leads, or other records that can be archived. Throws UsageError, UnconfirmedError; ConflictError for a closed record. */
export async function mergeRecords(resource: Resource, context: Context, ids: readonly string[], typedInto: string): Promise<Result> {
  const { singular } = resource;
  const selection = selectionOf(resource, { args: ids, flags: {} });
  if (selection.kind !== 'one' && selection.kind !== 'listed')
    throw new UsageError(`Name the ${resource.name} to merge by their ids, such as 87,88.`);
  if (typedInto === '')
    throw new UsageError(`--into is missing: name the ${singular} that is kept, such as --into 42.`, { code: 'missing_value' });
  const into = parseId(typedInto, '--into');
  const others = selection.kind === 'one' ? [selection.id] : selection.ids;
  if (others.includes(into)) throw new UsageError(`${subjectOf(singular, into)} can't be merged into itself.`);
  const api = await context.api();
  const readLead = (id: Id): Promise<unknown> => readRecord(api, `${resource.path}/${id}`);
  const kept = await readLead(into);
  const refused = noLongerOpen(resource, into, kept);
  if (refused !== undefined) throw refused;
  const rest: unknown[] = [];
  for (const id of others) rest.push(await readLead(id));
  for (const [index, id] of others.entries()) {
    const customer = noLongerOpen(resource, id, rest[index], ({ isCustomer }) => isCustomer === true);
    if (customer !== undefined) throw customer;
  }
  const { rows, differing } = mergedRows(resource, kept, rest);
  for (const id of others) await tellStaying(resource, context, { into, id, differing: differing.get(String(id)) ?? [] });
  const problems = new Problems();
  const records = [kept, ...rest];
  const fileRows = rows.map((row, index) => fileRow(resource, row, records[index], index === 0 ? undefined : into));
  const changes = await changesOfRows(context, resource, fileRows, { problems });
  problems.throwIfAny(`The merge into ${singular} ${into}`);
  const question = `Merge ${howMany(others.length, singular, pluralOf(resource))} (${listed(others.map(String))}) into ${singular} ${into}?`;
  if (changes.length > 0) await agreeToMerge(resource, context, changes, question);
  const run = outcomesOfChanges(resource, context, changes, { verb: 'merge' });
  const chosen = changes.map(({ one }) => one);
  return outcomesResult(resource, context, chosen, run, { empty: 'Merged already: there is nothing to change.' });
}

function fileRow(resource: Resource, { id, changes, guards = new Map() }: ChangeRow, record: unknown, into: Id | undefined): FileRow {
  const different = changes.flatMap((one): TargetChange[] => {
    const target = targetOf(resource, one.field, false);
    return target === undefined || one.old === one.new ? [] : [{ ...one, target }];
  });
  const others = [...guards].filter(([name]) => !different.some(({ field }) => field === name));
  return {
    id,
    place: (name) => `${resource.singular} ${id}${name === undefined ? '' : `, ${name}`}`,
    changes: different,
    guards: new Map(others),
    record,
    // A row without changes is merged already, so it needs no `into`.
    ...(into === undefined || different.length === 0 ? {} : { into }),
  };
}

async function tellStaying(
  resource: Resource,
  context: Context,
  { into, id, differing }: { readonly into: Id; readonly id: Id; readonly differing: readonly RefusedValue[] },
): Promise<void> {
  const { io, flags } = context;
  const texts = await Promise.all(
    differing.map(async ({ flag, text, own }) => `${flag} ${await shownValue(own)}, not ${await shownValue(text)}`),
  );
  if (texts.length > 0)
    await notice(
      io,
      flags,
      `Where ${resource.singular} ${id} differs, ${resource.singular} ${into} keeps its own values: ${texts.join('; ')}`,
    );
  const stays = await staying(resource, context, id);
  if (stays !== '') await notice(io, flags, `Can't be moved, and stay with ${resource.singular} ${id}: ${stays}.`);
}

/** `2 comments and 1 proposal`: the records attached to a record. */
async function staying(resource: Resource, context: Context, id: Id): Promise<string> {
  const api = await context.api();
  const counts = await Promise.all(
    (resource.attached ?? []).map(async (attached) => {
      const family = 'filter' in attached ? familyNamed(attached.name) : undefined;
      if (family === undefined) {
        const request = { method: 'GET' as const, path: `${resource.path}/${id}/${'path' in attached ? attached.path : attached.name}` };
        return howManyOf(recordsOf(await api.read(request), request).length, 'comment', 'comments');
      }
      const request = { method: 'GET' as const, path: family.path, query: attachedQuery(family, attached, id) };
      for await (const { data, meta } of listPages(api, request, { kind: 'page', page: 1, size: 1 }, context.signal))
        return howManyOf(meta?.total ?? (data as readonly unknown[]).length, family.singular, pluralOf(family));
      return '';
    }),
  );
  return listed(counts.filter((text) => text !== ''));
}

const howManyOf = (count: number, one: string, several: string): string => (count === 0 ? '' : howMany(count, one, several));

/** On a terminal the differences are shown first. */
async function agreeToMerge(resource: Resource, context: Context, changes: readonly ChangeOfRow[], question: string): Promise<void> {
  await requireNamed(context, { asks: true });
  const { yes, dryRun } = context.flags;
  return yes || dryRun || !canAsk(context) ? confirm(context, question) : agreeTo(resource, context, changes, () => question);
}
