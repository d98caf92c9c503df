// The types of `crm-admin/client` as the text of a declaration file: records as docs/openapi.json has them; filters, values and calls of
// every family from its declaration. The build writes the file beside the library; client/library/calls.ts has the types that families
// share. Pure.

import { camelCase, capitalised, withArticle } from '../src/base/values/text/wording.ts';
import type { ValueType } from '../src/base/values/value-type.ts';
import { type Schema, schemaNamed } from '../src/cli/derive/schemas.ts';
import {
  type Action,
  attachedLists,
  type Field,
  type Filter,
  type Operation,
  pluralOf,
  type ReplacedSet,
  type Resource,
} from '../src/model/define.ts';
import { underscored } from '../src/model/members.ts';

/** The name of a type: `TeamMember` for `team member`. */
const pascalCase = (name: string): string => capitalised(camelCase(name));

/** The types that the text imports from client/library/calls.ts. */
const shared = [
  'Answered',
  'CallOptions',
  'ClientOptions',
  'CommonOptions',
  'Comments',
  'CreateOptions',
  'Exchange',
  'Id',
  'List',
  'ListOptions',
  'Page',
  'RateLimit',
  'Reads',
  'RequestOptions',
  'SandboxServiceOptions',
  'SendRequest',
  'ServiceAnswer',
  'ServiceOptions',
  'SetChange',
  'SignatureOptions',
  'Sorting',
  'UpdateOptions',
  'WireFields',
  'Writes',
];

/** The text of the declaration file. `types` is the path of the shared types in its imports: `./types/client/library`. */
export function clientTypes(families: readonly Resource[], types: string): string {
  const calls = families.map(({ name, singular, summary }) => `${comment(summary)}  readonly ${name}: ${pascalCase(singular)}Calls;\n`);
  return `// The client of each family, made from its declaration.

import type { ${shared.join(', ')} } from '${types}/calls.js';
export type { ${shared.join(', ')} } from '${types}/calls.js';
export * from '${types}/errors.js';

/** The service, family by family. */
export interface CrmClient {
${calls.join('')}  /** Any endpoint of the service: \`client.request('GET', '/api/tickets', { query: { status: 'open' } })\`. */
  readonly request: SendRequest;
  /** Ends the requests under way and closes the connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a client, and sends nothing yet. Throws TypeError for an option of a wrong type, UsageError for an unusable value. */
export declare function openClient(options: ClientOptions): Promise<CrmClient>;

${families.map(familyTypes).join('\n')}`;
}

function familyTypes(family: Resource): string {
  const name = pascalCase(family.singular);
  const parts = [
    recordType(name, schemaNamed(name), `${capitalised(withArticle(family.singular))}, as the service answers it.`),
    filtersType(name, family),
    callsType(name, family),
  ];
  if (!family.readOnly) parts.splice(2, 0, createType(name, family), changesType(name, family));
  for (const operation of listedOperations(family)) parts.push(operationType(name, operation));
  for (const one of attachedLists(family))
    parts.push(
      attachedType(
        name + pascalCase(one.records.singular),
        `${capitalised(withArticle(one.records.singular))} of ${withArticle(family.singular)}.`,
      ),
    );
  return parts.join('\n');
}

/** The operations with calls of their own. An operation on an attached list becomes a call of the list. */
const listedOperations = (family: Resource): Operation[] =>
  (family.operations ?? []).filter(({ path }) => !attachedLists(family).some((one) => one.path === path));

const recordType = (name: string, schema: Schema, says: string): string =>
  `/** ${says} */\nexport interface ${name} ${typeOfSchema(schema, '')}\n`;

/** The type of an attached record: in the document, `LeadComment` is the body of a create and `LeadCommentRecord` the record. */
const attachedType = (name: string, says: string): string => recordType(name, schemaNamed(`${name}Record`), says);

/** A JSON Schema as a TypeScript type. */
function typeOfSchema(schema: Schema, indent: string): string {
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.map((one) => typeOfSchema(one, indent)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOfSchema({ ...schema, type }, indent)).join(' | ');
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  switch (schema.type) {
    case 'object':
      return objectType(schema.properties as Readonly<Record<string, Schema>>, indent);
    case 'array':
      return `Array<${typeOfSchema(schema.items as Schema, indent)}>`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function objectType(properties: Readonly<Record<string, Schema>>, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const says = typeof schema.description === 'string' ? comment(schema.description, inner) : '';
    return `${says}${inner}${name}: ${typeOfSchema(schema, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function filtersType(name: string, family: Resource): string {
  const names = Object.keys(family.sort).map(literal);
  const members = family.filters.map((filter) => member(filter, `${filterType(filter)} | undefined`, true));
  return `/** The filters of a list of ${pluralOf(family)}. All given filters must hold. */
export interface ${name}Filters extends Sorting<${names.join(' | ')}> {
${members.join('')}}
`;
}

function createType(name: string, family: Resource): string {
  const { oneOf, singular } = family;
  const fields = family.fields.filter(({ only }) => only !== 'update');
  const plain = fields.filter(({ flag }) => !oneOf?.flags.includes(flag));
  const members = plain.map((field) =>
    member(field, field.required ? inputType(field.type) : `${inputType(field.type)} | undefined`, !field.required),
  );
  const body = `{\n${members.join('')}}`;
  const says = `/** The values of a new ${singular}. */\n`;
  if (oneOf === undefined) return `${says}export interface ${name}Values extends WireFields ${body}\n`;
  const choices = fields.filter(({ flag }) => oneOf.flags.includes(flag));
  const variants = choices.map((one) => {
    const others = choices.filter((other) => other !== one).map((other) => `${underscored(other.flag)}?: undefined`);
    return `{ ${[`${underscored(one.flag)}: ${inputType(one.type)}`, ...others].join('; ')} }`;
  });
  return `${says}export type ${name}Values = WireFields & ${body} & (${variants.join(' | ')});\n`;
}

function changesType(name: string, family: Resource): string {
  const fields = family.fields.filter(({ only }) => only !== 'create');
  const members = fields.map((field) => member(field, `${inputType(field.type)}${field.required ? '' : ' | null'} | undefined`, true));
  return `/** The values that an update of ${withArticle(family.singular)} sets; null clears. */\nexport interface ${name}Changes extends WireFields {\n${members.join('')}}\n`;
}

function operationType(name: string, { verb, fields, makes }: Operation): string {
  const members = fields.map((field) => member(field, `${inputType(field.type)} | undefined`, true));
  return `/** The values for ${makes}; other values come from the record. */\nexport interface ${name}${pascalCase(verb)} extends WireFields {\n${members.join('')}}\n`;
}

function callsType(name: string, family: Resource): string {
  const { actions = [], guarded = [], sets = [], readOnly } = family;
  const base = readOnly ? `Reads<${name}, ${name}Filters>` : `Writes<${name}, ${name}Filters, ${name}Values, ${name}Changes>`;
  const lines = [
    ...actions.map((action) => actionLine(name, action)),
    ...guarded.map((action) => actionLine(name, action, 'SignatureOptions')),
    ...sets.map((set) => setLine(name, set)),
    ...listedOperations(family).map((operation) => operationLine(name, operation)),
    ...attachedLists(family).map((one) => `  readonly ${one.name}: Comments<${name}${pascalCase(one.records.singular)}>;\n`),
  ];
  return `/** The calls for ${pluralOf(family)}. */\nexport interface ${name}Calls extends ${base} {\n${lines.join('')}}\n`;
}

function actionLine(name: string, { verb, value, summary }: Action, options = 'CallOptions'): string {
  const parameter = value === undefined ? '' : `, ${camelCase(value.name)}: ${inputType(value.type)}`;
  return `${comment(summary)}  ${camelCase(verb)}(id: Id${parameter}, options?: ${options}): Promise<Answered<${name}>>;\n`;
}

function setLine(name: string, { verb, value, read, summary }: ReplacedSet): string {
  return `${comment(summary)}  ${camelCase(verb)}(id: Id, ${camelCase(read)}: SetChange<${inputType(value.type)}>, options?: CallOptions): Promise<Answered<${name}>>;\n`;
}

function operationLine(name: string, { verb, answers }: Operation): string {
  const answered = answers === undefined ? name : pascalCase(answers);
  return `  ${camelCase(verb)}(id: Id, values?: ${name}${pascalCase(verb)}, options?: CallOptions): Promise<Answered<${answered}>>;\n`;
}

/** The type of a value that a program passes. */
function inputType(type: ValueType): string {
  switch (type.kind) {
    case 'id':
    case 'id-or-name':
      return 'Id';
    case 'integer':
      return 'number';
    case 'switch':
      return 'boolean';
    case 'choice':
      return type.values.map(literal).join(' | ');
    case 'reference': {
      const types = type.types.map(literal).join(' | ');
      return `{ type: ${types}; id: Id } | ${type.types.map((one) => `\`${one}:\${number}\``).join(' | ')}`;
    }
    case 'numbered':
      return 'Readonly<Record<number, string>> | ReadonlyArray<{ id: number; value: string }>';
    default:
      return 'string';
  }
}

/** The type of a filter's value. For a reference, the type of the record alone is enough. */
function filterType({ type }: Filter): string {
  return type.kind === 'reference' ? `${type.types.map(literal).join(' | ')} | ${inputType(type)}` : inputType(type);
}

const member = ({ flag, help, type }: Pick<Field, 'flag' | 'help' | 'type'>, written: string, optional: boolean): string =>
  `${comment(`${inWords(help)}${notes[type.kind] ?? ''}`)}  ${underscored(flag)}${optional ? '?' : ''}: ${written};\n`;

const notes: { readonly [kind in ValueType['kind']]?: string } = {
  decimal: ': a decimal number as text, such as 1250.00',
  date: ': YYYY-MM-DD',
  id: ': its id',
};

/** A help text for a reader who types no flags. */
const inWords = (help: string): string =>
  help.replace(/--([a-z-]+)/g, (_all, flag: string) => underscored(flag)).replace('; repeatable', '');

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const comment = (text: string, indent = '  '): string => `${indent}/** ${text.replaceAll('*/', '')} */\n`;
