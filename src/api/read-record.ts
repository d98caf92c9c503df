// One record by its path, as every verb that needs it reads it.

import type { Api } from './client.ts';
import { recordOf } from './envelope.ts';

/** Reads the record at a path, which ends in its id. Throws what `read` throws, and UnavailableError for an answer without that record. */
export async function readRecord(api: Pick<Api, 'read'>, path: string): Promise<unknown> {
  return recordOf(await api.read({ method: 'GET', path }), path);
}
