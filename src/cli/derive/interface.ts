// Reads schemas from docs/openapi.json, with references resolved.

import document from '../../../docs/openapi.json' with { type: 'json' };

export type Schema = Readonly<Record<string, unknown>>;

interface Described {
  readonly requestBody?: Schema;
  readonly responses: Schema;
}

const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;

/** The schema with a name, such as `Lead`. Throws when the document has no such schema. */
export const schemaNamed = (name: string): Schema => whole({ $ref: `#/components/schemas/${name}` }) as Schema;

/** The schema of a request's JSON body. Undefined without a body, and for an unknown request. */
export const requestSchema = (method: string, path: string): Schema | undefined => jsonIn(operationAt(method, path)?.requestBody);

/** The schema of a record in an answer: of `data`, or of each element of `data`. */
export function recordSchema(method: string, path: string): Schema | undefined {
  const { responses = {} } = operationAt(method, path) ?? {};
  const answer = jsonIn(responses[method === 'POST' ? '201' : '200']);
  const envelope = (answer?.anyOf as Schema[] | undefined)?.[0] ?? answer;
  const data = (envelope?.properties as Readonly<Record<string, Schema>> | undefined)?.data;
  return (data?.items as Schema | undefined) ?? data;
}

const operationAt = (method: string, path: string): Described | undefined => paths[path.replaceAll('-id}', '_id}')]?.[method.toLowerCase()];

function jsonIn(described: unknown): Schema | undefined {
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
