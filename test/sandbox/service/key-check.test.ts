// The key: exactly `Bearer <key>`, the scheme in any case, compared by Node's own constant-time function.

import { expect, it, vi } from 'vitest';
import { keyCheck } from '../../../src/sandbox/http/key-check.ts';

const { compared } = vi.hoisted(() => ({ compared: [] as [number, number][] }));

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const timingSafeEqual: typeof crypto.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength]);
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, timingSafeEqual };
});

it.each([
  ['Bearer secret', true, 1],
  ['Bearer Secret', false, 1],
  ['bearer secret', true, 1],
  ['BEARER secret', true, 1],
  ['Bearers secret', false, 0],
  ['', false, 0],
  ['secret', false, 0],
  ['Bearer ', false, 0],
  ['Bearer  secret', false, 0],
  ['Bearer secre', false, 0],
  ['Bearer secret2', false, 0],
  [`Bearer ${'x'.repeat(10_000)}`, false, 0],
])('%s: %s', (authorization, isRight, comparisons) => {
  const isAuthorized = keyCheck('secret');
  compared.length = 0;
  expect(isAuthorized(authorization)).toBe(isRight);
  expect(compared).toHaveLength(comparisons);
});
