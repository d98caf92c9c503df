// A write to a record that is there, as the engine sends it: its request, what the journal keeps, what its answer tells, and what the record
// tells of it once the answer was lost. Imports, selections, seeds and undo write records this way.

import type { Api } from '../api/client.ts';
import { evidenceOf } from '../api/evidence.ts';
import { readRecord } from '../api/read-record.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import type { RecordWrite } from '../api/write-record.ts';
import { CrmError } from '../errors.ts';
import { bodyKept } from '../records/plain-change.ts';
import type { Resource } from '../resources/define.ts';
import { createdOf } from '../runs/doubts/newest.ts';
import { recordAt } from '../runs/doubts/survey.ts';
import type { PreparedRequest, SentRequest, Trace, Verdict } from '../runs/step.ts';
import type { Body } from '../values/body.ts';
import { scalarText } from '../values/json.ts';
import { type Id, valueText } from '../values/parse.ts';
import { valueAt } from '../values/paths.ts';
import { areAlike } from '../values/text/alike.ts';
import { isSameText } from '../values/text/same-text.ts';

/** How a record tells of a write. */
export interface Telling {
  /** Whether a record shows what was sent; undefined where it doesn't tell. */
  shows(record: unknown): boolean | undefined;
  /** What the write overwrites of a record, as a journal keeps it. */
  kept(record: unknown): unknown;
}

/** A write to a record. */
interface TargetWrite extends Telling {
  readonly resource: Resource;
  readonly id: Id;
  /** As a journal calls it: `update`, `archive`. */
  readonly kind: string;
  /** What the outcome is called. */
  readonly did: string;
  readonly request: RecordWrite;
  /** The record that it overwrites, as it was read, and what of it. */
  readonly record: unknown;
  readonly before: unknown;
  /** What is written of the record, where the body holds more. */
  readonly given?: Body | undefined;
}

/** The request of a write to a record. */
export function requestTo({ name, path }: Pick<Resource, 'name' | 'path'>, id: Id, { below, ...request }: RecordWrite): ApiRequest {
  return { check: `${name} get ${id}`, ...request, path: below === undefined ? `${path}/${id}` : `${path}/${id}/${below}` };
}

/** What the journal keeps of a write to a record. */
export function sentTo(
  id: Id,
  { kind, before, record, request, given }: Pick<TargetWrite, 'kind' | 'before' | 'record' | 'request' | 'given'>,
): SentRequest {
  const body = bodyKept(request, given);
  return { kind, target: id, before, created: createdOf(record), ...(body === undefined ? {} : { body }) };
}

/** A write that is ready to be sent. */
export function preparedWrite(write: TargetWrite): PreparedRequest {
  const { resource, id, request, did } = write;
  return {
    request: requestTo(resource, id, request),
    sent: sentTo(id, write),
    did,
    behind: (answer, api) => readBehind(write, answer, api),
    took: (answer, behind) => ({ made: [], ...leftBy(write, answer, behind) }),
  };
}

/** The record as it is behind a write whose answer tells of it and doesn't show it; undefined where the answer does, or it can't be read. */
export async function readBehind(
  { resource, id, shows }: Pick<TargetWrite, 'resource' | 'id' | 'shows'>,
  answer: Answer,
  api: Api,
): Promise<unknown> {
  const evidence = evidenceOf(answer, String(id));
  if (evidence.kind !== 'record' || shows(evidence.record) !== undefined) return undefined;
  return readRecord(api, `${resource.path}/${id}`).catch((error: unknown) => {
    if (!(error instanceof CrmError)) throw error;
  });
}

/** What a write left of its record, as the answer shows it, or the record that was read behind; nothing where neither tells. */
export function leftBy(
  write: Pick<TargetWrite, 'id' | 'shows' | 'kept' | 'before' | 'given'>,
  answer: Answer,
  behind: unknown,
): { readonly after?: unknown } {
  const evidence = evidenceOf(answer, String(write.id));
  const isShown = evidence.kind === 'record' && write.shows(evidence.record) !== undefined;
  if (isShown) return { after: write.kept(evidence.record) };
  // Somebody else may have written in between.
  const isOurs = behind !== undefined && (write.shows(behind) !== false || isRewritten(write, behind));
  return isOurs ? { after: write.kept(behind) } : {};
}

/** Whether each given value stands in a record as it was sent, or alike; never where the value of before is alike, too. */
function isRewritten({ kept, before, given }: Pick<TargetWrite, 'kept' | 'before' | 'given'>, record: unknown): boolean {
  const textIn = (all: unknown, wire: string): string => scalarText(valueAt(all, wire));
  if (given === undefined) return false;
  return [...given].every(([wire, value]) => {
    const [was, sent, now] = [textIn(before, wire), valueText(value), textIn(kept(record), wire)];
    return isSameText(now, sent) || (areAlike(now, sent) && !areAlike(was, sent));
  });
}

/** What a record tells of a write whose answer was lost: it holds what was sent, or what was there before, or what somebody else wrote. */
export function toldBy(
  { shows, kept }: Telling,
  record: unknown,
  { id, before, did }: Pick<TargetWrite, 'id' | 'before' | 'did'>,
): Verdict {
  if (shows(record) !== false) return { end: 'found', made: [], did, after: kept(record) };
  return JSON.stringify(kept(record)) === JSON.stringify(before) ? { end: 'absent' } : { end: 'untold', candidates: [id] };
}

/** Looks at the record of a write whose answer was lost. */
export function traceTo({ path }: Resource, telling: Telling, about: Pick<TargetWrite, 'id' | 'before' | 'did'>): Trace {
  const look = async (api: Api): Promise<Verdict> => {
    const record = await recordAt(api, `${path}/${about.id}`);
    return record === undefined ? { end: 'absent' } : toldBy(telling, record, about);
  };
  return { kind: 'target', look };
}
