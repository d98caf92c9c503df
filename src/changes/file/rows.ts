// `crm apply`: the rows of a change file as changes of their records. A row is one record's steps in a fixed order. A row is sent only
// when the record holds the old or the new value of each column.

import { CrmError, invalidValue, UnconfirmedError } from '../../base/errors.ts';
import { Problems } from '../../base/files/problems.ts';
import type { Body } from '../../base/values/body.ts';
import { checkChoice } from '../../base/values/parse.ts';
import { blankProblem, checkGiven } from '../../model/bodies/create-body.ts';
import { bodyEntries, type Entry, partEntries } from '../../model/bodies/entries.ts';
import { inOrder } from '../../model/bodies/extras.ts';
import { holdsAll } from '../../model/bodies/held.ts';
import { asMember } from '../../model/bodies/names.ts';
import { actionBody, setElement } from '../../model/bodies/operations.ts';
import { isKnownSigned } from '../../model/bodies/signed.ts';
import type { Action, ReplacedSet, Resource } from '../../model/define.ts';
import type { Difference } from '../../model/records/difference.ts';
import type { Guard } from '../../model/records/guard.ts';
import { updateShape } from '../../model/shape.ts';
import { valueNamed } from '../../model/values.ts';
import type { Chosen } from '../../reading/selection.ts';
import type { Context } from '../../session/context.ts';
import { FileWords } from '../../session/names/file-words.ts';
import { actionChange } from '../action.ts';
import { keptFirst } from '../merge/into.ts';
import type { RecordChange } from '../record-change.ts';
import { setChangeOf } from '../replace-set.ts';
import { mergeChange } from '../update.ts';
import { changesBeside, changesOf, effectOfChange, requestedMember, requestedOf } from '../what-changed.ts';
import { elementsTyped, namesInCell } from './change-cells.ts';
import type { ChangeOfRow, FieldTarget, FileRow, TargetChange } from './target.ts';
import { asItWas, changedText, pairGuard } from './was-guard.ts';

/**
 * The changes of the rows, with their names looked up. A row without a difference is left out. In a merge, the kept record's row is never
 * left out, and stands before the rows of the records merged into the kept record. A wrong row is left out and noted in `problems`. Throws
 * when a name can't be looked up.
 */
export async function changesOfRows(
  context: Context,
  resource: Resource,
  rows: readonly FileRow[],
  { problems, words = new FileWords({ makesNew: false }) }: { readonly problems: Problems; readonly words?: FileWords },
): Promise<ChangeOfRow[]> {
  const kept = new Set(rows.map(({ into }) => String(into)));
  const differing = rows.filter(({ id, changes }) => changes.length > 0 || kept.has(String(id)));
  const changesWith = (found: Problems): ChangeOfRow[] =>
    keptFirst(
      resource,
      differing.flatMap((row) => changeOfRow(resource, row, words, found) ?? []),
    );
  const first = new Problems();
  const noted = changesWith(first);
  const isResolved = !(await words.lookUp(context)) && first.count === 0;
  return isResolved ? noted : changesWith(problems);
}

/** One write of a row. Its guards hold while each field has its old or its new value. */
type GuardedChange = RecordChange & { readonly guards: readonly Guard[] };

/** Undefined for a wrong row, which is noted in `problems`. */
function changeOfRow(resource: Resource, row: FileRow, words: FileWords, problems: Problems): ChangeOfRow | undefined {
  const { id, changes, guards, record } = row;
  const steps = problems.tryRow(row.place(), () => changesOfRow(resource, row, words, problems));
  // A row without changes reads its record, and writes nothing.
  const readOnly: RecordChange = {
    ...mergeChange(resource, new Map()),
    effect: (one) => effectOfChange(resource, one.id, [], [one.record]),
  };
  const writes = changes.length === 0 ? [readOnly] : (steps ?? []);
  if (steps === undefined || writes.length === 0) return undefined;
  const own = steps.flatMap((step) => step.guards);
  const others = [...guards].map(([name, was]) => asItWas(resource, name, was));
  return { one: { id, guards: [...own, ...others], ...(record === undefined ? {} : { record }) }, change: { writes }, row };
}

/** The writes of a row, in order. */
function changesOfRow(resource: Resource, row: FileRow, words: FileWords, problems: Problems): GuardedChange[] {
  const { id } = row;
  const fields: (TargetChange & { readonly target: FieldTarget })[] = [];
  const writes: GuardedChange[] = [];
  for (const one of row.changes) {
    const { target } = one;
    problems.tryRow(row.place(target.name), (where) => {
      if (target.kind === 'set') writes.push(setStep(resource, target.set, one, words, where));
      else if (target.kind === 'state') {
        const word = checkChoice(
          one.new.trim(),
          target.actions.map(({ reads }) => reads?.value ?? ''),
          where,
        );
        const action = target.actions.find(({ reads }) => reads?.value === word) as Action;
        writes.push(stateStep(resource, action, one));
      } else if (target.kind === 'action') {
        writes.push(valueStep(resource, target.action, one, { id, words, where }));
      } else {
        if (target.field.required && target.number === undefined && one.new.trim() === '')
          throw invalidValue(where, blankProblem(updateShape(resource)));
        fields.push({ ...one, target });
      }
      return true;
    });
  }
  if (fields.length > 0) writes.push(fieldsStep(resource, row, fields, words, problems));
  return inOrder(resource, writes);
}

function fieldsStep(
  resource: Resource,
  row: FileRow,
  changes: readonly (TargetChange & { readonly target: FieldTarget })[],
  words: FileWords,
  problems: Problems,
): GuardedChange {
  const { fields } = updateShape(resource);
  const body: Body = new Map();
  const guards: Guard[] = [];
  const typed = new Map<string, string>();
  for (const { target, field: name, old, new: now } of changes) {
    const { field, number } = target;
    const entries = problems.tryRow(row.place(name), (where): Entry[] => {
      if (number !== undefined) return partEntries(`${field.wire}${number}`, { kind: 'text' }, now, where);
      return bodyEntries(field, words.resolved(field.type, now, where), where);
    });
    if (entries === undefined) continue;
    for (const [wire, one] of entries) body.set(wire, one);
    typed.set(field.flag, now);
    const own: Body = new Map(entries);
    const holdsChange = (record: unknown): boolean => holdsAll(fields, record, own);
    guards.push(pairGuard(resource, name, old, holdsChange));
    if (row.shown === undefined) continue;
    const { keyOf, isSame } = valueNamed(resource, name);
    const holdsShown = (record: unknown): boolean => holdsChange(record) || isSame(keyOf(row.shown) ?? '', keyOf(record) ?? '');
    guards.push((record) => (holdsShown(record) ? {} : { [name]: changedText(resource, name, record, old) }));
  }
  checkGiven(updateShape(resource), body, asMember);
  const requested = requestedOf(resource, fields, body, ({ flag, type }) => ('of' in type ? typed.get(flag) : undefined));
  return {
    ...mergeChange(resource, body, { named: asMember }),
    effect: ({ id, record }, before, after) => {
      const changes = [...changesOf(requested, before, after), ...changesBeside(fields, body, before, after)];
      return effectOfChange(resource, id, changes, [after, before ?? record]);
    },
    explain: (error) => {
      if (error instanceof CrmError)
        for (const one of error.details.fields ?? []) one.flag = fields.find(({ wire }) => wire === one.name)?.flag ?? one.name;
      return error;
    },
    guards,
  };
}

function setStep(resource: Resource, set: ReplacedSet, { old, new: now }: Difference, words: FileWords, where: string): GuardedChange {
  const { type } = set.value;
  const before = elementsTyped(old);
  const wanted = set.element === undefined ? elementsTyped(now) : namesInCell(now, type, words);
  const added = wanted.filter((one) => !before.includes(one));
  const named = added.map((one) => ({ name: one, element: setElement(set, words.resolved(type, one, where), where) }));
  const change = {
    kind: 'change' as const,
    add: named.map(({ element }) => element),
    remove: [],
    called: before.filter((one) => !wanted.includes(one)),
  };
  const { element } = set;
  const names = new Map(element === undefined ? [] : named.map((one) => [String(one.element), { [element]: one.element, name: one.name }]));
  return { guards: [], ...setChangeOf(resource, set, change, names) };
}

function stateStep(resource: Resource, action: Action, { field, old, new: now }: Difference): GuardedChange {
  const change = actionChange(resource, action, undefined, '');
  const requested = [requestedMember(resource, field, now.trim())];
  return {
    ...change,
    effect: ({ id, record }, before, after) => effectOfChange(resource, id, changesOf(requested, before ?? record, after), [after, before]),
    guards: [pairGuard(resource, field, old, change.holds)],
  };
}

function valueStep(
  resource: Resource,
  action: Action,
  { field, old, new: now }: Difference,
  { id, words, where }: { readonly id: Chosen['id']; readonly words: FileWords; readonly where: string },
): GuardedChange {
  const type = action.value?.type ?? { kind: 'text' };
  const body = actionBody(action, words.resolved(type, now.trim(), where), where);
  const change = actionChange(resource, action, body, now);
  const clears = resource.guarded?.some(({ verb }) => verb === action.verb) === true;
  const unsigned: Guard = (record) => {
    if (!clears || change.holds(record) || !isKnownSigned(record, id)) return {};
    throw new UnconfirmedError('Signed, so left as it is: a change of its status clears the signature for good.', {
      code: 'proposal_signed',
    });
  };
  return { ...change, guards: [unsigned, pairGuard(resource, field, old, change.holds)] };
}
