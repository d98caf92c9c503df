// The service as a run uses it: one limiter for everything that is sent, and requests that a first Ctrl-C lets finish.

import type { Api } from '../api/client.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import type { Context } from '../context.ts';
import { createLimiter } from '../runs/limiter.ts';
import { limitedApi, openBulkApi } from './legacy/limited-api.ts';

export interface Service {
  /** Reads are tried again after passing failures; of writes, those that certainly did not arrive. */
  readonly api: Api;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** How many requests at once. */
  readonly concurrency: number;
  /** So many failures came in a row that going on makes no sense. */
  readonly exhausted: boolean;
  /** Sends a write that may arrive twice without harm: it is tried again after passing failures. */
  repeat(request: ApiRequest): Promise<Answer>;
  close(): Promise<void>;
}

export interface Pace {
  readonly concurrency: number;
  /** Requests a second. */
  readonly rate?: number;
}

/** Opens the service of the settings in force. Throws UnauthorizedError when there is no usable key. */
export async function openService(context: Context, { concurrency, rate }: Pace): Promise<Service> {
  const open = await openBulkApi(context, concurrency);
  const limiter = createLimiter({
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    retries: context.flags.retries,
    signal: context.signal,
    now: context.now,
    random: Math.random,
  });
  return {
    api: limitedApi(open, limiter, context.signal),
    timeout: context.flags.timeout,
    concurrency,
    get exhausted() {
      return limiter.exhausted;
    },
    repeat: (request) => limiter.run(() => open.write(request), true),
    close: () => open.close(),
  };
}
