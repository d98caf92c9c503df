// Checks the kinds of a call's arguments. A wrong kind is a TypeError with a sentence.

import { isMembers, type Members } from '../../base/values/paths.ts';
import { nameNear } from '../../base/values/text/suggest.ts';
import { withArticle } from '../../base/values/text/wording.ts';

/** An object of values or filters. `what`: begins the message, `client.leads.create takes an object of values`. Throws TypeError. */
export function membersFrom(value: unknown, what: string): Members {
  if (isMembers(value) && !(value instanceof Date || value instanceof Map || value instanceof Set)) return value;
  throw new TypeError(`${what}, not ${argumentKind(value)}.`);
}

/** An object of options; `names` lists the allowed names. Throws TypeError. */
export function optionsFrom(value: unknown, call: string, names: readonly string[]): Members {
  if (value === undefined) return {};
  const options = membersFrom(value, `${call} takes an object of options`);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const near = nameNear(name.toLowerCase(), names);
    throw new TypeError(
      `${call} has no option ${name}.${near === undefined ? ` There are ${names.join(', ')}.` : ` Did you mean ${near}?`}`,
    );
  }
  return options;
}

/** An option of this kind, or undefined. Throws TypeError. */
export function optionOf(options: Members, name: string, kind: 'string' | 'number' | 'boolean' | 'function'): void {
  const value = options[name];
  if (value !== undefined && typeof value !== kind) throw new TypeError(`${name} is a ${kind}, not ${argumentKind(value)}.`);
}

/** A signal, or undefined. Throws TypeError. */
export function signalOf({ signal }: Members): AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return signal;
  throw new TypeError(`signal is an AbortSignal, not ${argumentKind(signal)}.`);
}

/** Throws TypeError for an id that is neither number nor text. `checkedId` checks the value itself. */
export function checkId(id: unknown, call: string): void {
  if (['number', 'string', 'bigint'].includes(typeof id)) return;
  throw new TypeError(`${call} takes the id of a record, a whole number above 0, not ${argumentKind(id)}.`);
}

/** A day in milliseconds. A timer overflows beyond 24 days. */
const longestTimeout = 86_400_000;

/** Throws TypeError for an impossible timeout or number of retries. */
export function checkLimits({ timeout, retries }: Members): void {
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= longestTimeout))
    throw new TypeError(`timeout: ${String(timeout)} is not a number of milliseconds above 0 and up to a day.`);
  if (retries !== undefined && !(Number.isInteger(retries) && Number(retries) >= 0 && Number(retries) <= 99))
    throw new TypeError(`retries: ${String(retries)} is not a whole number from 0 to 99.`);
}

function argumentKind(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object')
    return withArticle(Object.getPrototypeOf(value) === Object.prototype ? 'object' : (value.constructor?.name ?? 'object'));
  return typeof value === 'function' ? 'a function' : `the ${typeof value} ${String(value).slice(0, 40)}`;
}
