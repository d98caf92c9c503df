// The types of steps: the intended writes that a front end gives the runner, as steps. Nothing here sends anything.

import type { CrmError } from '../base/errors.ts';
import type { Body } from '../base/values/body.ts';
import type { Id } from '../base/values/parse.ts';
import type { Api } from '../client/client.ts';
import type { Answer, ApiRequest } from '../client/types.ts';
import type { Resource } from '../model/define.ts';
import { createdOf, idOf } from '../model/identity.ts';
import type { Taking } from '../model/taken.ts';

/** A list of steps that can be read several times, in the same order. */
export interface Steps {
  /** The steps with a wanted write. `isWanted` takes the number of a step (from 1, ascending) and of a part. */
  read(isWanted: (n: number, part?: number) => boolean): AsyncIterable<Step>;
}

/** A write of a step. `part` is 0 (the default) for the first write of the record, and 1, 2 and so on for further writes. */
export interface WriteAt {
  readonly n: number;
  readonly part?: number;
}

/** The key of a step that changes a record: `lead 12`. */
export const recordKey = (singular: string, id: Id): string => `${singular} ${id}`;

/** The id in the key of a step that changes a record. Undefined for another key, such as `line 17`. */
export const idInKey = (singular: string, key: string): string | undefined =>
  key.startsWith(recordKey(singular, '')) ? /\d+$/.exec(key)?.[0] : undefined;

/** Steps in memory. */
export function stepsInMemory(all: readonly Step[]): Steps {
  return {
    async *read(isWanted) {
      for (const step of all) if (isWanted(step.n) || step.parts?.some(({ part }) => isWanted(step.n, part))) yield step;
    },
  };
}

/** The intended writes of a record: the first write, and its parts. */
export interface Step extends Write {
  readonly n: number;
  /** Further writes of the same record, by ascending `part`. Each part takes its own turn, after the previous write is done. */
  readonly parts?: readonly Part[];
  /** The earlier steps that must be done first. Several steps may share the same array. */
  readonly after?: readonly number[];
  /** An earlier step of the same record. Its write must have ended, with any outcome, before this step reads the record. */
  readonly waitsFor?: number;
}

/** A further write of a step. */
export interface Part extends Pick<Write, 'prepare' | 'lookFor'> {
  readonly part: number;
  readonly name: string;
  /** The key for a person. */
  readonly key: string;
}

/** One intended write. */
export interface Write {
  /** The key for a person: `line 17`, `fair[3]`, `lead 12`. */
  readonly key: string;
  /** The family of the record: `leads`. */
  readonly family: string;
  /** The first 128 bits of a hash of the write. A later run recognises the write by its digest. */
  readonly digest?: Uint8Array;
  /**
   * Prepares the request from the records of earlier steps. Undefined when a needed record is unknown: the step then stays open. Throws the
   * CrmError with which the step fails.
   */
  prepare(world: World): Promise<PreparedRequest | AsWanted | Conflicting | undefined>;
  /** Returns the way to find out whether a sent request without an answer took effect. */
  lookFor(sent: SentRequest): Look;
}

/** The facts that a step may use for its preparation. */
export interface World {
  /** The client. Its reads belong to the turn of the step. */
  readonly api: Api;
  /** The records that step `n` made, the main record first. Empty when the step made no record. */
  made(n: number): readonly MadeRecord[];
}

/** The facts of a request for the journal: enough to look for the record without the front end. */
export interface SentRequest {
  /** The kind of write: `create`, `update`, or the name of an action. */
  readonly kind: string;
  /** The id of the record; absent for a create. */
  readonly target?: Id;
  /** The overwritten or deleted values, as JSON. */
  readonly before?: unknown;
  /** The time at which the service created the record: after a delete, another record may get the same id. */
  readonly created?: string | undefined;
  /** The sent values that a later process can't take from the steps. */
  readonly body?: Body;
}

export interface PreparedRequest {
  readonly request: ApiRequest;
  readonly sent: SentRequest;
  /** The name of a successful outcome: `created`, `updated`. */
  readonly did: string;
  /**
   * Reads the record after the write, in the same turn, if the answer doesn't show the values. Undefined if the answer shows the values, or
   * if the record can't be read.
   */
  readAgain?(answer: Answer, api: Api): Promise<unknown>;
  /** The effect of the write, from its answer and from the record as read behind the write, if at all. Called once. */
  factsOf(answer: Answer, behind: unknown): AnswerFacts | Promise<AnswerFacts>;
}

/** The effect of a write, by its answer. */
interface AnswerFacts {
  /** The records in the answer, the step's main record first. */
  readonly made: readonly MadeRecord[];
  /** The record's written values after the write, as JSON; undefined when unknown. */
  readonly after?: unknown;
  /** What became of the values that the write asked for. */
  readonly taking?: Taking;
}

/** A step without a request: the record is already as wanted. */
export interface AsWanted {
  readonly did: string;
  readonly made: readonly MadeRecord[];
  /** The id of the record, if the step made no record. */
  readonly target?: Id;
}

/** A step that must not be sent now. The step fails, and counts as a conflict. */
export interface Conflicting {
  readonly conflict: CrmError;
  readonly target: Id;
}

/** A record that a step made or found. */
export interface MadeRecord {
  /** The family, such as `leads`, or the noun of a record that a conversion made, such as `client`. */
  readonly family: string;
  /** Absent when the record exists, and nobody can tell its id. */
  readonly id?: Id | undefined;
  /** The time at which the service created the record. Absent until an answer or a list tells the time. */
  readonly created?: string | undefined;
  /** True when the run made the record, false when it found the record. */
  readonly own: boolean;
}

/** The record in the answer to a create. `read`: the record as read again, if at all. */
export const createdRecord = ({ name }: Resource, data: unknown, read: unknown): MadeRecord => ({
  family: name,
  id: idOf(data),
  own: true,
  created: createdOf(data) ?? createdOf(read),
});

export type WriteEnd =
  /** `made` has the records of the step, the main record first. */
  | { readonly did: string; readonly made: readonly MadeRecord[] }
  /** `isConflict`: not sent on purpose, and counted as a conflict. */
  | { readonly failed: string; readonly isConflict?: true };

/** The outcome of a step: of its first write, and of the part that failed, if any. */
export type StepEnd = WriteEnd & { readonly lacks?: { readonly name: string; readonly failed: string } };

/** The way to look for a lost write. */
export type Look =
  /** A created record is looked for among the newest records. */
  | { readonly kind: 'create'; readonly body: Body }
  /**
   * Reading a single path tells whether the write took effect. `adds`: the request adds something, such as a comment, and a second request
   * would add the same again.
   */
  | { readonly kind: 'target'; readonly adds?: boolean; read(api: Api): Promise<Verdict> }
  /** The request may be sent again in any case. */
  | { readonly kind: 'repeatable' };

/** The look for a request whose content is no longer known: always unknown. */
export const unknowable: Look = { kind: 'target', read: async () => ({ end: 'unknown', candidates: [] }) };

/** The result of looking for a request. */
export type Verdict =
  /** `did`: the name of the outcome; absent for a create. */
  | { readonly end: 'found'; readonly made: readonly MadeRecord[]; readonly did?: string; readonly after?: unknown }
  | { readonly end: 'absent' }
  /** The record holds neither the old nor the new value. */
  | ({ readonly end: 'conflict' } & Conflicting)
  /** Unknown. `candidates` are the ids of records that the request may have made. `why`: a sentence in place of the usual one. */
  | { readonly end: 'unknown'; readonly candidates: readonly Id[]; readonly why?: string };
