// The error classes that the library exports. The command line throws the same classes.

export {
  ConflictError,
  CrmError,
  type ErrorCode,
  type FieldProblem,
  InterruptedError,
  InvalidValues,
  isCrmError,
  NotFoundError,
  PartialError,
  type ProblemDetails,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedError,
  UsageError,
} from '../../base/errors.ts';
