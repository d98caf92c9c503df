// What a front end hands to the runner: a plan of intended writes, one step each. Nothing here sends anything.

import type { Api } from '../api/client.ts';
import type { Answer, ApiRequest } from '../api/types.ts';
import type { CrmError } from '../errors.ts';
import type { Resource } from '../resources/define.ts';
import type { Body } from '../values/body.ts';
import type { Id } from '../values/parse.ts';

/** A list of steps, in order, that can be read as often as it is needed. */
export interface Plan {
  /** The steps of which a write is asked for, by the step's number (from 1, ascending) and the part. */
  steps(isWanted: (n: number, part?: number) => boolean): AsyncIterable<Step>;
}

/** One write of a step. `part`: 0, which is the default, for the first one of its record, from 1 for further ones. */
export interface WriteAt {
  readonly n: number;
  readonly part?: number;
}

/** The plan of steps that are all in memory. */
export function planOfSteps(all: readonly Step[]): Plan {
  return {
    async *steps(isWanted) {
      for (const step of all) if (isWanted(step.n, step.part)) yield step;
    },
  };
}

/** What is intended for one record: a write, and the further ones of its parts. */
export interface Step extends WriteAt, Write {
  /** Further writes of the same record, each in a turn of its own after the one before, once that is done. */
  readonly parts?: readonly Part[];
}

/** A further write of a step. */
export interface Part extends Pick<Write, 'prepare' | 'trace' | 'digest'> {
  readonly part: number;
  /** What it writes, as a message names it: `assigned`. */
  readonly name: string;
  /** As a person finds it. */
  readonly key: string;
}

/** One intended write. */
export interface Write {
  /** As a person finds it: `line 17`, `fair[3]`, `lead 12`. */
  readonly key: string;
  /** The family that it writes to: `leads`. */
  readonly family: string;
  /** 128 bits of a hash of what it would write: by this a later run knows it again. */
  readonly digest?: Uint8Array;
  /**
   * The earlier writes that it comes after, in groups that many may share: while one of them is not done, it waits, also for another process. A
   * number alone is the first write of a step.
   */
  readonly after?: readonly (readonly (number | WriteAt)[])[];
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
  /** When the service says that the record was created: its id may be given again. */
  readonly created?: string | undefined;
  /** The create body, where the plan can't be read again without its file. */
  readonly body?: Body;
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly request: ApiRequest;
  readonly sent: SentRequest;
  /** What the outcome is called when it goes through: `created`, `updated`. */
  readonly did: string;
  /** Reads the record in the turn of the write, where the answer doesn't show it; undefined where it does, or can't be read. */
  behind?(answer: Answer, api: Api): Promise<unknown>;
  /** What an answer tells, and what was read behind it: it is taken in once. */
  took(answer: Answer, behind: unknown): Took | Promise<Took>;
}

/** What a write did, by its answer. */
interface Took {
  /** The records that it tells of, the step's own first. */
  readonly made: readonly MadeRecord[];
  /** What the record holds afterwards of what was written, as JSON can hold it; undefined where nobody knows. */
  readonly after?: unknown;
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

export type Outcome =
  /** `made`: the records of the step, its own first. */
  | { readonly did: string; readonly made: readonly MadeRecord[] }
  /** `isConflict`: it was not sent on purpose, and is counted apart. */
  | { readonly failed: string; readonly isConflict?: true };

/** What became of a step: of its first write, and the part that failed, if one did. */
export type StepOutcome = Outcome & { readonly lacks?: { readonly name: string; readonly failed: string } };

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
  | { readonly end: 'found'; readonly made: readonly MadeRecord[]; readonly did?: string; readonly after?: unknown }
  | { readonly end: 'absent' }
  /** Nobody can know; `candidates` are records that may be what it made. */
  | { readonly end: 'untold'; readonly candidates: readonly Id[] };
