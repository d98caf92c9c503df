// The shapes of request bodies, made from a family's declaration. Pure and light, because the help loads this file.

import type { Field, OneOf, Resource, Standing } from './define.ts';

/** The fields of a body, and the `oneOf` group among them. */
export interface BodyShape {
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** The made thing for messages: `a new lead`. Absent for an update. */
  readonly makes?: string;
  /** The fields that only a create takes. */
  readonly createOnly?: readonly Field[];
  /** A standing with the same name as a flag: the message about a wrong value explains the difference. */
  readonly standing?: Standing;
}

/** The shape of a family's create body. */
export function createShape({ fields, oneOf, singular, standing }: Resource): BodyShape {
  return {
    fields: fields.filter(({ only }) => only !== 'update'),
    ...(oneOf !== undefined && { oneOf }),
    ...(standing !== undefined && { standing }),
    makes: `a new ${singular}`,
  };
}

/** The shape of a family's update body. */
export function updateShape({ fields, standing }: Resource): BodyShape {
  return {
    fields: fields.filter(({ only }) => only !== 'create'),
    createOnly: fields.filter(({ only }) => only === 'create'),
    ...(standing !== undefined && { standing }),
  };
}

/** The reason why an update refuses a field of create. */
export const neverChanged = "it can't be changed after creation.";

/** The wire names of a field. */
export function wiresOf({ wire, type }: Field): string[] {
  if (type.kind === 'reference') return [`${wire}_type`, `${wire}_id`];
  if (type.kind === 'numbered') return Array.from({ length: type.max }, (_, index) => `${wire}${index + 1}`);
  return [wire];
}
