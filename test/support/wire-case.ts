// The shape of a hand-typed wire test: the typed command, and the exact requests that the service must then see. The tables in test/wire/
// are typed from the interface document alone; they never import a declaration.

/** A request that the service must see, and the service's answer. Requests are compared in order. */
export interface Exchange {
  request: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    /** Path below the base URL, without the query: `/api/leads/12`. */
    path: string;
    /** Query pairs; compared without regard to order. Absent: there must be no query. */
    query?: [name: string, value: string][];
    /** Form body pairs; order counts only among pairs of one name. Excludes `json`. */
    form?: [name: string, value: string][];
    /** JSON body, compared deeply and exactly. Neither `form` nor `json`: there must be no body at all. */
    json?: unknown;
  };
  /** Default: 200 with `{"data": {}, "message": "OK"}`. */
  reply?: { status?: number; json?: unknown; text?: string; headers?: Record<string, string> };
}

export interface WireCase {
  name: string;
  /** The words after `crm` on the command line. */
  argv: string[];
  /** The text on standard input. */
  stdin?: string;
  /** Files to write into the working folder first: name to content. */
  files?: Record<string, string>;
  /** The sed script that changes the file in place of an editor. All streams are then a terminal. */
  sed?: string;
  /** All streams are a terminal. */
  terminal?: true;
  /** The profile's body encoding. Default `form`. */
  encoding?: 'form' | 'json';
  /** The `me` of the profile. */
  me?: string;
  /** Every request, in order. `[]` means that nothing may be sent. */
  exchanges: Exchange[];
  /** Several records are worked on at once: only the requests of one path keep their order. */
  atOnce?: true;
  /** The replies stay as they are typed. Absent: the answers to writes show the values that came, as those of a plain service. */
  isOdd?: true;
  /** Default 0. */
  exit?: number;
  /** The JSON document that standard output must equal (argv then has --json). */
  json?: unknown;
  /** A pattern that standard output must match. */
  stdout?: RegExp;
  /** A pattern that standard error must match. */
  stderr?: RegExp;
}
