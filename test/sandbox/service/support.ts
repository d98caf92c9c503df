// A sandbox in memory and requests to it, for the tests of this folder.

import { afterEach } from 'vitest';
import { fillStore } from '../../../src/sandbox/create.ts';
import { answering } from '../../../src/sandbox/http/answer.ts';
import { createService } from '../../../src/sandbox/service/service.ts';
import { openStore, type Store } from '../../../src/sandbox/store/store.ts';

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers of every shape
  readonly body: any;
}

export type Send = (method: string, path: string, fields?: Record<string, unknown>) => Promise<Answered>;

/** Numbered seconds. */
export const clock = () => {
  let second = 0;
  return () => {
    second += 1;
    return Date.UTC(2026, 0, 1, 0, 0, second);
  };
};

/** A store in memory with reference data, and demo data when asked for. Closed after the test. */
export function memoryStore({ demo = false } = {}): Store {
  const store = openStore(':memory:', { mode: 'create' });
  fillStore(store, demo);
  afterEach(() => store.close());
  return store;
}

/** Sends JSON to the rules over a store. */
export function sender(store: Store): Send {
  const answer = answering(createService(store, { clock: clock() }));
  return async (method, path, fields) => {
    const text = fields === undefined ? '' : JSON.stringify(fields);
    const { status, body } = await answer({ method, path, headers: { 'content-type': 'application/json' }, body: text });
    return { status, body: JSON.parse(body) };
  };
}

/** A sender over a fresh sandbox. */
export const sandbox = (options?: { demo?: boolean }): { store: Store; send: Send } => {
  const store = memoryStore(options);
  return { store, send: sender(store) };
};
