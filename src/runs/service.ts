// The service for a run: a client with one limiter for all requests. The first Ctrl-C lets sent requests finish.

import type { Clock } from '../base/clock.ts';
import type { Api } from '../client/client.ts';
import { createLimiter, type Limiter, type Turn } from '../client/limiter.ts';
import type { Answer, ApiRequest } from '../client/types.ts';

/** The speed of a run. */
export interface Pace {
  /** Requests at once. */
  readonly concurrency: number;
  /** The most requests a second. Absent: no limit. */
  readonly rate?: number;
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

export interface ServiceOptions {
  readonly pace: Pace;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** How often a repeatable request is sent again. */
  readonly retries: number;
  readonly wait: number;
  /** Takes the writes in place of the service (--dry-run). */
  readonly dry?: ServiceTurn['send'] | undefined;
  readonly clock: Clock;
  /** Aborts reads. */
  readonly signal: AbortSignal;
  /** Aborts the wait for a turn. */
  readonly stop: AbortSignal;
  /** Called for every pause, in milliseconds. */
  paused(milliseconds: number): void;
}

/** The service over a client, with a limiter of its own. */
export function serviceOn(open: Api, { pace, timeout, retries, wait, dry, clock, signal, stop, paused }: ServiceOptions): Service {
  const { concurrency, rate } = pace;
  const limiter = createLimiter({ concurrency, ...(rate === undefined ? {} : { rate }), retries, signal: stop, clock, paused });
  return {
    api: apiOf(open, limiter.run, signal),
    limiter,
    clock,
    concurrency,
    timeout,
    wait,
    isDry: dry !== undefined,
    inTurn: (work, mayRepeat) =>
      limiter.inTurn(({ request: inTurn }) => {
        const send: ServiceTurn['send'] = (_key, request, leaving) =>
          inTurn(async () => {
            await leaving();
            return open.write(request);
          }, true);
        return work({ api: apiOf(open, inTurn, signal), send: dry ?? send });
      }, mayRepeat),
    close: dry === undefined ? () => open.close() : async () => {},
  };
}

/** A client that sends its reads through `run`. `signal` aborts the reads. */
function apiOf(api: Api, run: Turn['request'], signal: AbortSignal): Api {
  return {
    ...api,
    read: (request, own) => {
      const either = own === undefined ? signal : AbortSignal.any([own, signal]);
      return run(() => api.read(request, either));
    },
  };
}
