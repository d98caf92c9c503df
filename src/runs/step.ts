// What a front end hands to the runner: a plan of intended writes, one step each. Nothing here sends anything.

import type { Api } from '../api/client.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import type { CrmError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import type { Id } from '../values/parse.ts';

/** A list of intended writes, in order, that can be read as often as it is needed. */
export interface Plan {
  /** The steps that are asked for by number (from 1, ascending). */
  steps(isWanted: (n: number) => boolean): AsyncIterable<Step>;
}

/** The plan of steps that are all in memory. */
export function planOfSteps(all: readonly Step[]): Plan {
  return {
    async *steps(isWanted) {
      for (const step of all) if (isWanted(step.n)) yield step;
    },
  };
}

/** From this number on steps are further writes to a record that an earlier step wrote to: what people count is the earlier ones. */
export const furtherFrom = 1_000_000_000;

/** The number of a further step; `part`: from 1. */
export const furtherNumber = (n: number, part: number): number => part * furtherFrom + n;

/** One intended write. */
export interface Step {
  /** Its number in the plan, from 1. */
  readonly n: number;
  /** As a person finds it: `line 17`, `fair[3]`, `lead 12`. */
  readonly key: string;
  /** The family that it writes to: `leads`. */
  readonly family: string;
  /** 128 bits of a hash of what it would write: by this a later run knows it again. */
  readonly digest?: Uint8Array;
  /** The earlier steps that it comes after, in groups that many may share: while one of them is not done, it waits, also for another process. */
  readonly after?: readonly (readonly number[])[];
  /**
   * Works out the request from what earlier steps made; undefined: nobody knows what it needs, and it waits as well. Throws the CrmError that
   * makes the step fail.
   */
  prepare(world: World): Promise<PreparedRequest | Settled | Conflicting | undefined>;
  /** How to tell what became of a request of this step that was sent and never answered. */
  trace(sent: SentRequest): Trace;
}

/** What a step may ask for while it is prepared. */
export interface World {
  /** Behind the limiter. */
  readonly api: Api;
  /** An earlier attempt of the step was sent, and may have arrived. */
  readonly mayHaveArrived: boolean;
  /** What another step made, its own record first; empty when it made nothing. */
  made(n: number): readonly MadeRecord[];
}

/** What a journal keeps of a request: enough to look for it without the front end's own state. */
export interface SentRequest {
  /** What it does: `create`, `update`, or the name of an action. */
  readonly kind: string;
  /** The record that it is about; absent for a create. */
  readonly target?: Id;
  /** What it overwrites or deletes, as JSON can hold it. */
  readonly before?: unknown;
  /** The create body, where the plan can't be read again without its file. */
  readonly body?: Body;
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly request: ApiRequest;
  readonly sent: SentRequest;
  /** What the outcome is called when it goes through: `created`, `updated`. */
  readonly did: string;
  /** What the record holds of it afterwards, as JSON can hold it; asked once the answer is taken in. Undefined where nobody knows. */
  after?(): unknown;
  /** The records that an answer tells of, the step's own first. */
  made(answer: Answer): readonly MadeRecord[] | Promise<readonly MadeRecord[]>;
}

/** A step that needs no request: what it wants is there. */
export interface Settled {
  readonly settled: string;
  readonly made: readonly MadeRecord[];
  /** The record that it is about, where it made none. */
  readonly target?: Id;
}

/** A step that must not be sent as things are: it fails, and is counted apart. */
export interface Conflicting {
  readonly conflict: CrmError;
  readonly target: Id;
}

/** A record that a step made or found. */
export interface MadeRecord {
  /** `leads`; for what is no family the noun: `client`. */
  readonly family: string;
  /** Absent where the answer told none. */
  readonly id?: Id;
  /** When the service says that it was created, as told by a list; absent until one was read. */
  readonly created?: string;
  /** False where it is there for certain and nobody can tell which record it is. */
  readonly sure: boolean;
  /** Whether the run made it; false for what it merely found. */
  readonly own: boolean;
}

/** How to look for a request in doubt. */
export type Trace =
  /** A record that was created: looked for among the newest ones. */
  | { readonly kind: 'create'; readonly resource: Resource; readonly body: Body }
  /** Something that reading one place tells. */
  | { readonly kind: 'target'; look(api: Api): Promise<Verdict> }
  /** It may be sent again whatever became of it. */
  | { readonly kind: 'repeatable' };

/** For a request of which it is no longer known what it was. */
export const unknowable: Trace = { kind: 'target', look: async () => ({ end: 'untold', candidates: [] }) };

/** What looking for one request told. */
export type Verdict =
  | { readonly end: 'found'; readonly made: readonly MadeRecord[]; readonly did?: string }
  | { readonly end: 'absent' }
  /** Nobody can know; `candidates` are records that may be what it made. */
  | { readonly end: 'untold'; readonly candidates: readonly Id[] };
