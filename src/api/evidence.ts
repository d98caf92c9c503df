// What an answer to a write is worth: a status says little, and some services say 200 to what they did not do.

import { scalarText } from '../values/json.ts';
import { isMembers, type Members } from '../values/paths.ts';
import { recordIn } from './envelope.ts';
import type { Answer } from './types.ts';

/** What an answer tells of the record that was written. */
type Evidence =
  /** The record itself, by its id. */
  | { readonly kind: 'record'; readonly record: Members }
  /** It neither tells the record nor denies: a read has to show what became of it. */
  | { readonly kind: 'silent' }
  /** It speaks against a success; `why` goes on from "The service answered 200, but". */
  | { readonly kind: 'none'; readonly why: string };

/** What an answer tells of record `id`. A service that has only accepted a request (202) has not done it. */
export function evidenceOf(answer: Answer, id: string): Evidence {
  const why = denialIn(answer);
  if (why !== undefined) return { kind: 'none', why };
  const { record, other } = recordIn(answer, id);
  if (other !== undefined) return { kind: 'none', why: `with record ${other} in place of ${id}` };
  return isMembers(record) && scalarText(record.id) !== '' ? { kind: 'record', record } : { kind: 'silent' };
}

/** The record that was made: its id has to come with it. */
export function madeIn(answer: Answer): Exclude<Evidence, { kind: 'silent' }> {
  const { data } = answer;
  const made: unknown = Array.isArray(data) && data.length === 1 ? data[0] : data;
  const why = answer.status === 202 ? undefined : denialIn(answer);
  if (why !== undefined) return { kind: 'none', why };
  if (isMembers(made) && /^0*[1-9]\d*$/.test(scalarText(made.id))) return { kind: 'record', record: made };
  return { kind: 'none', why: 'without the id of what it made' };
}

/** Why an answer with a status of success is none; undefined where nothing speaks against it. */
function denialIn({ status, envelope, message = '' }: Answer): string | undefined {
  const { success, error, errors }: Members = isMembers(envelope) ? envelope : {};
  if (success === false || success === 'false' || isSaid(error) || isSaid(errors)) {
    return message.trim() === '' ? 'says that it failed' : `says that it failed: "${message.trim().slice(0, longestSaid)}"`;
  }
  return status === 202 ? 'has only accepted the request' : undefined;
}

/** So much of what a service says stands in a message. */
const longestSaid = 200;

function isSaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMembers(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}
