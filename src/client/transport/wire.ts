// Requests and answers between the client and a transport, encoded as on the wire.

import { limits, sizeText } from '../../base/limits.ts';
import type { Method } from '../types.ts';

export interface WireRequest {
  readonly method: Method;
  /** Encoded path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sends the request on a new connection: the last try failed, and other connections may be closed, too. */
  readonly fresh?: boolean;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Cut at `maxProblemBytes` for a status outside 2xx. */
  readonly body: Uint8Array;
}

export interface Transport {
  /** Sends a request. Throws UnusableAnswer, NotSent, or the network's error. */
  exchange(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  close(): Promise<void>;
  /** The content codings of answers that the transport decodes, for Accept-Encoding. */
  readonly codings?: string;
  /** The proxy, for messages. */
  readonly via?: ProxyFacts;
}

/** A proxy as messages tell it. */
export interface ProxyFacts {
  /** `the proxy at 127.0.0.1:3128 (HTTP_PROXY)` */
  readonly name: string;
  /** The variable that names the proxy. */
  readonly variable: string;
  /** True when the variable holds a user name. */
  readonly hasUser: boolean;
}

/** The advice for a user name or password with characters that a URL uses otherwise. */
export const encodedPassword = 'In a user name or password, write % as %25, @ as %40, : as %3A, / as %2F and # as %23.';

/** The longest 2xx answer in bytes. A longer answer is not read to its end. */
export const maxAnswerBytes = limits.answer;

/** The most bytes that are read of an answer outside 2xx. */
export const maxProblemBytes = 1024 * 1024;

/** A received answer that can't be used. The message says why: `its answer is larger than 64 MiB`. */
export class UnusableAnswer extends Error {
  readonly status: number;

  constructor(status: number, why: string, cause?: unknown) {
    super(why, { cause });
    this.status = status;
  }
}

/** The error for a 2xx answer with more than `maxAnswerBytes`. */
export const tooLarge = (status: number): UnusableAnswer =>
  new UnusableAnswer(status, `its answer is larger than ${sizeText(maxAnswerBytes)}`);

/** The request failed before anything was sent. The cause tells why. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** TLS with the proxy itself failed, so nothing was sent. The cause tells why. */
export class ProxyTlsError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** The first value of a header, or undefined. */
export function header(response: WireResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
