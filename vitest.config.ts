import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'examples/*.test.ts'],
    // They need packages of their own, see test/run.js.
    exclude: ['**/node_modules/**', 'test/referees/**'],
    setupFiles: process.env.CRM_PROPERTY_RUNS === undefined ? [] : ['test/support/property-runs.ts'],
    // Tests wait for processes and services more than they compute.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
