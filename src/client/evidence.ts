// Judges answers to writes. A 200 alone proves little: some services answer 200 without doing the write.

import { scalarText } from '../base/values/json.ts';
import { isMembers, type Members } from '../base/values/paths.ts';
import { denialIn, recordIn } from './envelope.ts';
import type { Answer, ApiRequest } from './types.ts';

/** The evidence that an answer gives of a write. */
type Evidence =
  /** The answer has the written record, with its id. */
  | { readonly kind: 'record'; readonly record: Members }
  /** The answer has no record and no denial. The record must be read. */
  | { readonly kind: 'silent' }
  /** The answer denies success. `why` completes the sentence "The service answered 200, but". */
  | { readonly kind: 'none'; readonly why: string };

/** The evidence of a write to record `id`. A 202 is no evidence: the service has accepted the request and done nothing yet. */
export function evidenceOf(answer: Answer, id: string): Evidence {
  const why = denialIn(answer);
  if (why !== undefined) return { kind: 'none', why };
  const { record, other } = recordIn(answer, id);
  if (other !== undefined) return { kind: 'none', why: `with record ${other} in place of ${id}` };
  return isMembers(record) && scalarText(record.id) !== '' ? { kind: 'record', record } : { kind: 'silent' };
}

/** The evidence of a create. Silent without the new record's id. */
export function madeIn(answer: Answer): Evidence {
  const { data } = answer;
  const made: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data;
  const why = answer.status === 202 ? undefined : denialIn(answer);
  if (why !== undefined) return { kind: 'none', why };
  if (isMembers(made) && /^0*[1-9]\d*$/.test(scalarText(made.id))) return { kind: 'record', record: made };
  return { kind: 'silent' };
}

/** The evidence of a request: a POST makes a record, and any other request writes to record `target`. */
export function evidenceOfRequest({ method }: ApiRequest, target: string, answer: Answer): Evidence {
  return method === 'POST' ? madeIn(answer) : evidenceOf(answer, target);
}
