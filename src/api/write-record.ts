// A write to one record that the service answers with the record as it is then: an update, an action, a set that is replaced; and a
// delete, which it answers with the id.

import type { Resource } from '../resources/define.ts';
import type { Id } from '../values/parse.ts';
import type { Api } from './client.ts';
import { recordIn } from './envelope.ts';
import { unreadableAnswer } from './problem.ts';
import type { Answer, ApiRequest } from './types.ts';

export interface Written {
  readonly answer: Answer;
  /** The record in the answer; undefined where it holds none. */
  readonly after: unknown;
}

/**
 * Sends a write to a record, below whose path `below` stands. Throws UnavailableError for an answer with another record: it tells nothing
 * of this one.
 */
export async function writeRecord(
  api: Pick<Api, 'write' | 'command'>,
  { name, path }: Pick<Resource, 'name' | 'path'>,
  id: Id,
  {
    below,
    check = `${name} get ${id}`,
    ...sent
  }: Pick<ApiRequest, 'method' | 'body' | 'repeatable' | 'check' | 'conflict'> & { readonly below?: string },
): Promise<Written> {
  const request: ApiRequest = { ...sent, path: `${path}/${id}${below === undefined ? '' : `/${below}`}` };
  const answer = await api.write({ ...request, check });
  const { record, other } = recordIn(answer, String(id));
  if (other !== undefined) {
    throw unreadableAnswer({ ...request, check: `${api.command} ${check}` }, answer.status, `with record ${other} in place of ${id}`);
  }
  return { answer, after: record };
}
