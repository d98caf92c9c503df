// What passes between the client and a transport: requests and answers as they stand on the wire.

import type { Method } from './types.ts';

export interface WireRequest {
  readonly method: Method;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface Transport {
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
}

/** An answer beyond this many bytes is not read to its end: it would only fill the memory. */
export const maxAnswerBytes = 64 * 1024 * 1024;

export class AnswerTooLarge extends Error {}

/** The first value of a header, or undefined. */
export function header(response: WireResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
