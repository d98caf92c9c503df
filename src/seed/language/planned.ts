// The records of a seed file once everything is put in that is known: what they hold, and the bodies they come to.

import { createShape } from '../../bodies/shape.ts';
import { UsageError } from '../../errors.ts';
import { placeText, type Where } from '../../files/problems.ts';
import type { FileWords } from '../../names/file-words.ts';
import type { Field, Resource } from '../../resources/define.ts';
import type { Body } from '../../values/body.ts';
import { valueText } from '../../values/parse.ts';
import type { SeedAction } from '../actions.ts';
import { fill, type ResolvedValue, type Target } from './scope.ts';
import { createBodyOf, valueEntries, wireValueEntries } from './values.ts';

/** One value, and where it stands. */
export interface PlannedValue {
  readonly resolved: ResolvedValue;
  readonly where: Where;
}

/** An action on a record. */
export interface Act {
  /** Its place in `then`, from 0. */
  readonly step: number;
  readonly action: SeedAction;
  readonly value: PlannedValue;
}

/** One record to create. */
export interface PlannedRecord {
  readonly name: string;
  /** Its number, when it is counted. */
  readonly index?: number;
  readonly where: Where;
  readonly resource: Resource;
  readonly values: readonly (PlannedValue & { readonly field: Field })[];
  readonly wires: readonly (PlannedValue & { readonly wire: string })[];
  /** What tells it from all others; empty: nothing does. */
  readonly key: readonly Field[];
  readonly acts: readonly Act[];
  /** What stands for the names in its values. */
  readonly words: FileWords;
}

/** One record to find. */
export interface Found {
  readonly name: string;
  readonly where: Where;
  readonly type: string;
  readonly by: readonly (PlannedValue & { readonly name: string })[];
}

/** A part of the work: a record is found, or all of one name are created, and then acted upon. */
export type PlanPart =
  | { readonly kind: 'find'; readonly name: string; readonly found: Found }
  | { readonly kind: 'make' | 'act'; readonly name: string; readonly made: readonly PlannedRecord[] };

/** How messages and the journal name a record: `lead`, `lead[3]`. */
export const recordName = ({ name, index }: Pick<PlannedRecord, 'name' | 'index'>): string =>
  index === undefined ? name : `${name}[${index}]`;

/** The body that creates a record, its references filled. Throws UsageError naming the line of a value that turns out invalid. */
export function bodyOfRecord(made: PlannedRecord, value: (target: Target) => string): Body {
  const shape = createShape(made.resource);
  const entries = made.values.flatMap(({ field, resolved, where }) =>
    valueEntries(shape, field, made.words.settled(field.type, fill(resolved, value), placeText(where)), placeText(where)),
  );
  const wires = made.wires.flatMap(({ wire, resolved, where }) => wireValueEntries(shape, wire, fill(resolved, value), placeText(where)));
  return atPlace(made.where, () => createBodyOf(made.resource, [...entries, ...wires]));
}

/** What an action is given, its references filled. Throws UsageError naming its line. */
export function bodyOfAct({ action, value }: Act, fillIn: (target: Target) => string): Body | undefined {
  return action.bodyOf(fill(value.resolved, fillIn), placeText(value.where));
}

function atPlace<T>(where: Where, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError && !error.message.startsWith('line ')) throw new UsageError(`${placeText(where)}: ${error.message}`);
    throw error;
  }
}

/** What tells a record from all others, out of its body: flag to text. Throws UsageError when a part of it turns out empty. */
export function keyOf({ key, where }: PlannedRecord, body: Body): ReadonlyMap<string, string> {
  const texts = new Map(key.map(({ flag, wire }) => [flag, valueText(body.get(wire) ?? '')]));
  for (const [flag, text] of texts) if (text.trim() === '') throw new UsageError(`${placeText(where)}: Its key, ${flag}, is empty.`);
  return texts;
}
