// The tests that run the built command under Wine: `npm run test:everywhere` installs Node for Windows and runs these.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/windows/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
