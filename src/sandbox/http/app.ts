// The HTTP side of the embedded CRM: routes, the key, and every outcome as JSON (vendor facts: framework failures).

import { type Context, Hono } from 'hono';
import { LinearRouter } from 'hono/router/linear-router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { type FieldMessages, Refusal, type Reply, type SandboxService } from '../service/service.ts';
import type { Values } from '../service/values.ts';
import { diskFailure } from '../store/store.ts';
import { bodyOf, queryOf } from './request.ts';
import { type Call, type Rule, routes } from './routes.ts';

interface AppOptions {
  /** Whether a request's Authorization header will do (interface: Authentication, 1). Without this, none needs one. */
  readonly isAuthorized?: (authorization: string) => boolean;
  /** For a few requests: routes are matched one by one, instead of being compiled first. */
  readonly brief?: true;
  /** Makes the answers. Default: standard Responses. */
  readonly respond?: Respond;
}

export type Respond = (status: number, body: string, headers: Record<string, string>) => Response;

/** What the handlers below answer with: a problem, or a reply of the rules. */
interface Answers {
  readonly problem: (status: number, body: { message: string; errors?: FieldMessages }, headers?: Record<string, string>) => Response;
  readonly reply: (reply: Reply) => Response;
}

const json = { 'Content-Type': 'application/json' };
const noValues: Values = {};

/** The CRM as a Hono app over a service. */
export function createApp(service: SandboxService, { isAuthorized, brief, respond = standardResponse }: AppOptions = {}): Hono {
  const app = new Hono({ strict: false, router: brief ? new LinearRouter() : new RegExpRouter() });
  const answers: Answers = {
    problem: (status, body, headers) => respond(status, JSON.stringify(body), { ...json, ...headers }),
    reply: (reply) => respond(reply.status, envelope(reply), json),
  };
  const mayAsk = ({ headers }: Request): boolean => isAuthorized === undefined || isAuthorized(headers.get('authorization') ?? '');
  const guard = (handler: (context: Context) => Response | Promise<Response>) => (context: Context) =>
    mayAsk(context.req.raw) ? handler(context) : answers.problem(401, { message: 'Unauthorized. A valid API key is required.' });
  for (const [method, path, rule] of routes) {
    const handler = method === 'GET' || method === 'DELETE' ? withoutBody(service, rule, answers) : withBody(service, rule, answers);
    app.on(method, pattern(path), guard(handler));
  }
  app.notFound(guard(({ req }) => unmatched(req.path, answers)));
  app.onError((error) => failure(error, answers));
  return app;
}

/** The envelope around JSON that is there already (interface: conventions, 2). */
function envelope({ data, meta, message }: Reply): string {
  const pages = meta === undefined ? '' : `"meta":${JSON.stringify(meta)},`;
  return `{"data":${data},${pages}"message":${JSON.stringify(message)}}`;
}

/** Ids are digits; what else stands there is an unknown path. */
function pattern(path: string): string {
  return path.replace(/:\w+/g, (name) => `${name}{[0-9]+}`);
}

/** Answers without waiting for anything, which the server has a faster way for. */
function withoutBody(service: SandboxService, rule: Rule, answers: Answers) {
  return (context: Context): Response => {
    try {
      return answers.reply(rule(service, new RequestCall(context, noValues)));
    } catch (error) {
      return failure(error, answers);
    }
  };
}

function withBody(service: SandboxService, rule: Rule, answers: Answers) {
  return async (context: Context): Promise<Response> => {
    try {
      return answers.reply(rule(service, new RequestCall(context, await bodyOf(context.req.raw))));
    } catch (error) {
      return failure(error, answers);
    }
  };
}

/** Takes a request apart only as far as its rule looks. */
class RequestCall implements Call {
  readonly #context: Context;
  readonly body: Values;

  constructor(context: Context, body: Values) {
    this.#context = context;
    this.body = body;
  }

  get id(): number {
    return idIn(this.#context.req.param('id'));
  }

  get childId(): number {
    return idIn(this.#context.req.param('childId'));
  }

  get query(): Values {
    return queryOf(this.#context.req.raw.url);
  }
}

/** A number beyond any id is no record's; neither is 0. */
function idIn(text: string | undefined): number {
  const id = Number(text ?? 0);
  return Number.isSafeInteger(id) ? id : 0;
}

function failure(error: unknown, answers: Answers): Response {
  const disk = diskFailure(error);
  if (disk === 'full') return answers.problem(507, { message: 'The disk under the embedded CRM is full.' });
  if (disk === 'failed') return answers.problem(500, { message: 'The disk under the embedded CRM failed or has no room.' });
  if (!(error instanceof Refusal)) return answers.problem(500, { message: `Server error: ${messageOf(error)}` });
  const { status, message, errors } = error;
  return answers.problem(status, errors === undefined ? { message } : { message, errors });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** 405 where another method would do, 404 elsewhere. */
function unmatched(path: string, answers: Answers): Response {
  const allowed = routes.filter(([, route]) => new RegExp(`^${route.replace(/:\w+/g, '[0-9]+')}/?$`).test(path));
  if (allowed.length === 0) return answers.problem(404, { message: `There is nothing at ${path}.` });
  const methods = allowed.map(([method]) => method).join(', ');
  return answers.problem(405, { message: `This method is not supported here. Supported: ${methods}.` }, { Allow: methods });
}

function standardResponse(status: number, body: string, headers: Record<string, string>): Response {
  return new Response(body, { status, headers });
}
