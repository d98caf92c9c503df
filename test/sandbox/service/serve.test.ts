// The sandbox over HTTP: the key, the address, and how it stops.

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Served, type ServeOptions, serve } from '../../../src/sandbox/http/serve.ts';
import { makeSandbox } from '../../support/make-sandbox.ts';

const directory = mkdtempSync(join(tmpdir(), 'crm-serve-'));
const path = join(directory, 'sandbox.db');
const key = 'secret';
const anywhere = { path, host: '127.0.0.1', port: 0, key };
let served: Served | undefined;
const start = async (options: Partial<ServeOptions> = {}) => {
  served = await serve({ ...anywhere, ...options });
  return served;
};
beforeAll(() => makeSandbox(path, { demo: true }));
afterEach(() => served?.close());
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('wants its key for what it does not have, too', async () => {
  const { baseUrl } = await start();
  const answer = await fetch(`${baseUrl}/elsewhere`);
  expect([answer.status, await answer.json()]).toEqual([401, { message: 'Unauthorized. A valid API key is required.' }]);
});

it('picks a port for 0', async () => {
  const { baseUrl } = await start();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  expect((await fetch(`${baseUrl}/api/items/1`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

it('brackets an IPv6 host', async () => {
  const { baseUrl } = await start({ host: '::1' });
  expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${baseUrl}/api/notes`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

it.each([
  ['0.0.0.0', /^http:\/\/127\.0\.0\.1:\d+$/],
  ['::', /^http:\/\/\[::1\]:\d+$/],
])('on every address (%s) its address is one that this machine can ask', async (host, expected) => {
  const { baseUrl } = await start({ host });
  expect(baseUrl).toMatch(expected);
  expect((await fetch(`${baseUrl}/api/notes`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

it('says why it cannot listen', async () => {
  const { baseUrl } = await start();
  await expect(serve({ ...anywhere, port: Number(new URL(baseUrl).port) })).rejects.toThrow('EADDRINUSE');
  await expect(serve({ ...anywhere, path: join(directory, 'none.db') })).rejects.toThrow('There is no sandbox');
});

it('ends idle connections, and finishes the request in flight', async () => {
  const { baseUrl, close } = await start();
  const port = Number(new URL(baseUrl).port);
  const idle = connect(port, '127.0.0.1');
  idle.write(`GET /api/items/1 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(idle, 'data');
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
  });
  const ended = once(socket, 'close');
  const body = 'comment=At+the+last+moment';
  const head = `POST /api/leads/1/comments HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n`;
  socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 8)}`);
  await once(socket, 'data');
  const closing = close();
  await once(idle.resume(), 'close');
  socket.write(body.slice(8));
  await Promise.all([closing, ended]);
  expect(received).toContain('HTTP/1.1 201');
  await close();
});

it('takes multipart forms, and HEAD', async () => {
  const { baseUrl } = await start();
  const headers = { authorization: `Bearer ${key}` };
  const body = new FormData();
  for (const [name, value] of Object.entries({ lead_title: 'One', lead_status: '1', lead_categoryid: '1' })) body.append(name, value);
  body.append('file', new Blob(['x']), 'x.txt');
  expect((await fetch(`${baseUrl}/api/leads`, { method: 'POST', headers, body })).status).toBe(201);
  const head = await fetch(`${baseUrl}/api/leads`, { method: 'HEAD', headers });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${baseUrl}/api/leads/999999`, { method: 'HEAD', headers })).status).toBe(404);
});

it('refuses too much, and what is no HTTP request of ours, in JSON', async () => {
  const { baseUrl } = await start();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' };
  const long = await fetch(`${baseUrl}/api/leads`, { method: 'POST', headers, body: `lead_title=${'x'.repeat(10 * 1024 * 1024)}` });
  expect([long.status, await long.json()]).toEqual([413, { message: 'The request body is too large.' }]);
  const raw = await asked(baseUrl, '127.0.0.1', 'localhost/not a host');
  expect(raw).toContain('HTTP/1.1 421');
});

/** The answer to a request with this Host header. */
function asked(baseUrl: string, address: string, host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), address);
    socket.write(`GET /api/leads HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
}

it('answers only to names of this machine while it listens to this machine alone', async () => {
  const { baseUrl } = await start();
  const { port } = new URL(baseUrl);
  const names = ['localhost', `localhost:${port}`, 'LOCALHOST:1', `127.0.0.1:${port}`, '127.1.2.3', '[::1]', `[::1]:${port}`];
  for (const host of [...names, 'crm.localhost', `localhost.:${port}`]) {
    expect(await asked(baseUrl, '127.0.0.1', host), host).toContain('HTTP/1.1 200');
  }
  for (const host of ['crm.example', `crm.example:${port}`, 'localhost.example', '127.0.0.1.example', '10.0.0.1', '[fd00::1]:80']) {
    const answer = await asked(baseUrl, '127.0.0.1', host);
    expect(answer, host).toContain('HTTP/1.1 421');
    expect(answer, host).toContain('{"message":"This server is for this machine alone');
  }
});

it('answers to any name when it listens to others too', async () => {
  const { baseUrl } = await start({ host: '0.0.0.0' });
  expect(await asked(baseUrl, '127.0.0.1', 'crm.example')).toContain('HTTP/1.1 200');
});

it('offers a document to everybody, and none where it was given none', async () => {
  const { baseUrl, close } = await start({ document: async (url) => JSON.stringify({ at: url }) });
  const answer = await fetch(`${baseUrl}/openapi.json`);
  expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toEqual([200, 'application/json', { at: baseUrl }]);
  expect((await fetch(`${baseUrl}/openapi.json`, { method: 'POST' })).status).toBe(401);
  expect((await fetch(`${baseUrl}/openapi.json/x`)).status).toBe(401);
  await close();
  const { baseUrl: other } = await start();
  expect((await fetch(`${other}/openapi.json`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(404);
});
