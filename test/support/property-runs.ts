// How many examples a property is tried with: CRM_PROPERTY_RUNS says how many in CI; every day a number in the test itself is divided.

import { configureGlobal } from 'fast-check';

const { CRM_PROPERTY_RUNS: wanted } = process.env;
if (wanted !== undefined) configureGlobal({ numRuns: Number(wanted) });

/** The examples of a property that takes its time: all of them in CI, every day a share. */
export const runs = (all: number, share = 1 / 5): { numRuns: number } => ({ numRuns: wanted === undefined ? Math.ceil(all * share) : all });
