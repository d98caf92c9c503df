// A workplace for tests of the history: an embedded CRM behind a proxy with faults.

import { afterEach, beforeEach } from 'vitest';
import { eachWorkplace, type Workplace } from '../../seed/support.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';

/** The workplace and the proxy of the test that runs: both are new for each test. */
export function eachBehindProxy(options?: Parameters<typeof eachWorkplace>[0]): { place: Workplace; proxy: FaultyProxy } {
  const at = { place: eachWorkplace(options) } as { place: Workplace; proxy: FaultyProxy };
  beforeEach(async () => {
    at.proxy = await startFaultyProxy(at.place.server.baseUrl);
  });
  afterEach(() => at.proxy.close());
  return at;
}
