// Encodes request bodies: as form fields by default, as JSON when the profile says so or when a form can't hold the values.

import type { Body } from '../base/values/body.ts';
import type { ApiRequest } from './types.ts';

export type Encoding = 'form' | 'json';

interface EncodedBody {
  readonly type: string;
  readonly text: string;
}

/**
 * The encoded body; undefined for a request without a body. Arrays become repeated `name[]` form fields (interface: conventions, 4). A body
 * with an empty array or with half of a surrogate pair becomes JSON: a form can't hold them (vendor facts).
 */
export function encodeBody(request: ApiRequest, encoding: Encoding): EncodedBody | undefined {
  if (request.json !== undefined) return { type: 'application/json', text: request.json };
  const { body } = request;
  if (body === undefined) return undefined;
  if (encoding === 'json' || !fitsForm(body)) return { type: 'application/json', text: JSON.stringify(Object.fromEntries(body)) };
  return { type: 'application/x-www-form-urlencoded', text: formPairs(body).toString() };
}

/** The encoded path and query, below the base URL's own path. */
export function encodeTarget(basePath: string, request: ApiRequest): string {
  // A typed path may hold other characters than printable ASCII.
  const path = `${basePath}${request.path.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)}`;
  if (request.query === undefined) return path;
  const query = new URLSearchParams();
  for (const [name, value] of request.query) query.append(name, value);
  return query.size === 0 ? path : `${path}${request.path.includes('?') ? '&' : '?'}${query}`;
}

/** Services that cut texts leave half characters in records, and a form would put U+FFFD in their place. */
function fitsForm(body: Body): boolean {
  return [...body.values()].every((value) => !(Array.isArray(value) && value.length === 0) && String(value).isWellFormed());
}

function formPairs(body: Body): URLSearchParams {
  const pairs = new URLSearchParams();
  for (const [name, value] of body) {
    if (typeof value === 'object') for (const element of value) pairs.append(`${name}[]`, String(element));
    else pairs.append(name, String(value));
  }
  return pairs;
}
