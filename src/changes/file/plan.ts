// --plan: writes a change file in place of sending the writes.

import { UsageError } from '../../base/errors.ts';
import type { Id } from '../../base/values/parse.ts';
import { parseCondition } from '../../base/values/where.ts';
import type { Resource } from '../../model/define.ts';
import { memberNamed } from '../../model/members.ts';
import { updateShape } from '../../model/shape.ts';
import { memberPath, valueNamed } from '../../model/values.ts';
import type { Outcome } from '../../output/result.ts';
import type { Chosen, Selection } from '../../reading/selection.ts';
import type { Context } from '../../session/context.ts';
import { namesById } from '../../session/names/run-names.ts';
import type { RecordChange, RecordWrites } from '../record-change.ts';
import { cellDifference } from './change-cells.ts';
import { applyCommand, type ChangeRow, checkPlanName, writeChangeFile } from './change-file.ts';

type ChangeOf = (one: Chosen) => RecordChange | RecordWrites;

/** Writes the file of --plan once all records of the selection are read. Yields the outcomes of a run that sends nothing. */
export async function* plannedOutcomes(
  resource: Resource,
  context: Context,
  { selection, changeOf, path }: { readonly selection: Selection; readonly changeOf: ChangeOf; readonly path: string },
  run: (change: ChangeOf) => AsyncIterable<Outcome>,
): AsyncGenerator<Outcome> {
  const { plans, kind } = planned(changeOf({ id: 0 }));
  await checkPlanName(context, path);
  const nameOf = namesById(await context.names());
  const guarding = guardingNames(resource, selection);
  const rows = new Map<Id, ChangeRow>();
  const plannedRow = (record: unknown, { id }: Chosen, changesOf = plans): ChangeRow => {
    const changes = changesOf(record, nameOf);
    const names = changes.map(({ field }) => field);
    const paths = new Set(names.map((name) => memberPath(resource, name)));
    const guards = new Map(
      guarding.filter((name) => !paths.has(memberPath(resource, name))).map((name) => [name, valueNamed(resource, name).shownOf(record)]),
    );
    const beside = kind === 'update' ? besideAction(resource, names, guarding) : undefined;
    return { id, changes: beside === undefined ? changes : [...changes, cellDifference(resource, beside, record)], guards };
  };
  const columns = plannedRow(undefined, { id: 0 });
  const planning: ChangeOf = (chosen) => {
    const each = planned(changeOf(chosen));
    const write: RecordChange['write'] = (record, one) => {
      const sent = each.write(record, one);
      rows.set(one.id, plannedRow(record, one, each.plans));
      return sent;
    };
    return { ...each, write };
  };
  const order: Id[] = [];
  for await (const outcome of run(planning)) {
    order.push(outcome.id);
    yield outcome;
  }
  await writeChangeFile(
    context,
    path,
    resource.name,
    order.flatMap((id) => rows.get(id) ?? []),
    columns,
  );
  context.afterwards.push(`Nothing was sent. To carry it out: ${applyCommand(context, path)}`);
}

/** The change, if a change file can hold it. Throws UsageError. */
function planned(change: RecordChange | RecordWrites): RecordChange & Required<Pick<RecordChange, 'plans'>> {
  if ('writes' in change || change.plans === undefined) throw new UsageError(`--plan: a change file can't hold this change.`);
  return { ...change, plans: change.plans };
}

/**
 * A second, unchanged field for a change file whose only column could also be set by an action. `crm apply` then sends an update in place
 * of the action. Undefined when no second field is needed.
 */
function besideAction(resource: Resource, names: readonly string[], guarding: readonly string[]): string | undefined {
  const [only, ...others] = names;
  if (others.length > 0 || resource.actions?.some(({ value }) => value?.wire === only) !== true) return undefined;
  const taken = new Set([...names, ...guarding].map((name) => memberPath(resource, name)));
  return updateShape(resource).fields.find(({ flag, read }) => read !== undefined && !taken.has(memberPath(resource, flag)))?.flag;
}

/** The guard columns of a change file: the record's title, and the fields of the selection's conditions. */
function guardingNames(resource: Resource, selection: Selection): string[] {
  const { title, standing, fields } = resource;
  const typed = selection.kind === 'where' ? selection.conditions.map((text) => parseCondition(text).field) : [];
  const paths = [title, ...typed].flatMap((name): readonly (string | undefined)[] => {
    if (name !== undefined && name === standing?.name) return standing.words.map(({ path }) => path);
    const member = name === undefined ? undefined : memberNamed(resource, name);
    if (member?.kind === 'group') return member.isJoined ? member.members : [];
    return name === undefined ? [] : [memberPath(resource, name)];
  });
  const readable = paths.filter((path) => path !== undefined);
  return [...new Set(readable.map((path) => fields.find(({ read }) => read?.replace(/\.id$/, '') === path)?.flag ?? path))];
}
