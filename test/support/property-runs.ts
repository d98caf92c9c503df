// With CRM_PROPERTY_RUNS: how many examples each property is tried with, where a test doesn't say so itself.

import { configureGlobal } from 'fast-check';

configureGlobal({ numRuns: Number(process.env.CRM_PROPERTY_RUNS) });
