// Everything that is sent and answered about one family, as zod schemas, from its declaration.

import type * as z from 'zod';
import type { Resource } from '../resources/define.ts';
import { actionBody, fieldsBody, operationBody, setBody } from './bodies.ts';
import { recordSchema } from './record.ts';
import { sentValue } from './value.ts';

type ByVerb = Readonly<Record<string, z.ZodType>>;

export interface FamilySchemas {
  /** Request bodies by wire names; a family that is only read has none. A form's texts and JSON's typed values both pass. */
  readonly create?: z.ZodType;
  readonly update?: z.ZodType;
  /** By verb: the bodies of actions that carry a value, of sets that are replaced, of operations. */
  readonly actions: ByVerb;
  readonly sets: ByVerb;
  readonly operations: ByVerb;
  /** Query parameters of the list, by wire name: the filters and `sort`, `order`, `limit`, `page` are for whoever pages to add. */
  readonly filters: ByVerb;
  /** A record as it is read: all documented members, and whatever else stands beside them. */
  readonly record: z.ZodType;
}

/** The schemas of a family, of a written or a read-only one. */
export function familySchemas(resource: Resource): FamilySchemas {
  const { actions = [], guarded = [], sets = [], operations = [], readOnly } = resource;
  const carrying = [...actions, ...guarded].flatMap((action) => {
    const body = actionBody(action);
    return body === undefined ? [] : [[action.verb, body] as const];
  });
  return {
    ...(readOnly ? {} : { create: fieldsBody(resource, 'create'), update: fieldsBody(resource, 'update') }),
    actions: Object.fromEntries(carrying),
    sets: Object.fromEntries(sets.map((set) => [set.verb, setBody(set)])),
    operations: Object.fromEntries(operations.map((operation) => [operation.verb, operationBody(operation)])),
    filters: Object.fromEntries(resource.filters.flatMap(filterSchemas)),
    record: recordSchema(resource),
  };
}

/** A reference travels as two query parameters (interface: Notes, list query parameters). */
function filterSchemas({ wire, type, help }: Resource['filters'][number]): [string, z.ZodType][] {
  if (type.kind !== 'reference') return [[wire, sentValue(type).describe(help)]];
  const halves = { type: sentValue({ kind: 'choice', values: type.types }), id: sentValue({ kind: 'id' }) };
  return Object.entries(halves).map(([half, schema]) => [`${wire}_${half}`, schema.describe(`${help}: its ${half}`)]);
}
