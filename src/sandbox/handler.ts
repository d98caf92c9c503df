// The embedded CRM in this process: requests go to it as objects, with no socket and no key.

import { type Answering, answering } from './http/answer.ts';
import { createService } from './service/service.ts';
import { openStore } from './store/store.ts';

export interface Handler {
  /** Answers as the service would over HTTP. */
  readonly answer: Answering;
  close(): void;
}

/** Opens the sandbox at `path`. Throws UsageError when there is none, or the file is something else. */
export function openHandler(path: string): Handler {
  const store = openStore(path, { mode: 'open', brief: true });
  return { answer: answering(createService(store)), close: () => store.close() };
}
