// An apply under way: what it works with, how far it has come, and how its errors name a record.

import { CrmError, type FieldProblem, InterruptedError } from '../errors.ts';
import type { Id } from '../values/parse.ts';
import type { OwnKeys } from './keys.ts';
import type { Finder } from './language/find.ts';
import type { Plan } from './language/plan.ts';
import type { Ledger } from './ledger.ts';
import { type Made, madeName } from './made.ts';
import type { Records } from './records.ts';
import type { Service } from './service.ts';

export interface ApplyOptions {
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly finder: Finder;
  /** Aborted: what is under way is finished, and nothing more begins. */
  readonly signal: AbortSignal;
  now(): Date;
}

/** A record of the file once the run is through. */
export interface AppliedRecord {
  readonly name: string;
  readonly type: string;
  readonly id: Id;
  /** `kept`: an earlier apply created it. `found`: it was there before. */
  readonly state: 'created' | 'kept' | 'found';
}

/** How far an apply has come. */
export interface Applied {
  /** The records that are there, in the order in which they came about. */
  readonly records: Map<string, AppliedRecord>;
  /** Names that this process sent, whatever became of them. */
  readonly sent: Set<string>;
  /** Names of records from before for which the file has other values now. */
  readonly changed: Set<string>;
  /** Names of those for which it has other actions in place of what was done. */
  readonly actedOtherwise: Set<string>;
}

export interface Run extends ApplyOptions {
  readonly records: Records;
  readonly keys: OwnKeys;
  readonly applied: Applied;
}

/** How often a write whose answer was lost is looked for and sent again. */
export const mostTries = 5;

/** The error with the record's name in front, and the flags of the values that were refused. */
export function named(error: unknown, made: Made): unknown {
  if (!(error instanceof CrmError) || error instanceof InterruptedError) return error;
  const name = madeName(made);
  if (!/^line \d/.test(error.message) && !error.message.startsWith(`${name}: `)) error.message = `${name}: ${error.message}`;
  for (const field of error.details.fields ?? []) field.flag ??= flagOf(field, made);
  return error;
}

function flagOf({ name }: FieldProblem, { resource }: Made): string {
  return resource.fields.find(({ wire }) => wire === name)?.flag ?? name;
}
