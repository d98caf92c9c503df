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
  /** JSON body; a string that is exactly `{name}` is replaced by the saved value (a saved number stays a number). */
  json?: unknown;
  /** A body that is sent unchanged. */
  raw?: { type: string; body: string };
  /** `none`: no Authorization header; another string: that header value. Default: the right key. */
  authorization?: string;
  status: number;
  /** Compared with the JSON body by vitest's toMatchObject; may hold asymmetric matchers. `{name}` as in `json`. */
  body?: unknown;
  /** The exact value at each dotted path of the body: `{'data.tags': ['a'], 'meta.total': 2}`. */
  at?: Record<string, unknown>;
  /** Dotted paths that must be absent from the body. */
  absent?: string[];
  /** Values to keep for later rows: name to dotted path in the body, e.g. `{ lead: 'data.id' }`. */
  save?: Record<string, string>;
}

/** Rows that run in order on one fresh embedded CRM, which has only reference data. */
export interface Group {
  name: string;
  /** The embedded CRM has the demo data, too. */
  demo?: true;
  rows: Row[];
}
