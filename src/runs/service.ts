// The service as a run sees it: a client with one limiter for all requests. Sends nothing.

import type { Clock } from '../base/clock.ts';
import type { Api } from '../client/client.ts';
import type { Limiter } from '../client/limiter.ts';
import type { Answer, ApiRequest } from '../client/types.ts';

/** The speed of a run. */
export interface Pace {
  /** Requests at once. */
  readonly concurrency: number;
  /** The most requests a second. Absent: no limit. */
  readonly rate?: number;
  /** Milliseconds that the run waits for another run on the same service and data folder. Absent: the usual time. */
  readonly wait?: number;
  /** True when a dry run counts its writes without keeping the writes for the screen: there may be a million writes. */
  readonly countsOnly?: boolean;
}

/** Milliseconds in which a service may still act on a request whose answer was lost. */
export const usualWait = 60_000;

export interface Service {
  /** The client. Its reads take turns, and are retried after passing failures. */
  readonly api: Api;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds in which the service may still act on a request whose answer was lost. 0: the service dies with its sender. */
  readonly wait: number;
  /** True when writes are not sent (--dry-run). */
  readonly isDry: boolean;
  /** Runs `work` in a turn of the limiter (`Limiter.inTurn`). */
  inTurn<T>(work: (turn: ServiceTurn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  close(): Promise<void>;
}

/** The service within one turn. */
export interface ServiceTurn {
  /** The client. Its reads belong to the turn. */
  readonly api: Api;
  /** Sends the write of a step, once `leaving` has written its mark. */
  send(key: string, request: ApiRequest, leaving: () => Promise<void>): Promise<Answer>;
}
