// A bad day: requests that fail as they do at real services, so often and by a seed, for whoever rehearses what a script makes of it.

import { setTimeout as sleep } from 'node:timers/promises';
import { invalidValue } from '../../errors.ts';
import { randomFrom } from '../../values/random.ts';
import { type Answer, type Answering, type Message, problem } from './answer.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';

/** How often something goes wrong, of 1. */
interface Fault {
  readonly kind: FaultKind;
  readonly often: number;
  /** Of a 429 seconds, of slow milliseconds. */
  readonly by: number;
}

const isKind = (word: string): word is FaultKind => Object.hasOwn(faultKinds, word);

/** `reset=0.02,429=0.05:retry-after=2,slow=0.05:3000`. `where`: what messages call it. Throws InvalidValues. */
export function parseFaults(text: string, where: string): readonly Fault[] {
  const faults = text.split(',').map((part): Fault => {
    const [, kind = '', often = '', by] = /^([\w-]+)=(\d*\.?\d+)(?::(.+))?$/.exec(part.trim()) ?? [];
    if (!isKind(kind))
      throw invalidValue(
        where,
        `"${part}" is no fault; write one of ${Object.keys(faultKinds).join(', ')} and how often, as in reset=0.02.`,
      );
    if (Number(often) > 1) throw invalidValue(where, `"${part}": how often is a number from 0 to 1.`);
    const suffix = kind === 'slow' ? /^(\d{1,6})$/ : /^retry-after=(\d{1,5})$/;
    const more = by === undefined ? undefined : (kind === 'slow' || kind === '429') && suffix.exec(by)?.[1];
    if (more === false || (by !== undefined && more === undefined))
      throw invalidValue(
        where,
        `"${part}": behind the colon stands ${kind === 'slow' ? 'a number of milliseconds' : kind === '429' ? 'retry-after=SECONDS' : 'nothing here'}.`,
      );
    return { kind, often: Number(often), by: more === undefined ? (kind === 'slow' ? 3000 : 1) : Number(more) };
  });
  const twice = faults.find(({ kind }, at) => faults.findIndex((one) => one.kind === kind) !== at);
  if (twice !== undefined) throw invalidValue(where, `${twice.kind} is given twice.`);
  if (faults.reduce((sum, { often }) => sum + often, 0) > 1 + 1e-9)
    throw invalidValue(where, 'all together are more than 1: no request can fail in two ways.');
  return faults;
}

/** What answers, made to fail now and then; undefined: the connection breaks. `gone` fires when nobody waits for the answer any more. */
export type Faulty = (message: Message, gone: AbortSignal) => Promise<Answer | undefined>;

/** What answers, with faults by their seed: the same for the same requests in the same order. */
export function faulty(answer: Answering, faults: readonly Fault[], seed: number): Faulty {
  const next = randomFrom(seed);
  return async (message, gone) => {
    const drawn = next();
    const fault = faults.find((_one, at) => drawn < faults.slice(0, at + 1).reduce((sum, { often }) => sum + often, 0));
    switch (fault?.kind) {
      case undefined:
        return answer(message);
      case 'reset':
        return undefined;
      case 'cut-after-commit':
        await answer(message);
        return undefined;
      case '503':
        return problem(503, 'Service Unavailable.');
      case '429':
        return problem(429, 'Too Many Attempts.', { 'Retry-After': String(fault?.by) });
      case 'slow': {
        const answered = await answer(message);
        await sleep(fault?.by, undefined, { signal: gone }).catch(() => undefined);
        return answered;
      }
      case 'garbage':
        await answer(message);
        return {
          status: 200,
          headers: { 'Content-Type': 'text/html' },
          body: '<!doctype html><title>Maintenance</title><p>We are back soon.',
        };
    }
  };
}
