// Requests and answers between commands and the API client.

import type { CodeOf } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';

/** The methods of the interface. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** A request with a decoded path and unencoded values. */
export interface ApiRequest {
  readonly method: Method;
  /** Below the base URL: `/api/leads/12`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Body fields by wire name. */
  readonly body?: Body;
  /** A JSON body, sent as JSON whatever the profile's encoding. */
  readonly json?: string;
  /** A PUT that sets a whole value and has no other effect, so it may be sent again after a lost answer. */
  readonly repeatable?: true;
  /**
   * Who waits. `many`: part of a list that is read whole, so a 429 is waited out like in a run. `none`: neither waits nor repeats, because a
   * limiter does. Default: a request for one record, which is repeated a few times.
   */
  readonly patience?: 'many' | 'none';
  /** The command, without `crm`, that shows whether a write with an unknown outcome took effect. */
  readonly check?: string;
  /** The error code for a 409, if the interface documents it (interface: Errors). */
  readonly conflict?: CodeOf<'conflict'>;
}

/**
 * A write: a request, or a function that makes the request from a fresh read. The function is called anew before each repetition: somebody
 * else may have changed the record during the pause. `wasLost`: the answer to an earlier attempt was lost, so the attempt may have taken
 * effect.
 */
export type Sending = ApiRequest | ((wasLost: boolean) => Promise<ApiRequest>);

/** The position in a list (interface: conventions, `meta`). Members that the service left out are absent. */
export interface Meta {
  readonly current_page?: number;
  readonly per_page?: number;
  readonly total?: number;
  readonly last_page?: number;
}

/** An answer of the service, read from an envelope, a bare array or object, or an empty body. */
export interface Answer {
  readonly status: number;
  /** The envelope's `data`, or the bare document. Undefined for an empty body. */
  readonly data: unknown;
  readonly message?: string;
  readonly meta?: Meta;
  /** The whole document. Undefined for an empty body. */
  readonly envelope: unknown;
  /** The Date header: the time of the answer by the service's clock. */
  readonly date?: string;
}

/** A write that --dry-run held back. */
export interface UnsentRequest {
  readonly method: Method;
  readonly url: string;
  /** Body fields by wire name, or the JSON document. */
  readonly fields: unknown;
}
