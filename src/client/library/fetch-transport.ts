// Makes a transport of a program's own `fetch`.

import { orAborted } from '../deadline.ts';
import { maxAnswerBytes, maxProblemBytes, type Transport, tooLarge, UnusableAnswer, type WireResponse } from '../transport/wire.ts';

/**
 * Sends requests to an origin with `fetch`; redirects are not followed. After a failure of `fetch` the outcome of a write is unknown. The
 * exchange ends with the signal even when `fetch` ignores it.
 */
export function fetchTransport(fetch: typeof globalThis.fetch, origin: string): Transport {
  return {
    exchange: async ({ method, target, headers, body = null }, signal) => {
      const fetched = async (): Promise<WireResponse> => {
        const response = await fetch(`${origin}${target}`, { method, headers, body, signal, redirect: 'manual' });
        return { status: response.status, headers: Object.fromEntries(response.headers), body: await responseBytes(response, signal) };
      };
      try {
        return await orAborted(signal, fetched());
      } catch (error) {
        if (method === 'GET' || error instanceof UnusableAnswer) throw error;
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(said.startsWith('fetch failed') ? said : `fetch failed: ${said}`);
      }
    },
    close: async () => {},
  };
}

/** An answer outside 2xx is cut: it only explains the status. */
async function responseBytes({ body, ok, status }: Response, signal: AbortSignal): Promise<WireResponse['body']> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    if (signal.aborted) break;
    chunks.push(chunk);
    length += chunk.length;
    if (length > (ok ? maxAnswerBytes : maxProblemBytes)) {
      if (ok) throw tooLarge(status);
      break;
    }
  }
  return Buffer.concat(chunks);
}
