// Whether a request carries the key. On its own, because only the server needs node:crypto for it.

import { hash, timingSafeEqual } from 'node:crypto';

/** Tells whether an Authorization header is `Bearer <key>`, in a time that says nothing about how near it is. */
export function keyCheck(key: string): (authorization: string) => boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  const expected = digest(`Bearer ${key}`);
  return (authorization) => timingSafeEqual(digest(authorization), expected);
}
