// What one value may be, as zod schemas: in a request body, where a form sends texts and JSON typed values, and in a record that a
// service answers. Strict in what is sent, tolerant in what is accepted.

import * as z from 'zod';
import type { ValueType } from '../values/value-type.ts';

/** A whole number above 0; a form's digits, too (interface: conventions, 5). */
const id = (): z.ZodType => z.preprocess(digitsAsNumber, z.int().min(1));

const digitsAsNumber = (value: unknown): unknown => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value);

const decimalText = /^-?\d+(\.\d+)?$/;
const notBlank = /\S/;

/** A number that a float would change is raw JSON (values/json.ts): its digits are what counts. */
const rawAsText = (value: unknown): unknown => (JSON.isRawJSON(value) ? value.rawJSON : value);

/** A value that must be sent. Of references and numbered fields `bodies.ts` makes several members. */
export function requiredValue(type: ValueType): z.ZodType {
  return type.kind === 'text' ? z.string().regex(notBlank) : sentValue(type);
}

/** A value that may be left out. An empty text in its place clears what is there. */
export function optionalValue(type: ValueType): z.ZodType {
  if (type.kind === 'text') return z.string().optional();
  if (type.kind === 'switch' || type.kind === 'numbered') return sentValue(type).optional();
  return z.union([sentValue(type), z.literal('')]).optional();
}

/** A value as bodies and queries take it: from a form or a query as a text, from JSON as what it is. */
export function sentValue(type: ValueType): z.ZodType {
  switch (type.kind) {
    case 'text':
      return z.string();
    case 'email':
      return z.email({ pattern: /^[^\s@]+@[^\s@]+$/ });
    case 'id':
      return id();
    case 'integer':
      return z.preprocess(digitsAsNumber, z.int());
    case 'decimal':
      return z.preprocess(rawAsText, z.union([z.string().regex(decimalText), z.number()]));
    case 'date':
      return z.iso.date();
    case 'choice':
      return z.enum(type.values);
    case 'switch':
      return z.enum([type.sends, ...(type.off === undefined ? [] : [type.off])]);
    case 'id-or-name':
      return z.preprocess(digitsAsNumber, z.union([z.int().min(1), z.string().regex(notBlank)]));
    default:
      return z.unknown();
  }
}

function dateOrTime(time: 'always' | 'maybe' | undefined): z.ZodType {
  const moment = z.iso.datetime({ offset: true });
  if (time === 'always') return moment;
  return time === 'maybe' ? z.union([z.iso.date(), moment]) : z.iso.date();
}

/** A value as records hold it. Without a type it is a text (resources/define.ts, `types`). */
export function heldValue(type: ValueType | undefined): z.ZodType {
  switch (type?.kind) {
    case 'id':
    case 'id-or-name':
      return z.int().min(1);
    case 'integer':
      // The vendor shows numbers as texts, too: `"7"`.
      return z.union([z.int(), z.string().regex(/^-?\d+$/)]);
    case 'decimal':
      return z.string().regex(decimalText);
    case 'date':
      return dateOrTime(type.time);
    case 'choice':
      return type.isBoolean ? z.boolean() : z.enum(type.values);
    case 'numbered':
      return z.array(z.looseObject({ id: z.int().min(1), name: z.string(), value: z.unknown() }));
    default:
      return z.string();
  }
}
