// Checks the key of a request, and makes new keys. In a file of its own, because only the server needs to load node:crypto.

import { randomBytes, timingSafeEqual } from 'node:crypto';

const scheme = 'bearer ';

/**
 * Checks that an Authorization header is `Bearer <key>`, the scheme in any case (vendor facts: header scheme). The time taken
 * depends on the length of the key alone.
 */
export function keyCheck(key: string): (authorization: string) => boolean {
  const expected = Buffer.from(key);
  return (authorization) => {
    if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) return false;
    const sent = Buffer.from(authorization.slice(scheme.length));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
}

/** A new key of 144 random bits. */
export const randomKey = (): string => `crm_${randomBytes(18).toString('base64url')}`;
