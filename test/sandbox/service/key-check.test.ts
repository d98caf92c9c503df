// The key: exactly `Bearer <key>`, compared by Node's own constant-time function.

import { expect, it, vi } from 'vitest';
import { keyCheck } from '../../../src/sandbox/key-check.ts';

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
  ['Bearer secret', true],
  ['', false],
  ['secret', false],
  ['Bearer ', false],
  ['Bearer secre', false],
  ['Bearer secret2', false],
  ['bearer secret', false],
  [`Bearer ${'x'.repeat(10_000)}`, false],
])('%s: %s', (authorization, isRight) => {
  const isAuthorized = keyCheck('secret');
  compared.length = 0;
  expect(isAuthorized(authorization)).toBe(isRight);
  expect(compared).toEqual([[32, 32]]);
});
