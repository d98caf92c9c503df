// The error of a run that ended early: what became of the run stands first, and the error of one request behind as the reason.

import { isCrmError, UnavailableError, withHints } from '../base/errors.ts';
import { howMany } from '../base/values/text/wording.ts';

interface SoFar {
  readonly done: number;
  readonly failed: number;
  /** The writes of which nobody can tell whether they took effect. */
  readonly unknown: number;
  readonly total: number;
}

/** `1607 of 3000 rows went through, 4 are unknown, 1389 were not sent` */
export function soFarText({ done, failed, unknown, total }: SoFar, singular: string, plural = `${singular}s`): string {
  const unsent = Math.max(0, total - done - failed - unknown);
  const were = (count: number, one: string, many: string, what: string): string =>
    count === 0 ? '' : `${count} ${count === 1 ? one : many} ${what}`;
  return [
    `${done} of ${howMany(total, singular, plural)} went through`,
    failed === 0 ? '' : `${failed} failed`,
    were(unknown, 'is', 'are', 'unknown'),
    were(unsent, 'was', 'were', 'not sent'),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * The error of a run, with the reason of the request that ended the run. `unknown`: writes of unknown outcome. What is said of the request
 * alone is left out: "Nothing was sent.", its code, the command that looks at its record. Any other error stays.
 */
export function endedEarly(error: unknown, soFar: string, unknown: number, hints: readonly (string | undefined)[] = []): unknown {
  if (!isCrmError(error)) return withHints(error, hints);
  const { reason, hint, ...details } = error.details;
  const message = `${soFar}: ${uncapitalised(reason ?? error.message)}`;
  if (!(error instanceof UnavailableError) || error.code === 'disk_full') {
    error.message = message;
    return withHints(error, hints);
  }
  // The hint with a command that checks one write goes: going on checks all writes.
  const kept = error.code === 'outcome_unknown' ? {} : { ...(hint === undefined ? {} : { hint }) };
  const code = unknown > 0 ? 'outcome_unknown' : 'unavailable';
  // What was never sent may be sent again.
  const retry = error.code === 'unreachable' && unknown === 0 ? { retry: details.retry ?? ('safe' as const) } : {};
  return withHints(new UnavailableError(message, { ...details, ...kept, ...retry, code, cause: error }), hints);
}

/** A name in capitals stays. */
const uncapitalised = (text: string): string => text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
