// Reads docs/openapi.json without code of the product. The document is written by hand from the interface document, so that tests can
// compare the declarations and the embedded CRM with it.

import { readFileSync } from 'node:fs';
import * as z from 'zod';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly default?: string;
  readonly minItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example?: number;
}

interface Content {
  readonly schema: Schema;
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
  readonly links?: Readonly<Record<string, { readonly operationId: string }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** An operation with its endpoint: `PUT /api/leads/{id}/archive`. */
export interface Described extends Operation {
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const documentText = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
export const document = JSON.parse(documentText) as Document;

/** The value with a reference replaced by its target. Members beside the reference win. */
export function resolved<T>(value: T): T {
  const { $ref, ...beside } = value as { $ref?: string };
  if ($ref === undefined) return value;
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
  if (target === undefined) throw new Error(`nothing at ${$ref}`);
  return { ...(resolved(target) as T), ...beside };
}

/** Every operation, with the references in its parameters and answers resolved. */
export const operations: readonly Described[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    endpoint: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []).map(resolved),
    responses: Object.fromEntries(Object.entries(operation.responses).map(([status, answer]) => [status, resolved(answer)])),
  })),
);

/** The schema of the JSON in an answer or a body. */
export const jsonOf = ({ content }: Pick<Answer, 'content'>): Schema => content?.['application/json']?.schema ?? {};

/**
 * A check of values by a schema of the document. Leaves out `dependentRequired`, which zod lacks, and checks emails by their `pattern`
 * alone.
 */
export function judge(schema: Schema): z.ZodType {
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas }, (name, value) =>
    name === 'dependentRequired' || (name === 'format' && value === 'email') ? undefined : value,
  );
  return z.fromJSONSchema(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
}
