// Tells whether a client signed a proposal. A change of the status clears the signature for good. Pure.

import { UnavailableError } from '../../base/errors.ts';
import type { Id } from '../../base/values/parse.ts';
import { isMembers, valueAt } from '../../base/values/paths.ts';

/** True when a signature has any value: a service may give a name without a date (interface: Proposal, `signed`). */
export function isSigned(proposal: unknown): boolean {
  const signed = valueAt(proposal, 'signed');
  if (!isMembers(signed)) return signed !== undefined && signed !== null && signed !== false && signed !== '';
  return Object.values(signed).some((value) => value !== null && value !== undefined && value !== '');
}

/** `isSigned` for a proposal that is about to change. Throws UnavailableError when the record has no member `signed`. */
export function isKnownSigned(proposal: unknown, id: Id): boolean {
  if (valueAt(proposal, 'signed') !== undefined) return isSigned(proposal);
  throw new UnavailableError(`The service does not tell whether proposal ${id} is signed; nothing was changed.`);
}
