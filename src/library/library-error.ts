// The errors of the program underneath, as the library throws them.

import * as command from '../errors.ts';
import { CrmError as CommandError, type FieldProblem, InterruptedError } from '../errors.ts';
import {
  AbortError,
  ConflictError,
  CrmError,
  type ErrorCode,
  type ErrorDetails,
  InvalidValues,
  NotFoundError,
  PartialError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedError,
  UsageError,
  type ValueProblem,
} from './errors.ts';

/** What each class of the program underneath is here, the narrower one first. Their names tell nothing: a bundler gives others. */
const classes: readonly (readonly [abstract new (...args: never[]) => CommandError, typeof CrmError])[] = [
  [command.InvalidValues, InvalidValues],
  [command.UsageError, UsageError],
  [command.NotFoundError, NotFoundError],
  [command.UnauthorizedError, UnauthorizedError],
  [command.RefusedError, RefusedError],
  [command.RateLimitedError, RateLimitedError],
  [command.UnavailableError, UnavailableError],
  [command.PartialError, PartialError],
  [command.UnconfirmedError, UnconfirmedError],
  [command.ConflictError, ConflictError],
];

/** The error of a record that was created or changed and could not be read. */
export function unreadError(
  { singular }: { readonly singular: string },
  id: number | string,
  did: 'created' | 'changed',
  error: unknown,
  seen: string,
): PartialError {
  const why = libraryError(error);
  // That nothing was sent is true of the read alone.
  const said = (why instanceof Error ? why.message : String(why)).replace(/ Nothing was sent\.$/, '');
  return new PartialError(
    `The ${singular} ${id} was ${did}, but could not be read: ${said}`,
    'partial',
    { id, hint: `${did === 'created' ? "Don't create it again. " : ''}See it with: ${seen}` },
    why,
  );
}

/** What work gives that ends at once. Throws what `libraryError` makes of what fails. */
export function inLibraryWords<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw libraryError(error);
  }
}

/** An error of the program underneath as the library throws it; any other is left as it is. */
export function libraryError(error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  if (error instanceof InterruptedError) return aborted(error);
  const [, Class = CrmError] = classes.find(([theirs]) => error instanceof theirs) ?? [];
  const made = new Class(error.message, error.code as ErrorCode, detailsOf(error), causeOf(error));
  return Object.assign(made, { stack: error.stack?.replace(/^[\w$]+/, made.name) });
}

function aborted(error: InterruptedError): AbortError {
  const isUnknown = error.message.includes(' is unknown: ');
  const rest = error.message.replace(/^Interrupted\. ?/, '');
  const message = rest === 'The client is closed.' ? rest : `The call was aborted. ${rest}`.trimEnd();
  return new AbortError(message, isUnknown ? 'outcome_unknown' : 'aborted', detailsOf(error), causeOf(error));
}

/** What another error of the program caused is told by this one. */
const causeOf = ({ cause }: Error): unknown => (cause instanceof CommandError ? libraryError(cause) : cause);

function detailsOf(error: CommandError): ErrorDetails {
  const { hint, httpStatus, fields, retryAfter, request } = error.details;
  const wrong = error instanceof command.InvalidValues ? valuesOf(error) : fields?.map(problemOf);
  return {
    ...(hint === undefined ? {} : { hint }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(wrong === undefined ? {} : { fields: wrong }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(request === undefined ? {} : { request }),
  };
}

function valuesOf({ values }: command.InvalidValues): ValueProblem[] {
  return values.map(({ where, problem }) => ({ name: where, messages: [problem] }));
}

const problemOf = ({ name, flag, messages }: FieldProblem): ValueProblem =>
  flag === undefined ? { name, messages } : { name: flag, wire: name, messages };
