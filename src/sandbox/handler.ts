// The embedded CRM in this process: requests go to it as objects, with no socket and no key.

import { createApp } from './app.ts';
import { createService } from './service/service.ts';
import { openStore } from './store.ts';

export interface Handler {
  /** Answers as the service would over HTTP. Only the URL's path and query count. */
  handle(request: Request): Promise<Response>;
  close(): void;
}

/** Opens the sandbox at `path`. Throws UsageError when there is none, or the file is something else. */
export function openHandler(path: string): Handler {
  const store = openStore(path, { mode: 'open' });
  const app = createApp(createService(store));
  return {
    handle: async (request) => app.fetch(request),
    close: () => store.close(),
  };
}
