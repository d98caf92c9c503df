// Nothing but the profile's origin is ever connected to: every connection of many commands is counted, also where a service or a variable
// says another place.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCrm, type SandboxServer, startSandbox } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { endsOf, inTurn } from '../support/in-turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-elsewhere-'));
const log = join(folder, 'connections');
const preload = new URL('../support/connections.mjs', import.meta.url).href;
let server: SandboxServer;

beforeAll(async () => {
  server = await startSandbox(['--db', join(folder, 'service.sqlite')]);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The variables of a command that notes its connections. */
const variables = (): Record<string, string> => ({
  CRM_BASE_URL: server.baseUrl,
  CRM_API_KEY: server.key,
  CRM_CONFIG_DIR: join(folder, 'config'),
  CRM_DATA_DIR: join(folder, 'data'),
  NODE_OPTIONS: `--import ${preload}`,
});

const notedIn = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []);

/** Where a command connected to. */
async function placesOf(args: readonly string[], more: Record<string, string> = {}): Promise<{ status: number | null; places: string[] }> {
  rmSync(log, { force: true });
  const { status } = await runCrm(args, { env: { ...variables(), CRM_TEST_CONNECTIONS: log, ...more }, cwd: folder });
  return { status, places: notedIn(log) };
}

it('a list connects to the service alone', async () => {
  const { host } = new URL(server.baseUrl);
  const { status, places } = await placesOf(['leads', 'list', '--all']);
  expect([status, new Set(places)]).toEqual([0, new Set([host])]);
});

it('so do other commands, one after the other', async () => {
  writeFileSync(join(folder, 'new.csv'), 'title,status,category\nTill,1,1\n');
  const { host } = new URL(server.baseUrl);
  const statuses: Readonly<Record<string, number>> = {
    'leads list --where value=100..': 0,
    'leads list --status New': 0,
    'leads get 12 --with comments,notes': 0,
    'leads duplicates': 0,
    'leads tags 12,13 --add hot': 0,
    'leads import new.csv': 0,
    'contacts list --json': 0,
    'report leads': 0,
    'names --refresh': 0,
    'api GET /api/leads': 0,
    'leads get 999999': 3,
    doctor: 0,
  };
  const turns = Object.keys(statuses).map((line, index) => ({ words: line.split(' '), more: { CRM_TEST_CONNECTIONS: `${log}-${index}` } }));
  const [command, args] = inTurn(turns);
  const { stdout, stderr } = await promisify(execFile)(command, args, { env: cleanEnv(variables()), cwd: folder });
  const ends = endsOf(turns, { stdout, stderr }).map(({ status }, index) => [status, new Set(notedIn(`${log}-${index}`))]);
  expect(ends).toEqual(Object.values(statuses).map((status) => [status, new Set([host])]));
});

it.each(['--version', '--help', 'leads list --help', 'explain leads.create', 'help import', 'completion bash', 'history', 'profile list'])(
  '%s connects to nothing',
  async (line) => expect(await placesOf(line.split(' '))).toEqual({ status: 0, places: [] }),
);

it('the embedded CRM needs no connection', async () => {
  const embedded = { CRM_BASE_URL: `sandbox:${join(folder, 'embedded.sqlite')}` };
  await placesOf(['sandbox', 'init', '-q']);
  expect(await placesOf(['leads', 'list'], { CRM_BASE_URL: 'sandbox:' })).toEqual({ status: 0, places: [] });
  expect((await placesOf(['leads', 'list'], embedded)).places).toEqual([]);
});

it('a redirect leads nowhere else', async () => {
  const trap = createServer((_request, response) => response.end('{"data":[]}')).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const away = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  const service = createServer((_request, response) => response.writeHead(302, { location: `${away}/api/leads` }).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(service, 'listening');
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  const { status, places } = await placesOf(['leads', 'list', '--retries', '0'], { CRM_BASE_URL: `http://${host}` });
  expect([status, new Set(places)]).toEqual([7, new Set([host])]);
  trap.close();
  service.close();
});
