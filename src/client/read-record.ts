// Reads one record for all verbs.

import type { Api } from './client.ts';
import { recordOf } from './envelope.ts';

/**
 * Reads the record at a path that ends in the record's id. Throws what Api.read throws, and UnavailableError for an answer without the
 * record.
 */
export async function readRecord(api: Pick<Api, 'read'>, path: string): Promise<unknown> {
  return recordOf(await api.read({ method: 'GET', path }), path);
}
