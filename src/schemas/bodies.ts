// Request bodies as zod schemas, from the fields that a family declares. Unknown names are refused, but where custom fields have
// names of their own.

import * as z from 'zod';
import type { Action, Field, Operation, ReplacedSet, Resource } from '../resources/define.ts';
import { optionalValue, requiredValue, sentValue } from './value.ts';

/** The body of a create or an update (interface: create body, update body). */
export function fieldsBody(resource: Resource, mode: 'create' | 'update'): z.ZodType {
  const fields = resource.fields.filter(({ only }) => only === undefined || only === mode);
  return bodyOf(fields, mode === 'create' ? resource.oneOf : undefined, resource.customNames);
}

/** The body of an operation on one record: clone, convert, comment. */
export const operationBody = ({ fields, oneOf }: Operation): z.ZodType => bodyOf(fields, oneOf);

/** The body of an action; undefined where it carries none. */
export const actionBody = ({ value }: Action): z.ZodType | undefined =>
  value && z.strictObject({ [value.wire]: requiredValue(value.type).describe(value.help) });

/** The body that replaces a set. In a form its name has brackets behind it, which is for the encoding to know. */
export const setBody = ({ wire, value }: ReplacedSet): z.ZodType =>
  z.strictObject({ [wire]: z.array(requiredValue(value.type)).describe('The whole new set; an empty array clears it') });

/** One variant for each field of the group of which exactly one is sent; else the one shape. */
function bodyOf(fields: readonly Field[], oneOf: Operation['oneOf'], isOpen?: true): z.ZodType {
  if (oneOf === undefined) return variant(fields, {}, isOpen);
  const plain = fields.filter(({ flag }) => !oneOf.flags.includes(flag));
  const [first, ...rest] = fields
    .filter(({ flag }) => oneOf.flags.includes(flag))
    .map((one) => variant([{ ...one, required: true }, ...plain], { [oneOf.wire]: z.literal(one.flag) }, isOpen));
  return first === undefined ? variant(fields, {}, isOpen) : z.discriminatedUnion(oneOf.wire, [first, ...rest]);
}

function variant(fields: readonly Field[], fixed: Record<string, z.ZodType>, isOpen?: true): z.ZodObject {
  const members = Object.fromEntries(fields.flatMap(membersOf));
  const object = isOpen
    ? z.object({ ...fixed, ...members }).catchall(z.unknown().describe('The value of a custom field, by its name'))
    : z.strictObject({ ...fixed, ...members });
  return fields.reduce(withOrder(fields), fields.reduce(withBothHalves, object));
}

/** The members that a field is sent as. */
function membersOf({ wire, type, required, help }: Field): [string, z.ZodType][] {
  if (type.kind === 'reference') {
    const halves = { type: z.enum(type.types).optional(), id: sentValue({ kind: 'id' }).optional() };
    return Object.entries(halves).map(([half, schema]) => [`${wire}_${half}`, schema.describe(`${help}: its ${half}`)]);
  }
  if (type.kind === 'numbered') {
    const numbers = Array.from({ length: type.max }, (_, index) => index + 1);
    return numbers.map((number) => [`${wire}${number}`, optionalValue(type).describe(help)]);
  }
  return [[wire, (required ? requiredValue(type) : optionalValue(type)).describe(help)]];
}

/** A reference's type needs its id (interface: Notes, create body). */
function withBothHalves(object: z.ZodObject, { wire, type }: Field): z.ZodObject {
  if (type.kind !== 'reference') return object;
  const [kind, id] = [`${wire}_type`, `${wire}_id`];
  return object
    .refine((body) => body[kind] === undefined || body[id] !== undefined, { path: [id], error: `${id} is required beside ${kind}.` })
    .meta({ dependentRequired: { [kind]: [id] } });
}

/** Dates that must not come before others (interface: Limits). JSON Schema has no words for it: descriptions say it. */
const withOrder =
  (fields: readonly Field[]) =>
  (object: z.ZodObject, { wire, notBefore }: Field): z.ZodObject => {
    const start = fields.find(({ flag }) => flag === notBefore)?.wire;
    if (start === undefined) return object;
    const inOrder = (body: Record<string, unknown>): boolean => !body[wire] || String(body[wire]) >= String(body[start]);
    return object.refine(inOrder, { path: [wire], error: `${wire} is before ${start}.` });
  };
