// The interface as docs/openapi.json describes it, for whoever asks for a schema: what it refers to stands in its place.

import document from '../../docs/openapi.json' with { type: 'json' };

/** A JSON Schema object. */
export type Schema = Readonly<Record<string, unknown>>;

interface Described {
  readonly requestBody?: Schema;
  readonly responses: Schema;
}

const paths: Readonly<Record<string, Readonly<Record<string, Described>>>> = document.paths;

/** The schema of that name, such as `Lead`. Throws where the document has none. */
export const schemaNamed = (name: string): Schema => whole({ $ref: `#/components/schemas/${name}` }) as Schema;

/** What a request takes as JSON. Undefined: nothing, or the document doesn't have the request. */
export const bodyOf = (method: string, path: string): Schema | undefined => jsonIn(operationAt(method, path)?.requestBody);

/** A record in the answer to a request: what stands in `data`, of a list each of it. */
export function recordIn(method: string, path: string): Schema | undefined {
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

/** A part of the document with what it refers to in its place; what stands beside a reference wins. */
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
