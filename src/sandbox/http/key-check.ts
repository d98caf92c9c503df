// Keys of the embedded CRM: whether a request carries one, and a new one. On its own, because only the server needs node:crypto for it.

import { randomBytes, timingSafeEqual } from 'node:crypto';

const scheme = 'bearer ';

/**
 * Tells whether an Authorization header is `Bearer <key>`, the scheme in any case (vendor facts: header scheme), in a time
 * that says nothing but how long the key is.
 */
export function keyCheck(key: string): (authorization: string) => boolean {
  const expected = Buffer.from(key);
  return (authorization) => {
    if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return false;
    const sent = Buffer.from(authorization.slice(scheme.length));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
}

/** A key that nobody can guess. */
export const randomKey = (): string => `crm_${randomBytes(18).toString('base64url')}`;
