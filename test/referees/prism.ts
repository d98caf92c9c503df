// Prism (by Stoplight) as a validating proxy: it judges requests and answers by the OpenAPI document. One process for all scripts;
// in front of it and behind it stands this one, which tells which script a request is from and hears what Prism says of it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Between } from '../support/acceptance.ts';
import { cleanEnv } from '../support/environment.ts';

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const prismCli = inRepository('test/referees/node_modules/@stoplight/prism-cli/dist/index.js');

export interface Prism {
  /** A stage between one script and its service. `plant` changes answers of the service before Prism sees them. */
  between(verdict: Verdict, plant?: Plant): Between;
  close(): Promise<void>;
}

const script = 'x-script';
const unchanged: Plant = (answer) => answer;

/** What Prism made of one script. */
export interface Verdict {
  /** How many requests it saw. */
  requests: number;
  /** `PUT /api/leads 405 request: Selected route not found`. */
  readonly complaints: string[];
}

export type Plant = (answer: { status: number; body: string }) => { status: number; body: string };

/** Starts Prism on the document. */
export async function startPrism(document: string): Promise<Prism> {
  const stages: { serviceUrl: string; plant: Plant }[] = [];
  const behind = await listening(async (incoming, outgoing) => {
    const { serviceUrl, plant = unchanged } = stages[Number(incoming.headers[script])] ?? {};
    const { status, headers, body } = await passed(incoming, `${serviceUrl}${incoming.url}`);
    const planted = plant({ status, body: body.toString() });
    outgoing.writeHead(planted.status, { ...kept(headers), 'content-length': Buffer.byteLength(planted.body) }).end(planted.body);
  });
  const { child, url: prism } = await startCli(document, behind.url);
  return {
    between:
      (verdict, plant = unchanged) =>
      async (serviceUrl) => {
        const number = String(stages.push({ serviceUrl, plant }) - 1);
        const front = await listening(async (incoming, outgoing) => {
          const { status, headers, body } = await passed(incoming, `${prism}${incoming.url}`, { [script]: number });
          verdict.requests += 1;
          for (const complaint of complaintsIn(headers['sl-violations'])) {
            verdict.complaints.push(`${incoming.method} ${incoming.url?.replace(/\?.*/, '')} ${status} ${complaint}`);
          }
          outgoing.writeHead(status, { ...kept(headers), 'content-length': body.length }).end(body);
        });
        return { baseUrl: front.url, close: () => stopped(front.server) };
      },
    close: async () => {
      child.kill();
      await once(child, 'close');
      await stopped(behind.server);
    },
  };
}

async function startCli(document: string, upstream: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const args = [
    prismCli,
    'proxy',
    inRepository(document),
    upstream,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--verboseLevel',
    'fatal',
  ];
  const child = spawn(process.execPath, args, { env: cleanEnv({ NO_COLOR: '1' }), stdio: ['ignore', 'ignore', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Prism ended with ${child.exitCode}`);
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return { child, url };
    await new Promise((done) => setTimeout(done, 50));
  }
}

interface Message {
  readonly severity: string;
  readonly location: readonly string[];
  readonly message: string;
}

function complaintsIn(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = String(header);
  if (!text.startsWith('[')) return [text];
  return (JSON.parse(text) as Message[]).map(({ location, message }) => `${location.join('.')}: ${message}`);
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function passed(incoming: IncomingMessage, url: string, more: Record<string, string> = {}): Promise<Answer> {
  const body = await bytesOf(incoming);
  const headers = { ...incoming.headers, ...more };
  delete headers.host;
  delete headers['transfer-encoding'];
  if (body.length > 0) headers['content-length'] = String(body.length);
  const outgoing = request(url, { method: incoming.method, headers: { ...headers, connection: 'close' } });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bytesOf(answer) };
}

/** The headers of an answer, but for those of its way here. */
function kept(headers: IncomingMessage['headers']): Record<string, string | string[] | undefined> {
  const { connection, 'transfer-encoding': chunked, 'keep-alive': idle, 'sl-violations': heard, ...rest } = headers;
  return rest;
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** A server on a free port. Whoever can't be answered is hung up on. */
async function listening(handle: Handler): Promise<{ server: Server; url: string }> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing).catch(() => outgoing.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function stopped(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}

async function freePort(): Promise<number> {
  const { server, url } = await listening(async () => {});
  await stopped(server);
  return Number(new URL(url).port);
}
