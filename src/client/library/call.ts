// One call of the client: checks its arguments, then runs with its own signal and limits.

import type { Api } from '../client.ts';
import { orAborted } from '../deadline.ts';
import { checkId, checkLimits, membersFrom, optionsFrom, signalOf } from './arguments.ts';
import type { CallOptions, Exchange } from './calls.ts';

/** The service that calls run on. */
export interface Caller {
  readonly api: Api;
  /** Fires when the client is closed, and with the signal of the client or of the call. */
  readonly signal: AbortSignal;
  /** By record path: a promise that settles after the last running or waiting change of the record. */
  readonly changes: Map<string, Promise<unknown>>;
  /** The same service with the limits and signal of one call, until `end`. `hears`: called with each exchange. */
  of(options: CallOptions, hears?: (exchange: Exchange) => void): Caller & { end(): void };
}

/** An argument's kind: an id, an object of values, an optional object, or a value that is checked later. */
type ArgumentKind = 'id' | 'values' | 'values?' | 'value';

type Options = Readonly<Record<string, unknown>>;

const callOptions = ['signal', 'timeout', 'retries'] as const;

/** The options of a call. `others`: options that only this call has. Throws TypeError. */
export function readOptions(value: unknown, call: string, others: readonly string[] = []): Options & CallOptions {
  const options = optionsFrom(value, call, [...callOptions, ...others]);
  checkLimits(options);
  signalOf(options);
  return options;
}

/**
 * Makes a call: a function that checks its arguments and calls `run` with the service, the options and the arguments. `takes`: the kinds
 * of the arguments before the options. The call throws TypeError for arguments of the wrong kind.
 */
export function callOf<T>(
  service: Caller,
  name: string,
  takes: readonly ArgumentKind[],
  run: (own: Caller, options: Options, ...args: never[]) => Promise<T>,
  others: readonly string[] = [],
): (...args: unknown[]) => Promise<T> {
  return async (...args) => {
    const values = takes.map((kind, index) => argument(kind, args[index], name));
    const options = readOptions(args[takes.length], name, others);
    return during(service, options, (own) => run(own, options, ...(values as never[])));
  };
}

/** Runs `work` with the limits and the signal of one call. */
export async function during<T>(service: Caller, options: CallOptions, work: (own: Caller) => Promise<T>): Promise<T> {
  const own = service.of(options);
  try {
    return await work(own);
  } finally {
    own.end();
  }
}

/**
 * Runs a change of a record after all earlier changes of the same record have ended. Two changes from the same read would overwrite each
 * other.
 */
export function afterEarlierChanges<T>({ changes, signal }: Caller, path: string, work: () => Promise<T>): Promise<T> {
  const before = changes.get(path) ?? Promise.resolve();
  const own = orAborted(signal, before).then(work);
  const end = Promise.allSettled([before, own]).then(() => {
    if (changes.get(path) === end) changes.delete(path);
  });
  changes.set(path, end);
  return own;
}

function argument(kind: ArgumentKind, value: unknown, name: string): unknown {
  if (kind === 'id') checkId(value, name);
  if (kind === 'values' || (kind === 'values?' && value !== undefined)) return membersFrom(value, `${name} takes an object of values`);
  return value;
}
