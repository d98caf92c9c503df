// Runs conformance groups against an embedded CRM, such as one in this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Group, Row } from './conformance-row.ts';

/** An embedded CRM that answers requests. */
interface Service {
  fetch(request: { method: string; target: string; headers: Record<string, string>; body?: string }): Promise<Response>;
  readonly key: string | undefined;
  close(): Promise<void>;
}

export interface Target {
  readonly name: string;
  /** Opens a fresh embedded CRM in a folder of its own. */
  open(folder: string, options: { readonly demo: boolean }): Promise<Service>;
}

export const inProcess: Target = {
  name: 'in-process',
  open: async (folder, { demo }) => {
    const { makeSandbox } = await import('./make-sandbox.ts');
    const { openHandler } = await import('../../src/sandbox/http/answer.ts');
    const path = join(folder, 'crm.sqlite');
    makeSandbox(path, { demo });
    const handler = openHandler(path);
    return {
      key: undefined,
      fetch: async ({ method, target, headers, body }) => {
        const answer = await handler.answer({ method, path: target, headers, ...(body === undefined ? {} : { body }) });
        return new Response(answer.body, answer);
      },
      close: async () => handler.close(),
    };
  },
};

/** Declares one test per row; the rows of a group share one service and their saved values. */
export function runGroup(target: Target, group: Group): void {
  let folder: string;
  let service: Service;
  const saved = new Map<string, unknown>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crm-rows-'));
    service = await target.open(folder, { demo: group.demo === true });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  for (const row of group.rows) {
    it.skipIf(row.authorization !== undefined && target === inProcess)(row.name, () => runRow(service, row, saved));
  }
}

async function runRow(service: Service, row: Row, saved: Map<string, unknown>): Promise<void> {
  const response = await service.fetch(requestOf(service, row, saved));
  const text = await response.text();
  expect(response.status, text).toBe(row.status);
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (row.body !== undefined) expect(body).toMatchObject(filled(row.body, saved) as object);
  for (const [path, value] of Object.entries(row.at ?? {})) expect(at(body, path), `${path} in ${text}`).toEqual(value);
  for (const path of row.absent ?? []) expect(at(body, path), path).toBeUndefined();
  for (const [name, path] of Object.entries(row.save ?? {})) {
    expect(at(body, path), `${path} in ${text}`).toBeDefined();
    saved.set(name, at(body, path));
  }
}

function requestOf(service: Service, row: Row, saved: Map<string, unknown>): Parameters<Service['fetch']>[0] {
  const query = new URLSearchParams((row.query ?? []).map(([name, value]) => [name, insert(value, saved)])).toString();
  const headers: Record<string, string> = {};
  const authorization = row.authorization ?? (service.key === undefined ? 'none' : `Bearer ${service.key}`);
  if (authorization !== 'none') headers.authorization = authorization;
  const body = bodyOf(row, saved);
  if (body !== undefined) headers['content-type'] = body.type;
  const target = `${insert(row.path, saved)}${query === '' ? '' : `?${query}`}`;
  return { method: row.method, target, headers, ...(body === undefined ? {} : { body: body.text }) };
}

function bodyOf(row: Row, saved: Map<string, unknown>): { type: string; text: string } | undefined {
  if (row.raw !== undefined) return { type: row.raw.type, text: row.raw.body };
  if (row.json !== undefined) return { type: 'application/json', text: JSON.stringify(filled(row.json, saved)) };
  if (row.form === undefined) return undefined;
  const pairs = row.form.map(([name, value]): [string, string] => [name, insert(value, saved)]);
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(pairs).toString() };
}

function insert(text: string, saved: Map<string, unknown>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => (saved.has(name) ? String(saved.get(name)) : all));
}

/** The value with saved values in place of their names; asymmetric matchers stay. */
function filled(value: unknown, saved: Map<string, unknown>): unknown {
  if (typeof value === 'string') {
    const name = /^\{(\w+)\}$/.exec(value)?.[1];
    return name !== undefined && saved.has(name) ? saved.get(name) : insert(value, saved);
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, saved));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, saved)]));
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((one, name) => (one as Record<string, unknown> | null | undefined)?.[name], value);
}
