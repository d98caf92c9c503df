// The embedded CRM in this process: requests go to it as objects, with no socket and no key.

import { createApp, type Respond } from './app.ts';
import { createService } from './service/service.ts';
import { openStore } from './store.ts';

/** A request without Request, whose first use takes Node longer than everything else here. */
export interface Message {
  readonly method: string;
  /** Path and query: `/api/leads?status=3`. */
  readonly path: string;
  /** A form's or JSON's content type; none is taken for a form. */
  readonly contentType?: string;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface Handler {
  /** Answers as the service would over HTTP. */
  answer(message: Message): Promise<Answer>;
  /** The same for a standard request, of whose URL only path and query count. */
  handle(request: Request): Promise<Response>;
  close(): void;
}

/** Opens the sandbox at `path`. Throws UsageError when there is none, or the file is something else. */
export function openHandler(path: string): Handler {
  const store = openStore(path, { mode: 'open', brief: true });
  const app = createApp(createService(store), { brief: true, respond: plainResponse });
  const answerTo = async (request: Request): Promise<Answer> => (await app.fetch(request)) as unknown as Answer;
  return {
    answer: async (message) => {
      if (message.method !== 'HEAD') return answerTo(requestOf(message));
      return { ...(await answerTo(requestOf({ ...message, method: 'GET' }))), body: '' };
    },
    handle: async (request) => {
      if (request.method === 'HEAD') return app.fetch(request);
      const { status, headers, body } = await answerTo(request);
      return new Response(body, { status, headers });
    },
    close: () => store.close(),
  };
}

/** Hono passes on what its handlers return without looking at it. */
const plainResponse: Respond = (status, body, headers) => ({ status, headers, body }) satisfies Answer as unknown as Response;

/** As much of a Request as the app and Hono read. */
function requestOf({ method, path, contentType, body = '' }: Message): Request {
  const headers = new Map(contentType === undefined ? [] : [['content-type', contentType]]);
  const message = { method, url: `http://sandbox${path}`, headers, text: async () => body };
  return message as unknown as Request;
}
