// Writes whose answer was lost: which those are, and how long to wait before looking for what they did.

import { isTimeout } from '../../api/retry.ts';
import { type CrmError, RefusedError, UnavailableError } from '../../errors.ts';

/** How long a lost request may still be on its way into the service, in milliseconds; after a time-out, longer. */
export const quietTime = 2000;
const longQuietTime = 15_000;

/**
 * How long to wait, in milliseconds, before looking for what a run had sent when it was killed: the service may still be
 * at work on it. `timeout` is the time for one request, `lastWrite` that of its journal's last line.
 */
export function quietTimeSince(lastWrite: number | undefined, now: Date, timeout: number): number {
  const longest = Math.min(longQuietTime, timeout);
  return lastWrite === undefined ? 0 : Math.min(longest, Math.max(0, lastWrite + longest - now.getTime()));
}

/** Whether a write may have taken effect although it failed. Pass only what was sent for certain. */
export function isLost(error: unknown): error is UnavailableError | RefusedError {
  return error instanceof UnavailableError || (error instanceof RefusedError && error.details.httpStatus === 408);
}

/** How long to wait before looking for what a failed write did, in milliseconds. */
export function quietTimeAfter({ details }: CrmError): number {
  return isTimeout(details.cause) || details.httpStatus === 504 || details.httpStatus === 408 ? longQuietTime : quietTime;
}
