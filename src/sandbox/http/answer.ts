// Answers a request to the embedded CRM, both as plain objects: finds the route, checks the key, and turns every outcome into JSON
// (vendor facts: framework failures). In this process an answer needs neither a socket nor a key; serve.ts has the server.

import { diskFailure } from '../../base/files/disk-failure.ts';
import { hasSqliteCode } from '../../base/files/sqlite.ts';
import { createService, type FieldMessages, Refusal, type SandboxService } from '../service/service.ts';
import { openStore } from '../store/store.ts';
import { parseBody, queryFields } from './request.ts';
import { type RouteMethod, type Rule, routes } from './routes.ts';

export interface Message {
  readonly method: string;
  /** Path and query: `/api/leads?status=3`. */
  readonly path: string;
  /** By name in lower case. Only the content type and the key are read. A body without a content type is a form. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Another process holds the file: nothing was read or written. */
  readonly isLocked?: true;
}

export type MessageHandler = (message: Message) => Promise<HttpAnswer>;

/** Rules by path, then by method. A path has `:id` for each number: `/api/leads/:id`. */
const rules = new Map<string, Map<string, Rule>>();
for (const [method, path, rule] of routes) rules.set(path, (rules.get(path) ?? new Map<RouteMethod, Rule>()).set(method, rule));

/**
 * The function that answers requests to a service. `isAuthorized` checks the Authorization header (interface: Authentication, 1).
 * Without `isAuthorized` no key is needed.
 */
export function answering(service: SandboxService, isAuthorized?: (authorization: string) => boolean): MessageHandler {
  return async ({ method, path, headers = {}, body = '' }) => {
    try {
      if (isAuthorized?.(headers.authorization ?? '') === false) return problemAnswer(401, 'Unauthorized. A valid API key is required.');
      const [place = '', query = ''] = /^([^?]*)(.*)$/s.exec(path)?.slice(1) ?? [];
      const ids: number[] = [];
      const route = place.replace(/\/$/, '').replace(/\/(\d+)(?![^/])/g, (_all, digits) => {
        // A number that is too large to be an id becomes 0: no record has the id 0.
        ids.push(Number.isSafeInteger(Number(digits)) ? Number(digits) : 0);
        return '/:id';
      });
      const allowed = rules.get(route);
      // HEAD is answered as GET: node:http leaves the body out.
      const rule = allowed?.get(method === 'HEAD' ? 'GET' : method);
      if (rule === undefined) return unmatched(place, allowed);
      const [id = 0, childId = 0] = ids;
      const values =
        method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : await parseBody(headers['content-type'] ?? '', body);
      const { status, data, meta, message } = rule(service, { id, childId, body: values, query: queryFields(query) });
      const pages = meta === undefined ? '' : `"meta":${JSON.stringify(meta)},`;
      // The envelope (interface: conventions, 2).
      return jsonAnswer({ status, body: `{"data":${data},${pages}"message":${JSON.stringify(message)}}` });
    } catch (error) {
      return failureAnswer(error);
    }
  };
}

export interface Handler {
  readonly answer: MessageHandler;
  close(): void;
}

/**
 * Opens the embedded CRM at `path` for this process, without a key. `options`: of `createService`. Throws UsageError when the file is
 * missing or is no sandbox.
 */
export function openHandler(path: string, options: { clock?: () => number } = {}): Handler {
  const store = openStore(path, { mode: 'open', brief: true });
  return { answer: answering(createService(store, options)), close: () => store.close() };
}

/** A failure: JSON with a message. */
export function problemAnswer(status: number, message: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { ...jsonAnswer({ status, body: JSON.stringify({ message }) }), headers: { ...jsonHeaders, ...headers } };
}

const jsonHeaders = { 'Content-Type': 'application/json' };

export const jsonAnswer = ({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): HttpAnswer => ({ status, headers: jsonHeaders, body });

function failureAnswer(error: unknown): HttpAnswer {
  const disk = diskFailure(error);
  if (disk?.isFull) return problemAnswer(507, 'The disk under the embedded CRM is full.');
  if (disk !== undefined) return problemAnswer(500, 'The disk under the embedded CRM failed or has no room.');
  if (hasSqliteCode(error, 'busy'))
    return { ...problemAnswer(503, 'Another process is writing to the file of the embedded CRM. Nothing was done.'), isLocked: true };
  if (!(error instanceof Refusal)) return problemAnswer(500, `Server error: ${error instanceof Error ? error.message : error}`);
  const { status, message, errors } = error;
  return jsonAnswer({ status, body: JSON.stringify({ message, errors } satisfies { message: string; errors: FieldMessages | undefined }) });
}

function unmatched(path: string, allowed: Map<string, Rule> | undefined): HttpAnswer {
  if (allowed === undefined) return problemAnswer(404, `There is nothing at ${path}.`);
  const methods = [...allowed.keys()].join(', ');
  return problemAnswer(405, `This method is not supported here. Supported: ${methods}.`, { Allow: methods });
}
