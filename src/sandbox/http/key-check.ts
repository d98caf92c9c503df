// Whether a request carries the key. A file of its own, because only the server needs it, and node:crypto with it.

import { timingSafeEqual } from 'node:crypto';

/** Tells whether an Authorization header is `Bearer <key>`, in a time that reveals nothing but the key's length. */
export function keyCheck(key: string): (authorization: string) => boolean {
  const expected = Buffer.from(`Bearer ${key}`);
  return (authorization) => {
    const given = Buffer.from(authorization);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
