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
function record({ argv, exchanges, atOnce, isOdd }: WireCase): Seen[] {
  const seen: Seen[] = [];
  const left = [...exchanges];
  const patches: Seen[] = [];
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
    if (entry.method === 'PATCH') patches.push(entry);
    const isTyped = isOdd === true || argv[0] === 'api';
    const before = isTyped ? [] : entry.method === 'GET' ? patches.filter(({ path }) => path === entry.path) : [entry];
    const body =
      text ?? JSON.stringify(before.reduce((reply: unknown, write) => withSent(write, reply), json) ?? { data: {}, message: 'OK' });
    return [status, body, { 'content-type': 'application/json', ...headers }] as const;
  };
  for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) scope[method](/.*/).reply(answer);
  return seen;
}

/** The paths of values in records, by the names of bodies, typed from the interface's document. */
const paths: Readonly<Record<string, string>> = {
  lead_title: 'title',
  lead_status: 'status.id',
  lead_categoryid: 'category.id',
  lead_firstname: 'contact.first_name',
  lead_lastname: 'contact.last_name',
  lead_email: 'contact.email',
  lead_phone: 'contact.phone',
  lead_job_position: 'contact.job_position',
  lead_company_name: 'contact.company_name',
  lead_website: 'contact.website',
  lead_value: 'value',
  lead_source: 'source',
  lead_last_contacted: 'last_contacted',
  lead_description: 'description',
  lead_street: 'address.street',
  lead_city: 'address.city',
  lead_state: 'address.state',
  lead_zip: 'address.zip',
  lead_country: 'address.country',
  note_title: 'title',
  note_description: 'description',
  note_visibility: 'visibility',
  first_name: 'first_name',
  last_name: 'last_name',
  email: 'email',
  phone: 'phone',
  position: 'job_position',
  doc_title: 'title',
  doc_date_start: 'dates.start',
  doc_date_end: 'dates.end',
  doc_categoryid: 'category.id',
  doc_body: 'body',
  item_description: 'description',
  item_rate: 'rate',
  item_categoryid: 'category.id',
  item_default_tax: 'default_tax.id',
  item_unit: 'unit.id',
  item_notes: 'notes',
  item_notes_estimatation: 'estimation_notes',
};

/** Names of bodies whose values the answers of the cases have already. */
const answered =
  /^(clientid|client_company_name|customer_type|noteresource_(type|id)|doc_(client|lead)_id|proposal_template|send_email|copy_\w+|tags\[\]|(lead|item)_custom_field_\d+(\[\])?)$/;

/**
 * The answer to a write of a record, with the values that came: a service that keeps other values is no plain one. Only the members that the
 * answer has are changed. A reply without a record stays as it is.
 */
function withSent({ method, path, type, body }: Seen, json: unknown): unknown {
  const { data } = Object(json) as { data?: unknown };
  const isCreate = method === 'POST' && /^\/api\/\w+(\/\d+\/clone)?$/.test(path);
  if (!(isCreate || method === 'PATCH' || method === 'PUT') || typeof data !== 'object' || data === null || Array.isArray(data))
    return json;
  const record = structuredClone(data) as Record<string, unknown>;
  const sent = type === 'application/json' ? (Object.entries(JSON.parse(body)) as [string, unknown][]) : [...new URLSearchParams(body)];
  const action = path.split('/')[4];
  if (action === undefined || action === 'clone') {
    for (const [name, value] of sent) {
      if (paths[name] === undefined && !answered.test(name)) throw new Error(`test/support/wire.ts: \`paths\` lacks ${name}`);
      const names = (paths[name] ?? '').split('.');
      const last = names.pop() ?? '';
      const place = names.reduce((held: unknown, one) => Object(held)[one], record) as Record<string, unknown> | undefined;
      if (last !== '' && typeof place === 'object' && place !== null && last in place) place[last] = asHeld(place[last], value);
    }
    const fields = record.custom_fields;
    for (const field of Array.isArray(fields) ? (fields as { id: unknown; value: unknown }[]) : [])
      for (const [name, value] of sent) if (name === `item_custom_field_${field.id}`) field.value = asHeld(field.value, value);
  } else if (action === 'archive' || action === 'activate') {
    if ('active_state' in record) record.active_state = action === 'archive' ? 'archived' : 'active';
  } else if (action === 'account-owner') {
    if ('account_owner' in record) record.account_owner = 'yes';
  } else {
    const all = sent.flatMap(([name, value]) => (name.replace('[]', '') === action ? [value].flat() : []));
    if (!['tags', 'assigned', 'status'].includes(action)) throw new Error(`test/support/wire.ts: \`withSent\` has no line for ${action}`);
    if (!(action in record)) return json;
    if (action === 'tags') record.tags = all;
    else if (action === 'assigned' && JSON.stringify(idsOf(record.assigned)) !== JSON.stringify(all.map(Number)))
      record.assigned = all.map((id) => ({ id: Number(id), name: `Person ${id}` }));
    else if (action === 'status') record.status = typeof record.status === 'object' ? { ...record.status, id: Number(all[0]) } : all[0];
  }
  return { ...Object(json), data: record };
}

const idsOf = (held: unknown): unknown[] => (Array.isArray(held) ? held.map((one) => Object(one).id) : []);

/** A sent value as a record holds it: an id as a number, an empty value as null. What is the same stays as the reply has it. */
function asHeld(held: unknown, value: unknown): unknown {
  if (String(held ?? '') === String(value)) return held;
  if (value === '') return null;
  return typeof held === 'number' ? Number(value) : value;
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
