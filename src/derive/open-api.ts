// The OpenAPI 3.1 document of the service's interface, from the declarations: what every endpoint takes and answers. Pure.

import type { Attached, Operation, Resource } from '../resources/define.ts';
import { type FamilySchemas, familySchemas } from '../schemas/family.ts';
import { type JsonSchema, jsonSchema } from '../schemas/json-schema.ts';
import { partSchema, recordSchema } from '../schemas/record.ts';
import { samples } from './samples.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a service answered to the sample request of an operation, by operationId. */
export type Answers = Readonly<Record<string, unknown>>;

/** One operation: where it is, and what the document says of it. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  readonly path: string;
  readonly operation: Json & { readonly operationId: string; readonly responses: Json };
}

export interface OpenApi extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The document, its members in a fixed order. `answers` become the examples of answers. */
export function openApi(families: readonly Resource[], version: string, answers: Answers = {}): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operation } of families.flatMap((family) => endpointsOf(family, answers))) {
    paths[path] = { ...paths[path], [method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'CRM service',
      version,
      summary: 'Contacts, proposals, leads, catalog items and notes, and the records that they refer to',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8080', description: 'Where the service is' } } }],
    security: [{ key: [] }],
    tags: families.map(({ name, summary }) => ({ name, description: `${summary}.` })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'The API key, behind the word Bearer.' } },
      parameters,
      headers,
      responses: problems,
      schemas: { ...common, ...Object.assign({}, ...families.map(namedSchemas)) },
    },
  };
}

const about =
  'Made by crm-admin from the declarations that its commands, its embedded CRM and its completions work from. ' +
  'Bodies are forms (arrays as repeated `name[]` fields) or JSON. An empty text in a field that may be left out clears it. ' +
  'Decimals are texts in answers, so that no digit is lost. Records may have members that stand nowhere here. ' +
  'Where the service documents no answer ("not shown"), the document says what is likely and leaves it open: such an answer may come ' +
  'without the envelope, or without a body.';

/** How a name reads in operation ids and names of schemas: `team member` is TeamMember. */
const pascal = (text: string): string => text.replace(/(?:^|[ -])(\w)/g, (_all, letter: string) => letter.toUpperCase());

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const object = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) });
const text = { type: 'string' };

const page = object(Object.fromEntries(['current_page', 'per_page', 'total', 'last_page'].map((name) => [name, { type: 'integer' }])));
const messages = { type: 'object', additionalProperties: { type: 'array', items: text } };

const common: Json = {
  Meta: { ...page, description: 'Where a list stands: the page, its size, and how many there are.' },
  Problem: object({ message: text }),
  Invalid: { ...object({ message: text, errors: messages }), description: 'Each failing field by its name, with messages.' },
};

/** An answer that tells a problem; `example`: in the service's words (vendor facts). */
const problem = (description: string, schema: string, example?: Json, more: Json = {}): Json => ({
  description,
  ...more,
  content: { 'application/json': { schema: ref('schemas', schema), ...(example && { example }) } },
});

const invalid = {
  message: 'The given data was invalid.',
  errors: { first_name: ['The first name field is required.'], email: ['The email has already been taken.'] },
};

const headers: Json = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
};

const problems: Json = {
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

const parameters: Json = {
  order: { name: 'order', in: 'query', description: 'Direction of the order', schema: { type: 'string', enum: ['asc', 'desc'] } },
  limit: { name: 'limit', in: 'query', description: 'Page size', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  page: { name: 'page', in: 'query', description: 'Page number', schema: { type: 'integer', minimum: 1 } },
};

/** The schemas that a family gives its name: the record, and each body. */
function namedSchemas(family: Resource): Json {
  const { create, update, actions, sets, operations, record } = familySchemas(family);
  const bodies = { ...(create && { create }), ...(update && { update }), ...actions, ...sets, ...operations };
  const named = Object.entries(bodies).map(([verb, schema]) => [bodyName(family, verb), jsonSchema(schema)]);
  const below = attachedLists(family).map(({ records }) => [belowName(family, records.singular), jsonSchema(recordSchema(records))]);
  return { [pascal(family.singular)]: jsonSchema(record), ...Object.fromEntries(named), ...Object.fromEntries(below) };
}

const bodyName = ({ singular }: Resource, verb: string): string => `${pascal(singular)}${pascal(verb)}`;
const belowName = ({ singular }: Resource, name: string): string => `${pascal(singular)}${pascal(name)}Record`;

type AttachedList = Extract<Attached, { readonly path: string }>;

/** The lists that hang below a record and have no family of their own: comments. */
function attachedLists({ attached = [] }: Resource): AttachedList[] {
  return attached.filter((one): one is AttachedList => 'path' in one);
}

/** Every operation of a family, in the order of the interface document. */
export function endpointsOf(family: Resource, answers: Answers = {}): Endpoint[] {
  const { path, singular, readOnly, actions = [], guarded = [], sets = [], operations = [] } = family;
  const schemas = familySchemas(family);
  const one = `${path}/{id}`;
  const say = sayer(family, answers);
  const lists = attachedLists(family);
  const plain: Endpoint[] = [
    say('get', path, `list${pascal(family.name)}`, `List ${several(family)}`, {
      parameters: queryOf(family, schemas),
      answers: { 200: listAnswer(family) },
      verb: 'list',
      refuses: ['Invalid', ...(readOnly ? ['NotFound' as const] : [])],
    }),
    say('get', one, `get${pascal(singular)}`, `Read ${article(singular)}`, { answers: { 200: recordAnswer(family) }, verb: 'get' }),
  ];
  if (readOnly) return plain;
  const made = family.answers?.create === undefined ? recordRef(family) : jsonSchema(partSchema(family, family.answers.create));
  const changed = family.answers?.update === undefined ? recordRef(family) : jsonSchema(partSchema(family, family.answers.update));
  const links = linksTo(family);
  return [
    ...plain,
    say('post', path, `create${pascal(singular)}`, `Create ${article(singular)}`, {
      body: bodyName(family, 'create'),
      answers: { 201: { schema: envelope(made), links } },
      refuses: ['Invalid'],
    }),
    say('patch', one, `update${pascal(singular)}`, `Change ${article(singular)}`, {
      body: bodyName(family, 'update'),
      answers: { 200: { schema: envelope(changed), bare: changed } },
      verb: 'update',
      refuses: ['NotFound', 'Invalid'],
    }),
    say('delete', one, `delete${pascal(singular)}`, `Delete ${article(singular)}`, {
      answers: { 200: { schema: envelope(object({ id: idSchema })), bare: { type: 'object' } } },
      verb: 'delete',
    }),
    ...[...actions, ...guarded].map((action) =>
      say('put', `${one}/${action.path}`, `${camel(action.verb)}${pascal(singular)}`, action.summary, {
        ...(action.value && { body: bodyName(family, action.verb) }),
        answers: { 200: recordAnswer(family) },
        verb: action.verb,
        conflict: action.conflict?.when,
        refuses: action.value ? ['NotFound', 'Invalid'] : ['NotFound'],
      }),
    ),
    ...sets.map((set) =>
      say('put', `${one}/${set.path}`, `${camel(set.verb)}${pascal(singular)}`, set.summary, {
        body: bodyName(family, set.verb),
        form: formOfSet(set.wire, schemas.sets[set.verb]),
        answers: { 200: recordAnswer(family) },
        verb: set.verb,
        refuses: ['NotFound', 'Invalid'],
      }),
    ),
    ...lists.map(({ name, path: below, records }) =>
      say('get', `${one}/${below}`, `list${pascal(singular)}${pascal(name)}`, `List the ${name} of ${article(singular)}`, {
        answers: { 200: { schema: envelope({ type: 'array', items: ref('schemas', belowName(family, records.singular)) }) } },
      }),
    ),
    ...operations.map((operation) =>
      say('post', `${one}/${operation.path}`, `${camel(operation.verb)}${pascal(singular)}`, summaryOf(operation, family), {
        body: bodyName(family, operation.verb),
        answers: { 201: operationAnswer(operation, family) },
        conflict: operation.conflict?.when,
        refuses: ['NotFound', 'Invalid'],
      }),
    ),
    ...lists.map(({ path: below, records }) =>
      say(
        'delete',
        `${one}/${below}/{${records.singular}_id}`,
        `delete${pascal(singular)}${pascal(records.singular)}`,
        `Delete a ${records.singular}`,
        {
          answers: { 200: { schema: envelope(object({ id: idSchema })) } },
        },
      ),
    ),
  ];
}

const several = ({ plural, name }: Resource): string => plural ?? name;
const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
const camel = (verb: string): string => verb.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
const summaryOf = ({ makes }: Operation, { singular }: Resource): string => `Make ${makes} of ${article(singular)}`;

const idSchema = { type: 'integer', minimum: 1 };
const recordRef = ({ singular }: Resource): Json => ref('schemas', pascal(singular));

/** The envelope of every answer (interface: conventions, 2). */
const envelope = (data: Json): Json => object({ data, message: text });

/** An answer's schema, and what may come in its place where the interface doesn't show it. */
interface Answer {
  readonly schema: Json;
  readonly bare?: Json;
  readonly links?: Json;
}

const recordAnswer = (family: Resource): Answer => ({ schema: envelope(recordRef(family)), bare: recordRef(family) });

function listAnswer(family: Resource): Answer {
  const bare = { type: 'array', items: recordRef(family) };
  return { schema: object({ data: bare, meta: ref('schemas', 'Meta'), message: text }), bare };
}

function operationAnswer({ answers }: Operation, family: Resource): Answer {
  if (answers === undefined) return { schema: envelope(recordRef(family)), links: linksTo(family) };
  if (answers === 'client') return { schema: envelope(ref('schemas', 'Client')), links: { get: linkTo('getClient') } };
  const link = {
    operationId: `delete${pascal(family.singular)}${pascal(answers)}`,
    parameters: { id: '$request.path.id', [`${answers}_id`]: '$response.body#/data/id' },
  };
  return { schema: envelope(ref('schemas', belowName(family, answers))), links: { delete: link } };
}

const linkTo = (operationId: string): Json => ({ operationId, parameters: { id: '$response.body#/data/id' } });

/** From what was made to reading, changing and deleting it. */
const linksTo = ({ singular }: Resource): Json =>
  Object.fromEntries(['get', 'update', 'delete'].map((verb) => [verb, linkTo(`${verb}${pascal(singular)}`)]));

/** A set in a form: each element is a field of its own, `tags[]` (interface: conventions, 4). */
function formOfSet(wire: string, body: FamilySchemas['sets'][string] | undefined): Json {
  const { properties } = (body === undefined ? {} : jsonSchema(body)) as { properties?: Record<string, JsonSchema> };
  const name = `${wire}[]`;
  const described = { ...properties?.[wire], description: 'The whole new set; a form cannot say that it is empty, JSON can' };
  return { schema: object({ [name]: described }), encoding: { [name]: { style: 'form', explode: true } } };
}

interface Said {
  readonly parameters?: readonly Json[];
  /** The name of the body's schema. */
  readonly body?: string;
  /** The body as a form, when it differs. */
  readonly form?: Json;
  readonly answers: Readonly<Record<number, Answer>>;
  /** The verb under which the interface may not show the answer. */
  readonly verb?: string;
  readonly conflict?: string | undefined;
  readonly refuses?: readonly ('NotFound' | 'Invalid')[];
}

const statuses = { Unauthorized: 401, NotFound: 404, Invalid: 422, TooMany: 429, Failed: 500 } as const;

/** Says everything about one operation. */
function sayer(family: Resource, examples: Answers) {
  return (method: Endpoint['method'], path: string, operationId: string, summary: string, said: Said): Endpoint => {
    const { parameters: query = [], body, form, answers, verb = '', conflict, refuses = ['NotFound'] } = said;
    const isShown = !family.notShown?.includes(verb);
    const refused = (['Unauthorized', ...refuses, 'TooMany', 'Failed'] as const).map((name) => [statuses[name], ref('responses', name)]);
    const answered = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer, isShown, examples[operationId])]);
    const noBody =
      !isShown && method !== 'get' ? [[204, { description: 'The same without a body: the interface does not show the answer.' }]] : [];
    const conflicts = conflict === undefined ? [] : [[409, problem(conflict, 'Problem')]];
    const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(family, name, operationId));
    return {
      method,
      path,
      operation: {
        operationId,
        tags: [family.name],
        summary,
        ...(pathParameters.length + query.length > 0 && { parameters: [...pathParameters, ...query] }),
        ...(body !== undefined && { requestBody: requestBody(body, form, samples[operationId]?.body) }),
        responses: Object.fromEntries([...answered, ...noBody, ...conflicts, ...refused]),
      },
    };
  };
}

function pathParameter(family: Resource, name: string, operationId: string): Json {
  const noun = name === 'id' ? family.singular : name.replace(/_id$/, '');
  const example = samples[operationId]?.[name === 'id' ? 'id' : 'childId'] ?? 1;
  return { name, in: 'path', required: true, description: `Which ${noun}`, schema: idSchema, example };
}

function requestBody(name: string, form: Json | undefined, example: Json | undefined): Json {
  const asJson = { schema: ref('schemas', name), ...(example && { example }) };
  const asForm = form === undefined ? asJson : { ...form, ...(example && { example: bracketed(example) }) };
  return { required: true, content: { 'application/x-www-form-urlencoded': asForm, 'application/json': asJson } };
}

const bracketed = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]));

function answerOf({ schema, bare, links }: Answer, isShown: boolean, example: unknown): Json {
  const isOpen = !isShown && bare !== undefined;
  const content = { schema: isOpen ? { anyOf: [schema, bare] } : schema, ...(example !== undefined && { example }) };
  return {
    description: isOpen
      ? 'Done. The interface does not show this answer: likely the envelope, maybe what stands in its data alone.'
      : 'Done.',
    content: { 'application/json': content },
    ...(links && { links }),
  };
}

/** Filters, order and pages of a list (interface: list query parameters). */
function queryOf({ sort, defaultOrder }: Resource, { filters }: FamilySchemas): Json[] {
  const narrowing = Object.entries(filters).map(([name, filter]) => {
    const { description, ...schema } = jsonSchema(filter);
    return { name, in: 'query', description, schema };
  });
  const sorting = {
    name: 'sort',
    in: 'query',
    description: 'What the list is ordered by',
    schema: { type: 'string', enum: Object.values(sort) },
  };
  const order =
    defaultOrder === undefined
      ? ref('parameters', 'order')
      : {
          name: 'order',
          in: 'query',
          description: 'Direction of the order',
          schema: { type: 'string', enum: ['asc', 'desc'], default: defaultOrder },
        };
  return [...narrowing, sorting, order, ref('parameters', 'limit'), ref('parameters', 'page')];
}
