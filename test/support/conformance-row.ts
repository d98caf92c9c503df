// The shape of a hand-typed conformance row: a request to the embedded CRM, and the answer that the interface promises.
// The tables in test/sandbox/ are typed from the interface document alone; they never import the sandbox's code.

export interface Row {
  name: string;
  method: string;
  /** Path, with `{name}` standing for a value that an earlier row of the group saved. */
  path: string;
  /** Query pairs; values may hold `{name}` too. */
  query?: [name: string, value: string][];
  /** Form body pairs; values may hold `{name}` too. */
  form?: [name: string, value: string][];
  /** JSON body; a string that is exactly `{name}` is replaced by the saved value as it was (a number stays one). */
  json?: unknown;
  /** A body sent as it stands. */
  raw?: { type: string; body: string };
  /** `none`: no Authorization header; another string: that header value. Default: the right key. */
  authorization?: string;
  status: number;
  /** Must be matched by the JSON body, as by vitest's toMatchObject; asymmetric matchers may be used. `{name}` as in `json`. */
  body?: unknown;
  /** Dotted path in the body to the exact value that must stand there: `{'data.tags': ['a'], 'meta.total': 2}`. */
  at?: Record<string, unknown>;
  /** Dotted paths that must be absent from the body. */
  absent?: string[];
  /** Values to keep for later rows: name to dotted path in the body, e.g. `{ lead: 'data.id' }`. */
  save?: Record<string, string>;
}

/** Rows that run in order on one fresh embedded CRM, which has its reference data and nothing else. */
export interface Group {
  name: string;
  /** It has the demo data, too. */
  demo?: true;
  rows: Row[];
}
