// `crm sandbox serve`: a key that no list of processes shows, and a server that other machines reach.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { crmCommand, runCrm } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-serve-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };

it('takes its key from standard input; on every address crm takes the printed one, and the key in plain is said', async () => {
  const argv = ['sandbox', 'serve', '--db', join(folder, 'a.sqlite'), '--port', '0', '--json', '--key-stdin', '--host', '0.0.0.0'];
  const [command, all] = crmCommand(argv);
  const child = spawn(command, all, { env: cleanEnv(env), stdio: ['pipe', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  child.stdin.end('told-by-pipe\n');
  const [line] = await once(child.stdout, 'data');
  const { base_url: url, api_key: key } = JSON.parse(String(line));
  expect(key).toBe('told-by-pipe');
  const list = await runCrm(['leads', 'list', '--count'], { env: { ...env, CRM_BASE_URL: url, CRM_API_KEY: key } });
  expect([list.status, list.stderr]).toEqual([0, '']);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(told).toMatch(
    /^Other machines reach this server at http:\/\/ADDRESS-OF-THIS-MACHINE:\d+, and the key goes there in plain\..*--insecure-http$/m,
  );
});

it.each([
  [['--key-stdin', '--key', 'x'], 'x', 'Choose one of --key and --key-stdin.'],
  [['--key-stdin'], '', '--key-stdin: give printable characters without spaces.'],
  [['--key-stdin'], 'a b', '--key-stdin: give printable characters without spaces.'],
])('%j with "%s" is refused', async (flags, stdin, message) => {
  const crm = await runCrm(['sandbox', 'serve', '--port', '0', '--db', join(folder, 'b.sqlite'), ...flags], { env, stdin });
  expect([crm.status, crm.stderr]).toEqual([2, expect.stringContaining(message)]);
});
