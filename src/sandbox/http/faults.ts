// Makes requests to the embedded CRM fail as they do at real services, at given rates and by a seed. Users test their scripts with
// these faults.

import { setTimeout as sleep } from 'node:timers/promises';
import { invalidValue } from '../../base/errors.ts';
import { randomFrom } from '../../base/random.ts';
import { type HttpAnswer, type Message, type MessageHandler, problemAnswer } from './answer.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';

interface Fault {
  readonly kind: FaultKind;
  /** The probability of the fault, 0 to 1. */
  readonly often: number;
  /** The Retry-After of a 429 in seconds, or the delay of a slow answer in milliseconds. */
  readonly by: number;
}

/** What may stand after the colon, by kind: its form, the value without a colon, and the advice. */
const suffixes: { readonly [Kind in FaultKind]?: { readonly form: RegExp; readonly usual: number; readonly advice: string } } = {
  slow: { form: /^(\d{1,6})$/, usual: 3000, advice: 'write a number of milliseconds after the colon' },
  '429': { form: /^retry-after=(\d{1,5})$/, usual: 1, advice: 'write retry-after=SECONDS after the colon' },
};

const isKind = (word: string): word is FaultKind => Object.hasOwn(faultKinds, word);

/** Reads `reset=0.02,429=0.05:retry-after=2,slow=0.05:3000`. `where` names the flag in messages. Throws InvalidValues. */
export function parseFaults(text: string, where: string): readonly Fault[] {
  const faults = text.split(',').map((part): Fault => {
    const [, kind = '', often = '', typed] = /^([\w-]+)=(\d*\.?\d+)(?::(.+))?$/.exec(part.trim()) ?? [];
    if (!isKind(kind))
      throw invalidValue(
        where,
        `"${part}" is no fault: write one of ${Object.keys(faultKinds).join(', ')} with its probability, as in reset=0.02.`,
      );
    if (Number(often) > 1) throw invalidValue(where, `"${part}": the probability is a number from 0 to 1.`);
    const { form, usual = 0, advice = `${kind} takes no colon` } = suffixes[kind] ?? {};
    const by = typed === undefined ? usual : form?.exec(typed)?.[1];
    if (by === undefined) throw invalidValue(where, `"${part}": ${advice}.`);
    return { kind, often: Number(often), by: Number(by) };
  });
  const twice = faults.find(({ kind }, at) => faults.findIndex((one) => one.kind === kind) !== at);
  if (twice !== undefined) throw invalidValue(where, `${twice.kind} is given twice.`);
  if (faults.reduce((sum, { often }) => sum + often, 0) > 1 + 1e-9) throw invalidValue(where, 'the probabilities add up to more than 1.');
  return faults;
}

/** Answers a request; undefined when the connection shall break. `gone` fires when the client closes the connection. */
export type Faulty = (message: Message, gone: AbortSignal) => Promise<HttpAnswer | undefined>;

/** Adds faults to `answer`. The same seed gives the same faults for the same requests in the same order. */
export function faulty(answer: MessageHandler, faults: readonly Fault[], seed: number): Faulty {
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
        return problemAnswer(503, 'Service Unavailable.');
      case '429':
        return problemAnswer(429, 'Too Many Attempts.', { 'Retry-After': String(fault?.by) });
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
