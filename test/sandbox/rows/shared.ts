// What the row tables share: matchers for values that the document leaves open, and the answers that every family gives
// alike (404, 422, an unknown sort). Typed from the interface document, not from the sandbox.

import { expect } from 'vitest';
import type { Row } from '../../support/conformance-row.ts';

export type Form = [name: string, value: string][];

export const number: unknown = expect.any(Number);
export const text: unknown = expect.any(String);
export const list: unknown = expect.any(Array);

/** Any value, null too, but the member must be there. */
export const present: unknown = expect.not.stringContaining('\u0000');

/** ISO 8601 in UTC with microseconds. */
export const timestamp: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

export const notFound: Pick<Row, 'status' | 'body'> = { status: 404, body: { message: text } };

/** 422 with exactly these fields and texts. */
export function refused(errors: Record<string, string[]>): Pick<Row, 'status' | 'body' | 'at'> {
  return { status: 422, body: { message: 'The given data was invalid.' }, at: { errors } };
}

/** 422 on this field, with a text that the document doesn't fix. */
export function refusedOn(field: string): Pick<Row, 'status' | 'body'> {
  return { status: 422, body: { message: 'The given data was invalid.', errors: { [field]: list } } };
}

export function without(form: Form, ...names: string[]): Form {
  return form.filter(([name]) => !names.includes(name));
}

/** The form with these fields added, or set anew where it has them. */
export function having(form: Form, ...fields: Form): Form {
  return [...without(form, ...fields.map(([name]) => name)), ...fields];
}
