// A workplace for tests of the history: an embedded CRM behind a proxy with faults.

import { afterEach, beforeEach } from 'vitest';
import { openWorkplace, type Workplace } from '../../seed/support.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/faulty-proxy.ts';

/** The workplace and the proxy of the test that runs: both are new for each test. */
export function eachBehindProxy(options?: Parameters<typeof openWorkplace>[0]): { place: Workplace; proxy: FaultyProxy } {
  const at = {} as { place: Workplace; proxy: FaultyProxy };
  beforeEach(async () => {
    at.place = await openWorkplace(options);
    at.proxy = await startFaultyProxy(at.place.server.baseUrl);
  });
  afterEach(async () => {
    await at.proxy.close();
    await at.place.close();
  });
  return at;
}
