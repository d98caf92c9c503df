// Runs a jq expression over JSON text in a worker thread and gives the values as text.

import { Worker } from 'node:worker_threads';
import { syntaxError } from './failures.ts';
import { type CompiledModule, type FromJq, type JqTask, sent, type ToJq, taken } from './messages.ts';
import { moduleBytes, threadCode } from './thread-code.ts';

/** A running jq with an expression that compiled. */
export interface Jq {
  /** True if each document of the input is one record (-o ndjson). */
  readonly perRecord: boolean;
  /** Sets the function that takes the values, as text with one value a line. Call before the first `write`. */
  into(take: (text: string) => Promise<void>): void;
  /** Sends JSON text; resolves when more may be sent. Throws the errors of `take`, and the signal's reason. */
  write(text: string): Promise<void>;
  /** Resolves after the last value with jq's exit status (undefined if jq crashed) and its standard error. */
  end(): Promise<{ readonly status: number | undefined; readonly errors: string }>;
  /** Ends the thread, even in an endless expression. */
  close(): Promise<void>;
}

/** How many pieces of input may wait for jq. */
const mostWaiting = 16;

/** Starts jq. Throws InvalidValues, with the place, for an expression that doesn't compile, and the signal's reason. */
export async function openJq(expression: string, { perRecord, signal }: { perRecord: boolean; signal: AbortSignal }): Promise<Jq> {
  const shared = new SharedArrayBuffer(8);
  const counters = new Int32Array(shared);
  const workerData: JqTask = { expression, perDocument: perRecord, counters: shared, module: await compiledModule() };
  const thread = new Worker(threadCode, { workerData, eval: typeof threadCode === 'string', stdout: true, stderr: true, env: {} });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Extract<FromJq, { kind: 'end' }>>();
  let waiting = 0;
  let goOn = Promise.withResolvers<void>();
  let take = async (_text: string): Promise<void> => {};
  let taking = Promise.resolve();
  const decoder = new TextDecoder();

  const fail = (reason: unknown): void => {
    for (const { promise, reject } of [ready, ended, goOn]) {
      promise.catch(() => undefined);
      reject(reason);
    }
  };
  const count = (index: number): void => {
    Atomics.add(counters, index, 1);
    Atomics.notify(counters, index);
  };
  const hear = async (message: FromJq): Promise<void> => {
    switch (message.kind) {
      case 'ready':
        return ready.resolve();
      case 'begun':
        waiting -= 1;
        return goOn.resolve();
      case 'values':
        await take(decoder.decode(message.bytes, { stream: true }));
        return count(taken);
      case 'end':
        ready.resolve();
        ended.resolve(message);
        // jq reads no further input, so `write` must not wait.
        waiting = Number.NEGATIVE_INFINITY;
        goOn.resolve();
    }
  };
  const send = (message: ToJq): void => {
    waiting += 1;
    thread.postMessage(message, message === null ? [] : [message.buffer as ArrayBuffer]);
    count(sent);
  };
  const aborted = (): void => fail(signal.reason);
  const close = async (): Promise<void> => {
    signal.removeEventListener('abort', aborted);
    await thread.terminate();
  };

  thread.on('message', (message: FromJq) => {
    taking = taking.then(() => hear(message)).catch(fail);
  });
  thread.on('error', fail);
  // Messages sent before the exit are handled first.
  thread.on('exit', () => void taking.then(() => fail(new Error('The thread of jq ended early.'))));
  signal.addEventListener('abort', aborted);
  ended.promise.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await ready.promise;
    const problem = await Promise.race([ended.promise, undefined]);
    if (problem !== undefined) throw syntaxError(problem.errors, expression);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    perRecord,
    into: (taker) => {
      take = taker;
    },
    write: async (text) => {
      send(new TextEncoder().encode(withoutLoneSurrogates(text)));
      while (waiting > mostWaiting) {
        goOn = Promise.withResolvers();
        await Promise.race([goOn.promise, ended.promise]);
      }
    },
    end: async () => {
      send(null);
      const { status, errors } = await ended.promise;
      return { status, errors };
    },
    close,
  };
}

/** Node's types don't declare WebAssembly. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledModule> };

let compiled: Promise<CompiledModule> | undefined;

/** jq's module, compiled once in a process. */
function compiledModule(): Promise<CompiledModule> {
  compiled ??= moduleBytes().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

/**
 * JSON text with U+FFFD in place of escaped lone surrogates, which jq refuses. The pattern matches every escape, so that the second
 * backslash of `\\` doesn't count as the start of an escape.
 */
function withoutLoneSurrogates(text: string): string {
  if (!/\\ud/i.test(text)) return text;
  const escapes = /\\(?:u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|(ud[89a-f][0-9a-f]{2})|.)/gi;
  return text.replace(escapes, (all, _pair?: string, lone?: string) => (lone === undefined ? all : '\\ufffd'));
}
