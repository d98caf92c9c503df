// `crm <family> delete ID…`: one question, then one DELETE for each record.

import type { Input } from '../base/flag.ts';
import type { Resource } from '../model/define.ts';
import { subjectOf, titleIn } from '../output/effect-of.ts';
import type { Result } from '../output/result.ts';
import type { SelectionFlags } from '../reading/flags.ts';
import { choose, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { changeEach } from './change-each.ts';
import { confirmChange } from './question.ts';

/** Deletes records. A failure does not stop the rest. A record that changed since it was shown is not deleted. */
export async function deleteRecords(resource: Resource, context: Context, input: Input<SelectionFlags>): Promise<Result> {
  const selection = selectionOf(resource, input, { areIds: true });
  const chosen = await choose(resource, context, selection);
  const confirmed = await confirmChange(resource, context, selection, chosen, {
    says: (records) => `Delete ${records}`,
    isFinal: true,
    isDelete: true,
  });
  return changeEach(resource, context, selection, confirmed, {
    kind: 'delete',
    reads: 'watched',
    write: () => ({ method: 'DELETE' }),
    holds: () => false,
    shows: () => undefined,
    valuesIn: (record) => record,
    effect: ({ id, record }) => ({ subject: subjectOf(resource.singular, id), done: 'deleted', ...titleIn(resource, record) }),
  });
}
