// Steps and journals of a test's own.

import { Journal } from '../../src/runs/journal/journal.ts';
import type { Run, RunHeader } from '../../src/runs/journal/run.ts';
import type { Step } from '../../src/runs/step.ts';

export const service = 'http://crm.example';

export const header: Omit<RunHeader, 'name'> = {
  kind: 'test',
  title: 'f.csv',
  began: '2026-11-20T10:00:00.000Z',
  command: 'crm leads import f.csv --resume',
  details: { family: 'leads' },
};

/** A run whose journal is gone with the test. */
export const runInMemory = (): Run => Journal.inMemory(service).begin(header);

/** A step that is only noted. */
export const noted = (n: number, more: Partial<Step> = {}): Step => ({
  n,
  key: `line ${n + 1}`,
  family: 'leads',
  digest: new Uint8Array(16).fill(n),
  prepare: () => Promise.reject(new Error('It is only noted.')),
  lookFor: () => ({ kind: 'repeatable' }),
  ...more,
});
