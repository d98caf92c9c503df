// The examples that the README shows are those that run.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('the README shows the examples that run', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  for (const name of ['sandbox.test.ts', 'client.ts']) expect(readme).toContain(readFileSync(join(root, 'examples', name), 'utf8'));
});
