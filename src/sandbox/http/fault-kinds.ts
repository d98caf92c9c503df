// The kinds of faults, each with its text in the help. The file imports nothing, because the help of `crm sandbox serve` loads it.

export const faultKinds = {
  reset: 'the connection breaks before the service has the request',
  'cut-after-commit': 'the service has done it, and the connection breaks before its answer',
  '503': 'the service is overloaded, and does nothing',
  '429': 'too many requests: nothing is done; retry-after says after how many seconds (429=0.05:retry-after=2)',
  slow: 'done at once, and answered so many milliseconds later (slow=0.05:3000)',
  garbage: 'done, and answered with a page of HTML',
} as const;
export type FaultKind = keyof typeof faultKinds;
