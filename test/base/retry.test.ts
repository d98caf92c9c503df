// `error.retry`: may the same command be sent again? `safe` is tried: the same command is sent again to a service that then works, and
// nothing is doubled.

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorCodes, InterruptedError } from '../../src/base/errors.ts';
import { main } from '../../src/entry/main.ts';
import { fakeIo } from '../support/fake-io.ts';
import { runHere } from '../support/run-here.ts';

/** Typed by hand: programs rely on it. */
const byCode: Readonly<Record<string, readonly string[]>> = {
  safe: ['rate_limited', 'unavailable', 'unreachable', 'timed_out', 'run_held'],
  look: ['outcome_unknown', 'run_unfinished'],
  ask: [
    ...['unauthorized', 'no_profile', 'no_key', 'key_refused', 'not_taken', 'disk_full', 'unconfirmed'],
    ...['profile_protected', 'read_only', 'proposal_signed', 'not_taken'],
  ],
  never: [
    ...[
      'fault',
      'usage',
      'unknown_command',
      'unknown_flag',
      'missing_value',
      'invalid_value',
      'name_unknown',
      'name_ambiguous',
      'not_found',
    ],
    ...['refused', 'email_taken', 'partial', 'conflict', 'already_converted', 'no_client_account', 'name_taken', 'already_imported'],
    ...['found', 'interrupted'],
  ],
};

/** The leads of a small service. `failing`: answers in place of the service, one request each; undefined lets the request through. */
let leads: { readonly id: number; title: string }[] = [];
let failing: (((response: ServerResponse) => void) | undefined)[] = [];
let server: Server;
let folder: string;
let env: Record<string, string>;

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message: 'OK', ...body }));
};
const busy = (response: ServerResponse): void => answer(response, 429, {});
const broken = (response: ServerResponse): void => answer(response, 502, {});
const silent = (): void => {};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const fails = failing.shift();
    if (fails !== undefined) return fails(response);
    const id = Number(/leads\/(\d+)/.exec(request.url ?? '')?.[1]);
    const title = new URLSearchParams(text).get('lead_title') ?? '';
    const made = { id: leads.length + 1, title };
    if (request.method === 'POST') leads.push(made);
    const found = request.method === 'POST' ? made : leads.find((one) => one.id === id);
    if (found !== undefined && request.method === 'PATCH') found.title = title;
    if (found !== undefined) return answer(response, request.method === 'POST' ? 201 : 200, { data: whole(found) });
    const meta = { current_page: 1, per_page: 25, total: leads.length, last_page: 1 };
    answer(response, 200, { data: leads.map(whole).toReversed(), meta });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  folder = mkdtempSync(join(tmpdir(), 'crm-retry-'));
  writeFileSync(join(folder, 'new.csv'), 'title,status,category\nOne,1,1\nTwo,1,1\nThree,1,1\n');
});
beforeEach(() => {
  leads = [{ id: 1, title: 'Till' }];
  failing = [];
  const { port } = server.address() as AddressInfo;
  env = {
    CRM_BASE_URL: `http://127.0.0.1:${port}`,
    CRM_API_KEY: 'crm_0123456789',
    CRM_CONFIG_DIR: '/nonexistent/crm',
    CRM_DATA_DIR: mkdtempSync(join(folder, 'data-')),
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const whole = ({ id, title }: { readonly id: number; readonly title: string }) => ({
  ...{ id, title, value: null, status: { id: 1, title: 'New', color: '#fff' }, active_state: 'active', category: { id: 1, name: 'In' } },
  ...{ source: null, last_contacted: null, description: null, assigned: [], tags: [] },
  contact: { first_name: null, last_name: null, email: null, phone: null, job_position: null, company_name: null, website: null },
  address: { street: null, city: null, state: null, zip: null, country: null },
  converted: { is_converted: false, client_id: null, date: null },
  dates: { created: '2026-01-01T00:00:00.000000Z', updated: '2026-01-01T00:00:00.000000Z' },
});

async function run(line: string, own: Record<string, string> = {}) {
  const { status, stderr } = await runHere([...line.split(' '), '--json'], { env: { ...env, ...own }, cwd: folder });
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return { status, error: last.startsWith('{') ? JSON.parse(last).error : undefined };
}

it('is known of every code', async () => {
  const typed = Object.entries(byCode).flatMap(([retry, codes]) => codes.map((code): [string, string] => [code, retry]));
  const table = Object.fromEntries(Object.entries(errorCodes).map(([code, { retry }]) => [code, retry]));
  expect(table).toEqual(Object.fromEntries(typed.filter(([code]) => code in errorCodes)));
  const { errors } = JSON.parse((await runHere(['explain', 'leads', '--json'], { env })).stdout);
  for (const [code, retry] of typed) if (code in table) expect(errors).toContainEqual(expect.objectContaining({ code, retry }));
});

const create = 'leads create --title New --status 1 --category 1 --retries 0';

describe('safe: the same command works then, and nothing is doubled', () => {
  it.each([
    ['leads list --retries 0', [busy], 'rate_limited'],
    ['leads list --retries 0', [broken], 'unavailable'],
    ['leads get 1 --retries 0 --timeout 0.3', [silent], 'timed_out'],
    [create, [busy], 'rate_limited'],
    ['leads update 1 --title New --retries 0', [undefined, busy], 'rate_limited'],
    ['leads update 1 --title New --retries 0', [broken], 'unavailable'],
  ] as const)('%s', async (line, replies, code) => {
    failing = [...replies];
    expect((await run(line)).error).toMatchObject({ code, retry: 'safe' });
    expect((await run(line)).status).toBe(0);
    expect(leads.filter(({ title }) => title === 'New').length).toBe(line.includes('New') ? 1 : 0);
  });

  it('a connection that was never made', async () => {
    expect((await run(create, { CRM_BASE_URL: 'http://127.0.0.1:1' })).error).toMatchObject({ code: 'unreachable', retry: 'safe' });
    expect((await run(create)).status).toBe(0);
    expect(leads.length).toBe(2);
  });
});

it('safe behind another run, too: the same import goes through once the lock is free', async () => {
  await run('leads import new.csv --yes');
  const [lock = ''] = globSync(join(env.CRM_DATA_DIR ?? '', 'journals/*.lock'));
  writeFileSync(join(folder, 'held.csv'), 'title,status,category\nHeld,1,1\n');
  const holder = new DatabaseSync(lock);
  holder.exec('BEGIN IMMEDIATE');
  expect((await run('leads import held.csv --yes --wait 0.1')).error).toMatchObject({ code: 'run_held', retry: 'safe' });
  holder.close();
  expect((await run('leads import held.csv --yes')).status).toBe(0);
  expect(leads.filter(({ title }) => title === 'Held').length).toBe(1);
});

describe('look', () => {
  it.each([
    ['before any write', true, 'never'],
    ['behind a write that was sent', false, 'look'],
  ])('an interruption %s', async (_when, isRead, retry) => {
    const abort = new AbortController();
    const ends = (): void => abort.abort(new InterruptedError('SIGINT'));
    failing = isRead ? [ends] : [undefined, ends];
    const io = fakeIo({});
    const line = 'leads update 1 --title New --json --retries 0';
    const status = await main(line.split(' '), { io, env, cwd: folder, signal: abort.signal });
    expect([status, JSON.parse(io.stderrText().trimEnd().split('\n').at(-1) ?? '').error]).toMatchObject([
      130,
      { code: 'interrupted', retry },
    ]);
  });

  it('a write that may have arrived', async () => {
    failing = [broken];
    expect((await run(create)).error).toMatchObject({ code: 'outcome_unknown', retry: 'look' });
    failing = [broken, broken];
    expect((await run('leads comments add 1 Hello --retries 0')).error).toMatchObject({
      retry: 'look',
      hint: expect.stringMatching(/crm /),
    });
  });

  it('an import that stopped at a 429: the same command is refused, its --resume goes on', async () => {
    failing = [undefined, undefined, ...Array.from({ length: 9 }, () => busy)];
    const line = 'leads import new.csv --yes --retries 0 --concurrency 1';
    const { status, error } = await run(line);
    expect([status, error]).toMatchObject([6, { code: 'rate_limited', retry: 'look', hint: expect.stringContaining('--resume') }]);
    failing = [];
    expect((await run(line)).error).toMatchObject({ code: 'run_unfinished', retry: 'look' });
    expect((await run(`${line} --resume`)).status).toBe(0);
    expect(leads.map(({ title }) => title).sort()).toEqual(['One', 'Three', 'Till', 'Two']);
  });
});
