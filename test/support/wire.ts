// Runs wire cases: the program in this process, a strict recorder (nock) in place of the service.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nock from 'nock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from './fake-io.ts';
import type { Exchange, WireCase } from './wire-case.ts';

const origin = 'https://crm.test';
const key = 'wire-test-key-123456';

/** Declares one test per case. */
export function wireCases(title: string, cases: WireCase[]): void {
  describe(title, () => {
    beforeAll(() => nock.disableNetConnect());
    afterAll(() => nock.enableNetConnect());
    for (const one of cases) it(one.name, () => runCase(one));
  });
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: [string, string][];
  readonly type: string | null;
  readonly body: string;
}

async function runCase(one: WireCase): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), 'crm-wire-'));
  try {
    for (const [name, content] of Object.entries(one.files ?? {})) await writeFile(join(cwd, name), content);
    const env = await environment(cwd, one);
    const seen = record(one);
    const io = fakeIo({ stdin: one.stdin ?? '', tty: one.terminal ?? one.sed !== undefined });
    if (one.sed !== undefined) {
      await writeFile(join(cwd, 'edit.sed'), one.sed);
      Object.assign(env, { TMPDIR: cwd, EDITOR: `sed -i -f ${join(cwd, 'edit.sed')}` });
    }
    const status = await main(one.argv, { io, env, cwd, signal: new AbortController().signal });
    const output = `stdout: ${io.stdoutText()}\nstderr: ${io.stderrText()}`;
    const [came, wanted] = [seen.map(shown), one.exchanges.map(({ request }) => expected(request))];
    if (one.atOnce === true) expect(came.map(text).toSorted(), output).toEqual(wanted.map(text).toSorted());
    else expect(came, output).toEqual(wanted);
    expect(status, output).toBe(one.exit ?? 0);
    if (one.stdout !== undefined) expect(io.stdoutText()).toMatch(one.stdout);
    if ('json' in one) expect(JSON.parse(io.stdoutText())).toEqual(one.json);
    if (one.stderr !== undefined) expect(io.stderrText()).toMatch(one.stderr);
    expect(output).not.toContain(key);
  } finally {
    nock.cleanAll();
    await rm(cwd, { recursive: true });
  }
}

async function environment(cwd: string, { encoding = 'form', me }: WireCase): Promise<Record<string, string>> {
  if (encoding === 'form' && me === undefined)
    return { CRM_BASE_URL: origin, CRM_API_KEY: key, CRM_CONFIG_DIR: join(cwd, 'none'), CRM_DATA_DIR: cwd };
  const profile = { baseUrl: origin, key, encoding, insecureHttp: false, protected: false, ...(me === undefined ? {} : { me }) };
  await writeFile(join(cwd, 'config.json'), JSON.stringify({ version: 1, current: 'test', profiles: { test: profile } }));
  return { CRM_CONFIG_DIR: cwd, CRM_DATA_DIR: cwd };
}

const text = (request: unknown): string => JSON.stringify(request);

/**
 * Answers requests in the order of the exchanges, and records the requests. With `atOnce`, only requests of one method and path keep their
 * order.
 */
function record({ exchanges, atOnce }: WireCase): Seen[] {
  const seen: Seen[] = [];
  const left = [...exchanges];
  const next = (method: string, path: string): Exchange | undefined => {
    if (atOnce !== true) return left.shift();
    const place = left.findIndex(({ request }) => request.method === method && request.path === path);
    return place < 0 ? undefined : left.splice(place, 1)[0];
  };
  const scope = nock(origin).persist();
  const answer = async (request: Request) => {
    const url = new URL(request.url);
    const entry: Seen = {
      method: request.method,
      path: decodeURIComponent(url.pathname),
      query: [...url.searchParams],
      type: request.headers.get('content-type'),
      body: '',
    };
    seen.push(entry);
    const exchange = next(entry.method, entry.path);
    Object.assign(entry, { body: await request.text() });
    expect(request.headers.get('authorization')).toBe(`Bearer ${key}`);
    expect(request.headers.get('accept')).toBe('application/json');
    expect(request.headers.get('user-agent')).toMatch(/^crm-admin\/\d+\.\d+\.\d+/);
    const { status = 200, json, text, headers } = exchange?.reply ?? {};
    const body = text ?? JSON.stringify(json ?? { data: {}, message: 'OK' });
    return [status, body, { 'content-type': 'application/json', ...headers }] as const;
  };
  for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) scope[method](/.*/).reply(answer);
  return seen;
}

const byName = (a: [string, string], b: [string, string]): number => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0);

function shown({ method, path, query, type, body }: Seen): unknown {
  return { method, path, query: query.toSorted(byName), ...shownBody(type, body) };
}

function shownBody(type: string | null, body: string): object {
  if (body === '') return type === null ? {} : { type };
  if (type === 'application/json') return { json: JSON.parse(body) };
  if (type === 'application/x-www-form-urlencoded') return { form: [...new URLSearchParams(body)].toSorted(byName) };
  return { type, body };
}

function expected({ method, path, query = [], form, json }: Exchange['request']): unknown {
  const body = form !== undefined ? { form: form.toSorted(byName) } : json !== undefined ? { json } : {};
  return { method, path, query: query.toSorted(byName), ...body };
}
