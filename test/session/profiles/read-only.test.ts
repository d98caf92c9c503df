// A read-only service: every command that would write is refused before it sends, asks or notes anything. Reads work.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';

interface Said {
  readonly command: string;
  readonly does: string;
  readonly refused_read_only?: boolean;
  readonly arguments?: readonly { readonly required?: boolean }[];
}

const nowhere = { env: { CRM_CONFIG_DIR: '/nonexistent/crm' } };
const asked = async (...words: string[]): Promise<{ commands?: Said[] } & Said> =>
  JSON.parse((await runHere(['explain', ...words, '--json'], nowhere)).stdout);
const firstWords = new Set((await asked()).commands?.map(({ command }) => command.split(' ')[0] ?? ''));
const commands = (await Promise.all([...firstWords].map((word) => asked(word)))).flatMap((one) => one.commands ?? [one]);
const refused = commands.filter((one) => one.refused_read_only === true && one.command !== 'api');

let server: Server;
let origin: string;
let folder: string;
let requests: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end('{"data": [], "meta": {"current_page": 1, "per_page": 25, "total": 0, "last_page": 1}, "message": "OK"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'crm-read-only-'));
  mkdirSync(join(folder, 'config'));
  const profile = { baseUrl: origin, key: 'crm_0123456789' };
  const profiles = { open: profile, closed: { ...profile, readOnly: true }, other: { ...profile, baseUrl: 'http://127.0.0.1:9' } };
  const embedded = { sandbox: { baseUrl: 'sandbox:', readOnly: true } };
  const document = { version: 1, current: 'closed', profiles: { ...profiles, ...embedded } };
  writeFileSync(join(folder, 'config', 'config.json'), JSON.stringify(document), { mode: 0o600 });
});
beforeEach(() => {
  requests = [];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const run = (words: readonly string[], env: Record<string, string> = {}, tty = false) =>
  runHere(words, { env: { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data'), ...env }, cwd: folder, tty });
const ofVariables = (): Record<string, string> => ({
  CRM_BASE_URL: origin,
  CRM_API_KEY: 'crm_9876543210',
  CRM_CONFIG_DIR: '/nonexistent/crm',
});

const because = {
  profile: 'Profile "closed" is read only: nothing was changed.',
  variable: 'CRM_READ_ONLY is set, so crm only reads: nothing was changed.',
};

describe('every command that writes', () => {
  it('is known to explain', () => {
    expect(refused.length).toBeGreaterThan(40);
    // What these three write lies on this machine.
    const others = commands.filter(({ does, refused_read_only: is }) => does !== 'reads' && is !== true).map(({ command }) => command);
    expect(others.filter((one) => !/^(profile|sandbox|history|completion) /.test(one))).toEqual([]);
  });

  it.each(refused)('$command', async ({ command, arguments: args = [] }) => {
    const words = [...command.split(' '), ...args.filter(({ required }) => required === true).map(() => '1')];
    for (const [env, sentence] of [
      [{}, because.profile],
      [{ ...ofVariables(), CRM_READ_ONLY: 'yes' }, because.variable],
    ] as const) {
      const { status, stdout, stderr } = await run([...words, '--json'], env);
      expect([status, stdout], stderr).toEqual([9, '']);
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'read_only', message: sentence });
      expect(stderr).not.toMatch(/--confirm|no-read-only|profile set/);
    }
    expect(requests).toEqual([]);
    expect(existsSync(join(folder, 'data', 'journals'))).toBe(false);
  });
});

it('belongs to the address: another profile and CRM_BASE_URL of it are read only, too', async () => {
  const other = await run(['leads', 'archive', '3', '-p', 'open']);
  expect([other.status, other.stderr]).toEqual([
    9,
    expect.stringContaining(`${origin} is read only by profile "closed": nothing was changed.`),
  ]);
  const variables = await run(['leads', 'archive', '3'], { CRM_BASE_URL: origin, CRM_API_KEY: 'crm_9876543210' });
  expect(variables.status).toBe(9);
  expect(requests).toEqual([]);
  const elsewhere = await run(['leads', 'archive', '3', '-p', 'other', '--retries', '0']);
  expect(elsewhere.status).toBe(7);
});

it('settings from the environment alone need no profiles that can be read', async () => {
  const config = join(folder, 'damaged');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), '{', { mode: 0o600 });
  const { status, stderr } = await run(['leads', 'archive', '3', '--retries', '0'], { ...ofVariables(), CRM_CONFIG_DIR: config });
  expect([status, requests[0]], stderr).toEqual([7, 'PUT /api/leads/3/archive']);
});

it('reads, dry runs, plans and this machine work', async () => {
  for (const words of ['leads list', 'api get leads', 'report leads', 'leads update 3 --title x --dry-run', 'profile use closed']) {
    const { status, stderr } = await run(words.split(' '));
    expect([words, status].join(': '), stderr).toMatch(/: (0|3|7)$/);
    expect(stderr).not.toContain('read only');
  }
  expect(requests.every((one) => one.startsWith('GET '))).toBe(true);
  expect((await run(['api', 'delete', 'leads/3', '--yes'])).status).toBe(9);
  expect(JSON.parse((await run(['profile', 'list', '--json'])).stdout)).toContainEqual(
    expect.objectContaining({ name: 'closed', read_only: true }),
  );
  expect((await run(['doctor'])).stdout).toMatch(/read only\t.*Profile "closed" is read only/);
});

it.each(['', '0', 'false'])('CRM_READ_ONLY=%j lets commands write', async (value) => {
  const { stderr } = await run(['leads', 'archive', '3'], { ...ofVariables(), CRM_READ_ONLY: value });
  expect(stderr).not.toContain('CRM_READ_ONLY');
  expect(requests).toContain('PUT /api/leads/3/archive');
});

it('an embedded CRM is not replaced or removed', async () => {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const file = join(folder, 'data', 'sandbox.sqlite');
  writeFileSync(file, 'a file');
  for (const words of ['sandbox reset', 'sandbox init --force', 'profile remove sandbox --with-data']) {
    const { status, stderr } = await run([...words.split(' '), '--yes']);
    expect([status, stderr]).toEqual([9, expect.stringContaining('Profile "sandbox" is read only: nothing was changed.')]);
  }
  expect(existsSync(file)).toBe(true);
  rmSync(file);
});

it('is lifted by profile set alone, which wants the name off a terminal', async () => {
  const lift = ['profile', 'set', 'closed', '--no-read-only'];
  const without = await run(lift);
  expect([without.status, without.stderr]).toEqual([9, expect.stringContaining('add --confirm closed')]);
  expect((await run([...lift, '--yes'])).status).toBe(9);
  expect((await run([...lift, '--confirm', 'open'])).status).toBe(9);
  const beside = await run([...lift, '--confirm', 'closed'], { CRM_READ_ONLY: '1' });
  expect([beside.status, beside.stderr]).toEqual([0, expect.stringContaining('CRM_READ_ONLY in the environment goes on refusing writes.')]);
  await run(['leads', 'archive', '3']);
  expect(requests).toContain('PUT /api/leads/3/archive');
  const again = await run(['profile', 'set', 'closed', '--read-only', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ read_only: true });
});
