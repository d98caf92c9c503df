// The types that every rule of the embedded CRM uses: the service (store and clock), a reply, and a refusal.

import type { Store } from '../store/store.ts';

export interface SandboxService {
  readonly store: Store;
  /** The time of a write, as the interface shows it: `2026-01-05T09:30:00.000000Z`. */
  readonly now: () => string;
}

interface ListMeta {
  readonly current_page: number;
  readonly per_page: number;
  readonly total: number;
  readonly last_page: number;
}

/** A success: the HTTP status and the members of the envelope (interface: conventions, 2). */
export interface Reply {
  readonly status: 200 | 201;
  /** JSON. */
  readonly data: string;
  readonly meta?: ListMeta;
  readonly message: string;
}

/** A failure caused by the request: an HTTP status, a message and, for 422, the messages of each field. */
export class Refusal extends Error {
  readonly status: 400 | 404 | 409 | 413 | 415 | 422;
  readonly errors: FieldMessages | undefined;

  constructor(status: Refusal['status'], message: string, errors?: FieldMessages) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** The messages about each field, by wire name. */
export type FieldMessages = Readonly<Record<string, readonly string[]>>;

/** 200 with `data` in JSON. */
export const ok = (data: string, message: string): Reply => ({ status: 200, data, message });
/** 201 with `data` in JSON. */
export const created = (data: string, message: string): Reply => ({ status: 201, data, message });
/** 200 with the id of the deleted record (interface: the responses of DELETE). */
export const deleted = (id: number, message: string): Reply => ok(JSON.stringify({ id }), message);

/** The record. Throws the 404 for an undefined record: `Lead not found.` */
export function found<T>(record: T | undefined, noun: string): T {
  if (record === undefined) throw new Refusal(404, `${noun} not found.`);
  return record;
}

/** A service over a store. `clock` gives milliseconds, as Date.now does; tests replace it. */
export function createService(store: Store, { clock = Date.now }: { clock?: () => number } = {}): SandboxService {
  return { store, now: stamps(clock) };
}

/** Microseconds: writes keep their order within a millisecond and when somebody sets the clock back. */
function stamps(clock: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(clock() * 1000, last + 1);
    const milliseconds = new Date(Math.floor(last / 1000)).toISOString();
    return `${milliseconds.slice(0, -1)}${String(last % 1000).padStart(3, '0')}Z`;
  };
}
