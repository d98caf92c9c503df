// The faults of a service that fails in every way, each at a fixed interval of requests: answers and requests get lost, bodies are missing,
// a gateway breaks, and bursts are refused.

import type { Fate, SeenRequest } from './faulty-proxy.ts';

const isNth = (number: number, every: number): boolean => number % every === 0;

export function failsInEveryWay({ method, number, write }: SeenRequest): Fate {
  if (number % 176 >= 170)
    return { carried: 'never', answer: { status: 429, headers: { 'retry-after': '0.1' }, body: { message: 'Later.' } } };
  if (isNth(number, 50)) return 'cut';
  if (method === 'GET') return undefined;
  if (isNth(write, 43)) return { carried: 'never', answer: 'cut' };
  if (isNth(write, 37))
    return { answer: { status: 502, headers: { 'content-type': 'text/html' }, body: '<title>502 Bad Gateway</title>' } };
  return isNth(write, 41) ? { answer: ({ status }) => ({ status }) } : undefined;
}
