// The embedded CRM as a transport: calls its handler in this process, without socket and key.

import { existsSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { UnauthorizedError } from '../../base/errors.ts';
import { openHandler } from '../../sandbox/http/answer.ts';
import { asSettingError, lockedError } from '../../sandbox/store/store.ts';
import { NotSent, type Transport, type WireRequest, type WireResponse } from './wire.ts';

/**
 * A transport to the embedded CRM's file. `made`: the command that makes the file. Throws UnauthorizedError when the file isn't there or
 * can't be used.
 */
export function sandboxTransport(path: string, made: string, clock: Clock): Transport {
  if (!existsSync(path)) {
    throw new UnauthorizedError(`There is no embedded CRM at ${path} yet.`, { hint: `Make one: ${made}` });
  }
  const handler = handlerOf(path, clock);
  return {
    async exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
      // All code below is synchronous. Without this turn of the event loop no signal would be noticed.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) throw new NotSent(signal.reason);
      const { method, headers, target, body = '' } = request;
      const answer = await handler.answer({ method, path: target, headers, body });
      // The cause tells callers that nothing was done.
      if (answer.isLocked) throw lockedError(path, new NotSent('The file is locked.'));
      return { status: answer.status, headers: answer.headers, body: Buffer.from(answer.body) };
    },
    close: async () => handler.close(),
  };
}

function handlerOf(path: string, clock: Clock): ReturnType<typeof openHandler> {
  try {
    return openHandler(path, { clock: () => clock.now().getTime() });
  } catch (error) {
    throw asSettingError(error);
  }
}
