// What passes between the client and a transport: requests and answers as they stand on the wire.

import { limits } from '../../values/limits.ts';
import type { Method } from '../types.ts';

export interface WireRequest {
  readonly method: Method;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A read on a new connection: the last try broke, and the service may have closed the other connections, too. */
  readonly fresh?: boolean;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Cut off at `maxProblemBytes` when the status is not a success. */
  readonly body: Uint8Array;
}

export interface Transport {
  /** Throws AnswerTooLarge, NotSent, or the network's error. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
  /** The proxy in between, for messages. */
  readonly via?: string;
}

/** A successful answer longer than this many bytes is not read to its end, so that it can't fill the memory. */
export const maxAnswerBytes = limits.answer;

/** How many bytes are read of an answer that is no success. */
export const maxProblemBytes = 1024 * 1024;

export class AnswerTooLarge extends Error {}

/** The request failed before any of it left: the service can't have seen it. The cause tells why. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The first value of a header, or undefined. */
export function header(response: WireResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
