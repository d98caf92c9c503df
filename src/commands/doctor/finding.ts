// One check of crm doctor, and what becomes of one that fails by itself.

import { CrmError, InterruptedError, systemCode } from '../../errors.ts';
import type { Finding } from '../../output/result.ts';

export interface CheckResult extends Pick<Finding, 'check' | 'state' | 'found'> {
  /** What to do. */
  readonly advice?: string;
}

/** The row of a check that found nothing wrong. */
export const ok = (check: string, found: string): CheckResult => ({ check, state: 'ok', found });

/** What an error says, as a row: wrong, with its hint as the advice. Throws the reason of a signal, which ends the command. */
export function wrong(check: string, error: unknown): CheckResult {
  if (error instanceof InterruptedError) throw error;
  if (!(error instanceof CrmError)) {
    // What the system refuses is as wrong as what crm does; of anything else nothing is known.
    const state = systemCode(error) === undefined ? 'unknown' : 'wrong';
    return { check, state, found: error instanceof Error ? error.message : String(error) };
  }
  const { hint } = error.details;
  return { check, state: 'wrong', found: error.message, ...(hint === undefined ? {} : { advice: hint.replaceAll('\n', ' ') }) };
}

/** The rows of a check; one row where it fails by itself. Throws the reason of a signal. */
export async function checked(
  check: string,
  look: () => Promise<readonly CheckResult[]> | readonly CheckResult[],
): Promise<readonly CheckResult[]> {
  try {
    return await look();
  } catch (error) {
    return [wrong(check, error)];
  }
}
