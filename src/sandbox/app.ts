// The HTTP side of the embedded CRM: routes, the key, and every outcome as JSON (vendor facts: framework failures).

import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyOf, queryOf } from './request.ts';
import { type Call, type Rule, routes } from './routes.ts';
import { Refusal, type Service } from './service/service.ts';
import type { Values } from './service/values.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const noValues: Values = {};

/**
 * The CRM as a Hono app over a service. With a key, every request must carry `Authorization: Bearer <key>`
 * (interface: Authentication, 1); without one, as in one process, none needs to.
 */
export function createApp(service: Service, { key }: { key?: string } = {}): Hono {
  const app = new Hono({ strict: false });
  const authorized = key === undefined ? () => true : keyCheck(key);
  const handle =
    (answer: (context: Context) => Response | Promise<Response>) =>
    (context: Context): Response | Promise<Response> =>
      authorized(context.req.raw) ? answer(context) : unauthorized();
  for (const [method, path, rule] of routes) {
    app.on(method, pattern(path), handle(method === 'GET' || method === 'DELETE' ? bodiless(service, rule) : withBody(service, rule)));
  }
  for (const path of new Set(routes.map(([, path]) => path))) {
    const allowed = routes.filter((route) => route[1] === path).map(([method]) => method);
    const others = methods.filter((method) => !allowed.some((known) => known === method));
    app.on(
      others,
      pattern(path),
      handle(() => methodNotAllowed(allowed)),
    );
  }
  app.notFound(handle(({ req }) => json(404, { message: `There is nothing at ${req.path}.` })));
  app.onError((error) => failure(error));
  return app;
}

/** Ids are digits; what else stands there is an unknown path. */
function pattern(path: string): string {
  return path.replace(/:\w+/g, (name) => `${name}{[0-9]+}`);
}

/** Answers without waiting for anything, which the server has a faster way for. */
function bodiless(service: Service, rule: Rule) {
  return (context: Context): Response => {
    try {
      return answer(service, rule, callOf(context, noValues));
    } catch (error) {
      return failure(error);
    }
  };
}

function withBody(service: Service, rule: Rule) {
  return async (context: Context): Promise<Response> => {
    try {
      return answer(service, rule, callOf(context, await bodyOf(context.req.raw)));
    } catch (error) {
      return failure(error);
    }
  };
}

function answer(service: Service, rule: Rule, call: Call): Response {
  const { status, body } = rule(service, call);
  return json(status, body);
}

function callOf({ req }: Context, body: Values): Call {
  return {
    id: idIn(req.param('id')),
    childId: idIn(req.param('childId')),
    get query() {
      return queryOf(req.url);
    },
    body,
  };
}

/** A number beyond any id is no record's; neither is 0. */
function idIn(text: string | undefined): number {
  const id = Number(text ?? 0);
  return Number.isSafeInteger(id) ? id : 0;
}

function failure(error: unknown): Response {
  if (!(error instanceof Refusal)) return json(500, { message: `Server error: ${error instanceof Error ? error.message : error}` });
  return json(error.status, error.errors === undefined ? { message: error.message } : { message: error.message, errors: error.errors });
}

/** Compares in constant time, so that a wrong key takes as long as one that is nearly right. */
function keyCheck(key: string): (request: Request) => boolean {
  const expected = Buffer.from(`Bearer ${key}`);
  return (request) => {
    const given = Buffer.from(request.headers.get('authorization') ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

const unauthorized = (): Response => json(401, { message: 'Unauthorized. A valid API key is required.' });

function methodNotAllowed(allowed: readonly string[]): Response {
  const message = `This method is not supported here. Supported: ${allowed.join(', ')}.`;
  return json(405, { message }, { Allow: allowed.join(', ') });
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}
