import { defineConfig } from 'vitest/config';
import { daily, everywhere, quick } from './test/suites.ts';

export default defineConfig({
  test: {
    setupFiles: process.env.CRM_PROPERTY_RUNS === undefined ? [] : ['test/support/property-runs.ts'],
    // Tests wait for processes and services more than they compute.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'quick', include: quick, isolate: false } },
      { extends: true, test: { name: 'daily', include: daily } },
      { extends: true, test: { name: 'everywhere', include: everywhere } },
    ],
  },
});
