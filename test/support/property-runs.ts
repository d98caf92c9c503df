// Sets the number of examples for each property from CRM_PROPERTY_RUNS. A number in the test itself wins.

import { configureGlobal } from 'fast-check';

configureGlobal({ numRuns: Number(process.env.CRM_PROPERTY_RUNS) });
