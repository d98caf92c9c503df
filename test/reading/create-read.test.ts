// `create --read` against a service that goes away, and a caller that has enough, between the create and the read.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { crmCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';

/** A service that makes contact 5, and then what `next` does of the read. */
async function serviceWith(next: () => void): Promise<{ baseUrl: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') return next();
    response.writeHead(201, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"data":{"id":5,"name":"Jane Doe"},"message":"Contact created successfully."}', () => {
      if (next === leave) server.close();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const leave = (): void => undefined;

async function create(baseUrl: string, started: (kill: () => void) => void) {
  const words = ['contacts', 'create', '--first-name', 'Jane', '--last-name', 'Doe', '--email', 'j@d.example', '--client', '2'];
  const [command, args] = crmCommand([...words, '--read', '--retries', '0', '--json']);
  const env = cleanEnv({ CRM_BASE_URL: baseUrl, CRM_API_KEY: 'key-of-create-read', CRM_CONFIG_DIR: '/nonexistent/crm' });
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  started(() => child.kill('SIGINT'));
  const [stdout, stderr, [status]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'close')]);
  return { status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

it('a service that is gone at the read leaves no doubt that the contact was created', async () => {
  const service = await serviceWith(leave);
  const { status, stdout, stderr } = await create(service.baseUrl, () => undefined);
  service.close();
  expect(status, stderr).toBe(8);
  expect(JSON.parse(stdout)).toEqual({ id: 5, name: 'Jane Doe' });
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ code: 'partial', hint: "Don't create it again. See it with: crm contacts get 5" });
  expect(error.message).toMatch(/^Contact 5 was created, but could not be read: /);
  expect(stderr).not.toMatch(/nothing was sent/i);
});

it('Ctrl-C at the read says so, too', async () => {
  let interrupt = (): void => undefined;
  const service = await serviceWith(() => interrupt());
  const { status, stdout, stderr } = await create(service.baseUrl, (kill) => {
    interrupt = kill;
  });
  service.close();
  expect(status, stderr).toBe(130);
  expect(JSON.parse(stdout)).toEqual({ id: 5, name: 'Jane Doe' });
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'interrupted', message: 'Interrupted. Contact 5 was created, but not read.' });
});
