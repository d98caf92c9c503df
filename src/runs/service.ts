// The service as a run uses it: a single limiter for all requests. The first Ctrl-C lets sent requests finish.

import type { Clock } from '../base/clock.ts';
import type { BodyValue } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import type { Api } from '../client/client.ts';
import { createLimiter, type Limiter, type Turn } from '../client/limiter.ts';
import type { Answer, ApiRequest } from '../client/types.ts';

/** The speed of a run. */
export interface Pace {
  /** Requests at once. */
  readonly concurrency: number;
  /** The most requests a second. Absent: no limit. */
  readonly rate?: number;
  /** True when a dry run only counts its writes, and keeps none to show: there may be a million. */
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
  /** Runs work in a turn of the limiter (`Limiter.inTurn`). */
  inTurn<T>(work: (turn: ServiceTurn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  close(): Promise<void>;
}

/** The service within one turn. */
export interface ServiceTurn {
  /** The client. Its reads belong to the turn. */
  readonly api: Api;
  /** Sends the write of a step, after `leaving` has resolved. */
  send(key: string, request: ApiRequest, leaving: () => Promise<void>): Promise<Answer>;
}

export interface ServiceOptions {
  readonly pace: Pace;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** How often a repeatable request is sent again. */
  readonly retries: number;
  readonly wait: number;
  readonly isDry: boolean;
  readonly clock: Clock;
  /** Ends reads. */
  readonly signal: AbortSignal;
  /** Ends the wait for a turn. */
  readonly stop: AbortSignal;
  /** Called for every pause, in milliseconds. */
  paused(milliseconds: number): void;
}

/** The service of a client. Under --dry-run, no writes are sent. */
export function serviceOn(open: Api, { pace, timeout, retries, wait, isDry, clock, signal, stop, paused }: ServiceOptions): Service {
  const { concurrency, rate, countsOnly = false } = pace;
  const limiter = createLimiter({ concurrency, ...(rate === undefined ? {} : { rate }), retries, signal: stop, clock, paused });
  const dry = countsOnly ? standIns() : keptBack(open);
  return {
    api: apiOf(open, limiter.run, signal),
    limiter,
    clock,
    // A dry run shows its requests in their order, so it makes one at a time.
    concurrency: isDry && !countsOnly ? 1 : concurrency,
    timeout,
    wait,
    isDry,
    inTurn: (work, mayRepeat) =>
      limiter.inTurn(({ request: inTurn }) => {
        const send: ServiceTurn['send'] = (_key, request, leaving) =>
          inTurn(async () => {
            await leaving();
            return open.write(request);
          }, true);
        return work({ api: apiOf(open, inTurn, signal), send: isDry ? dry : send });
      }, mayRepeat),
    close: isDry ? async () => {} : () => open.close(),
  };
}

/** The client whose reads are sent by `run`. They end with `signal`. */
function apiOf(api: Api, run: Turn['request'], signal: AbortSignal): Api {
  return {
    ...api,
    read: (request, own) => {
      const either = own === undefined ? signal : AbortSignal.any([own, signal]);
      return run(() => api.read(request, either));
    },
  };
}

/** Ids above this number stand for records that a dry run would make. */
const firstStandIn = 9_000_000_000_000_000;

/** True for the id of a record that a dry run would make. */
export const isStandIn = (id: Id | undefined): boolean => Number(id) > firstStandIn;

/** Answers each write with the id of a stand-in, without keeping the write. */
function standIns(): ServiceTurn['send'] {
  let last = firstStandIn;
  return async () => {
    last += 1;
    return { status: 201, data: { id: last }, envelope: undefined };
  };
}

/**
 * Keeps the writes for the plan of --dry-run, and answers each with the id of a stand-in. The plan shows the id as a reference to the
 * step: `${lead[3].id}`.
 */
function keptBack(api: Api): ServiceTurn['send'] {
  const texts: string[] = [];
  const shown = (text: string): string => text.replaceAll(/9\d{15}/g, (digits) => texts[Number(digits) - firstStandIn - 1] ?? digits);
  return async (key, request) => {
    const number = texts.push(`\${${key}.id}`);
    const body =
      request.body === undefined ? undefined : new Map([...request.body].map(([wire, value]) => [wire, shownValue(value, shown)]));
    await api.write({ ...request, path: shown(request.path), ...(body === undefined ? {} : { body }) });
    return { status: 201, data: { id: firstStandIn + number }, envelope: undefined };
  };
}

function shownValue(value: BodyValue, shown: (text: string) => string): BodyValue {
  if (typeof value === 'string') return shown(value);
  if (typeof value === 'number') return isStandIn(value) ? shown(String(value)) : value;
  return value.map((one: string | number) => (typeof one === 'string' || isStandIn(one) ? shown(String(one)) : one)) as BodyValue;
}
