// The tests that need this folder's own packages: `npm run test:everywhere` installs them and runs these, on the pinned runtime, beside other
// tests.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/referees/*.test.ts'], maxWorkers: 1, maxConcurrency: 2, testTimeout: 600_000, hookTimeout: 600_000 },
});
