// What a transport by somebody's fetch says of a failure.

import { expect, it } from 'vitest';
import { fetchTransport } from '../../../src/client/library/fetch-transport.ts';
import { failureOf } from '../../../src/client/problem.ts';

it.each([
  ['fetch failed', 'fetch failed'],
  ['no route', 'fetch failed: no route'],
])('%s', async (said, told) => {
  const fetch = async (): Promise<Response> => {
    throw new TypeError(said);
  };
  const request = { method: 'POST' as const, target: '/api/leads', headers: {} };
  const failure: unknown = await fetchTransport(fetch, 'http://sandbox')
    .exchange(request, AbortSignal.timeout(9000))
    .catch((error: unknown) => error);
  const { message } = failureOf(
    { method: 'POST', path: '/api/leads' },
    failure,
    { baseUrl: 'sandbox:', keySource: 'a test' },
    { timeout: 1000, knows: false },
  );
  expect(message).toBe(
    `No usable answer from the embedded CRM: ${told}. The outcome of POST /api/leads is unknown: it may or may not have taken effect.`,
  );
});
