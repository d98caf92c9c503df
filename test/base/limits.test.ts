import { expect, it } from 'vitest';
import { inThousands, limitsInWords, sizeText, spanText } from '../../src/base/limits.ts';

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

it.each([
  [0, '0 s'],
  [1, '1 s'],
  [1000, '1 s'],
  [1001, '2 s'],
  [119_000, '119 s'],
  [119_001, '2 min'],
  [120_000, '2 min'],
  [121_000, '3 min'],
  [3_600_000, '1 h'],
  [3_660_000, '61 min'],
  [7_199_000, '120 min'],
  [7_200_000, '2 h'],
  [7_201_000, '3 h'],
])('a span of %d ms is %s', (milliseconds, text) => {
  expect(spanText(milliseconds)).toBe(text);
});

it.each([
  [1_048_576, '1 MiB'],
  [67_108_864, '64 MiB'],
  [1_072_693_248, '1023 MiB'],
  [1_073_741_824, '1 GiB'],
  [2_147_483_648, '2 GiB'],
])('a size of %d bytes is %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

// Help topics name them.
it('says the limits that the contract names, and those of this machine', () => {
  expect(limitsInWords).toEqual({
    jqMemory: expect.stringMatching(/^\d+ [MG]iB$/),
    jqRecords: expect.stringMatching(/^[\d,]+$/),
    jsonArray: expect.stringMatching(/^\d+ [MG]iB$/),
    retries: '3',
    lockWait: '60 s',
    waitOfOne: '60 s',
    waitOfMany: '1 h',
    waitRefused: '10 min',
    waitUnreached: '60 s',
  });
});
