// JSON Schema, draft 2020-12, of a zod schema: what programs in other languages read.

import * as z from 'zod';

/** A JSON Schema object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What may be sent or is answered, as JSON Schema without `$schema`, so that it can stand in another document. Bodies are those
 * of JSON; a form's texts are the same values in digits.
 */
export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', override: plainer });
  return rest;
}

/** Without what zod adds beside a format that says it already, and beyond the numbers that every JSON parser keeps. */
function plainer({ jsonSchema: json }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (json.format === 'date' || json.format === 'date-time') delete json.pattern;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  const { additionalProperties: others } = json;
  if (typeof others === 'object' && Object.keys(others).length === 0) delete json.additionalProperties;
}
