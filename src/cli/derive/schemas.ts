// The JSON Schemas of docs/openapi.json, with references resolved: by name, and of a command's body and output. The document is large, so
// only `crm explain COMMAND --json` loads this file.

import document from '../../../docs/openapi.json' with { type: 'json' };
import { headOf } from '../../base/values/paths.ts';
import type { Resource } from '../../model/define.ts';
import type { Shape } from '../../output/result.ts';
import type { Command } from '../command.ts';

export type Schema = Readonly<Record<string, unknown>>;

interface Described {
  readonly requestBody?: Schema;
  readonly responses: Schema;
}

const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;

/** The schema with a name, such as `Lead`. Throws when the document has no such schema. */
export const schemaNamed = (name: string): Schema => whole({ $ref: `#/components/schemas/${name}` }) as Schema;

interface CommandSchemas {
  /** The schema of the body of the only write. */
  readonly body: Schema | null;
  /** The schema of a printed record; null when no record is printed. */
  readonly record: Schema | null;
  /** The schema of a record with the flag for all members; null without such a flag. */
  readonly whole_record: Schema | null;
}

/** The schemas of a command. `families` are all declarations. */
export function schemasOf(command: Command, families: readonly Resource[]): CommandSchemas {
  const { path, sends, shows, prints } = command;
  const [first, ...others] = sends.filter(({ method }) => method !== 'GET');
  // A create may send a set afterwards. Other commands with several writes spread their flags over several bodies.
  const isOne = first !== undefined && (others.length === 0 || path.at(-1) === 'create');
  const only = prints !== undefined && 'of' in prints ? prints.only : undefined;
  const isRecord = shows !== undefined && (prints === undefined || 'of' in prints);
  const record = isRecord ? schemaOfRecord(shows, only ?? shows.record, sends, families) : null;
  return {
    body: isOne ? (requestSchema(first.method, first.path) ?? null) : null,
    record: record !== null && only !== undefined ? part(record, only) : record,
    whole_record: only !== undefined && prints !== undefined && 'wholeWith' in prints ? record : null,
  };
}

/** The schema of a shown record, by family or by the answered request. Null if crm builds the record from several answers. */
function schemaOfRecord(shows: Shape, printed: readonly string[], sends: Command['sends'], families: readonly Resource[]): Schema | null {
  const family = families.find(({ record }) => record === shows.record);
  const asked = family === undefined ? sends.at(-1) : { method: 'GET', path: `${family.path}/{id}` };
  const found = asked && recordSchema(asked.method, asked.path);
  const known = Object.keys(found?.properties ?? {});
  return found !== undefined && printed.every((path) => known.includes(headOf(path))) ? found : null;
}

/** A record's schema with only the members at these paths. */
function part(record: Schema, paths: readonly string[]): Schema {
  const names = paths.map(headOf);
  const properties = Object.entries(record.properties as Schema).filter(([name]) => names.includes(name));
  return { ...record, properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

/** The schema of a request's JSON body. Undefined without a body, and for an unknown request. */
const requestSchema = (method: string, path: string): Schema | undefined => jsonSchemaIn(operationAt(method, path)?.requestBody);

/** The schema of a record in an answer: of `data`, or of each element of `data`. */
function recordSchema(method: string, path: string): Schema | undefined {
  const { responses = {} } = operationAt(method, path) ?? {};
  const answer = jsonSchemaIn(responses[method === 'POST' ? '201' : '200']);
  const envelope = (answer?.anyOf as Schema[] | undefined)?.[0] ?? answer;
  const data = (envelope?.properties as Readonly<Record<string, Schema>> | undefined)?.data;
  return (data?.items as Schema | undefined) ?? data;
}

const operationAt = (method: string, path: string): Described | undefined => paths[path.replaceAll('-id}', '_id}')]?.[method.toLowerCase()];

function jsonSchemaIn(described: unknown): Schema | undefined {
  const { content } = whole(described ?? {}) as { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
  return content?.['application/json']?.schema;
}

/** A part of the document with its references resolved. Members beside a reference win. */
function whole(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(whole);
  const { $ref, ...beside } = part as { readonly $ref?: string };
  const own = Object.fromEntries(Object.entries(beside).map(([name, one]) => [name, whole(one)]));
  return $ref === undefined ? own : { ...(whole(partAt($ref)) as object), ...own };
}

function partAt($ref: string): unknown {
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Schema | undefined)?.[name], document);
  if (found === undefined) throw new Error(`docs/openapi.json has nothing at ${$ref}`);
  return found;
}
