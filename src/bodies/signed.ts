// Whether a record was signed by a client, which a change of its status takes back for good. Pure.

import { UnavailableError } from '../errors.ts';
import type { Id } from '../values/parse.ts';
import { isMembers, valueAt } from '../values/paths.ts';

/** Whether anything of a signature is recorded: a service may give a name without a date (interface: Proposal, `signed`). */
export function isSigned(proposal: unknown): boolean {
  const signed = valueAt(proposal, 'signed');
  if (!isMembers(signed)) return signed !== undefined && signed !== null && signed !== false && signed !== '';
  return Object.values(signed).some((value) => value !== null && value !== undefined && value !== '');
}

/** The same of a proposal that is to be changed. Throws UnavailableError where the service doesn't tell. */
export function isKnownSigned(proposal: unknown, id: Id): boolean {
  if (valueAt(proposal, 'signed') !== undefined) return isSigned(proposal);
  throw new UnavailableError(`The service does not tell whether proposal ${id} is signed; nothing was changed.`);
}
