// The place of each planted fault stands in the program, once: whoever changes such a line hears of it at once, and not from the long campaign.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from './faults.ts';

it.each(faults)('$name: its place stands once in $file', ({ file, right }) => {
  const source = readFileSync(join(import.meta.dirname, '../../src', file), 'utf8');
  expect(source.split(right)).toHaveLength(2);
});
