// The errors that the library throws: those of the command line, with the same stable codes.

export {
  ConflictError,
  CrmError,
  type ErrorCode,
  type FieldProblem,
  InterruptedError,
  InvalidValues,
  NotFoundError,
  type ProblemDetails,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedError,
  UsageError,
} from '../errors.ts';
