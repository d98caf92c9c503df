// The change that a row makes: the record that the row means, and the values to write. The run and its preview share this code.

import { hash } from 'node:crypto';
import { ConflictError, InvalidValues, UsageError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { valueAt } from '../base/values/paths.ts';
import { capitalised, firstOf, listed } from '../base/values/text/wording.ts';
import { isLater, timeSpanOf } from '../base/values/time/time-span.ts';
import { namedBy, type ValueType } from '../base/values/value-type.ts';
import { changesBeside, changesOf, requestedMember, requestedOf, setChange } from '../changes/what-changed.ts';
import { preparedChange, recordAfter } from '../changes/write.ts';
import type { Api } from '../client/client.ts';
import { plainUpdate } from '../client/plain-change.ts';
import { readRecord } from '../client/read-record.ts';
import { holdsAll, notHeld } from '../model/bodies/held.ts';
import { asMember } from '../model/bodies/names.ts';
import { alikeKey } from '../model/field-key.ts';
import { updatedOf } from '../model/identity.ts';
import type { Difference } from '../model/records/difference.ts';
import { longestTold } from '../model/records/display.ts';
import { createShape, updateShape } from '../model/shape.ts';
import type { PreparedRequest } from '../runs/step.ts';
import type { NameOf } from '../session/names/run-names.ts';
import { type ExtraWrite, extraWrites, refuseClearing } from './columns/extras.ts';
import type { HeldAt, ImportJob } from './job.ts';
import { givenFor } from './match/compare.ts';
import type { LostSigns } from './match/lost-signs.ts';
import type { Match, Matcher } from './match/match.ts';
import type { Row } from './rows/row.ts';
import type { RowNotes } from './rows/row-notes.ts';
import { resolvedForCreation } from './rows/rows.ts';

export interface RowWork {
  readonly job: ImportJob;
  /** Absent in mode `create`. */
  readonly matcher?: Matcher;
  readonly nameOf: NameOf;
  /** Tells which rows of the file have alike keys. */
  readonly notes?: Pick<RowNotes, 'lineAlike'>;
  /** Rows whose digits lack the zeros or the plus sign of their records. */
  readonly lostSigns: LostSigns;
  /** The digests of the changes that a question was about, by the row's number; 0 for a row that the question left out. */
  readonly asked?: Uint32Array;
  /** Prints a sentence once an import, and one sentence of a kind. Default: each sentence is a kind of its own. */
  tell(sentence: string, kind?: string): void;
}

export type RowMatch = Exclude<Match, { kind: 'several' | 'alike' }>;

/** The change that a row makes. */
export type RowChange =
  | { readonly kind: 'create'; readonly body: Body; readonly extras: readonly ExtraWrite[] }
  | { readonly kind: 'unchanged'; readonly id: Id }
  | {
      readonly kind: 'change';
      readonly id: Id;
      /** As read just now. */
      readonly record: unknown;
      readonly given: Body;
      readonly extras: readonly ExtraWrite[];
      /** The write of the fields; absent when the record holds them already. */
      readonly update?: PreparedRequest;
      /** The reason to send nothing: the record changed after the file was written. */
      readonly conflict?: ConflictError;
    };

/**
 * The record that a row means. Throws UsageError for a key of several records, for an unknown key where the row may not create, and for a
 * key that only another spelling finds, unless the spelling of a phone finds one record for one row.
 */
export async function recordOfRow({ job, matcher, notes }: RowWork, { key, line }: Row, api: Api): Promise<RowMatch> {
  if (matcher === undefined) return { kind: 'none' };
  const match: Match = key === undefined ? { kind: 'none' } : await matcher(key, api);
  const { resource } = job;
  const field = job.match?.kind === 'field' ? job.match.field : undefined;
  const isSure = match.kind === 'one' && !match.isAlike;
  const beside = isSure || field === undefined || key === undefined ? undefined : notes?.lineAlike(alikeKey(field, key), line);
  if (beside !== undefined && (match.kind === 'one' || (match.kind === 'none' && job.mode === 'upsert' && beside < line)))
    throw new UsageError(`Line ${beside} has the ${field?.flag} ${key} in another spelling. Leave one of the two rows out.`);
  if (match.kind === 'one') return match;
  const what = job.match?.kind === 'field' ? `${job.match.field.flag} ${key}` : `id ${key}`;
  const isNew = job.mode === 'upsert' ? ' If the row is new, import it without --mode and --match.' : '';
  if (match.kind === 'alike')
    throw new UsageError(
      `There is no ${resource.singular} with the ${what}. ${capitalised(resource.singular)} ${match.id} has ${match.value}: write it so if that is meant.${isNew}`,
    );
  if (match.kind === 'several') {
    const how = match.isAlike ? ' in another spelling' : '';
    throw new UsageError(`Several ${resource.name} have the ${what}${how}: ${firstOf(match.ids)}.`);
  }
  if (job.mode === 'update' || (job.match?.kind === 'id' && key !== undefined))
    throw new UsageError(
      `There is no ${resource.singular} with the ${what}.${job.mode === 'upsert' ? ' Leave the id blank to make a new one.' : ''}`,
    );
  return match;
}

/**
 * The change that a row makes. Reads the record, unless the list shows already that the record holds the row's values. Throws the
 * CrmError with which the row fails.
 */
export async function changeOf(work: RowWork, row: Row, match: RowMatch, api: Api): Promise<RowChange> {
  const { job } = work;
  const { resource } = job;
  if (match.kind === 'none') {
    const body = job.mode === 'create' ? row.body : bodyOfNew(job, row);
    return { kind: 'create', body, extras: extraWrites(job, row.extras ?? [], undefined) };
  }
  const { id, isListed } = match;
  const unchanged = { kind: 'unchanged', id } as const;
  if (isListed) {
    const { isSame, extras } = comparedWith(work, row, match.record);
    if (isSame && extras().length === 0) return unchanged;
  }
  const record = isListed ? await readRecord(api, `${resource.path}/${id}`) : match.record;
  const { given, isSame, ...compared } = comparedWith(work, row, record);
  const extras = compared.extras();
  if (isSame && extras.length === 0) return unchanged;
  const change = { kind: 'change', id, record, given, extras } as const;
  const newer = newerThan(work, row, record);
  const asked = work.asked?.[row.number] ?? 0;
  const isOther = asked !== 0 && asked !== askedDigest(job, change);
  const why = newer === undefined ? 'changed while crm asked' : `changed on ${newer}, after the file was written`;
  if (newer !== undefined || isOther) return { ...change, conflict: conflictOf(differencesOf(work, record, given, extras), why) };
  for (const one of extras) refuseClearing(job, one, id, record);
  return isSame ? change : { ...change, update: updateWith(work, id, record, given) };
}

/** The body of a row that finds no record. Throws UsageError that says what a new record lacks, and how to go on. */
function bodyOfNew(job: ImportJob, row: Row): Body {
  try {
    return resolvedForCreation(job, row);
  } catch (error) {
    if (!(error instanceof InvalidValues) || !error.values.every(({ code }) => code === 'missing_value')) throw error;
    const missing = listed(error.values.map(({ where }) => where));
    const { singular } = job.resource;
    throw new UsageError(
      `No ${singular} is found for this row, and a new ${singular} needs ${missing}. Fill in what is missing, give it with --constant, or leave the row out: --mode update changes records alone.`,
    );
  }
}

/** The digest of a row's change in a question: never 0. Ids stand in place of names, as names may become known meanwhile. */
export function askedDigest(job: ImportJob, change: RowChange): number {
  const work = { job, nameOf: () => undefined };
  const differences = change.kind === 'change' ? differencesOf(work, change.record, change.given, change.extras) : [];
  return hash('sha1', JSON.stringify(differences), 'buffer').readUInt32LE() || 1;
}

/**
 * The values and extras that a row gives for a record. `isSame`: the record holds all values of the fields. Throws like givenFor; `extras`
 * like extraWrites.
 */
function comparedWith(work: RowWork, row: Row, record: unknown) {
  const { job } = work;
  const heldAt: HeldAt = (member) => valueAt(record, member);
  const given = givenFor(work, row, record);
  return {
    given,
    isSame: holdsAll(updateShape(job.resource).fields, record, given),
    extras: (): ExtraWrite[] => extraWrites(job, row.extras ?? [], heldAt),
  };
}

/**
 * The update of a record, merged with its other fields. Throws UsageError for an invalid update. Warns when the service also changed a
 * field for which the file has no column.
 */
export function updateWith({ job: { resource }, tell }: RowWork, id: Id, record: unknown, given: Body): PreparedRequest {
  const write = preparedChange(plainUpdate(resource, given, asMember), { resource, id, record, kind: 'update', did: 'updated', given });
  return {
    ...write,
    factsOf: (answer, read) => {
      const after = recordAfter(id, answer, read);
      for (const { field, old, new: now } of changesBeside(updateShape(resource).fields, given, record, after))
        tell(
          `The service changed ${field} of ${resource.singular} ${id}, which no column gives: ${old} -> ${now}. The same may have happened to other ${resource.name}.`,
          field,
        );
      return write.factsOf(answer, read);
    },
  };
}

/**
 * The time of the record's last change for a message, if later than the time in the file. Else undefined. Warns when the record has no such time: the
 * record is overwritten.
 */
function newerThan({ job, tell }: RowWork, { changed }: Row, record: unknown): string | undefined {
  if (job.overwritesNewer) return undefined;
  const updated = updatedOf(record);
  if (updated === undefined || timeSpanOf(updated) === undefined)
    tell(`Some ${job.resource.name} don't tell when they were changed. Changes made since the file was written are overwritten.`);
  if (changed === undefined) return undefined;
  if (updated === undefined || !isLater(updated, changed)) return undefined;
  return updated.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC');
}

/** The differences between a record and the values of a row, with names in place of known ids. Without a record: all values of the row. */
export function differencesOf(
  { job: { resource }, nameOf }: Pick<RowWork, 'job' | 'nameOf'>,
  record: unknown,
  given: Body,
  extras: readonly ExtraWrite[],
): Difference[] {
  const { fields } = record === undefined ? createShape(resource) : updateShape(resource);
  const nameOrId = (type: ValueType, value: string): string => {
    const of = namedBy(type);
    return (of === undefined ? undefined : nameOf(of, value)) ?? value;
  };
  const requested = requestedOf(resource, fields, new Map(notHeld(fields, record, given)), ({ type, wire }) =>
    nameOrId(type, valueText(given.get(wire) ?? '')),
  );
  const ofExtras = extras.flatMap(({ extra, elements }): Difference[] => {
    if (!('set' in extra)) return changesOf([requestedMember(resource, extra.name, String(elements[0]))], record, undefined);
    const { element, value } = extra.set;
    const people = element === undefined ? elements : elements.map((one) => ({ [element]: one, name: nameOrId(value.type, String(one)) }));
    return setChange(extra.set, record, undefined, people);
  });
  return [...changesOf(requested, record, undefined), ...ofExtras];
}

function conflictOf(differences: readonly Difference[], why: string): ConflictError {
  const texts = differences.map(({ field, old, new: now }) => {
    if (old.length > longestTold || now.length > longestTold) return `${field} differs`;
    return `${field} is ${old === '' ? 'empty' : `'${old}'`} there, ${now === '' ? 'empty' : `'${now}'`} in the file`;
  });
  return new ConflictError(`conflict: ${why}: ${texts.join('; ')}.`);
}
