// Whether a request carries the key. On its own, because only the server needs node:crypto for it.

import { timingSafeEqual } from 'node:crypto';

/** Tells whether an Authorization header is `Bearer <key>`, in a time that says nothing but how long the key is. */
export function keyCheck(key: string): (authorization: string) => boolean {
  const expected = Buffer.from(`Bearer ${key}`);
  return (authorization) => {
    const given = Buffer.from(authorization);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}
