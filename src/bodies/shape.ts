// What a request body may hold, out of a family's declaration. Pure, and light: help loads it.

import type { Field, OneOf, Resource, Standing } from '../resources/define.ts';

/** What a body may hold: the fields of one operation, and the field that tells which of some flags was given. */
export interface BodyShape {
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** What it makes, for messages: `a new lead`. Absent: it changes what is there. */
  readonly makes?: string;
  /** What only a create body may hold. */
  readonly createOnly?: readonly Field[];
  /** What a list calls by a flag's name, too. */
  readonly standing?: Standing;
}

/** What a family's create body may hold. */
export function createShape({ fields, oneOf, singular, standing }: Resource): BodyShape {
  return {
    fields: fields.filter(({ only }) => only !== 'update'),
    ...(oneOf !== undefined && { oneOf }),
    ...(standing !== undefined && { standing }),
    makes: `a new ${singular}`,
  };
}

/** What a family's update body may hold. */
export function updateShape({ fields, standing }: Resource): BodyShape {
  return {
    fields: fields.filter(({ only }) => only !== 'create'),
    createOnly: fields.filter(({ only }) => only === 'create'),
    ...(standing !== undefined && { standing }),
  };
}

/** Why a value of creation is not one of an update. */
export const neverChanged = "it can't be changed after creation.";

/** The wire names under which a field travels. */
export function wiresOf({ wire, type }: Field): string[] {
  if (type.kind === 'reference') return [`${wire}_type`, `${wire}_id`];
  if (type.kind === 'numbered') return Array.from({ length: type.max }, (_, index) => `${wire}${index + 1}`);
  return [wire];
}
