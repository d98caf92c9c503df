// docs/openapi.json, the interface as it is written by hand: the declarations against it, field by field and both ways; what the embedded
// CRM takes and answers; and what it says to whoever reads it.

import { describe, expect, it } from 'vitest';
import type { ValueType } from '../../src/base/values/value-type.ts';
import { type Action, attachedLists, type Field, type Operation, type ReplacedSet } from '../../src/model/define.ts';
import { type Documented, memberNamed } from '../../src/model/members.ts';
import { referenceFamilies, resources } from '../../src/model/resources/index.ts';
import { referenceNames } from '../support/endpoints.ts';
import { type Described, jsonOf, operations, resolved, type Schema } from '../support/open-api.ts';

const families = [...resources, ...referenceFamilies];

it('the families that are only read stand in test/support/endpoints.ts', () => {
  expect(referenceFamilies.map(({ name }) => name)).toEqual(referenceNames);
});

/** A value in the words of both: `day or null`. */
function wordOf(schema: Schema): string {
  const { type, enum: words, const: only, format, pattern, minimum, items, anyOf } = resolved(schema);
  if (anyOf !== undefined) return joined(anyOf.map(wordOf));
  if (Array.isArray(type)) return joined(type.map((one: string) => wordOf({ type: one })));
  if (words !== undefined) return words.join('|');
  if (only !== undefined) return only === '' ? 'nothing' : only;
  if (type === 'integer') return minimum === 1 ? 'id' : 'integer';
  if (type === 'array') return `list of ${wordOf(items ?? {})}`;
  if (type === 'object') return membersOf(schema, '').length === 2 ? 'records' : 'values';
  if (type === 'string' && (pattern === '^\\d+$' || pattern === '^\\d*$')) return 'digits';
  if (type === 'string' && pattern?.includes('\\.')) return 'decimal';
  if (type === 'string') return { date: 'day', 'date-time': 'moment', email: 'email' }[format ?? ''] ?? 'text';
  return type === undefined ? 'any' : String(type);
}

const joined = (words: readonly string[]): string =>
  [...new Set(words)].join(' or ').replace('integer or digits', 'integer').replace('decimal or number', 'decimal');

/** The values of an object by their dotted paths, each with its word. */
function membersOf(schema: Schema, prefix: string): string[] {
  return Object.entries(resolved(schema).properties ?? {}).flatMap(([name, one]) => {
    const path = `${prefix}${name}`;
    return resolved(one).properties === undefined ? [`${path}: ${wordOf(one)}`] : membersOf(one, `${path}.`);
  });
}

/** The members of a record as it is declared. */
function declaredMembers(shape: Documented, only = shape.record): string[] {
  return only.map((path) => {
    const isNull = [path, path.split('.')[0] ?? ''].some((one) => shape.nullable?.includes(one));
    return `${path}: ${heldWord(shape, path)}${isNull ? ' or null' : ''}`;
  });
}

function heldWord(shape: Documented, path: string): string {
  const member = memberNamed(shape, path);
  if (member?.kind === 'relation') return 'list of records';
  if (shape.arrays?.includes(path) || shape.sets?.some(({ read }) => read === path)) return 'list of text';
  const type = shape.fields?.find(({ read }) => read === path)?.type ?? (member?.kind === 'value' ? member.type : undefined);
  if (type?.kind === 'numbered') return 'list of values';
  if (type?.kind === 'choice' && type.isBoolean) return 'boolean';
  // The types are those of records: an id where a name may be sent, an email as it happens to be.
  return type === undefined || type.kind === 'email' ? 'text' : type.kind === 'id-or-name' ? 'id' : sentWord(type);
}

function sentWord(type: ValueType): string {
  switch (type.kind) {
    case 'id-or-name':
      return 'id or text';
    case 'date':
      return type.time === 'maybe' ? 'day or moment' : type.time === 'always' ? 'moment' : 'day';
    case 'choice':
      return type.values.join('|');
    case 'switch':
      return [type.sends, ...(type.off === undefined ? [] : [type.off])].join('|');
    default:
      return type.kind;
  }
}

/** What a body holds, each with its word, and whether it must be sent. One list a variant. */
function bodyOf(schema: Schema): string[][] {
  const { oneOf, properties = {}, required = [] } = resolved(schema);
  if (oneOf !== undefined) return oneOf.flatMap(bodyOf);
  return [
    Object.entries(properties)
      .map(([name, one]) => `${name}: ${wordOf(one)}${required.includes(name) ? ', required' : ''}`)
      .sort(),
  ];
}

/** What the declarations send. An empty text clears what may be left out, of switches it says nothing. */
function declaredBody(fields: readonly Field[], oneOf: Operation['oneOf']): string[][] {
  const plain = fields.filter(({ flag }) => !oneOf?.flags.includes(flag)).flatMap(fieldLines);
  if (oneOf === undefined) return [plain.sort()];
  const chosen = fields.filter(({ flag }) => oneOf.flags.includes(flag));
  return chosen.map(({ flag, wire, type }) =>
    [...plain, `${oneOf.wire}: ${flag}, required`, `${wire}: ${sentWord(type)}, required`].sort(),
  );
}

function fieldLines({ wire, type, required }: Field): string[] {
  if (type.kind === 'reference') return [`${wire}_type: ${type.types.join('|')}`, `${wire}_id: id`];
  if (type.kind === 'numbered') return Array.from({ length: type.max }, (_, index) => `${wire}${index + 1}: any`);
  if (required) return [`${wire}: ${sentWord(type)}, required`];
  const isClear = type.kind === 'text' || type.kind === 'switch';
  return [`${wire}: ${type.kind === 'integer' ? 'integer' : `${sentWord(type)}${isClear ? '' : ' or nothing'}`}`];
}

const find = (endpoint: string): Described =>
  operations.find((one) => one.endpoint === endpoint) ?? expect.fail(`docs/openapi.json has no ${endpoint}`);
const formOf = ({ requestBody }: Described): string[][] => bodyOf(requestBody?.content['application/x-www-form-urlencoded']?.schema ?? {});
const bodyAt = ({ requestBody }: Described): string[][] => bodyOf(requestBody === undefined ? {} : jsonOf(requestBody));

/** The record in an answer: what stands in `data`, of a list each of it. */
function answered({ responses }: Described): string[] {
  const answer = responses[201] ?? responses[200];
  const schema = resolved(jsonOf(answer ?? { content: {} }));
  const { properties = {} } = schema.anyOf === undefined ? schema : resolved(schema.anyOf[0] ?? {});
  const data = resolved(properties.data ?? {});
  return membersOf(data.items ?? data, '');
}

/** Where the interface doesn't show the answer, it may come bare, and without a body. */
const isOpen = ({ responses }: Described): boolean => resolved(jsonOf(responses[200] ?? { content: {} })).anyOf !== undefined;

describe.each(families.map((family) => [family.name, family] as const))('%s', (_name, family) => {
  const record = declaredMembers(family);
  const { path, readOnly, notShown = [], answers = {} } = family;
  const one = `${path}/{id}`;

  it('records have the members of the document', () => {
    expect(record).toEqual(answered(find(`GET ${one}`)));
    expect(record).toEqual(answered(find(`GET ${path}`)));
  });

  it('lists take its query parameters', () => {
    const { parameters } = find(`GET ${path}`);
    const words = parameters.map(
      ({ name, schema }) => `${name}: ${wordOf(schema)}${schema.default === undefined ? '' : `, default ${schema.default}`}`,
    );
    const filters = family.filters.flatMap(({ wire, type }) =>
      type.kind === 'reference' ? [`${wire}_type: ${type.types.join('|')}`, `${wire}_id: id`] : [`${wire}: ${sentWord(type)}`],
    );
    const order = `order: asc|desc${family.defaultOrder === undefined ? '' : `, default ${family.defaultOrder}`}`;
    expect([...filters, `sort: ${Object.values(family.sort).join('|')}`, order, 'limit: id', 'page: id']).toEqual(words);
  });

  it('has its operations, no more and no fewer', () => {
    const { actions = [], guarded = [], sets = [], operations: made = [] } = family;
    const lists = attachedLists(family);
    const declared = [
      ...[`GET ${path}`, `GET ${one}`],
      ...(readOnly ? [] : [`POST ${path}`, `PATCH ${one}`, `DELETE ${one}`]),
      ...[...actions, ...guarded, ...sets].map((action) => `PUT ${one}/${action.path}`),
      ...made.map((operation) => `POST ${one}/${operation.path}`),
      ...lists.flatMap((list) => [`GET ${one}/${list.path}`, `DELETE ${one}/${list.path}/{${list.records.singular}_id}`]),
    ];
    expect(declared.sort()).toEqual(
      operations
        .filter(({ tags }) => tags.includes(family.name))
        .map(({ endpoint }) => endpoint)
        .sort(),
    );
    for (const list of lists) expect(declaredMembers(list.records)).toEqual(answered(find(`GET ${one}/${list.path}`)));
  });

  it('answers that the interface does not show are left open', () => {
    const open = operations
      .filter((operation) => operation.tags.includes(family.name) && isOpen(operation))
      .map(({ endpoint }) => endpoint);
    const verbs: Readonly<Record<string, string>> = {
      list: `GET ${path}`,
      get: `GET ${one}`,
      update: `PATCH ${one}`,
      delete: `DELETE ${one}`,
    };
    const paths = [...(family.actions ?? []), ...(family.sets ?? [])].map((action) => [action.verb, `PUT ${one}/${action.path}`] as const);
    const declared = notShown.map((verb) => ({ ...verbs, ...Object.fromEntries(paths) })[verb]);
    expect(declared.sort(), 'an action that answers without a shown record has its verb in `notShown`').toEqual(open.sort());
    for (const endpoint of open) if (!endpoint.startsWith('GET')) expect(Object.keys(find(endpoint).responses), endpoint).toContain('204');
  });

  if (readOnly) return;

  it.each([
    ['create', `POST ${path}`],
    ['update', `PATCH ${one}`],
  ] as const)('%s sends its body', (mode, endpoint) => {
    const fields = family.fields.filter(({ only }) => only === undefined || only === mode);
    const described = find(endpoint);
    const body = declaredBody(fields, mode === 'create' ? family.oneOf : undefined);
    expect(body).toEqual(bodyAt(described));
    expect(body).toEqual(formOf(described));
    expect(family.customNames === true).toEqual(typeof resolved(jsonOf(described.requestBody ?? {})).additionalProperties === 'object');
    const part = answers[mode];
    expect(
      part === undefined
        ? record
        : declaredMembers(
            family,
            family.record.filter((at) => part.includes(at.split('.')[0] ?? '')),
          ),
    ).toEqual(answered(described));
  });

  it.each([...(family.actions ?? []), ...(family.guarded ?? [])].map((action) => [action.path, action] as const))(
    '%s',
    (_path, action: Action) => {
      const described = find(`PUT ${one}/${action.path}`);
      const { value } = action;
      expect(value === undefined ? [[]] : [[`${value.wire}: ${sentWord(value.type)}, required`]]).toEqual(bodyAt(described));
      expect(action.conflict?.when).toEqual(described.responses[409]?.description);
      expect(record).toEqual(answered(described));
    },
  );

  it.each((family.sets ?? []).map((set) => [set.path, set] as const))('%s', (_path, { path: below, wire, value }: ReplacedSet) => {
    const described = find(`PUT ${one}/${below}`);
    const list = `list of ${sentWord(value.type)}, required`;
    expect([[`${wire}: ${list}`]]).toEqual(bodyAt(described));
    expect([[`${wire}[]: ${list}`]]).toEqual(formOf(described));
    expect(record).toEqual(answered(described));
  });

  it.each((family.operations ?? []).map((operation) => [operation.path, operation] as const))('%s', (below, operation: Operation) => {
    const described = find(`POST ${one}/${below}`);
    expect(declaredBody(operation.fields, operation.oneOf)).toEqual(bodyAt(described));
    expect(operation.conflict?.when).toEqual(described.responses[409]?.description);
    const shapes: Readonly<Record<string, Documented | undefined>> = {
      client: referenceFamilies.find(({ name }) => name === 'clients'),
      comment: attachedLists(family)[0]?.records,
    };
    expect(declaredMembers(shapes[operation.answers ?? ''] ?? family)).toEqual(answered(described));
  });
});
