// What the row tables share: matchers for values that the document leaves open, and the answers that every family gives
// alike (404, 422, an unknown sort). Typed from the interface document, not from the sandbox.

import { expect } from 'vitest';
import type { Group, Row } from '../../support/conformance-row.ts';
import { bodyOf, type Fields, type Json, pathAndQuery } from '../../support/request.ts';

/** A body that is sent as it stands. */
class Raw {
  readonly type: string;
  readonly body: string;
  constructor(type: string, body: string) {
    this.type = type;
    this.body = body;
  }
}
export const raw = (type: string, body: string): Raw => new Raw(type, body);

type Answer = Omit<Row, 'name' | 'method' | 'path' | 'query' | 'form' | 'json' | 'raw'>;
type More = Omit<Answer, 'status' | 'body'>;

const row = (name: string, method: string, target: string, body: Fields | Json | Raw, answer: Answer): Row =>
  ({ name, method, ...pathAndQuery(target), ...(body instanceof Raw ? { raw: { ...body } } : bodyOf(body)), ...answer });
const sends = (method: string) => (name: string, target: string, body: Fields | Json | Raw, answer: Answer): Row =>
  row(name, method, target, body, answer);
export const post = sends('POST');
export const put = sends('PUT');
export const patch = sends('PATCH');
export const get = (name: string, target: string, answer: Answer): Row => row(name, 'GET', target, {}, answer);
export const del = (name: string, target: string, answer: Answer): Row => row(name, 'DELETE', target, {}, answer);

export const group = (name: string, rows: Row[], more: Pick<Group, 'demo'> = {}): Group => ({ name, rows, ...more });

/** 200 with at least this body. */
export const ok = (body: unknown = {}, more: More = {}): Answer => ({ status: 200, body, ...more });

/** 201 with at least this body. */
export const created = (body: unknown = {}, more: More = {}): Answer => ({ status: 201, body, ...more });

/** 201, whose id is saved under this name. */
export const made = (saved: string): Answer => created({}, { save: { [saved]: 'data.id' } });

/** A page with just the records of these saved ids, in this order. */
export const inOrder = (...saved: string[]): Answer => ok({ data: saved.map((name) => ({ id: `{${name}}` })) });

/** The same, and the list has no others. */
export const only = (...saved: string[]): Answer =>
  ok({ data: saved.map((name) => ({ id: `{${name}}` })), meta: { total: saved.length } });

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
