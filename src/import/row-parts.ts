// The parts of a row: the number of each write in the journal, the requests that the writes are, and the look for a lost one.

import type { Id } from '../base/values/parse.ts';
import { isMembers } from '../base/values/paths.ts';
import { lookAfter, preparedChange, recordEvidence } from '../changes/write.ts';
import type { Api } from '../client/client.ts';
import { plainUpdate } from '../client/plain-change.ts';
import { type Extra, extrasOf, inOrder } from '../model/bodies/extras.ts';
import { asMember } from '../model/bodies/names.ts';
import type { Look, PreparedRequest, SentRequest, Verdict } from '../runs/step.ts';
import { type ExtraWrite, extraSent } from './columns/extras.ts';
import type { ImportJob } from './job.ts';
import { givenBefore } from './match/compare.ts';
import type { RowChange } from './row-change.ts';
import type { Row } from './rows/row.ts';

/** The writes of a change, in order. */
export const operationsOf = (job: ImportJob, { id, record, extras, update }: Extract<RowChange, { kind: 'change' }>) =>
  inOrder(job.resource, [
    ...(update === undefined ? [] : [{ kind: 'update', part: fieldsPart, operation: update }]),
    ...extras.map((one) => ({ kind: one.kind, part: partOfExtra(job, one), operation: extraOperation(job, id, one, record) })),
  ]);

/** The request that writes an extra. `record`: as read just now; undefined for a record made just now. */
export const extraOperation = ({ resource }: ImportJob, id: Id, { kind, change }: ExtraWrite, record: unknown): PreparedRequest =>
  preparedChange(change, { resource, id, record, kind, did: 'updated' });

/** The part that sends the fields, when an archived record is made active first. The parts of extras follow in the order of `extrasOf`. */
export const fieldsPart = 1;

/** The number of a row's last part. */
export const lastPart = ({ resource }: ImportJob): number => extrasOf(resource).length + fieldsPart;

/** The part that writes an extra. */
export const partOfExtra = ({ resource }: ImportJob, { extra }: ExtraWrite): number =>
  extrasOf(resource).findIndex(({ name }) => name === extra.name) + fieldsPart + 1;

/** The extra that a part writes; undefined for the fields. */
export const extraOfPart = ({ resource }: ImportJob, part: number): Extra | undefined => extrasOf(resource)[part - fieldsPart - 1];

/** The parts that a row may need after its first request, by the columns that it fills in. */
export function givenParts(job: ImportJob, { extras = [] }: Row): { readonly part: number; readonly name: string }[] {
  if (extras.length === 0) return [];
  const isGiven = (one: Extra): boolean => extras.some(({ extra }) => extra.name === one.name);
  const needsFields =
    job.mode !== 'create' && extras.some(({ extra }) => !('set' in extra) && extra.actions.some(({ initial }) => initial));
  return [
    ...(needsFields ? [{ part: fieldsPart, name: 'fields' }] : []),
    ...extrasOf(job.resource).flatMap((one, index) => (isGiven(one) ? [{ part: index + fieldsPart + 1, name: one.name }] : [])),
  ];
}

/** The look after a request to an existing record. A request whose record is not in the journal may be sent again. */
export function partLook(job: ImportJob, row: Row, { kind, target, before, body }: SentRequest): Look {
  const { resource } = job;
  if (target === undefined) return { kind: 'repeatable' };
  const sent = { id: target, before, did: 'updated' };
  if (kind === 'update') {
    const given = givenBefore(job, row, before);
    const evidence = recordEvidence(plainUpdate(resource, given, asMember), { method: 'PATCH', body: given });
    const look = lookAfter(resource, evidence, { ...sent, given });
    return before === undefined ? unlessShown(look) : look;
  }
  const write = extraSent(resource, kind, body);
  if (write === undefined) return { kind: 'repeatable' };
  const look = lookAfter(resource, recordEvidence(write.change, { method: 'PUT', ...(body === undefined ? {} : { body }) }), sent);
  // null: the service chose the old value, which was not read.
  return isMembers(before) && before[write.extra.name] === null ? unlessShown(look) : look;
}

/** A look without old values: a change that the record doesn't show is sent again. */
function unlessShown(look: Look): Look {
  if (look.kind !== 'target') return look;
  const readUnlessShown = async (api: Api): Promise<Verdict> => {
    const verdict = await look.read(api);
    return verdict.end === 'found' ? verdict : { end: 'absent' };
  };
  return { kind: 'target', read: readUnlessShown };
}
