// Every operation of a family, from its declaration.

import {
  type Action,
  type AttachedList,
  attachedLists,
  type Operation,
  pluralOf,
  type ReplacedSet,
  type Resource,
} from '../../resources/define.ts';
import { type FamilySchemas, familySchemas } from '../../schemas/family.ts';
import { type JsonSchema, jsonSchema } from '../../schemas/json-schema.ts';
import { partSchema } from '../../schemas/record.ts';
import { camelCase, pascalCase, withArticle } from '../../values/text/wording.ts';
import { belowName, bodyName, envelope, idSchema, type Json, object, recordRef, ref, text } from './components.ts';
import { type AnswerSchema, type Answers, type DescribedEndpoint, describer } from './operation.ts';
import { memberWords } from './words.ts';

type Describe = ReturnType<typeof describer>;

/** Every operation of a family, in the order of the interface document. */
export function endpointsOf(family: Resource, answers: Answers = {}): DescribedEndpoint[] {
  const describe = describer(family, answers);
  const { readOnly, actions = [], guarded = [], sets = [], operations = [] } = family;
  const lists = attachedLists(family);
  const reading = [listing(describe, family), reader(describe, family)];
  if (readOnly) return reading;
  return [
    ...reading,
    ...writers(describe, family),
    ...[...actions, ...guarded].map((action) => acting(describe, family, action)),
    ...sets.map((set) => replacing(describe, family, set)),
    ...lists.map((list) => attachedListing(describe, family, list)),
    ...operations.map((operation) => operating(describe, family, operation)),
    ...lists.map((list) => attachedDeletion(describe, family, list)),
  ];
}

const recordPath = ({ path }: Resource): string => `${path}/{id}`;

function listing(describe: Describe, family: Resource): DescribedEndpoint {
  return describe('get', family.path, `list${pascalCase(family.name)}`, `List ${pluralOf(family)}`, {
    parameters: queryOf(family, familySchemas(family)),
    answers: { 200: listAnswer(family) },
    verb: 'list',
    refuses: ['Invalid', ...(family.readOnly ? ['NotFound' as const] : [])],
  });
}

function reader(describe: Describe, family: Resource): DescribedEndpoint {
  const { singular } = family;
  const particulars = { answers: { 200: recordAnswer(family) }, verb: 'get' };
  return describe('get', recordPath(family), `get${pascalCase(singular)}`, `Read ${withArticle(singular)}`, particulars);
}

/** Create, update and delete. */
function writers(describe: Describe, family: Resource): DescribedEndpoint[] {
  const { path, singular, answers } = family;
  const part = (names: readonly string[] | undefined): Json =>
    names === undefined ? recordRef(family) : jsonSchema(partSchema(family, names));
  const changed = part(answers?.update);
  return [
    describe('post', path, `create${pascalCase(singular)}`, `Create ${withArticle(singular)}`, {
      body: bodyName(family, 'create'),
      answers: { 201: { schema: envelope(part(answers?.create)), links: linksTo(family) } },
      refuses: ['Invalid'],
    }),
    describe('patch', recordPath(family), `update${pascalCase(singular)}`, `Change ${withArticle(singular)}`, {
      body: bodyName(family, 'update'),
      answers: { 200: { schema: envelope(changed), bare: changed } },
      verb: 'update',
      refuses: ['NotFound', 'Invalid'],
    }),
    describe('delete', recordPath(family), `delete${pascalCase(singular)}`, `Delete ${withArticle(singular)}`, {
      answers: { 200: { schema: envelope(object({ id: idSchema })), bare: { type: 'object' } } },
      verb: 'delete',
    }),
  ];
}

function acting(describe: Describe, family: Resource, { verb, path, summary, value, conflict }: Action): DescribedEndpoint {
  return describe('put', `${recordPath(family)}/${path}`, `${camelCase(verb)}${pascalCase(family.singular)}`, summary, {
    ...(value && { body: bodyName(family, verb) }),
    answers: { 200: recordAnswer(family) },
    verb,
    conflict: conflict?.when,
    refuses: value ? ['NotFound', 'Invalid'] : ['NotFound'],
  });
}

function replacing(describe: Describe, family: Resource, { verb, path, wire, summary }: ReplacedSet): DescribedEndpoint {
  return describe('put', `${recordPath(family)}/${path}`, `${camelCase(verb)}${pascalCase(family.singular)}`, summary, {
    body: bodyName(family, verb),
    form: formOfSet(wire, familySchemas(family).sets[verb]),
    answers: { 200: recordAnswer(family) },
    verb,
    refuses: ['NotFound', 'Invalid'],
  });
}

function operating(describe: Describe, family: Resource, operation: Operation): DescribedEndpoint {
  const { verb, path, makes, conflict } = operation;
  const { singular } = family;
  return describe(
    'post',
    `${recordPath(family)}/${path}`,
    `${camelCase(verb)}${pascalCase(singular)}`,
    `Make ${makes} of ${withArticle(singular)}`,
    {
      body: bodyName(family, verb),
      answers: { 201: operationAnswer(operation, family) },
      conflict: conflict?.when,
      refuses: ['NotFound', 'Invalid'],
    },
  );
}

function attachedListing(describe: Describe, family: Resource, { name, path, records }: AttachedList): DescribedEndpoint {
  const { singular } = family;
  const items = ref('schemas', belowName(family, records.singular));
  const summary = `List the ${name} of ${withArticle(singular)}`;
  return describe('get', `${recordPath(family)}/${path}`, `list${pascalCase(singular)}${pascalCase(name)}`, summary, {
    answers: { 200: { schema: envelope({ type: 'array', items }) } },
  });
}

function attachedDeletion(describe: Describe, family: Resource, { path, records: { singular } }: AttachedList): DescribedEndpoint {
  const operationId = `delete${pascalCase(family.singular)}${pascalCase(singular)}`;
  return describe('delete', `${recordPath(family)}/${path}/{${singular}_id}`, operationId, `Delete ${withArticle(singular)}`, {
    answers: { 200: { schema: envelope(object({ id: idSchema })) } },
  });
}

const recordAnswer = (family: Resource): AnswerSchema => ({ schema: envelope(recordRef(family)), bare: recordRef(family) });

function listAnswer(family: Resource): AnswerSchema {
  const bare = { type: 'array', items: recordRef(family) };
  return { schema: object({ data: bare, meta: ref('schemas', 'Meta'), message: text }), bare };
}

function operationAnswer({ answers }: Operation, family: Resource): AnswerSchema {
  if (answers === undefined) return { schema: envelope(recordRef(family)), links: linksTo(family) };
  if (answers === 'client') return { schema: envelope(ref('schemas', 'Client')), links: { get: linkTo('getClient') } };
  const link = {
    operationId: `delete${pascalCase(family.singular)}${pascalCase(answers)}`,
    parameters: { id: '$request.path.id', [`${answers}_id`]: '$response.body#/data/id' },
  };
  return { schema: envelope(ref('schemas', belowName(family, answers))), links: { delete: link } };
}

const linkTo = (operationId: string): Json => ({ operationId, parameters: { id: '$response.body#/data/id' } });

/** From what was made to reading, changing and deleting it. */
const linksTo = ({ singular }: Resource): Json =>
  Object.fromEntries(['get', 'update', 'delete'].map((verb) => [verb, linkTo(`${verb}${pascalCase(singular)}`)]));

/** A set in a form: each element is a field of its own, `tags[]` (interface: conventions, 4). */
function formOfSet(wire: string, body: FamilySchemas['sets'][string] | undefined): Json {
  const { properties } = (body === undefined ? {} : jsonSchema(body)) as { properties?: Record<string, JsonSchema> };
  const name = `${wire}[]`;
  const described = { ...properties?.[wire], description: 'The whole new set; a form cannot say that it is empty, JSON can' };
  return { schema: object({ [name]: described }), encoding: { [name]: { style: 'form', explode: true } } };
}

/** Filters, order and pages of a list (interface: list query parameters). */
function queryOf(family: Resource, { filters }: FamilySchemas): Json[] {
  const { sort, defaultOrder } = family;
  const words = memberWords[`list${pascalCase(family.name)}`] ?? {};
  const narrowing = Object.entries(filters).map(([name, filter]) => {
    const { description, ...schema } = jsonSchema(filter);
    return { name, in: 'query', description: words[name] ?? description, schema };
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
