// Every other story (simulation.test.ts).

import { afterAll, it } from 'vitest';
import { strike } from './stage.ts';
import { count, playEach } from './stories.ts';

afterAll(strike);

it.skipIf(process.env.CRM_SIMULATION_SEED !== undefined)(`half of ${count} stories`, { timeout: 3_600_000 }, () => playEach(2, 2));
