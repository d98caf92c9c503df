// What a family's create and update bodies may hold, read from its declaration. Pure.

import type { Field, OneOf, Resource } from '../resources/define.ts';

/** What a body may hold: the fields of one operation, and the field that says which one of some flags was given. */
export interface BodyShape {
  readonly fields: readonly Field[];
  readonly oneOf?: OneOf;
  /** What only a create body may hold. */
  readonly createOnly?: readonly Field[];
}

/** What a family's create body may hold. */
export function createShape(resource: Resource): BodyShape {
  const fields = resource.fields.filter(({ only }) => only !== 'update');
  return { fields, ...(resource.oneOf === undefined ? {} : { oneOf: resource.oneOf }) };
}

/** What a family's update body may hold. */
export function updateShape(resource: Resource): BodyShape {
  return {
    fields: resource.fields.filter(({ only }) => only !== 'create'),
    createOnly: resource.fields.filter(({ only }) => only === 'create'),
  };
}

/** Why a value for create is refused for update. */
export const neverChanged = "it can't be changed after creation.";
