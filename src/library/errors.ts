// The errors that the library throws, in a program's words: classes and codes of the command line, with neither flags nor exit statuses.

import type { ErrorCode as CommandCode } from '../errors.ts';

/** What went wrong, as a name that stays from version to version; the classes are kinds of these. */
export type ErrorCode =
  | Extract<
      CommandCode,
      | 'usage'
      | 'missing_value'
      | 'invalid_value'
      | 'not_found'
      | 'unauthorized'
      | 'key_refused'
      | 'refused'
      | 'email_taken'
      | 'rate_limited'
      | 'unavailable'
      | 'unreachable'
      | 'timed_out'
      | 'outcome_unknown'
      | 'disk_full'
      | 'partial'
      | 'proposal_signed'
      | 'conflict'
      | 'already_converted'
      | 'no_client_account'
    >
  | 'aborted';

/** One value that is wrong, or that the service refused. */
export interface ValueProblem {
  /** As the program calls it: `company_name`; what has no such name goes by that of the interface. */
  readonly name: string;
  /** As the interface calls it, where the service said so: `lead_company_name`. */
  readonly wire?: string;
  readonly messages: readonly string[];
}

export interface ErrorDetails {
  /** What to do next. */
  readonly hint?: string;
  /** The status of the service's answer, where there was one. */
  readonly httpStatus?: number;
  /** The values that are wrong. */
  readonly fields?: readonly ValueProblem[];
  /** The answer's Retry-After: seconds, or a date. */
  readonly retryAfter?: string;
  readonly request?: { readonly method: string; readonly path: string };
  /** Of a PartialError: the id of what was created or changed. */
  readonly id?: number | string;
}

/** What tells an error of the library, whichever copy of it made it. */
const mark = Symbol.for('crm-admin.error');

/** Whatever a call fails with, but for wrong arguments: those are a TypeError. `isCrmError` tells it, also that of another copy of the library. */
export class CrmError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(message: string, code: ErrorCode, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
    Object.defineProperty(this, mark, { value: true });
  }

  /** What JSON.stringify writes: the message, too, which an error keeps to itself. */
  toJSON(): { readonly name: string; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } {
    const { name, code, message, details } = this;
    return { name, code, message, details };
  }
}

/** Whether it is an error of the library: `instanceof` fails where a program has two copies of it. */
export const isCrmError = (error: unknown): error is CrmError => error instanceof Error && mark in error;

/** A value or option can't be used. Nothing was sent. */
export class UsageError extends CrmError {}

/** Values are wrong: `details.fields` has them all. Nothing was sent. */
export class InvalidValues extends UsageError {}

/** The service has no such record (404). */
export class NotFoundError extends CrmError {}

/** The service does not accept the key (401, 403), or there is nothing at the place that was named. */
export class UnauthorizedError extends CrmError {}

/** The service refuses the request as it stands (400, 422 and other 4xx). */
export class RefusedError extends CrmError {}

/** The service still limits the rate after the retries (429). */
export class RateLimitedError extends CrmError {}

/** No usable answer: network, time-out, 5xx, or one that can't be read. Of a write the code outcome_unknown says that it may have taken effect. */
export class UnavailableError extends CrmError {}

/** Something was done, and what comes after it failed: `details.id` was created, or changed. It is not to be done again. */
export class PartialError extends CrmError {}

/** A signed proposal would lose its signature. Nothing was sent. */
export class UnconfirmedError extends CrmError {}

/** The record's state forbids the request (409). */
export class ConflictError extends CrmError {}

/** The caller's signal ended the call, or the client was closed. The cause is the signal's reason; the code outcome_unknown says that a write was under way. */
export class AbortError extends CrmError {}
