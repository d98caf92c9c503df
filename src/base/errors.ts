// The errors of crm, one class for each situation of the user, and the tables of exit statuses and error codes.

import { getSystemErrorMessage } from 'node:util';

/** The exit statuses, with their meanings in help. Part of the command line's contract. */
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
  unconfirmed: { status: 9, meaning: 'not confirmed: nobody could be asked, the answer was no, or the profile is read only' },
  conflict: { status: 10, meaning: 'conflict: the state of a record forbids the request, or the request was done or begun already' },
  found: { status: 11, meaning: 'finished, and found something wrong' },
  hungUp: { status: 129, meaning: 'hung up' },
  interrupted: { status: 130, meaning: 'interrupted' },
  terminated: { status: 143, meaning: 'terminated' },
} as const;
export type StatusName = keyof typeof exitStatuses;

/**
 * What an error says of the same command. `safe`: it may be sent again as it is. `never`: it would fail again. `look`: the hint's command
 * comes first, because a write may have arrived. `ask`: a person has to decide.
 */
export type Retry = 'safe' | 'never' | 'look' | 'ask';

/** The values of `error.code`, each with its exit status and with `error.retry` where nothing else is known. Codes don't change between versions. Each class below has a general code. */
export const errorCodes = {
  fault: { status: 'fault', retry: 'never', meaning: 'a fault in crm itself' },
  usage: { status: 'usage', retry: 'never', meaning: 'the command line is wrong, or a file that the command reads' },
  unknown_command: { status: 'usage', retry: 'never', meaning: 'there is no such command' },
  unknown_flag: { status: 'usage', retry: 'never', meaning: 'the command has no such flag' },
  missing_value: { status: 'usage', retry: 'never', meaning: 'a required value is missing' },
  invalid_value: { status: 'usage', retry: 'never', meaning: 'the value of a flag, an argument or a cell is not allowed there' },
  name_unknown: { status: 'usage', retry: 'never', meaning: 'no record has the name given in place of an id' },
  name_ambiguous: { status: 'usage', retry: 'never', meaning: 'several records have the name given in place of an id' },
  not_found: { status: 'notFound', retry: 'never', meaning: 'there is no such record, profile, run or address' },
  unauthorized: { status: 'unauthorized', retry: 'ask', meaning: 'the settings cannot be used' },
  no_profile: { status: 'unauthorized', retry: 'ask', meaning: 'no profile is chosen, or no profile has the given name' },
  no_key: { status: 'unauthorized', retry: 'ask', meaning: 'there is no key to the service, or the key command printed no key' },
  key_refused: { status: 'unauthorized', retry: 'ask', meaning: 'the service did not accept the key (401, 403)' },
  refused: { status: 'refused', retry: 'never', meaning: 'the service refused the request (400, 422 and other 4xx)' },
  email_taken: { status: 'refused', retry: 'never', meaning: 'the service has the email already (422)' },
  rate_limited: { status: 'rateLimited', retry: 'safe', meaning: 'still rate limited after the retries (429)' },
  unavailable: { status: 'unavailable', retry: 'safe', meaning: "the service failed, or its answer can't be used" },
  unreachable: { status: 'unavailable', retry: 'safe', meaning: 'no connection to the service, so nothing was sent' },
  timed_out: {
    status: 'unavailable',
    retry: 'safe',
    meaning: 'there was no complete answer in time; for a write the code is outcome_unknown',
  },
  outcome_unknown: { status: 'unavailable', retry: 'look', meaning: 'a write was sent, and nobody can tell whether it took effect' },
  not_taken: { status: 'unavailable', retry: 'ask', meaning: 'the service answered with success and kept a value as it was' },
  disk_full: { status: 'unavailable', retry: 'ask', meaning: 'the disk is full or failed, so a file could not be written' },
  partial: {
    status: 'partial',
    retry: 'never',
    meaning: 'some of several records or rows failed; the failures or rejects have the reasons',
  },
  unconfirmed: { status: 'unconfirmed', retry: 'ask', meaning: 'the command was not confirmed: --yes confirms it' },
  profile_protected: { status: 'unconfirmed', retry: 'ask', meaning: 'the profile is protected: --confirm NAME confirms writes' },
  read_only: {
    status: 'unconfirmed',
    retry: 'ask',
    meaning: 'the profile or CRM_READ_ONLY allows only reads, so the command sent nothing',
  },
  proposal_signed: { status: 'unconfirmed', retry: 'ask', meaning: 'a signed proposal was left unchanged: --clear-signatures changes it' },
  conflict: { status: 'conflict', retry: 'never', meaning: "the record's state, or something that exists already, forbids the request" },
  already_converted: { status: 'conflict', retry: 'never', meaning: 'the lead was converted already (409)' },
  no_client_account: { status: 'conflict', retry: 'never', meaning: 'the contact has no client account (409)' },
  name_taken: { status: 'conflict', retry: 'never', meaning: 'there is a profile of that name already' },
  already_imported: {
    status: 'conflict',
    retry: 'never',
    meaning: 'rows of the file were imported already: --again imports them once more',
  },
  run_unfinished: { status: 'conflict', retry: 'look', meaning: 'an import of these rows is unfinished: --resume continues it' },
  run_held: { status: 'conflict', retry: 'safe', meaning: 'another process is writing to the service' },
  found: { status: 'found', retry: 'never', meaning: 'a check found something wrong, or a count is outside --at-least and --at-most' },
  interrupted: { status: 'interrupted', retry: 'never', meaning: 'a signal ended the command' },
} as const satisfies Readonly<Record<string, { readonly status: StatusName; readonly retry: Retry; readonly meaning: string }>>;
export type ErrorCode = keyof typeof errorCodes;

/** The codes with a given status. */
export type CodeOf<Status extends StatusName> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];

/**
 * A refused value. `name`: the wire name in the service's answer, or the place of a typed value (`--start`). `flag`: the caller's own
 * name for a wire name: `--first-name`, in the library `first_name`.
 */
export interface FieldProblem {
  name: string;
  flag?: string;
  messages: string[];
  /** For a problem in many lines of a file: the first lines, and the count of all. */
  lines?: number[];
  count?: number;
}

/** The failure of one record of several. */
export interface Failure {
  /** A number where a float can hold the id exactly, else its digits. */
  readonly id: number | string;
  /** The record in messages: `lead 12`. */
  readonly name: string;
  /** The title of the record, if known. */
  readonly title?: string;
  readonly error: Error;
}

export interface ProblemDetails {
  /** The next thing to do: a sentence or a command. */
  hint?: string;
  /** The HTTP status of the service's answer, when there was one. */
  httpStatus?: number;
  fields?: FieldProblem[];
  /** The failed records, for the JSON error. On a terminal each failure was shown when it happened. */
  failures?: readonly Failure[];
  /** The answer's Retry-After header: seconds or an HTTP date. */
  retryAfter?: string;
  /** Seconds after which the request may be sent again: as Retry-After asks, counted from the answer's Date; else by crm's own pause. */
  retryIn?: number;
  request?: { method: string; path: string };
  /** The missing flags (`--title`) of an otherwise valid new record. One flag of each group is required. */
  missing?: readonly (readonly string[])[];
  /** What `error.retry` says, where the code alone doesn't tell. */
  retry?: Retry;
  /** The user asked for this outcome: a note, not an error. */
  isAsked?: boolean;
  /** The message without what it says of one request: a run has its own words for what became of its writes. */
  reason?: string;
  /** The id of the record created or changed before the failure, so that a program doesn't repeat the write. */
  id?: number | string;
  cause?: unknown;
}

/** Marks errors of crm, across copies of the library. */
const mark = Symbol.for('crm-admin.error');

/** The base class of crm's errors. Scripts and programs read `code`. */
export abstract class CrmError extends Error {
  abstract readonly code: ErrorCode;
  abstract readonly exitStatus: number;
  readonly details: ProblemDetails;

  constructor(message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = new.target.name;
    this.details = details;
    Object.defineProperty(this, mark, { value: true });
  }

  /** The message, and what the service said about each field: logs often hold the text of an error alone. */
  override toString(): string {
    const { httpStatus, fields = [] } = this.details;
    const said = httpStatus === undefined ? [] : fields.map(({ name, messages }) => `${name}: ${messages.join(' ')}`);
    return [`${this.name}: ${this.message}`, ...said].join(' ');
  }

  /** The members for JSON.stringify, including the message, which Error would leave out. */
  /** What the error says of the same call: see `Retry`. */
  get retry(): Retry {
    return retryOf(this, false);
  }

  toJSON(): { readonly name: string; readonly code: ErrorCode; readonly message: string; readonly retry: Retry; readonly details: object } {
    const { name, code, message, retry } = this;
    const { cause: _cause, retry: _retry, reason: _reason, ...details } = this.details;
    return { name, code, message, retry, details };
  }
}

/** The value of `error.retry`. `hasWritten`: a write of the command may have reached the service before the error. */
export function retryOf(error: unknown, hasWritten: boolean): Retry {
  if (!(error instanceof CrmError)) return hasWritten ? 'look' : 'never';
  const { code, details } = error;
  if (details.retry !== undefined) return details.retry;
  if (details.failures?.some((one) => retryOf(one.error, false) === 'look')) return 'look';
  const isOfWrite = hasWritten || (details.request !== undefined && details.request.method !== 'GET');
  return isOfWrite && afterWrites.has(code) ? 'look' : errorCodes[code].retry;
}

/** The codes that tell nothing of the writes before them. */
const afterWrites: ReadonlySet<ErrorCode> = new Set(['fault', 'unavailable', 'timed_out', 'found', 'interrupted']);

/** True for an error of crm: `instanceof` fails where a program has two copies of the library. */
export const isCrmError = (error: unknown): error is CrmError => error instanceof Error && mark in error;

/** The error with these lines added to its hint. */
export function withHints(error: unknown, lines: readonly (string | undefined)[]): unknown {
  if (!(error instanceof CrmError)) return error;
  const all = [error.details.hint, ...lines].filter(Boolean);
  if (all.length > 0) error.details.hint = all.join('\n');
  return error;
}

/** The system's code of an error, such as ENOENT; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why the system refused, in its own words, such as "no such file or directory". The code of an error without the system's number. */
export function systemReason(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number') return getSystemErrorMessage(error.errno);
  return systemCode(error) ?? 'unreadable';
}

/** Details whose code belongs to one status. Default: the general code of the class. */
type Coded<Status extends StatusName> = ProblemDetails & { readonly code?: CodeOf<Status> | undefined };

/** The type of a failure's class. Written out: an inferred type would put Node's types into the library's declarations. */
type FailureClass<Status extends StatusName> = new (
  message: string,
  details?: Coded<Status>,
) => CrmError & { readonly code: CodeOf<Status>; readonly exitStatus: number };

function failureClass<Status extends StatusName>(name: Status, general: CodeOf<Status>): FailureClass<Status> {
  return class extends CrmError {
    readonly code: CodeOf<Status>;
    readonly exitStatus = exitStatuses[name].status;

    constructor(message: string, { code = general, ...details }: Coded<Status> = {}) {
      super(message, details);
      this.code = code;
    }
  };
}

/** The command line, a file or a value is wrong. Nothing was sent. */
export class UsageError extends failureClass('usage', 'usage') {}

/** An invalid value: its place (`--start`, `line 4, column Start`) and the problem. */
export interface InvalidValue {
  readonly where: string;
  readonly problem: string;
  /** Default: invalid_value. */
  readonly code?: CodeOf<'usage'>;
}

/** All invalid values of a command line or a call, also in `details.fields`. Nothing was sent. */
export class InvalidValues extends UsageError {
  readonly values: readonly InvalidValue[];
  /** The message only counts the values; the fields have the problems. */
  readonly onlyCounts: boolean;

  constructor(values: readonly InvalidValue[], message?: string) {
    const [{ where, problem, code } = { where: '', problem: '' }] = values;
    super(message ?? (values.length === 1 ? `${where}: ${problem}` : `${values.length} values are wrong.`), {
      code: (values.every((one) => one.code === code) ? code : undefined) ?? 'invalid_value',
      fields: values.map(({ where: name, problem: said }) => ({ name, messages: [said] })),
    });
    this.values = values;
    this.onlyCounts = message === undefined && values.length > 1;
  }
}

/** The error for one value. */
export const invalidValue = (where: string, problem: string, code?: CodeOf<'usage'>): InvalidValues =>
  new InvalidValues([{ where, problem, ...(code === undefined ? {} : { code }) }]);

/** The service has no such record (404). */
export class NotFoundError extends failureClass('notFound', 'not_found') {}

/** No usable profile or key, or the service does not accept the key (401, 403). */
export class UnauthorizedError extends failureClass('unauthorized', 'unauthorized') {}

/** The service refuses the request as it stands (400, 422 and other 4xx). */
export class RefusedError extends failureClass('refused', 'refused') {}

/** The service still limits the rate after the retries (429). */
export class RateLimitedError extends failureClass('rateLimited', 'rate_limited') {}

/** No usable answer: network, time-out, 5xx, a redirect elsewhere, an answer that can't be read. */
export class UnavailableError extends failureClass('unavailable', 'unavailable') {}

/** A list that was read and is not complete: other records came and went while it was read, or its total is wrong. */
export class IncompleteListError extends UnavailableError {}

/** Some of several records failed; or a record was created or changed (`details.id`) and a later request failed. */
export class PartialError extends failureClass('partial', 'partial') {}

/** A confirmation is needed and nobody can give it, or it was refused. Nothing was sent. */
export class UnconfirmedError extends failureClass('unconfirmed', 'unconfirmed') {}

/** The record's state forbids the request (409), or something exists already. */
export class ConflictError extends failureClass('conflict', 'conflict') {}

/** The command finished and found something wrong. */
export class FoundError extends failureClass('found', 'found') {}

/** `note`: a second sentence for the message. `isUnknown`: a write was interrupted and may have taken effect. */
interface Interruption extends ProblemDetails {
  note?: string;
  isUnknown?: boolean;
}

/**
 * A signal ended the command, or an AbortSignal ended a call of the library. A call that was writing has the code `outcome_unknown`. The
 * `name` of an ended call is `AbortError`, as programs expect of an abort.
 */
export class InterruptedError extends CrmError {
  readonly code: 'interrupted' | 'outcome_unknown';
  readonly exitStatus: number;
  readonly signal: EndingSignal | 'abort';

  constructor(signal: EndingSignal | 'abort', { note, isUnknown = false, ...details }: Interruption = {}) {
    const { word, status } = endings[signal];
    super(`${word}${note === undefined ? '' : ` ${note}`}`, details);
    if (signal === 'abort') this.name = 'AbortError';
    this.signal = signal;
    this.exitStatus = status;
    this.code = signal === 'abort' && isUnknown ? 'outcome_unknown' : 'interrupted';
  }

  /** The interruption by an aborted signal's reason, with details. A reason that is no interruption counts as SIGINT. */
  static by(reason: unknown, details: Interruption): InterruptedError {
    return new InterruptedError(reason instanceof InterruptedError ? reason.signal : 'SIGINT', details);
  }
}

/** The signals after which a command ends in good order. */
export type EndingSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

const endings: Readonly<Record<EndingSignal | 'abort', { readonly word: string; readonly status: number }>> = {
  abort: { word: 'The call was aborted.', status: exitStatuses.interrupted.status },
  SIGHUP: { word: 'Hung up.', status: exitStatuses.hungUp.status },
  SIGINT: { word: 'Interrupted.', status: exitStatuses.interrupted.status },
  SIGTERM: { word: 'Terminated.', status: exitStatuses.terminated.status },
};
