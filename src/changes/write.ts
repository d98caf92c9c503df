// A write to an existing record, as the engine sends the write: the request, the values for the journal, and the verdict after a lost
// answer. Used by imports, selections, seeds and undo.

import { ConflictError, CrmError } from '../base/errors.ts';
import type { Body, BodyValue } from '../base/values/body.ts';
import { type Id, valueText } from '../base/values/parse.ts';
import { isMembers } from '../base/values/paths.ts';
import { isSameText } from '../base/values/text/same-text.ts';
import type { Api } from '../client/client.ts';
import { evidenceOf } from '../client/evidence.ts';
import { bodyToNote, type PlainChange } from '../client/plain-change.ts';
import { readRecord, recordAt } from '../client/read-record.ts';
import type { Answer } from '../client/types.ts';
import type { RecordWrite } from '../client/write-record.ts';
import { areSameValues, endOfLost, isLikeGiven, notedText, type RecordEvidence, type SentWrite } from '../model/bodies/lost-write.ts';
import type { Resource } from '../model/define.ts';
import { createdOf } from '../model/identity.ts';
import { keepsAny, takingOf } from '../model/taken.ts';
import type { Look, PreparedRequest, Verdict } from '../runs/step.ts';
import type { RecordChange } from './record-change.ts';

/** The evidence of a sent change in a record. */
export const recordEvidence = ({ valuesIn, tells }: Pick<PlainChange, 'valuesIn' | 'tells'>, sent: RecordWrite): RecordEvidence => ({
  valuesIn,
  tells: (record) => tells(record, sent),
});

/** The record that is written, and the change. */
interface ChangedRecord {
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

/** A sent write of a record. */
interface SentChange extends SentWrite, Pick<ChangedRecord, 'id'> {}

/** The write of a change, ready for the engine to send. Throws the CrmError that makes the write fail. */
export function preparedChange(
  change: Omit<PlainChange, 'holds'> & Pick<RecordChange, 'added'>,
  { resource, id, record, kind, did, given }: ChangedRecord,
): PreparedRequest {
  const sent = change.write(record);
  const { below, ...request } = sent;
  const path = `${resource.path}/${id}`;
  const asked = change.asks?.(sent) ?? [];
  const write = { ...recordEvidence(change, sent), id, given, before: change.valuesIn(record) };
  const keeps = (answered: unknown): boolean => keepsAny(asked, record, answered);
  const body = bodyToNote(sent, given);
  return {
    request: { check: `${resource.name} get ${id}`, ...request, path: below === undefined ? path : `${path}/${below}` },
    sent: { kind, target: id, before: write.before, created: createdOf(record), ...(body === undefined ? {} : { body }) },
    did,
    ...(change.added === undefined
      ? {
          readAgain: (answer, api) => readAgain(resource, write, keeps, answer, api),
          factsOf: (answer, read) => ({
            made: [],
            ...valuesAfter(write, answer, read),
            taking: takingOf(asked, record, recordAfter(id, answer, read)),
          }),
        }
      : { factsOf: ({ data }) => ({ made: [], after: change.valuesIn(data) }) }),
  };
}

/**
 * The record as read again, when the answered record doesn't tell whether the write took effect, or has a value as it was before. Else
 * undefined. Throws the CrmError of a read behind a value as it was before: the answer alone doesn't tell whether the service kept it.
 */
async function readAgain(
  resource: Resource,
  { id, tells }: SentChange,
  keeps: (record: unknown) => boolean,
  answer: Answer,
  api: Api,
): Promise<unknown> {
  const evidence = evidenceOf(answer, String(id));
  if (evidence.kind !== 'record') return undefined;
  const isKept = keeps(evidence.record);
  if (tells(evidence.record) !== undefined && !isKept) return undefined;
  return readRecord(api, `${resource.path}/${id}`).catch((error: unknown) => {
    if (isKept || !(error instanceof CrmError)) throw error;
  });
}

/** The record after a write: as read again, else as answered. Undefined when the answer has no record. */
export function recordAfter(id: Id, answer: Answer, read: unknown): unknown {
  const evidence = evidenceOf(answer, String(id));
  return evidence.kind === 'record' ? (read ?? evidence.record) : undefined;
}

/** The values after a write: of the answered record, or of the record read again. Empty when neither record shows the write. */
function valuesAfter(write: SentChange, answer: Answer, read: unknown): { readonly after?: unknown } {
  const evidence = evidenceOf(answer, String(write.id));
  if (evidence.kind === 'record' && write.tells(evidence.record) !== undefined)
    return read === undefined ? { after: write.valuesIn(evidence.record) } : valuesLookedAt(write, evidence.record, read);
  // Somebody else may have written between the write and the second read.
  const isOurs = read !== undefined && (write.tells(read) !== false || isRewritten(write, read));
  return isOurs ? { after: write.valuesIn(read) } : {};
}

/**
 * The values after a write whose answer shows some as before: these as read again, the others as answered. Empty when a value that was read
 * again is neither as before nor as sent: somebody else may have written it.
 */
function valuesLookedAt(write: SentChange, answered: unknown, read: unknown): { readonly after?: unknown } {
  const [before, told, now] = [write.before, write.valuesIn(answered), write.valuesIn(read)];
  if (!isMembers(before) || !isMembers(told) || !isMembers(now)) return { after: now };
  const after: Record<string, unknown> = {};
  for (const name of Object.keys(now)) {
    const isKept = areSameValues(told[name], before[name]);
    if (isKept && !areSameValues(now[name], before[name]) && !isAsSent(write, read, name)) return {};
    after[name] = isKept ? now[name] : told[name];
  }
  return { after };
}

function isAsSent(write: SentChange, record: unknown, name: string): boolean {
  const sent = write.given?.get(name);
  if (sent === undefined) return write.tells(record) !== false;
  return isSameText(notedText(write.valuesIn(record), name), valueText(sent)) || isLikeGiven(write, record, [name, sent]);
}

/** True when each given value is in the record, exactly or similarly. A similar value doesn't count if the old value was similar, too. */
function isRewritten(write: SentChange, record: unknown): boolean {
  const isHeld = ([wire, value]: [string, BodyValue]): boolean => isSameText(notedText(write.valuesIn(record), wire), valueText(value));
  return write.given !== undefined && [...write.given].every((one) => isHeld(one) || isLikeGiven(write, record, one));
}

/** The verdict on a write whose answer was lost, by the record as read later. */
export function verdictFrom(evidence: RecordEvidence, record: unknown, { id, did, ...sent }: LookedFor): Verdict {
  const end = endOfLost({ ...evidence, ...sent }, record);
  switch (end) {
    case 'found':
      return { end, made: [], did, after: evidence.valuesIn(record) };
    case 'absent':
      return { end };
    case 'unknown':
      return { end, candidates: [id] };
    case 'conflict':
      return { end, conflict: new ConflictError('Somebody changed the record meanwhile.'), target: id };
  }
}

type LookedFor = Pick<SentChange, 'id' | 'before' | 'given'> & Pick<ChangedRecord, 'did'>;

/** Looks for a write whose answer was lost: reads the written record. */
export function lookAfter({ path }: Resource, evidence: RecordEvidence, sent: LookedFor): Look {
  const readForWrite = async (api: Api): Promise<Verdict> => {
    const record = await recordAt(api, `${path}/${sent.id}`);
    return record === undefined ? { end: 'absent' } : verdictFrom(evidence, record, sent);
  };
  return { kind: 'target', read: readForWrite };
}
