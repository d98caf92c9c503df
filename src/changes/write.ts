// A write to an existing record, as the engine sends the write: the request, the values for the journal, and the verdict after a lost
// answer. Used by imports, selections, seeds and undo.

import { ConflictError, CrmError } from '../base/errors.ts';
import type { Body, BodyValue } from '../base/values/body.ts';
import { scalarText } from '../base/values/json.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { isMembers, valueAt } from '../base/values/paths.ts';
import { areAlike } from '../base/values/text/alike.ts';
import { isSameText } from '../base/values/text/same-text.ts';
import type { Api } from '../client/client.ts';
import { evidenceOf } from '../client/evidence.ts';
import { bodyKept, type PlainChange } from '../client/plain-change.ts';
import { readRecord, recordAt } from '../client/read-record.ts';
import type { Answer, ApiRequest } from '../client/types.ts';
import type { RecordWrite } from '../client/write-record.ts';
import { areKeptSame } from '../model/bodies/shown.ts';
import type { Resource } from '../model/define.ts';
import { createdOf } from '../model/identity.ts';
import type { Look, PreparedRequest, Verdict } from '../runs/step.ts';
import type { RecordChange } from './record-change.ts';

/** Reads from a record whether a write took effect. */
interface Telling {
  /** True when the record shows the sent values, false for other values, undefined when the record doesn't tell. */
  shows(record: unknown): boolean | undefined;
  /** The record's values that the write overwrites, for the journal. */
  kept(record: unknown): unknown;
}

/** The Telling of a sent change. */
export const tellingOf = ({ kept, shows }: Pick<PlainChange, 'kept' | 'shows'>, sent: RecordWrite): Telling => ({
  kept,
  shows: (record) => shows(record, sent),
});

/** The record that is written, and the change. */
interface About {
  readonly resource: Resource;
  readonly id: Id;
  /** The record as read before the write. */
  readonly record: unknown;
  /** The verb for the journal: `update`, `archive`. */
  readonly kind: string;
  /** The name of the outcome: `updated`. */
  readonly did: string;
  /** The values that the user gave, if the body holds further values. */
  readonly given?: Body | undefined;
}

/** The facts of a sent write that are compared with a record read later. */
interface Written extends Telling, Pick<About, 'id' | 'given'> {
  /** The overwritten values. */
  readonly before: unknown;
}

function requestTo({ name, path }: Pick<Resource, 'name' | 'path'>, id: Id, { below, ...request }: RecordWrite): ApiRequest {
  return { check: `${name} get ${id}`, ...request, path: below === undefined ? `${path}/${id}` : `${path}/${id}/${below}` };
}

/** The write of a change, ready for the engine to send. Throws the CrmError that makes the write fail. */
export function preparedChange(change: Omit<PlainChange, 'holds'> & Pick<RecordChange, 'added'>, about: About): PreparedRequest {
  const { resource, id, record, kind, did, given } = about;
  const sent = change.write(record);
  const write = { ...tellingOf(change, sent), id, given, before: change.kept(record) };
  const body = bodyKept(sent, given);
  return {
    request: requestTo(resource, id, sent),
    sent: { kind, target: id, before: write.before, created: createdOf(record), ...(body === undefined ? {} : { body }) },
    did,
    ...(change.added === undefined
      ? {
          behind: (answer, api) => readAgain(resource, write, answer, api),
          took: (answer, behind) => ({ made: [], ...valuesAfter(write, answer, behind) }),
        }
      : { took: ({ data }) => ({ made: [], after: change.kept(data) }) }),
  };
}

/** The record as read again, when the answered record doesn't tell whether the write took effect. Else undefined. */
async function readAgain(resource: Resource, { id, shows }: Written, answer: Answer, api: Api): Promise<unknown> {
  const evidence = evidenceOf(answer, String(id));
  if (evidence.kind !== 'record' || shows(evidence.record) !== undefined) return undefined;
  return readRecord(api, `${resource.path}/${id}`).catch((error: unknown) => {
    if (!(error instanceof CrmError)) throw error;
  });
}

/** The record after a write: as read again, else as answered. Undefined when the answer has no record. */
export function recordAfter(id: Id, answer: Answer, behind: unknown): unknown {
  const evidence = evidenceOf(answer, String(id));
  return evidence.kind === 'record' ? (behind ?? evidence.record) : undefined;
}

/** The values after a write: of the answered record, or of the record read again. Empty when neither record shows the write. */
function valuesAfter(write: Written, answer: Answer, behind: unknown): { readonly after?: unknown } {
  const evidence = evidenceOf(answer, String(write.id));
  const isShown = evidence.kind === 'record' && write.shows(evidence.record) !== undefined;
  if (isShown) return { after: write.kept(evidence.record) };
  // Somebody else may have written between the write and the second read.
  const isOurs = behind !== undefined && (write.shows(behind) !== false || isRewritten(write, behind));
  return isOurs ? { after: write.kept(behind) } : {};
}

/** True when each given value is in the record, exactly or similarly. A similar value doesn't count if the old value was similar, too. */
function isRewritten(write: Written, record: unknown): boolean {
  const isHeld = ([wire, value]: [string, BodyValue]): boolean => isSameText(textIn(write.kept(record), wire), valueText(value));
  return write.given !== undefined && [...write.given].every((one) => isHeld(one) || isLikeGiven(write, record, one));
}

/** True when a record shows a value similar to the given value, and the old value was not similar. */
function isLikeGiven(
  { kept, before }: Pick<Written, 'kept' | 'before'>,
  record: unknown,
  [wire, value]: readonly [string, BodyValue],
): boolean {
  const [was, sent, now] = [textIn(before, wire), valueText(value), textIn(kept(record), wire)];
  return areAlike(now, sent) && !areAlike(was, sent);
}

const textIn = (kept: unknown, wire: string): string => scalarText(valueAt(kept, wire));

/**
 * The verdict on a write whose answer was lost: `absent` when the record has the old values, `found` when all values that the record shows
 * are the new values, and differ from the old values. Any other values are a `conflict`, but `unknown` for a set, for a value similar to
 * the sent value, and when the record doesn't show the values.
 */
export function verdictFrom(
  { shows, kept }: Telling,
  record: unknown,
  { id, before, given, did }: Pick<Written, 'id' | 'before' | 'given'> & Pick<About, 'did'>,
): Verdict {
  // `before` is empty when the old values were empty, and also when the record didn't show the old values.
  const [isShown, isAsBefore] = [shows(record), areKeptSame(kept(record), before)];
  const isTold = isMembers(before) && (Object.keys(before).length > 0 || isShown === false);
  if (isTold && isAsBefore) return { end: 'absent' };
  if (isShown ?? !isAsBefore) return { end: 'found', made: [], did, after: kept(record) };
  const isSet = isMembers(before) && Object.values(before).some(Array.isArray);
  const isPartlyOurs = given !== undefined && [...given].some((one) => isLikeGiven({ kept, before }, record, one));
  if (isSet || isPartlyOurs || isShown === undefined) return { end: 'unknown', candidates: [id] };
  return { end: 'conflict', conflict: new ConflictError('Somebody changed the record meanwhile.'), target: id };
}

/** Looks for a write whose answer was lost: reads the written record. */
export function lookAfter({ path }: Resource, telling: Telling, about: Parameters<typeof verdictFrom>[2]): Look {
  const readForWrite = async (api: Api): Promise<Verdict> => {
    const record = await recordAt(api, `${path}/${about.id}`);
    return record === undefined ? { end: 'absent' } : verdictFrom(telling, record, about);
  };
  return { kind: 'target', read: readForWrite };
}
