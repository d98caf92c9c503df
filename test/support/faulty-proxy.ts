// A proxy in front of an embedded CRM, with faults that a test chooses for each request: the proxy loses an answer, refuses a request,
// waits, changes an answer, or runs a function of the test at a chosen moment.

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  /** `leads`; the record's id; `status`, `tags` and so on, empty for the record itself. */
  readonly family: string;
  readonly id: number | undefined;
  readonly action: string;
  readonly query: URLSearchParams;
  /** From 1: among all requests, among the writes, and among those of its method and family. */
  readonly number: number;
  readonly write: number;
  readonly nth: number;
}

/** An answer. `body`: JSON, a text as it stands, or nothing. */
export interface Told {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The proxy's treatment of a request. */
interface Turn {
  /** Called before the request is passed on. */
  readonly first?: () => unknown;
  /** The request is not passed on. */
  readonly carried?: 'never';
  /** Default: the service's own answer. */
  readonly answer?: 'cut' | 'silence' | Told | ((meant: Told) => Told);
  /** Called after the service has acted, before the answer is sent. */
  readonly meanwhile?: () => unknown;
}

/**
 * A number: the status of the answer to a request that is not passed on. `cut`: the service acts, and the connection breaks without a byte.
 * `hold`: the service acts, and no answer comes.
 */
export type Fate = number | 'cut' | 'hold' | Turn | undefined;

export interface Faults {
  readonly answer?: (request: SeenRequest) => Fate;
  /** The Retry-After header beside a status given as a number. */
  readonly retryAfter?: string;
  /** Milliseconds by which answers are delayed: all answers, or answers to writes. */
  readonly delay?: number;
  readonly delayWrites?: number;
}

export interface FaultyProxy {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  /** Replaces the faults from now on; without an argument there are no more faults. */
  change(faults?: Faults): void;
  /** Resolves when the nth request from now that matches has arrived. */
  came(matches: (request: SeenRequest) => boolean, nth?: number): Promise<void>;
  /** Resolves when the nth write from now has arrived. */
  write(nth: number): Promise<void>;
  close(): Promise<void>;
}

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';

/** Starts a proxy to the service at `baseUrl` on a free port. */
export async function startFaultyProxy(baseUrl: string, begin: Faults = {}): Promise<FaultyProxy> {
  let faults = begin;
  const agent = new Agent({ keepAlive: true });
  const seen: SeenRequest[] = [];
  const waiting = new Set<(request: SeenRequest) => void>();

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const sent = await bytesOf(incoming);
    const one = seenOf(incoming, sent.toString(), seen);
    seen.push(one);
    for (const look of waiting) look(one);
    const { first, carried, answer, meanwhile } = turnOf(faults.answer?.(one), faults.retryAfter);
    await first?.();
    const meant = carried === undefined ? await passOn(incoming, sent, new URL(baseUrl), agent) : { status: 500 };
    await meanwhile?.();
    const delay = (isWrite(one) ? faults.delayWrites : undefined) ?? faults.delay;
    if (delay !== undefined) await sleep(delay);
    if (answer === 'cut') outgoing.destroy();
    else if (answer !== 'silence') reply(outgoing, typeof answer === 'function' ? answer(parsed(meant)) : (answer ?? meant));
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const came: FaultyProxy['came'] = (matches, nth = 1) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = nth;
    const look = (request: SeenRequest): void => {
      if (matches(request)) left -= 1;
      if (left === 0) resolve();
    };
    waiting.add(look);
    return promise.finally(() => waiting.delete(look));
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    change: (next = {}) => {
      faults = next;
    },
    came,
    write: (nth) => came(isWrite, nth),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A request with its numbers among the requests seen before. */
function seenOf({ method = '', url: path = '' }: IncomingMessage, body: string, before: readonly SeenRequest[]): SeenRequest {
  const { pathname, searchParams: query } = new URL(path, 'http://service');
  const [, family = '', id, action = ''] = /^\/api\/([a-z]+)(?:\/(\d+))?(?:\/([a-z-]+).*)?$/.exec(pathname) ?? [];
  return {
    ...{ method, path, body, family, action, query, id: id === undefined ? undefined : Number(id) },
    number: before.length + 1,
    write: before.filter(isWrite).length + 1,
    nth: before.filter((one) => one.method === method && one.family === family).length + 1,
  };
}

function turnOf(fate: Fate, retryAfter: string | undefined): Turn {
  if (fate === 'cut') return { answer: 'cut' };
  if (fate === 'hold') return { answer: 'silence' };
  if (typeof fate !== 'number') return fate ?? {};
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { carried: 'never', answer: { status: fate, headers, body: { message: `It failed: ${fate}.` } } };
}

async function passOn({ method, url, headers }: IncomingMessage, body: Buffer, target: URL, agent: Agent): Promise<Told> {
  const own = { ...headers, host: target.host, 'content-length': body.length };
  const outgoing = request({ host: target.hostname, port: target.port, method, path: url, headers: own, agent });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const type = answer.headers['content-type'] ?? 'application/json';
  return { status: answer.statusCode ?? 502, headers: { 'content-type': type }, body: (await bytesOf(answer)).toString() };
}

const parsed = (told: Told): Told => ({ ...told, body: JSON.parse(String(told.body)) });

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function reply(outgoing: ServerResponse, { status, headers, body }: Told): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
}
