// `crm <family> create`: checks the body and sends a POST. Afterwards --assigned sends a PUT of the set, and --read a GET of the record.

import { InterruptedError, PartialError } from '../base/errors.ts';
import type { ResolvedInput } from '../base/flag.ts';
import type { Body } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { crmWith } from '../base/values/text/shell-word.ts';
import { capitalised, firstOf } from '../base/values/text/wording.ts';
import { recordIn } from '../client/envelope.ts';
import type { Answer } from '../client/types.ts';
import { makeRecord, writeRecord } from '../client/write-record.ts';
import { createBody } from '../model/bodies/create-body.ts';
import { createFlags, setsAtCreation } from '../model/bodies/flags.ts';
import { givenBody } from '../model/bodies/given.ts';
import { tellsSet } from '../model/bodies/held.ts';
import { asFlag } from '../model/bodies/names.ts';
import { setBody, setElement } from '../model/bodies/operations.ts';
import type { Element } from '../model/bodies/replaced-set.ts';
import type { Field, ReplacedSet, Resource } from '../model/define.ts';
import { fieldKey } from '../model/field-key.ts';
import { createShape } from '../model/shape.ts';
import { lacksAsked } from '../output/fields.ts';
import type { Result } from '../output/result.ts';
import { notice } from '../output/streams/notice.ts';
import { effectOfCreate, subjectOf } from '../output/subject.ts';
import { recordsWithEmails, sharedEmail } from '../reading/known-emails.ts';
import type { Context, WriteToOne } from '../session/context.ts';
import { readBodyTexts, readLongTexts } from '../session/texts.ts';
import type { CreationFlags } from './flags.ts';

/** The command, without `crm`, that shows the newest records. The user checks with it whether a lost create took effect. */
export function newestCommand(resource: Resource): string {
  return `${resource.name} list${'created' in resource.sort ? ' --sort created --order desc' : ''} --limit 10`;
}

/** Creates a record, sends its sets, and with --read reads the whole record. Throws UsageError and the errors of the requests. */
export async function create(resource: Resource, context: Context, input: ResolvedInput<CreationFlags>): Promise<Result> {
  const flags = await readLongTexts(context, createFlags(resource), input.flags);
  const shape = createShape(resource);
  const body = createBody(shape, givenBody(shape, flags, await readBodyTexts(context, shape, flags)), asFlag);
  await tellUnreachable(context, shape.fields, body);
  const api = await context.api();
  const sets = setsAtCreation(resource).flatMap((set): GivenSet[] => {
    const given = [input.flags[set.atCreation ?? ''] ?? []].flat();
    return given.length === 0 ? [] : [{ set, elements: given.map((one) => setElement(set, one, `--${set.atCreation}`)) }];
  });
  const request = { method: 'POST' as const, path: resource.path, body, check: newestCommand(resource) };
  const [answer, others] = await Promise.all([
    makeRecord(api, request, { resource, tell: tellWarning(context) }),
    recordsWithSameEmail(resource, context, body),
  ]);
  const doubles = others.filter((id) => id !== createdId(answer));
  if (doubles.length > 0) context.afterwards.push(sameEmailText(resource, doubles));
  noteMade(context, resource, answer, { kind: 'create', did: 'created', body, record: answer.data });
  for (const [index, set] of sets.entries()) {
    const problem = await putSet(resource, context, answer, set).catch((error: unknown) =>
      createdWithoutSets(resource, context, answer, sets.slice(index), error),
    );
    if (problem !== undefined) return { ...createdResult(resource, answer, body), problem };
  }
  const isAsked = input.flags.read || lacksAsked(resource, 'create', context.flags, answer.data);
  if (!isAsked || context.flags.dryRun) return createdResult(resource, answer, body);
  const id = createdId(answer);
  try {
    const read = await api.read({ method: 'GET', path: `${resource.path}/${id}` });
    const { record, other } = recordIn(read, id);
    if (record === undefined || other !== undefined) throw new Error('The answer is not the new record.');
    return { ...createdResult(resource, read, body), isAsked: true };
  } catch (error) {
    const next = `See it with: ${crmWith(context.flags.profile)} ${resource.name} get ${id}`;
    const unread = { stopped: 'but not read', failed: 'but could not be read', next };
    return { ...createdResult(resource, answer, body), problem: createdBut(resource, context, answer, error, unread) };
  }
}

/** The ids of the records that have the email of a new record, asked for beside its create. Only for a person at a terminal. */
async function recordsWithSameEmail(resource: Resource, context: Context, body: Body): Promise<readonly string[]> {
  const field = sharedEmail(resource);
  const email = field === undefined ? '' : valueText(body.get(field.wire) ?? '');
  const { io, flags, signal } = context;
  if (field === undefined || email === '' || !io.stdout.isTTY || !io.stderr.isTTY || flags.quiet || flags.dryRun) return [];
  // The create has its own errors: a search that fails says nothing.
  const known = await recordsWithEmails(await context.api(), resource, [email], signal).catch(() => undefined);
  return known?.get(fieldKey(field, email)) ?? [];
}

const sameEmailText = ({ singular, name }: Resource, ids: readonly string[]): string =>
  `${capitalised(ids.length === 1 ? singular : name)} ${firstOf(ids, 5)} ${ids.length === 1 ? 'has' : 'have'} this email, too.`;

/** Prints a sentence about the service on standard error. */
export const tellWarning =
  ({ io, flags }: Context) =>
  (sentence: string): void =>
    void notice(io, flags, sentence, 'warning');

/** Warns of emails in a body without a dot after the @, such as `a@localhost`: a service may take one, but mail doesn't arrive. */
export async function tellUnreachable({ io, flags }: Context, fields: readonly Field[], body: Body): Promise<void> {
  for (const { flag, wire, type } of fields) {
    const email = type.kind === 'email' ? valueText(body.get(wire) ?? '') : '';
    if (/@[^.]*$/.test(email.trim()))
      await notice(io, flags, `--${flag}: "${email}" has no dot behind the @. The email is sent as typed.`, 'warning');
  }
}

const createdResult = (resource: Resource, answer: Answer, body: Body) =>
  ({ kind: 'record', answer, shape: resource, effect: effectOfCreate(resource, answer, body) }) as const satisfies Result;

const createdId = ({ data }: Answer): string => scalarText(valueAt(Array.isArray(data) ? data[0] : data, 'id'));

interface GivenSet {
  readonly set: ReplacedSet;
  readonly elements: readonly Element[];
}

/** Reads nothing before, because nobody else has changed the new record yet. */
async function putSet(resource: Resource, context: Context, answer: Answer, { set, elements }: GivenSet): Promise<undefined> {
  const api = await context.api();
  // Under --dry-run there is no id, so the path shows `{id}`.
  const id = answer.status === 0 ? '{id}' : createdId(answer);
  const body = setBody(set, elements);
  const write = { method: 'PUT' as const, below: set.path, body, repeatable: true as const };
  await writeRecord(api, resource, id, write, { tells: (record) => tellsSet(set, elements, record) });
  noteMade(context, resource, answer, { kind: set.verb, did: 'changed', body });
}

function noteMade({ written }: Context, resource: Resource, answer: Answer, write: Omit<WriteToOne, 'resource' | 'id'>): void {
  written.push({ resource, id: createdId(answer), ...write });
}

function createdWithoutSets(resource: Resource, context: Context, answer: Answer, sets: readonly GivenSet[], error: unknown): Error {
  const id = createdId(answer);
  const commands = sets.map(
    ({ set, elements }) => `${crmWith(context.flags.profile)} ${resource.name} ${set.verb} ${id} ${elements.join(' ')}`,
  );
  const left = sets.map(({ set }) => `--${set.atCreation}`).join(' and ');
  return createdBut(resource, context, answer, error, { stopped: `but without ${left}`, next: `Go on with: ${commands.join(' && ')}` });
}

/**
 * The error for a new record whose later request failed, with the next step. `stopped`: the words after a signal. The create
 * itself succeeded, so the error is a PartialError, or an InterruptedError after a signal.
 */
function createdBut(
  { singular }: Resource,
  { signal }: Context,
  answer: Answer,
  error: unknown,
  { stopped, failed = stopped, next }: { readonly stopped: string; readonly failed?: string; readonly next: string },
): Error {
  const created = `${subjectOf(singular, createdId(answer))} was created`;
  const hint = `Don't create it again. ${next}`;
  if (signal.aborted) return InterruptedError.by(signal.reason, { note: `${created}, ${stopped}.`, hint });
  // The later request's error may say `Nothing was sent`, although the create was sent.
  const why = (error instanceof Error ? error.message : String(error)).replace(/ Nothing was sent\.$/, '');
  return new PartialError(`${created}, ${failed}: ${why}`, { hint, cause: error });
}
