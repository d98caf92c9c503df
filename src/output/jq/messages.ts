// The messages between the program and the worker thread that runs jq.

/** What WebAssembly makes of jq's module. Threads share it: its functions are compiled once. */
export interface CompiledModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

/** The worker's data. */
export interface JqTask {
  readonly module: CompiledModule;
  readonly expression: string;
  /** Values are sent after each document, not at the end of the input. */
  readonly perDocument: boolean;
  /** Two counters: the messages sent to the thread, and the messages with values taken from the thread. */
  readonly counters: SharedArrayBuffer;
}

/** Indexes of the counters. */
export const sent = 0;
export const taken = 1;

/** To the thread: JSON as UTF-8; null at the end. */
export type ToJq = Uint8Array | null;

export type FromJq =
  /** The expression compiled, and jq asks for input. */
  | { readonly kind: 'ready' }
  /** The thread took a piece of the input. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'values'; readonly bytes: Uint8Array }
  /** jq's exit status (undefined if jq crashed) and its standard error. */
  | { readonly kind: 'end'; readonly status: number | undefined; readonly errors: string };
