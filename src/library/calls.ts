// What a program sees of the client: its options, and the calls that every family has. Types alone; those of each family are made from
// its declaration by the build (derive/client-types.ts).

/// <reference lib="esnext.disposable" preserve="true" />

/** A record's id, a whole number above 0. One that a number can't hold exactly is a text of its digits. */
export type Id = number | string;

/** What each call takes behind its arguments, in place of what the client was opened with. */
export interface CallOptions {
  /** Ends the call with an InterruptedError. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one request, from connecting to the last byte. */
  readonly timeout?: number;
  /** How often a request is tried again after a passing failure; a write never, once it may have arrived. A pause is 60 s at most, whatever Retry-After says. */
  readonly retries?: number;
}

export interface CommonOptions {
  /** How bodies travel: as form fields, or as JSON. Default form. */
  readonly encoding?: 'form' | 'json';
  /** Milliseconds for one request, from connecting to the last byte. Default 30,000. */
  readonly timeout?: number;
  /** How often a request is tried again after a passing failure; a write never, once it may have arrived. Default 3. */
  readonly retries?: number;
  /** Ends every request under way with an InterruptedError, and refuses new ones. */
  readonly signal?: AbortSignal;
  /** Hears of every exchange with the service, those that are tried again, too. Nothing in it is secret; what the function throws is passed over. */
  readonly log?: (exchange: Exchange) => void;
}

/** How often the service may be asked, as the headers of an answer say. */
export interface RateLimit {
  /** X-RateLimit-Limit */
  readonly limit?: number;
  /** X-RateLimit-Remaining */
  readonly remaining?: number;
  /** Retry-After: seconds, or a date. */
  readonly retryAfter?: string;
}

/** A request, and what became of it. */
export interface Exchange {
  readonly method: string;
  /** With its query, without the origin. */
  readonly path: string;
  readonly milliseconds: number;
  /** That of the answer; absent where none came. */
  readonly status?: number;
  /** Why none came. */
  readonly failure?: string;
  readonly rateLimit?: RateLimit;
}

/** A service over HTTP, or the file of an embedded CRM: `sandbox:/path/to/file`, which needs no key. */
export interface ServiceOptions extends CommonOptions {
  /** With or without a path, a trailing slash or a trailing `/api`. */
  readonly baseUrl: string;
  /** The API key. It is sent to this origin alone, whatever a redirect says. */
  readonly key?: string;
  /** Allows plain http to another machine, which sends the key unencrypted. */
  readonly insecureHttp?: boolean;
  /** Sends the requests in place of the client's own connections. What it fails with tells nothing of a write, whose outcome is then unknown. */
  readonly fetch?: typeof globalThis.fetch;
  readonly sandbox?: never;
}

/** A CRM that `openSandbox` of `crm-admin/sandbox` opened in this process. */
export interface SandboxServiceOptions extends CommonOptions {
  readonly sandbox: { readonly fetch: typeof globalThis.fetch };
  /** That of the sandbox, where it was opened with one. */
  readonly key?: string;
  readonly baseUrl?: never;
  readonly insecureHttp?: never;
  readonly fetch?: never;
}

export type ClientOptions = ServiceOptions | SandboxServiceOptions;

export interface RequestOptions extends CallOptions {
  /** An array is a parameter that is given several times. */
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
  /** Sent as JSON, with the names of the interface. */
  readonly body?: unknown;
}

/** What the service answered to a request of the program's own. */
export interface ServiceAnswer {
  readonly status: number;
  /** The member `data` of what it answered, or the whole; undefined for an empty answer. A number that a float would change is a text. */
  readonly data: unknown;
  readonly message?: string;
  /** Position in a list, where it is one. */
  readonly meta?: { readonly current_page?: number; readonly per_page?: number; readonly total?: number; readonly last_page?: number };
  readonly rateLimit?: RateLimit;
}

/** Any endpoint of the service, with the key: for what the families don't have. */
export type SendRequest = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: RequestOptions,
) => Promise<ServiceAnswer>;

export interface ListOptions extends CallOptions {
  /** No more records than this; all of them are then not read, and nobody looks whether they all came. */
  readonly limit?: number;
}

/**
 * The records that a list holds. Iterating reads page after page and gives each record once; at the end it throws UnavailableError when
 * fewer came than the service had told.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** One page; without a number the service's own first one. `size`: at most 100. */
  page(number?: number, size?: number): Promise<Page<Item>>;
  /** All of them, held in memory. */
  toArray(): Promise<Item[]>;
}

export interface Page<Item> {
  readonly records: Item[];
  /** How many records the whole list holds, where the service says so. */
  readonly total?: number;
  /** The number of this page and of the last one, where the service says so. */
  readonly page?: number;
  readonly lastPage?: number;
}

/** What the service answered to a write: the id, and as much of the record as it tells. */
export type Answered<Item extends { id: number }> = Pick<Item, 'id'> & Partial<Omit<Item, 'id'>>;

/** The order of a list, and its length; `sort` names are the family's. */
export interface Sorting<Name extends string> {
  sort?: Name | undefined;
  order?: 'asc' | 'desc' | undefined;
  /** No more records than this; all of them are then not read, and nobody looks whether they all came. */
  limit?: number | undefined;
}

/** Beside the values of a create or update: body fields by their wire names, such as custom fields of leads. */
export interface WireFields {
  set?: Readonly<Record<string, string | number>> | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Gives the whole record, which is read for it: a PartialError says that it was created and could not be read. */
  readonly read?: boolean;
}

export interface UpdateOptions extends CallOptions {
  /** Skips the read and sends just these values: the service may clear what is not given. */
  readonly replace?: boolean;
}

/** A change of a signed record's status clears the signature for good. */
export interface SignatureOptions extends CallOptions {
  /** Allows that. Without it, a signed record is an UnconfirmedError, and nothing is sent. */
  readonly clear_signature?: boolean;
}

/** A whole new set, or what to add to it and remove from it, for which the record is read first. */
export type SetChange<Element> = readonly Element[] | { readonly add?: readonly Element[]; readonly remove?: readonly Element[] };

/**
 * A family that is read. Every call throws a CrmError (NotFoundError, UnauthorizedError and the like), or a TypeError for arguments of
 * another kind than it takes.
 */
export interface Reads<Item, Filters> {
  /** The records that match all filters. Nothing is sent before one is wanted. */
  list(filters?: Filters, options?: ListOptions): List<Item>;
  get(id: Id, options?: CallOptions): Promise<Item>;
}

/**
 * A family that is written, too. What is wrong with values is an InvalidValues before anything is sent. No write is sent again once it
 * may have arrived: an UnavailableError then says that its outcome is unknown.
 */
export interface Writes<Item extends { id: number }, Filters, Values, Changes> extends Reads<Item, Filters> {
  create(values: Values, options: CreateOptions & { readonly read: true }): Promise<Item>;
  create(values: Values, options?: CreateOptions): Promise<Answered<Item>>;
  /**
   * Reads the record, and sends everything back with these values in place of its own, digit for digit. Gives the whole record as it is
   * then: a PartialError says that it was changed and could not be read. With `replace` it gives what the service answers.
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
