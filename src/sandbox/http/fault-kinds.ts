// The kinds of faults, each with its text in the help. The file imports nothing, because the help of `crm sandbox serve` loads it.

export const faultKinds = {
  reset: 'the connection breaks before the request arrives',
  'cut-after-commit': 'the request is carried out, and the connection breaks before the answer',
  '503': 'the service is overloaded; nothing is done',
  '429': 'too many requests; nothing is done; retry-after=SECONDS sets the pause (429=0.05:retry-after=2)',
  slow: 'the request is carried out, and the answer comes after a number of milliseconds (slow=0.05:3000)',
  garbage: 'the request is carried out, and the answer is an HTML page',
} as const;
export type FaultKind = keyof typeof faultKinds;
