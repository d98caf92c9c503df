// `crm <family> <action> ID…`: a PUT without a body, or with one value from the command line.

import { CrmError, UsageError } from '../base/errors.ts';
import type { ResolvedInput } from '../base/flag.ts';
import type { Body } from '../base/values/body.ts';
import { parseId, valueText } from '../base/values/parse.ts';
import { capitalised } from '../base/values/text/wording.ts';
import { plainAction } from '../client/plain-change.ts';
import { actionPath } from '../model/bodies/held.ts';
import { actionBody } from '../model/bodies/operations.ts';
import type { Action, Resource } from '../model/define.ts';
import { displayText } from '../model/records/display.ts';
import type { Result } from '../output/result.ts';
import { subjectOf, titleIn } from '../output/subject.ts';
import { choose, type Selection, selectionOf } from '../reading/selection.ts';
import type { Context } from '../session/context.ts';
import { changeEach } from './change-each.ts';
import { cellDifference, sentText } from './file/change-cells.ts';
import type { ActionFlags } from './flags.ts';
import { confirmChange } from './question.ts';
import type { RecordChange } from './record-change.ts';
import { changesOf, effectOfChange, requestedMember } from './what-changed.ts';

/** Runs an action on one record or, where the action allows, on a selection. */
export async function act(resource: Resource, action: Action, context: Context, input: ResolvedInput<ActionFlags>): Promise<Result> {
  const { selection, body } = readAction(resource, action, input);
  const { value } = action;
  const read = value?.wire ?? action.reads?.path;
  const path = actionPath(resource, action);
  const paths = [read, path].filter((one) => one !== undefined);
  const chosen = await choose(resource, context, selection, paths);
  const change = actionChange(resource, action, body, valueTyped(input));
  const says = (records: string): string => actionText(action, input, records);
  const confirmed = await confirmChange(resource, context, selection, chosen, { says, isHeld: change.holds });
  return changeEach(resource, context, { selection, chosen: confirmed }, { ...change, explain: (error) => besideTo(error, action, input) });
}

/** The RecordChange of an action. `body`: undefined for an action without a value. `typed`: the value as it was typed. */
export function actionChange(resource: Resource, action: Action, body: Body | undefined, typed: string): RecordChange {
  const { value, reads, done = 'changed', undo } = action;
  const sent = value === undefined ? '' : valueText(body?.get(value.wire) ?? '');
  return {
    ...plainAction(resource, action, body),
    kind: action.verb,
    reads: 'watched',
    effect: ({ id, record }, read, after) => {
      const before = read ?? record;
      if (value !== undefined) {
        // Action bodies use the name under which the value reads back (vendor facts: body keys of actions).
        const requested = requestedMember(resource, value.wire, sent, displayText(typed));
        return effectOfChange(resource, id, changesOf([requested], before, after), [after, before]);
      }
      if (reads !== undefined) {
        const changes = changesOf([requestedMember(resource, reads.path.replaceAll('_', '-'), reads.value)], before, after);
        if (changes.length === 0) return effectOfChange(resource, id, changes, [after, before]);
      }
      const next = undo === undefined ? {} : { next: { what: undo.leaves, command: `${resource.name} ${undo.verb} ${id}` } };
      return { subject: subjectOf(resource.singular, id), done, ...titleIn(resource, after, before), ...next };
    },
    plans: (record, nameOf) => {
      const text = value === undefined ? (reads?.value ?? '') : sentText(value.type, sent, nameOf);
      return [cellDifference(resource, value?.wire ?? reads?.path ?? '', record, text)];
    },
  };
}

/** The value of an action as it was typed. */
export const valueTyped = ({ typed }: ResolvedInput<ActionFlags>): string => typed.flags.to ?? typed.args[1] ?? '';

/** The selected records and the body of the request. Throws UsageError. */
export function readAction(
  resource: Resource,
  action: Action,
  input: ResolvedInput<ActionFlags>,
): { readonly selection: Selection; readonly body: Body | undefined } {
  const { many, value } = action;
  if (!many)
    return { selection: { kind: 'one', id: parseId(input.args[0] ?? '', resource.singular) }, body: actionBodyTyped(action, input) };
  const instead = value === undefined ? {} : { instead: `Give the ${value.name} with --to.` };
  const selection = selectionOf(resource, input, { areIds: value === undefined, ...instead });
  return { selection, body: actionBodyTyped(action, input) };
}

function actionBodyTyped(action: Action, { args, flags, typed }: ResolvedInput<ActionFlags>): Body | undefined {
  const { value } = action;
  if (value === undefined) return undefined;
  const [second, to] = [args[1], flags.to];
  if (second !== undefined && to !== undefined)
    throw new UsageError(`Give the ${value.name} once: "${typed.args[1] ?? second}" or --to "${typed.flags.to ?? to}".`);
  if (second === undefined && to === undefined) {
    throw new UsageError(`Missing the ${value.name}: give it behind the id, or with --to.`, { code: 'missing_value' });
  }
  return actionBody(action, second ?? to, second === undefined ? '--to' : value.name);
}

/** `Set the status of 3 leads (7, 8, 9) to Negotiation`, with names as they were typed. */
export function actionText({ verb, value }: Action, input: ResolvedInput<ActionFlags>, records: string): string {
  if (value === undefined) return `${capitalised(verb)} ${records}`;
  return `Set the ${verb} of ${records} to ${displayText(valueTyped(input))}`;
}

/** Returns the error. When --to gave the value, a problem of the value names --to. */
export function besideTo(error: unknown, { value }: Action, { flags }: ResolvedInput<ActionFlags>): unknown {
  if (!(error instanceof CrmError) || flags.to === undefined) return error;
  for (const field of error.details.fields ?? []) if (field.name === value?.wire) field.flag = '--to';
  return error;
}
