// The API client behind a limiter: reads and writes take their turns, and the limiter alone decides what is sent again.

import type { Api } from '../api/client.ts';
import type { Context } from '../context.ts';
import { openApi } from '../open-api.ts';
import type { Limiter } from './limiter.ts';

/**
 * Opens a client whose writes are not cut off by the context's signal: the first Ctrl-C of a bulk command lets what is
 * under way finish. Its writes share `connections` sockets, so whoever uses it must find out what became of a write whose
 * answer was lost.
 */
export async function openBulkApi(context: Context, connections: number): Promise<Api> {
  const unhurried: Context = { ...context, flags: { ...context.flags, retries: 0, quiet: true }, signal: new AbortController().signal };
  return openApi(unhurried, await context.settings(), { connections, sharedWrites: true });
}

/** The client with every request in the limiter's turns. Reads end with `signal`. */
export function limitedApi(api: Api, limiter: Limiter, signal: AbortSignal): Api {
  return {
    ...api,
    read: (request, own) => {
      const either = own === undefined ? signal : AbortSignal.any([own, signal]);
      return limiter.run(() => api.read(request, either), true);
    },
    write: (request) => limiter.run(() => api.write(request)),
  };
}
