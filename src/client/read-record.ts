// Reads one record, or a list on one page. Finds out whether a 404 means a deleted record, or a service that answers 404 to everything.

import { NotFoundError, UnavailableError } from '../base/errors.ts';
import type { Api } from './client.ts';
import { recordOf, recordsOf } from './envelope.ts';
import { allRecords } from './paging.ts';
import { otherServiceHint } from './problem.ts';
import type { ApiRequest } from './types.ts';

/**
 * Reads the record at a path that ends in the record's id. Throws what Api.read throws, and UnavailableError for an answer without the
 * record.
 */
export async function readRecord(api: Pick<Api, 'read'>, path: string): Promise<unknown> {
  return recordOf(await api.read({ method: 'GET', path }), path);
}

/**
 * The record at a path. Undefined when the record is not found, the list is found, and a second read doesn't find the record either. Throws
 * UnavailableError when the list isn't found, and the errors of Api.read.
 */
export async function recordAt(api: Pick<Api, 'read'>, path: string): Promise<unknown> {
  const found = await recordFound(api, path);
  if (found !== undefined) return found;
  const query = [
    ['limit', '1'],
    ['page', '1'],
  ] as const;
  const list = { method: 'GET' as const, path: path.slice(0, path.lastIndexOf('/')), query };
  const answer = await api.read(list).catch((error: unknown) => {
    throw unlisted(error);
  });
  recordsOf(answer, list);
  return recordFound(api, path);
}

/** The result of `read`. Undefined when the answer is 404 and the record at `path` is gone. */
export async function unlessGone<T>(api: Api, path: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof NotFoundError) || (await recordAt(api, path)) !== undefined) throw error;
    return undefined;
  }
}

/** The record at a path; undefined when it isn't found. */
export async function recordFound(api: Pick<Api, 'read'>, path: string): Promise<unknown> {
  try {
    return await readRecord(api, path);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Every record of a family's list. Throws UnavailableError when the list isn't found, and the errors of `allRecords`. */
export async function* recordsListed(api: Api, request: ApiRequest, signal: AbortSignal): AsyncGenerator<unknown> {
  try {
    yield* allRecords(api, request, signal);
  } catch (error) {
    throw unlisted(error);
  }
}

/** The error of a list. When the list isn't found, a 404 of this service says nothing about a record. */
export function unlisted(error: unknown): unknown {
  if (!(error instanceof NotFoundError)) return error;
  const { request } = error.details;
  const message = `The service answers 404 to ${request?.path}, which is a list: crm can't tell which records exist.`;
  return new UnavailableError(message, { httpStatus: 404, hint: otherServiceHint, ...(request && { request }), cause: error });
}

/** True for the error of a service that answers 404 to a list. */
export const isNowhere = (error: unknown): boolean => error instanceof UnavailableError && error.details.httpStatus === 404;

/** Reads a list that the service sends on one page, such as the comments of a lead. Throws UnavailableError for other answers. */
export async function readRecords(api: Pick<Api, 'read'>, path: string): Promise<readonly unknown[]> {
  const request: ApiRequest = { method: 'GET', path };
  return recordsOf(await api.read(request), request);
}
