// `crm <family> delete ID…`: one question, then one DELETE each.

import { readRecord } from '../api/read-record.ts';
import { deleteAt } from '../api/write-record.ts';
import type { Context } from '../context.ts';
import type { Input } from '../flag.ts';
import type { Result } from '../output/result.ts';
import type { Resource } from '../resources/define.ts';
import { eachRecord } from './each-record.ts';
import { subjectOf, titleIn } from './effect.ts';
import { confirmDeed, refuseChanged } from './question.ts';
import { choose, selectionOf } from './selection.ts';

/** Deletes records, in order; a failure does not stop the rest. */
export async function deleteRecords(resource: Resource, context: Context, input: Input): Promise<Result> {
  const selection = selectionOf(resource, input, { areIds: true });
  const chosen = await choose(resource, context, selection);
  const read = await confirmDeed(resource, context, selection, chosen, { says: (records) => `Delete ${records}`, isFinal: true });
  const api = await context.api();
  return eachRecord(resource, context, selection, read, async ({ id, record }) => {
    const path = `${resource.path}/${id}`;
    const answer = await deleteAt(api, path, async () => {
      if (record !== undefined) refuseChanged(resource, { id, record }, await readRecord(api, path));
      return { check: `${resource.name} get ${id}` };
    });
    return { answer, effect: { subject: subjectOf(resource.singular, id), done: 'deleted', ...titleIn(resource, record) } };
  });
}
