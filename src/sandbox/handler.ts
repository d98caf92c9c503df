// The embedded CRM in this process: requests go to it as objects, with no socket and no key.

import { createApp, type Respond } from './http/app.ts';
import { createService } from './service/service.ts';
import { openStore } from './store/store.ts';

/** A request as a plain object: Node's Request takes longer to load than everything else here. */
export interface Message {
  readonly method: string;
  /** Path and query: `/api/leads?status=3`. */
  readonly path: string;
  /** A form's or JSON's content type; none is taken for a form. */
  readonly contentType?: string;
  readonly body?: string;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface Handler {
  /** Answers as the service would over HTTP. */
  answer(message: Message): Promise<HttpAnswer>;
  close(): void;
}

/** Opens the sandbox at `path`. Throws UsageError when there is none, or the file is something else. */
export function openHandler(path: string): Handler {
  const store = openStore(path, { mode: 'open', brief: true });
  const app = createApp(createService(store), { brief: true, respond: plainResponse });
  return {
    answer: async (message) => standIn<HttpAnswer>(await app.fetch(requestOf(message))),
    close: () => store.close(),
  };
}

/** A plain object in place of a Request or Response: Hono reads only these members, and passes on what handlers return. */
const standIn = <T>(object: object): T => object as unknown as T;

const plainResponse: Respond = (status, body, headers) => standIn({ status, headers, body } satisfies HttpAnswer);

/** As much of a Request as the app and Hono read. */
function requestOf({ method, path, contentType, body = '' }: Message): Request {
  const headers = new Map(contentType === undefined ? [] : [['content-type', contentType]]);
  return standIn({ method, url: `http://sandbox${path}`, headers, text: async () => body });
}
