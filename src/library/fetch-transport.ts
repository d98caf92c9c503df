// A `fetch` that the program brings, as a transport: that of a sandbox, or one beside a base URL.

import { orAborted } from '../api/deadline.ts';
import { AnswerTooLarge, maxAnswerBytes, maxProblemBytes, type Transport, type WireResponse } from '../api/transport/wire.ts';

/**
 * Requests to an origin by a `fetch`. Redirects come back as they are. Nobody knows how far a write came that it fails with: whatever it
 * says, the error tells nothing of that. A `fetch` may ignore its signal: the exchange ends with the signal all the same.
 */
export function fetchTransport(fetch: typeof globalThis.fetch, origin: string): Transport {
  return {
    exchange: async ({ method, target, headers, body = null }, signal) => {
      const answered = async (): Promise<WireResponse> => {
        const response = await fetch(`${origin}${target}`, { method, headers, body, signal, redirect: 'manual' });
        return { status: response.status, headers: Object.fromEntries(response.headers), body: await wholeBody(response, signal) };
      };
      try {
        return await orAborted(signal, answered());
      } catch (error) {
        if (method === 'GET' || error instanceof AnswerTooLarge) throw error;
        const said = error instanceof Error ? error.message : String(error);
        throw new Error(said.startsWith('fetch failed') ? said : `fetch failed: ${said}`);
      }
    },
    close: async () => {},
  };
}

/** Throws AnswerTooLarge for a success of too many bytes; of any other answer the rest is left, as of one that nobody waits for. */
async function wholeBody({ body, ok }: Response, signal: AbortSignal): Promise<WireResponse['body']> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    if (signal.aborted) break;
    chunks.push(chunk);
    length += chunk.length;
    if (length > (ok ? maxAnswerBytes : maxProblemBytes)) {
      if (ok) throw new AnswerTooLarge();
      break;
    }
  }
  return Buffer.concat(chunks);
}
