// The service as a run uses it: one limiter for everything that is sent, and requests that a first Ctrl-C lets finish.

import type { Api } from '../api/client.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import type { Clock } from '../clock.ts';
import type { Context } from '../context.ts';
import { openClient } from '../open-client.ts';
import { notice } from '../output/streams/notice.ts';
import { progress } from '../output/streams/progress.ts';
import { isSandbox } from '../values/base-url.ts';
import type { BodyValue } from '../values/body.ts';
import type { Id } from '../values/parse.ts';
import { howMany } from '../values/wording.ts';
import { createLimiter, type Limiter, type Turn } from './limiter.ts';

/** How fast a run may go. */
export interface Pace {
  /** Requests at once. */
  readonly concurrency: number;
  /** Requests a second, at the most. */
  readonly rate?: number;
  /** Under --dry-run no write is kept to be shown: there may be a million of them. */
  readonly countsOnly?: boolean;
}

/** How long the service may still act on a request whose answer was lost, in milliseconds from its sending. */
export interface Waits {
  /** After a broken connection or a 500. */
  readonly cut: number;
  /** After everything else, and the death of the sender; or the sender's time-out, where that is longer. 0: the service dies with its sender. */
  readonly slow: number;
  /** For so much longer a list that shows none of the run's newer records is read again. */
  readonly lag: number;
}

export const usualWaits: Waits = { cut: 30_000, slow: 60_000, lag: 60_000 };

/** The waits for a service. CRM_TEST_WAITS is a share of them, for tests that kill processes. */
function waitsFor(baseUrl: string, { CRM_TEST_WAITS: share = '1' }: Context['env']): Waits {
  if (isSandbox(baseUrl)) return { cut: 0, slow: 0, lag: 0 };
  const { cut, slow, lag } = usualWaits;
  return { cut: cut * Number(share), slow: slow * Number(share), lag: lag * Number(share) };
}

export interface Service {
  /** Reads take their turns, and are tried again after passing failures. */
  readonly api: Api;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  readonly waits: Waits;
  /** Whether writes are kept back instead of being sent. */
  readonly isDry: boolean;
  /** Does what belongs together, in one turn of the limiter: it is done anew after a pause, and where `mayRepeat` says so (`Limiter.inTurn`). */
  inTurn<T>(work: (turn: ServiceTurn) => Promise<T>, mayRepeat: () => boolean): Promise<T>;
  close(): Promise<void>;
}

/** The service within one turn. */
export interface ServiceTurn {
  /** Its reads belong to the turn. */
  readonly api: Api;
  /** Sends the write of a step, once `leaving` has resolved. */
  send(key: string, request: ApiRequest, leaving: () => Promise<void>): Promise<Answer>;
}

/** Shorter pauses pass without a word, in milliseconds. */
const noticedPause = 2000;

/**
 * Opens the service of the settings in force. `signal` ends everything that waits for a turn. Throws UnauthorizedError
 * when there is no usable key.
 */
export async function openService(
  context: Context,
  { concurrency, rate, countsOnly = false }: Pace,
  signal: AbortSignal,
): Promise<Service> {
  const limiter = createLimiter({
    concurrency,
    ...(rate === undefined ? {} : { rate }),
    retries: context.flags.retries,
    signal,
    clock: context.clock,
    paused: (milliseconds) => {
      if (milliseconds < noticedPause) return;
      if (context.io.stderr.isTTY) showPause(context, milliseconds);
      else void notice(context.io, context.flags, `Waiting ${Math.ceil(milliseconds / 1000)} s: the service can't take more now.`);
    },
  });
  const { timeout, dryRun } = context.flags;
  const open = dryRun ? await context.api() : await openUnhurried(context, concurrency);
  const api = apiOf(open, (send) => limiter.run(send, true), context.signal);
  // One after the other, a dry run shows its requests in their order.
  const waits = waitsFor((await context.settings()).baseUrl, context.env);
  const common = {
    api,
    limiter,
    clock: context.clock,
    concurrency: dryRun && countsOnly !== true ? 1 : concurrency,
    timeout,
    waits,
    isDry: dryRun,
  };
  const dry = countsOnly ? standIns() : keptBack(open);
  return {
    ...common,
    inTurn: (work, mayRepeat) =>
      limiter.inTurn(({ request: inTurn }) => {
        const send: ServiceTurn['send'] = (_key, request, leaving) =>
          inTurn(async () => {
            await leaving();
            return open.write(request);
          });
        return work({ api: apiOf(open, inTurn, context.signal), send: dryRun ? dry : send });
      }, mayRepeat),
    close: dryRun ? async () => {} : () => open.close(),
  };
}

/** Tells of a pause while it lasts. */
function showPause({ io, flags }: Context, milliseconds: number): void {
  const until = performance.now() + milliseconds;
  const seconds = (): number => Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const label = () => ({ text: "The service can't take more now", tail: `going on in ${seconds()} s` });
  void progress(io, flags).pause(label, new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref()));
}

/** Says that a run only waits for so many requests that may still be under way. */
export function tellWaiting({ io, flags }: Context, milliseconds: number, count: number): void {
  if (milliseconds < noticedPause) return;
  const what =
    count === 1
      ? '1 request had no answer and may still arrive: looking for it'
      : `${count} requests had no answer and may still arrive: looking for them`;
  void notice(io, flags, `${what} for up to ${Math.ceil(milliseconds / 1000)} s.`);
}

/** Says that so many rows or records were sent again, and which command looks once more whether they are there twice. */
export function tellSentAgain({ io, flags }: Context, count: number, noun: string, command: string): void {
  if (count === 0) return;
  const were = `${howMany(count, noun)} ${count === 1 ? 'was' : 'were'} sent again, for the answer was lost`;
  void notice(io, flags, `${were}: ${command} looks once more whether ${count === 1 ? 'it is' : 'they are'} there twice.`);
}

/**
 * A client whose writes are not cut off by the context's signal: the first Ctrl-C lets what is under way finish. Its
 * writes share `connections` sockets, so whoever uses it must find out what became of a write whose answer was lost.
 */
async function openUnhurried(context: Context, connections: number): Promise<Api> {
  const unhurried: Context = { ...context, flags: { ...context.flags, retries: 0 }, signal: new AbortController().signal };
  return openClient(unhurried, await context.settings(), { connections, sharedWrites: true });
}

/** The client with its reads sent by `run`. They end with `signal`. */
function apiOf(api: Api, run: Turn['request'], signal: AbortSignal): Api {
  return {
    ...api,
    read: (request, own) => {
      const either = own === undefined ? signal : AbortSignal.any([own, signal]);
      return run(() => api.read(request, either));
    },
  };
}

/** Numbers above this stand for ids that a dry run doesn't know. */
const firstStandIn = 9_000_000_000_000_000;

/** Whether an id stands for a record that a dry run would make. */
export const isStandIn = (id: Id | undefined): boolean => Number(id) > firstStandIn;

/** Answers each write with the id of a stand-in, and keeps nothing. */
function standIns(): ServiceTurn['send'] {
  let last = firstStandIn;
  return async () => {
    last += 1;
    return { status: 201, data: { id: last }, envelope: undefined };
  };
}

/**
 * Keeps writes for the plan of --dry-run, and answers each with an id that stands in for the one that the service would
 * give. The plan shows it as a reference to the step: `${lead[3].id}`.
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
