import { expect, it } from 'vitest';
import { inThousands } from '../../src/base/limits.ts';

it.each([
  [0, '0'],
  [7, '7'],
  [999, '999'],
  [1000, '1,000'],
  [40_000, '40,000'],
  [123_456, '123,456'],
  [1_048_576, '1,048,576'],
])('writes %d with commas', (count, text) => {
  expect(inThousands(count)).toBe(text);
});
