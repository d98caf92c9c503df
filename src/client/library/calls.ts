// The types that programs see: the client's options, and the calls of every family. The build makes each family's types from its
// declaration (build/client-types.ts).

/// <reference lib="esnext.disposable" preserve="true" />

/** A record's id, a whole number above 0. An id that a number can't hold exactly is a text of its digits. */
export type Id = number | string;

/** Options of a single call. The options of a call replace the client's options. */
export interface CallOptions {
  /** Ends the call, and a list at once, with an InterruptedError whose `name` is `AbortError`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one request, from connecting to the last byte. */
  readonly timeout?: number | undefined;
  /**
   * How often a request is sent again after a passing failure. A write is never sent again once it may have arrived. A 429 pauses all calls
   * of the client. While the service asks for more than 60 s, calls end at once; a list that is read whole waits up to an hour.
   */
  readonly retries?: number | undefined;
}

export interface CommonOptions {
  /** The format of request bodies: form fields or JSON. Default form. */
  readonly encoding?: 'form' | 'json' | undefined;
  /** Milliseconds for one request, from connecting to the last byte. Default 30,000. */
  readonly timeout?: number | undefined;
  /** How often a request is sent again after a passing failure. A write is never sent again once it may have arrived. Default 3. */
  readonly retries?: number | undefined;
  /** Refuses every request but GET: UnconfirmedError with the code `read_only`. A brake against mistakes, not a lock. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Ends all calls and lists under way with an InterruptedError, and refuses new requests. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every exchange with the service, retries included. An exchange holds no secret. Errors of the function are ignored. */
  readonly log?: ((exchange: Exchange) => void) | undefined;
}

/** The rate limit that the headers of an answer tell. */
export interface RateLimit {
  /** X-RateLimit-Limit */
  readonly limit?: number;
  /** X-RateLimit-Remaining */
  readonly remaining?: number;
  /** Retry-After: seconds, or a date. */
  readonly retryAfter?: string;
}

/** A request and its outcome. */
export interface Exchange {
  readonly method: string;
  /** With the query, without the origin. */
  readonly path: string;
  readonly milliseconds: number;
  /** The answer's status. Absent when no answer came. */
  readonly status?: number;
  /** The reason why no answer came. */
  readonly failure?: string;
  readonly rateLimit?: RateLimit;
}

/** A service over HTTP, or the file of an embedded CRM: `sandbox:/path/to/file`, which needs no key. */
export interface ServiceOptions extends CommonOptions {
  /** A path, a trailing slash and a trailing `/api` are allowed. */
  readonly baseUrl: string;
  /** The API key. It is sent only to this origin, whatever a redirect says. */
  readonly key?: string | undefined;
  /** Allows plain http to another machine, which sends the key unencrypted. */
  readonly insecureHttp?: boolean | undefined;
  /** Sends the requests in place of the client's own connections. When it fails on a write, the write's outcome is unknown. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly sandbox?: undefined;
}

/** A CRM in this process, opened by `openSandbox` of `crm-admin/sandbox`. */
export interface SandboxServiceOptions extends CommonOptions {
  readonly sandbox: { readonly fetch: typeof globalThis.fetch };
  /** The key with which the sandbox was opened, if any. */
  readonly key?: string | undefined;
  readonly baseUrl?: undefined;
  readonly insecureHttp?: undefined;
  readonly fetch?: undefined;
}

export type ClientOptions = ServiceOptions | SandboxServiceOptions;

export interface RequestOptions extends CallOptions {
  /** An array repeats the parameter. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>> | undefined;
  /** Sent as JSON, with the interface's names. */
  readonly body?: unknown;
}

/** The answer to `request`. */
export interface ServiceAnswer {
  readonly status: number;
  /** The answer's `data`, or the whole answer. Undefined for an empty answer. A number that a float would change is a text. */
  readonly data: unknown;
  readonly message?: string;
  /** The position in a list, if the answer is one. */
  readonly meta?: { readonly current_page?: number; readonly per_page?: number; readonly total?: number; readonly last_page?: number };
  readonly rateLimit?: RateLimit;
}

/** Sends a request to any endpoint, with the key: for endpoints that no family has. */
export type SendRequest = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: RequestOptions,
) => Promise<ServiceAnswer>;

export interface ListOptions extends CallOptions {
  /** The most records to read. With a limit, the list is not checked for completeness. */
  readonly limit?: number | undefined;
}

/**
 * The records of a list. Iterating reads page after page and yields each record once. At the end it throws UnavailableError when fewer
 * records came than the service's total.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page. Default: the first page, with the service's own size. `size`: at most 100. */
  page(number?: number, size?: number): Promise<Page<Item>>;
  /** All records, in memory. */
  toArray(): Promise<Item[]>;
}

export interface Page<Item> {
  readonly records: Item[];
  /** The number of records in the whole list, if the service tells it. */
  readonly total?: number;
  /** The number of this page and of the last page, if the service tells them. */
  readonly page?: number;
  readonly lastPage?: number;
}

/** The service's answer to a write: the id, and as much of the record as the answer holds. */
export type Answered<Item extends { id: number }> = Pick<Item, 'id'> & Partial<Omit<Item, 'id'>>;

/** The order and length of a list. `sort` takes the family's names. */
export interface Sorting<Name extends string> {
  sort?: Name | undefined;
  order?: 'asc' | 'desc' | undefined;
  /** The most records to read. With a limit, the list is not checked for completeness. */
  limit?: number | undefined;
}

/** Body fields by their wire names, beside the values of a create or update: custom fields of leads, for example. */
export interface WireFields {
  set?: Readonly<Record<string, string | number>> | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Reads the new record, and returns the whole record. A PartialError says that the record was created and could not be read. */
  readonly read?: boolean | undefined;
}

export interface UpdateOptions extends CallOptions {
  /** Skips the read and sends only these values. The service may clear all other values. */
  readonly replace?: boolean | undefined;
}

/** Options of a status change, which clears a recorded signature for good. */
export interface SignatureOptions extends CallOptions {
  /** Allows the change of a signed record. Without it the call throws UnconfirmedError, and nothing is sent. */
  readonly clear_signature?: boolean | undefined;
}

/** A whole new set; or elements to add and remove, for which the record is read first. */
export type SetChange<Element> =
  | readonly Element[]
  | { readonly add?: readonly Element[] | undefined; readonly remove?: readonly Element[] | undefined };

/**
 * A family that can be read. Every call throws a CrmError (NotFoundError, UnauthorizedError and the like), or a TypeError for arguments of
 * the wrong kind.
 */
export interface Reads<Item, Filters> {
  /** The records that match all filters. Nothing is sent before the first record is read. */
  list(filters?: Filters, options?: ListOptions): List<Item>;
  get(id: Id, options?: CallOptions): Promise<Item>;
}

/**
 * A family that can be written. Wrong values are an InvalidValues before anything is sent. A write is never sent again once it may have
 * arrived. A change or delete whose answer was lost is looked at: the call returns if the record shows the write, else it throws an
 * UnavailableError with the code `outcome_unknown`.
 */
export interface Writes<Item extends { id: number }, Filters, Values, Changes> extends Reads<Item, Filters> {
  create(values: Values, options: CreateOptions & { readonly read: true }): Promise<Item>;
  create(values: Values, options?: CreateOptions): Promise<Answered<Item>>;
  /**
   * Reads the record and sends it back with the given values changed; all other values are sent back digit for digit. Returns the whole
   * record as it is afterwards. A PartialError says that the record was changed and could not be read. With `replace`: returns the
   * service's answer.
   */
  update(id: Id, changes: Changes, options: UpdateOptions & { readonly replace: true }): Promise<Answered<Item>>;
  update(id: Id, changes: Changes, options?: UpdateOptions): Promise<Item>;
  delete(id: Id, options?: CallOptions): Promise<void>;
}

/** The comments of a record. */
export interface Comments<Item extends { id: number }> {
  list(id: Id, options?: CallOptions): Promise<Item[]>;
  add(id: Id, text: string, options?: CallOptions): Promise<Answered<Item>>;
  delete(id: Id, comment: Id, options?: CallOptions): Promise<void>;
}
