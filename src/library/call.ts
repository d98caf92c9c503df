// One call of the client: what it is given is checked, and it runs on a service of its own signal and limits.

import type { Api } from '../api/client.ts';
import { orAborted } from '../api/deadline.ts';
import { checkId, checkLimits, membersFrom, optionsFrom, signalOf } from './arguments.ts';
import type { CallOptions, Exchange } from './calls.ts';

/** What calls are made with. */
export interface Caller {
  readonly api: Api;
  /** Aborted when the client is closed, or by the signal of the client or of the call. */
  readonly signal: AbortSignal;
  /** The end of the last change of each record that is under way or waits, by the record's path. */
  readonly changes: Map<string, Promise<unknown>>;
  /** The same with the limits and the signal of one call, until `end`. `hears`: of each exchange. */
  of(options: CallOptions, hears?: (exchange: Exchange) => void): Caller & { end(): void };
}

/** What an argument is: an id, an object of values, one that may be left out, or anything that is looked at later. */
export type Kind = 'id' | 'values' | 'values?' | 'value';

export type Options = Readonly<Record<string, unknown>>;

const callOptions = ['signal', 'timeout', 'retries'] as const;

/** The options of a call, and which others than those of every call it has. Throws TypeError. */
export function readOptions(value: unknown, call: string, others: readonly string[] = []): Options & CallOptions {
  const options = optionsFrom(value, call, [...callOptions, ...others]);
  checkLimits(options);
  signalOf(options);
  return options;
}

/**
 * A call: `takes` are its arguments, behind which its options come. `run` gets the service for it, its options, and the arguments as
 * they were given. Throws TypeError for arguments of the wrong kind.
 */
export function callOf<T>(
  service: Caller,
  name: string,
  takes: readonly Kind[],
  run: (own: Caller, options: Options, ...args: never[]) => Promise<T>,
  others: readonly string[] = [],
): (...args: unknown[]) => Promise<T> {
  return async (...args) => {
    const values = takes.map((kind, index) => argument(kind, args[index], name));
    const options = readOptions(args[takes.length], name, others);
    return during(service, options, (own) => run(own, options, ...(values as never[])));
  };
}

/** Work on a service with the limits and the signal of one call. */
export async function during<T>(service: Caller, options: CallOptions, work: (own: Caller) => Promise<T>): Promise<T> {
  const own = service.of(options);
  try {
    return await work(own);
  } finally {
    own.end();
  }
}

/** Changes a record once every earlier change of it has ended: a change that rests on a read would undo one that came in between. */
export function inTurn<T>({ changes, signal }: Caller, path: string, work: () => Promise<T>): Promise<T> {
  const before = changes.get(path) ?? Promise.resolve();
  const own = orAborted(signal, before).then(work);
  const end = Promise.allSettled([before, own]).then(() => {
    if (changes.get(path) === end) changes.delete(path);
  });
  changes.set(path, end);
  return own;
}

function argument(kind: Kind, value: unknown, name: string): unknown {
  if (kind === 'id') checkId(value, name);
  if (kind === 'values' || (kind === 'values?' && value !== undefined)) return membersFrom(value, `${name} takes an object of values`);
  return value;
}
