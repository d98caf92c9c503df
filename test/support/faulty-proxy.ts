// A service that can't be relied upon: passes requests on to a real one, and loses answers after the service has acted,
// or refuses requests in bursts. Counts what it sees, so that a test can act at a certain request.

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Faults {
  /** Every nth answer is cut off after the service has acted: the connection breaks without a byte. */
  readonly cutEvery?: number;
  /** Every nth write is cut off before the service gets it. */
  readonly loseEvery?: number;
  /** Every nth answer to a write comes without its body, after the service has acted. */
  readonly emptyEvery?: number;
  /** After every so many requests, the next `length` are answered with 429 and this Retry-After, and not passed on. */
  readonly bursts?: { readonly every: number; readonly length: number; readonly retryAfter: string };
  /** Every nth answer to a write is replaced by a 502 of a proxy, after the service has acted. */
  readonly badGatewayEvery?: number;
  /**
   * A status for requests that are answered with it and not passed on; `cut` for those whose answer is lost; `hold` for
   * those that the service gets, but that are never answered.
   */
  readonly answer?: (request: SeenRequest) => number | 'cut' | 'hold' | undefined;
  /** The Retry-After of the statuses that `answer` gives. */
  readonly retryAfter?: string;
  /** How long each answer is held back, in milliseconds. */
  readonly delay?: number;
  /** The same for the answers to writes alone. */
  readonly delayWrites?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** 1 for the first request of all. */
  readonly number: number;
}

export interface FaultyProxy {
  readonly baseUrl: string;
  /** What was seen so far. */
  readonly seen: { requests: number; writes: number; cut: number; limited: number };
  /** Fails otherwise from now on, or with nothing not at all. */
  change(faults?: Faults): void;
  /** Resolves when the nth write from now has arrived. */
  write(nth: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy to the service at `baseUrl` on a free port. */
export async function startFaultyProxy(baseUrl: string, begin: Faults = {}): Promise<FaultyProxy> {
  let faults = begin;
  const target = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true });
  const seen = { requests: 0, writes: 0, cut: 0, limited: 0 };
  const waiting: { at: number; resolve: () => void }[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const isWrite = incoming.method !== 'GET';
    seen.requests += 1;
    if (isWrite) arrived();
    if (isLimited(seen.requests, faults)) {
      seen.limited += 1;
      incoming.resume();
      outgoing.writeHead(429, { 'retry-after': faults.bursts?.retryAfter ?? '0', 'content-type': 'application/json' });
      outgoing.end('{"message":"Too Many Attempts."}');
      return;
    }
    const number = seen.requests;
    if (isWrite && isNth(seen.writes, faults.loseEvery)) {
      incoming.socket.destroy();
      return;
    }
    try {
      const sent = await bytesOf(incoming);
      const { method = '', url: path = '' } = incoming;
      const fault = faults.answer?.({ method, path, body: sent.toString(), number });
      if (typeof fault === 'number') {
        const more = faults.retryAfter === undefined ? {} : { 'retry-after': faults.retryAfter };
        outgoing.writeHead(fault, { 'content-type': 'application/json', ...more }).end(`{"message":"It failed: ${fault}."}`);
        return;
      }
      const { answer, body } = await passOn(incoming, sent, target, agent);
      if (fault === 'hold') return;
      const delay = (isWrite ? faults.delayWrites : undefined) ?? faults.delay;
      if (delay !== undefined) await sleep(delay);
      if (fault === 'cut' || isNth(number, faults.cutEvery)) {
        seen.cut += 1;
        outgoing.destroy();
      } else if (isWrite && isNth(seen.writes, faults.badGatewayEvery)) {
        outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<html><title>502 Bad Gateway</title></html>');
      } else if (isWrite && isNth(seen.writes, faults.emptyEvery)) {
        outgoing.writeHead(answer.statusCode ?? 201).end();
      } else {
        reply(outgoing, answer, body);
      }
    } catch {
      outgoing.destroy();
    }
  });

  const arrived = (): void => {
    seen.writes += 1;
    for (const one of waiting.splice(0)) {
      if (seen.writes >= one.at) one.resolve();
      else waiting.push(one);
    }
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    change: (next = {}) => {
      faults = next;
    },
    write: (nth) => new Promise((resolve) => waiting.push({ at: seen.writes + nth, resolve })),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const isNth = (number: number, every: number | undefined): boolean => every !== undefined && number % every === 0;

function isLimited(number: number, { bursts }: Faults): boolean {
  return bursts !== undefined && number % (bursts.every + bursts.length) >= bursts.every;
}

interface Passed {
  readonly answer: IncomingMessage;
  readonly body: Buffer;
}

async function passOn({ method, url, headers }: IncomingMessage, body: Buffer, target: URL, agent: Agent): Promise<Passed> {
  const outgoing = request({
    host: target.hostname,
    port: target.port,
    method,
    path: url,
    headers: { ...headers, host: target.host, 'content-length': body.length },
    agent,
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { answer, body: await bytesOf(answer) };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function reply(outgoing: ServerResponse, { statusCode = 502, headers }: IncomingMessage, body: Buffer): void {
  const { 'transfer-encoding': _coding, connection: _connection, ...kept } = headers;
  outgoing.writeHead(statusCode, { ...kept, 'content-length': body.length }).end(body);
}
