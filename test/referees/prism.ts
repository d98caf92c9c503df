// Prism (by Stoplight) judges requests and answers by the OpenAPI document, as its proxy does, but in this process: between a script and its
// service, each request is handed on, and then shown to Prism with its answer.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Between } from '../support/acceptance.ts';

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export interface Prism {
  /** A stage between one script and its service. `plant` changes answers of the service before Prism sees them. */
  between(verdict: Verdict, plant?: Plant): Between;
}

const unchanged: Plant = (answer) => answer;

/** What Prism made of one script. */
export interface Verdict {
  /** How many requests it saw. */
  requests: number;
  /** `PUT /api/leads 405 request: Selected route not found`. */
  readonly complaints: string[];
}

export type Plant = (answer: { status: number; body: string }) => { status: number; body: string };

/** What one request and its answer are to Prism. */
interface Pair {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly answer: { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string };
}

/** Starts Prism on the document. The same pair gets the same verdict: scripts read the same records again and again. */
export async function startPrism(document: string): Promise<Prism> {
  const judge = await judgeBy(inRepository(document));
  const known = new Map<string, Promise<string[]>>();
  const complaintsOf = (pair: Pair): Promise<string[]> => {
    const key = JSON.stringify(pair);
    const complaints = known.get(key) ?? judge(pair);
    known.set(key, complaints);
    return complaints;
  };
  return {
    between:
      (verdict, plant = unchanged) =>
      async (serviceUrl) => {
        const front = await listening(async (incoming, outgoing) => {
          const body = await bytesOf(incoming);
          const answer = await passed(incoming, body, `${serviceUrl}${incoming.url}`);
          const planted = plant({ status: answer.status, body: answer.body.toString() });
          const { method = '', url = '' } = incoming;
          verdict.requests += 1;
          const pair = { method, url, headers: judged(incoming.headers), body: body.toString() };
          for (const complaint of await complaintsOf({ ...pair, answer: { ...planted, headers: judged(answer.headers) } })) {
            verdict.complaints.push(`${method} ${url.replace(/\?.*/, '')} ${planted.status} ${complaint}`);
          }
          const length = Buffer.byteLength(planted.body);
          outgoing.writeHead(planted.status, { ...kept(answer.headers), 'content-length': length }).end(planted.body);
        });
        return { baseUrl: front.url, close: () => stopped(front.server) };
      },
  };
}

/** What Prism has to say of a pair: with the proxy's settings, and an answer that is there already. */
async function judgeBy(document: string): Promise<(pair: Pair) => Promise<string[]>> {
  const path = inRepository('test/referees/node_modules/@stoplight/prism-http/dist/index.js');
  const { createInstance, getHttpOperationsFromSpec } = (await import(pathToFileURL(path).href)).default as PrismHttp;
  const operations = await getHttpOperationsFromSpec(document);
  const logger: Logger = { child: () => logger, info: ignored, warn: ignored, error: ignored };
  const config = { isProxy: true, upstream: new URL('http://behind.example'), validateRequest: true, validateResponse: true };
  return async ({ method, url, headers, body, answer }) => {
    const { pathname, searchParams } = new URL(url, config.upstream);
    const query = Object.fromEntries([...searchParams.keys()].map((key) => [key, oneOrAll(searchParams.getAll(key))]));
    const output = { statusCode: answer.status, headers: answer.headers, body: parsed(answer.headers, answer.body) };
    const { request: judgement } = createInstance(
      { ...config, checkSecurity: true, errors: false, mock: {} },
      { logger, forward: () => () => async () => ({ _tag: 'Right', right: output }) },
    );
    const input = {
      method: method.toLowerCase(),
      url: { path: pathname, query },
      headers,
      body: body === '' ? null : parsed(headers, body),
    };
    const result = await judgement(input, operations)();
    if (result._tag === 'Left') return [String(result.left)];
    const { validations } = result.right;
    return [...validations.input.map(said('request')), ...validations.output.map(said('response'))];
  };
}

type Result = { _tag: 'Left'; left: unknown } | { _tag: 'Right'; right: { validations: Record<'input' | 'output', Message[]> } };

/** Of @stoplight/prism-http what is used here. */
interface PrismHttp {
  getHttpOperationsFromSpec(document: string): Promise<unknown[]>;
  createInstance(config: object, components: object): { request(input: object, operations: unknown[]): () => Promise<Result> };
}

interface Logger {
  child(): Logger;
  info(): void;
  warn(): void;
  error(): void;
}

interface Message {
  readonly path?: readonly string[];
  readonly message: string;
}

const ignored = (): void => undefined;
const said =
  (where: string) =>
  ({ path = [], message }: Message): string =>
    `${[where, ...path].join('.')}: ${message}`;
const oneOrAll = (values: string[]): string | string[] => (values.length === 1 ? values.join() : values);
const parsed = (headers: IncomingMessage['headers'], body: string): unknown =>
  /^application\/json\b/.test(headers['content-type'] ?? '') ? JSON.parse(body) : body;

/** The headers but for those that say nothing of the message: each key and each connection has others. */
function judged(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { host, connection, date, 'keep-alive': idle, 'x-request-id': id, ...rest } = headers;
  return { ...rest, ...(rest.authorization !== undefined && { authorization: rest.authorization.replace(/ .+/, ' key') }) };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function passed(incoming: IncomingMessage, body: Buffer, url: string): Promise<Answer> {
  const headers = { ...incoming.headers };
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
  const { connection, 'transfer-encoding': chunked, 'keep-alive': idle, ...rest } = headers;
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
