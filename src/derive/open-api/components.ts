// The parts of the OpenAPI document that operations refer to: schemas by their names, problems, parameters.

import { attachedLists, type Resource } from '../../resources/define.ts';
import { familySchemas } from '../../schemas/family.ts';
import { jsonSchema } from '../../schemas/json-schema.ts';
import { recordSchema } from '../../schemas/record.ts';
import { pascalCase } from '../../values/text/wording.ts';
import { memberWords } from './words.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What stands in place of a component: `kind` is schemas, parameters, headers or responses. */
export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
/** The schema of an object that has all of these. */
export const object = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) });
export const text = { type: 'string' };

const page = object(Object.fromEntries(['current_page', 'per_page', 'total', 'last_page'].map((name) => [name, { type: 'integer' }])));
const messages = { type: 'object', additionalProperties: { type: 'array', items: text } };

/** The schemas that every family shares. */
export const common: Json = {
  Meta: { ...page, description: 'Where a list stands: the page, its size, and how many there are.' },
  Problem: object({ message: text }),
  Invalid: { ...object({ message: text, errors: messages }), description: 'Each failing field by its name, with messages.' },
};

/** An answer that tells a problem; `example`: in the service's words (vendor facts). */
export const problem = (description: string, schema: string, example?: Json, more: Json = {}): Json => ({
  description,
  ...more,
  content: { 'application/json': { schema: ref('schemas', schema), ...(example && { example }) } },
});

const invalid = {
  message: 'The given data was invalid.',
  errors: { first_name: ['The first name field is required.'], email: ['The email has already been taken.'] },
};

export const headers: Json = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
};

export const problems: Json = {
  Unauthorized: problem('The key is missing or wrong.', 'Problem', { message: 'Unauthorized. A valid API key is required.' }),
  NotFound: problem('There is no such record, or the service has no such endpoint.', 'Problem', { message: 'Lead not found.' }),
  Invalid: problem('Something that was sent is missing or wrong.', 'Invalid', invalid),
  TooMany: problem(
    'Too many requests: wait.',
    'Problem',
    { message: 'Too Many Attempts.' },
    { headers: { 'Retry-After': ref('headers', 'Retry-After') } },
  ),
  Failed: problem('The service failed.', 'Problem'),
};

export const parameters: Json = {
  order: { name: 'order', in: 'query', description: 'Direction of the order', schema: { type: 'string', enum: ['asc', 'desc'] } },
  limit: { name: 'limit', in: 'query', description: 'Page size', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  page: { name: 'page', in: 'query', description: 'Page number', schema: { type: 'integer', minimum: 1 } },
};

/** The schemas that a family gives its name: the record, and each body. */
export function namedSchemas(family: Resource): Json {
  const { create, update, actions, sets, operations, record } = familySchemas(family);
  const bodies = { ...(create && { create }), ...(update && { update }), ...actions, ...sets, ...operations };
  const named = Object.entries(bodies).map(([verb, schema]) => {
    const name = bodyName(family, verb);
    return [name, withOthers(withWords(name, jsonSchema(schema)))];
  });
  const below = attachedLists(family).map(({ records }) => [belowName(family, records.singular), jsonSchema(recordSchema(records))]);
  const own = pascalCase(family.singular);
  return { [own]: withWords(own, jsonSchema(record)), ...Object.fromEntries(named), ...Object.fromEntries(below) };
}

/** A schema whose members are described in the interface's words, where these say more than what flags are for. */
function withWords(name: string, schema: Json): Json {
  const words = memberWords[name] ?? {};
  const described = (properties: Json): Json =>
    Object.fromEntries(
      Object.entries(properties).map(([member, one]) => [
        member,
        words[member] === undefined ? one : { ...(one as Json), description: words[member] },
      ]),
    );
  return {
    ...schema,
    ...(schema.properties !== undefined && { properties: described(schema.properties as Json) }),
    ...(Array.isArray(schema.oneOf) && { oneOf: schema.oneOf.map((one: Json) => withWords(name, one)) }),
  };
}

/** Members of any name, said once more on their own: of an object that has properties, too, orval reads nothing else (8.38). */
function withOthers(schema: Json): Json {
  const { additionalProperties: others } = schema;
  return typeof others === 'object' ? { ...schema, allOf: [{ type: 'object', additionalProperties: others }] } : schema;
}

/** The name of a body's schema: `LeadCreate`. */
export const bodyName = ({ singular }: Resource, verb: string): string => `${pascalCase(singular)}${pascalCase(verb)}`;
/** The name of the schema of what hangs below a record: `LeadCommentRecord`. */
export const belowName = ({ singular }: Resource, name: string): string => `${pascalCase(singular)}${pascalCase(name)}Record`;

export const idSchema = { type: 'integer', minimum: 1 };
export const recordRef = ({ singular }: Resource): Json => ref('schemas', pascalCase(singular));

/** The envelope of every answer (interface: conventions, 2). */
export const envelope = (data: Json): Json => object({ data, message: text });
