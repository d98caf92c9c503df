// What the program and the thread in which jq runs say to each other.

/** What the thread is started with. */
export interface JqTask {
  readonly expression: string;
  /** Each document gives its values at once, not when the last one is read. */
  readonly perDocument: boolean;
  /** Two counters: what was sent to the thread, and which of its texts have been taken. */
  readonly counters: SharedArrayBuffer;
}

/** The places of the counters. */
export const sent = 0;
export const taken = 1;

/** To the thread: JSON as UTF-8; null: there is no more. */
export type ToJq = Uint8Array | null;

export type FromJq =
  /** The expression is a good one, and input is wanted. */
  | { readonly kind: 'ready' }
  /** A piece of the input was begun. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'values'; readonly bytes: Uint8Array }
  /** jq's exit status, undefined where it broke down; and what it wrote to its standard error. */
  | { readonly kind: 'end'; readonly status: number | undefined; readonly errors: string };
