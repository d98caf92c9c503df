// The tests that need this folder's own packages: `npm run test:everywhere` installs them and runs these, on the pinned runtime.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/referees/*.test.ts'], maxWorkers: 3, testTimeout: 60_000, hookTimeout: 60_000 },
});
