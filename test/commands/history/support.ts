// A workplace for tests of the history: an embedded CRM behind a proxy with faults.

import { afterEach, beforeEach } from 'vitest';
import { eachWorkplace, type Workplace } from '../../seed/support.ts';
import type { Crm } from '../../support/crm.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';

/** A run as the history tells of it. */
export interface Run {
  readonly run: string;
  readonly kind: string;
  readonly command: string;
  readonly did: string;
  readonly state: string;
  readonly left: string | null;
}

/** What the history tells, the latest first. */
export const historyOf = async ({ crm }: Pick<Workplace, 'crm'>): Promise<Run[]> => JSON.parse((await crm(['history', '--json'])).stdout);

interface BehindProxy {
  /** The workplace and the proxy of the test that runs: both are new for each test. */
  readonly place: Workplace;
  proxy: FaultyProxy;
  /** Runs `crm` against the proxy. */
  readonly crm: (...args: string[]) => Promise<Crm>;
  readonly history: () => Promise<Run[]>;
}

export function eachBehindProxy(options?: Parameters<typeof eachWorkplace>[0]): BehindProxy {
  const place = eachWorkplace(options);
  const crm: BehindProxy['crm'] = (...args) => place.crm(args, { env: { CRM_BASE_URL: at.proxy.baseUrl, CRM_TEST_WAITS: '0.01' } });
  const at = { place, crm, history: () => historyOf({ crm: (args) => crm(...args) }) } as BehindProxy;
  beforeEach(async () => {
    at.proxy = await startFaultyProxy(place.server.baseUrl);
  });
  afterEach(() => at.proxy.close());
  return at;
}
