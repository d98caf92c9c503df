// The shapes that pass between commands and the API client.

import type { CodeOf } from '../errors.ts';
import type { Body } from '../values/body.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A request as a command means it: decoded path, unencoded values. */
export interface ApiRequest {
  readonly method: Method;
  /** Below the base URL: `/api/leads/12`. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** Body fields by wire name. */
  readonly body?: Body;
  /** A body that is sent as this JSON text, whatever the profile's encoding. */
  readonly json?: string;
  /** A PUT that sets a whole value and has no other effect: it may be sent again when its answer is lost. */
  readonly repeatable?: true;
  /** The command, without `crm`, that shows whether a write of unknown outcome took effect. */
  readonly check?: string;
  /** What a 409 of the service says, where that is known (interface: Errors). */
  readonly conflict?: CodeOf<'conflict'>;
}

/**
 * A write as it is handed over: the request, or what makes it from what is there. That is asked anew before each repetition, so that a
 * request which rests on a read never overwrites what somebody changed during a pause.
 */
export type Sending = ApiRequest | (() => Promise<ApiRequest>);

/** Position in a list (interface: conventions, `meta`); members that the service left out are absent. */
export interface Meta {
  readonly current_page?: number;
  readonly per_page?: number;
  readonly total?: number;
  readonly last_page?: number;
}

/** What the service answered, taken apart tolerantly: envelope, bare array or object, or nothing. */
export interface Answer {
  readonly status: number;
  /** The envelope's `data`, the bare document, or undefined for an empty body. */
  readonly data: unknown;
  readonly message?: string;
  readonly meta?: Meta;
  /** The whole document as the service sent it; undefined for an empty body. */
  readonly envelope: unknown;
  /** The header Date: when the service answered, by its own clock. */
  readonly date?: string;
}

/** A write that --dry-run kept back. */
export interface PlannedRequest {
  readonly method: Method;
  readonly url: string;
  /** Body fields by wire name, or the JSON document. */
  readonly fields: unknown;
}
