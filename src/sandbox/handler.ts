// The embedded CRM in this process: a request is an object, and needs neither a socket nor a key.

import { answering, type MessageHandler } from './http/answer.ts';
import { createService } from './service/service.ts';
import { openStore } from './store/store.ts';

export interface Handler {
  /** Answers a request with the status and JSON that the service would send. */
  readonly answer: MessageHandler;
  close(): void;
}

/** Opens the sandbox at `path`. Throws UsageError when the file is missing or is no sandbox. */
export function openHandler(path: string): Handler {
  const store = openStore(path, { mode: 'open', brief: true });
  return { answer: answering(createService(store)), close: () => store.close() };
}
