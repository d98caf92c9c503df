// The kinds of failure, one class per situation of the user, and the exit table that help and documents read.

/** Exit statuses, with the sentences that help prints (the command line's contract). */
export const exitStatuses = {
  done: { status: 0, meaning: 'done' },
  fault: { status: 1, meaning: 'a fault in crm itself' },
  usage: { status: 2, meaning: 'wrong usage or invalid values: nothing was sent' },
  notFound: { status: 3, meaning: 'not found' },
  unauthorized: { status: 4, meaning: 'no usable profile or key, or the service refused the key' },
  refused: { status: 5, meaning: 'the service refused the request' },
  rateLimited: { status: 6, meaning: 'still rate limited after the retries' },
  unavailable: {
    status: 7,
    meaning: 'network, time-out, server failure or a full disk: the outcome of a write may be unknown',
  },
  partial: { status: 8, meaning: 'a bulk command finished, some rows failed' },
  unconfirmed: { status: 9, meaning: 'not confirmed: nobody could be asked, or the answer was no' },
  conflict: { status: 10, meaning: 'conflict' },
  hungUp: { status: 129, meaning: 'hung up' },
  interrupted: { status: 130, meaning: 'interrupted' },
  terminated: { status: 143, meaning: 'terminated' },
} as const;

/** One refused value: `name` as on the wire, `flag` as the user typed it, when there is one. */
export interface FieldProblem {
  name: string;
  flag?: string;
  messages: string[];
  /** Of a file, where the same is wrong with many lines: the first ones, and how many in all. */
  lines?: number[];
  count?: number;
}

/** One record of several with which it did not go well. */
export interface Failure {
  /** A number where a float can hold the id exactly, else its digits. */
  readonly id: number | string;
  /** How messages call it: `lead 12`. */
  readonly name: string;
  /** What the record is called, where that is known. */
  readonly title?: string;
  readonly error: Error;
}

export interface ProblemDetails {
  /** What to do next, one sentence or command. */
  hint?: string;
  /** The HTTP status of the service's answer, when there was one. */
  httpStatus?: number;
  fields?: FieldProblem[];
  /** Which of several failed, for the JSON error. On a terminal each failure was shown when it happened. */
  failures?: readonly Failure[];
  /** The answer's Retry-After header: seconds or an HTTP date. */
  retryAfter?: string;
  request?: { method: string; path: string };
  /** Of something new: what it lacks, and nothing else is wrong. One of each group is wanted, by the names of the flags: `--title`. */
  missing?: readonly (readonly string[])[];
  cause?: unknown;
}

/** Whatever ends a command early. `code` is stable: scripts read it from the JSON error. */
export abstract class CrmError extends Error {
  abstract readonly code: string;
  abstract readonly exitStatus: number;
  readonly details: ProblemDetails;

  constructor(message: string, details: ProblemDetails = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
  }
}

/** The error, with these lines added to its hint. */
export function withHints(error: unknown, lines: readonly (string | undefined)[]): unknown {
  if (!(error instanceof CrmError)) return error;
  const all = [error.details.hint, ...lines].filter(Boolean);
  if (all.length > 0) error.details.hint = all.join('\n');
  return error;
}

/** What the system calls an error, such as ENOENT; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The command line, a file or a value is wrong. Nothing was sent. */
export class UsageError extends CrmError {
  readonly code = 'usage';
  readonly exitStatus = exitStatuses.usage.status;
}

/** An invalid value: where it was given (`--start`, `line 4, column Start`), and what is wrong with it. */
export interface InvalidValue {
  readonly where: string;
  readonly problem: string;
}

/** All invalid values of a command line. Nothing was sent. */
export class InvalidValues extends UsageError {
  readonly values: readonly InvalidValue[];
  /** The message only counts the values; the fields say what is wrong with each. */
  readonly onlyCounts: boolean;

  constructor(values: readonly InvalidValue[], message?: string) {
    const [{ where, problem } = { where: '', problem: '' }] = values;
    super(message ?? (values.length === 1 ? `${where}: ${problem}` : `${values.length} values are wrong.`));
    this.values = values;
    this.onlyCounts = message === undefined && values.length > 1;
  }
}

/** The error for one value. */
export const invalidValue = (where: string, problem: string): InvalidValues => new InvalidValues([{ where, problem }]);

/** The service has no such record (404). */
export class NotFoundError extends CrmError {
  readonly code = 'not_found';
  readonly exitStatus = exitStatuses.notFound.status;
}

/** No usable profile or key, or the service does not accept the key (401, 403). */
export class UnauthorizedError extends CrmError {
  readonly code = 'unauthorized';
  readonly exitStatus = exitStatuses.unauthorized.status;
}

/** The service refuses the request as it stands (400, 422 and other 4xx). */
export class RefusedError extends CrmError {
  readonly code = 'refused';
  readonly exitStatus = exitStatuses.refused.status;
}

/** The service still limits the rate after the retries (429). */
export class RateLimitedError extends CrmError {
  readonly code = 'rate_limited';
  readonly exitStatus = exitStatuses.rateLimited.status;
}

/** No usable answer: network, time-out, 5xx, a redirect elsewhere, an answer that can't be read. */
export class UnavailableError extends CrmError {
  readonly code = 'unavailable';
  readonly exitStatus = exitStatuses.unavailable.status;
}

/** Several records were asked for and some failed. */
export class PartialError extends CrmError {
  readonly code = 'partial';
  readonly exitStatus = exitStatuses.partial.status;
}

/** A confirmation is needed and nobody can give it, or it was refused. Nothing was sent. */
export class UnconfirmedError extends CrmError {
  readonly code = 'unconfirmed';
  readonly exitStatus = exitStatuses.unconfirmed.status;
}

/** The record's state forbids the request (409), or something exists already. */
export class ConflictError extends CrmError {
  readonly code = 'conflict';
  readonly exitStatus = exitStatuses.conflict.status;
}

/** A signal ended the command. */
export class InterruptedError extends CrmError {
  readonly code = 'interrupted';
  readonly exitStatus: number;

  readonly signal: EndingSignal;

  /** `note`: a sentence on what the signal cut off. */
  constructor(signal: EndingSignal, details: ProblemDetails & { note?: string } = {}) {
    const { word, status } = endings[signal];
    super(`${word}${details.note === undefined ? '' : ` ${details.note}`}`, details);
    this.signal = signal;
    this.exitStatus = status;
  }

  /** The same interruption as an aborted signal's reason, with details added. */
  static by(reason: unknown, details: ProblemDetails & { note?: string }): InterruptedError {
    return new InterruptedError(reason instanceof InterruptedError ? reason.signal : 'SIGINT', details);
  }
}

/** The signals that end a command in good order. */
export type EndingSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const endings: Readonly<Record<EndingSignal, { readonly word: string; readonly status: number }>> = {
  SIGHUP: { word: 'Hung up.', status: exitStatuses.hungUp.status },
  SIGINT: { word: 'Interrupted.', status: exitStatuses.interrupted.status },
  SIGTERM: { word: 'Terminated.', status: exitStatuses.terminated.status },
};
