// The HTTP side of the embedded CRM, with no server in it: a request as a plain object is answered by a plain object. Routes, the key,
// and every outcome as JSON (vendor facts: framework failures).

import { type FieldMessages, Refusal, type Reply, type SandboxService } from '../service/service.ts';
import { diskFailure } from '../store/store.ts';
import { bodyOf, queryOf } from './request.ts';
import { type Method, type Rule, routes } from './routes.ts';

export interface Message {
  readonly method: string;
  /** Path and query: `/api/leads?status=3`. */
  readonly path: string;
  /** By their names in small letters. Only the content type and the key are looked at; without a type a body is a form. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export type Answering = (message: Message) => Promise<Answer>;

/** Rules by method, by path with `:id` for each number in it. */
const rules = new Map<string, Map<string, Rule>>();
for (const [method, path, rule] of routes) rules.set(path, (rules.get(path) ?? new Map<Method, Rule>()).set(method, rule));

/** The CRM over a service. `isAuthorized`: whether an Authorization header will do (interface: Authentication, 1); without it none is needed. */
export function answering(service: SandboxService, isAuthorized?: (authorization: string) => boolean): Answering {
  return async ({ method, path, headers = {}, body = '' }) => {
    try {
      if (isAuthorized?.(headers.authorization ?? '') === false) return problem(401, 'Unauthorized. A valid API key is required.');
      const [place = '', query = ''] = /^([^?]*)(.*)$/s.exec(path)?.slice(1) ?? [];
      const ids: number[] = [];
      const route = place.replace(/\/$/, '').replace(/\/(\d+)(?![^/])/g, (_all, digits) => {
        ids.push(idOf(digits));
        return '/:id';
      });
      const allowed = rules.get(route);
      // The answer to HEAD is that to GET; whoever sends it leaves the body out.
      const rule = allowed?.get(method === 'HEAD' ? 'GET' : method);
      if (rule === undefined) return unmatched(place, allowed);
      const [id = 0, childId = 0] = ids;
      const values = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : await bodyOf(headers['content-type'] ?? '', body);
      return json(envelope(rule(service, { id, childId, body: values, query: queryOf(query) })));
    } catch (error) {
      return failure(error);
    }
  };
}

/** A failure as the service tells it: JSON with a message. */
export function problem(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { ...json({ status, body: JSON.stringify({ message }) }), headers: { ...jsonHeaders, ...headers } };
}

const jsonHeaders = { 'Content-Type': 'application/json' };

export const json = ({ status, body }: Pick<Answer, 'status' | 'body'>): Answer => ({ status, headers: jsonHeaders, body });

/** The envelope around JSON that is there already (interface: conventions, 2). */
function envelope({ status, data, meta, message }: Reply): Pick<Answer, 'status' | 'body'> {
  const pages = meta === undefined ? '' : `"meta":${JSON.stringify(meta)},`;
  return { status, body: `{"data":${data},${pages}"message":${JSON.stringify(message)}}` };
}

/** A number beyond any id is no record's; neither is 0. */
function idOf(digits: string): number {
  const id = Number(digits);
  return Number.isSafeInteger(id) ? id : 0;
}

function failure(error: unknown): Answer {
  const disk = diskFailure(error);
  if (disk === 'full') return problem(507, 'The disk under the embedded CRM is full.');
  if (disk === 'failed') return problem(500, 'The disk under the embedded CRM failed or has no room.');
  if (!(error instanceof Refusal)) return problem(500, `Server error: ${error instanceof Error ? error.message : error}`);
  const { status, message, errors } = error;
  return json({ status, body: JSON.stringify({ message, errors } satisfies { message: string; errors: FieldMessages | undefined }) });
}

/** 405 where another method would do, 404 elsewhere. */
function unmatched(path: string, allowed: Map<string, Rule> | undefined): Answer {
  if (allowed === undefined) return problem(404, `There is nothing at ${path}.`);
  const methods = [...allowed.keys()].join(', ');
  return problem(405, `This method is not supported here. Supported: ${methods}.`, { Allow: methods });
}
