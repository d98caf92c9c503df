// A row's further writes beside a pause that another row brought about: what a colleague does in it stays.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { serveHere } from '../support/serve-here.ts';
import { openWorkshop } from './support.ts';

it('the tags of a lead that was just made are added to what a colleague gave it during a pause', async () => {
  const shop = openWorkshop();
  const sandbox = await serveHere(join(shop.folder, 'served.sqlite'), { empty: true });
  const headers = { authorization: `Bearer ${sandbox.key}` };
  const isRefused = Promise.withResolvers<void>();
  let refusals = 0;
  const between = createServer(async (request, response) => {
    const body = await buffer(request);
    const isCreate = request.method === 'POST' && request.url === '/api/leads';
    if (isCreate && body.includes('Second') && refusals === 0) {
      refusals += 1;
      response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' }).end('{"message":"Too Many Attempts."}');
      isRefused.resolve();
      return;
    }
    const isFirst = isCreate && body.includes('First');
    // Its answer comes when the pause has begun.
    if (isFirst) await isRefused.promise;
    const answer = await fetch(`${sandbox.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...headers, 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(body.length > 0 ? { body } : {}),
    });
    const text = await answer.text();
    if (isFirst) {
      const { id } = JSON.parse(text).data;
      setTimeout(() => {
        void fetch(`${sandbox.baseUrl}/api/leads/${id}/tags`, { method: 'PUT', headers, body: new URLSearchParams({ 'tags[]': 'vip' }) });
      }, 200);
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  try {
    shop.write('f.csv', 'title,status,category,tags\nFirst,1,1,hot\nSecond,1,1,\n');
    const env = { CRM_BASE_URL: `http://127.0.0.1:${(between.address() as AddressInfo).port}`, CRM_API_KEY: sandbox.key };
    const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '2'], { env });
    expect(status, stderr).toBe(0);
    expect(refusals).toBe(1);
    const found = await fetch(`${sandbox.baseUrl}/api/leads?search=First`, { headers });
    const { data } = (await found.json()) as { data: { tags: string[] }[] };
    expect(data[0]?.tags.toSorted()).toEqual(['hot', 'vip']);
  } finally {
    between.closeAllConnections();
    between.close();
    await sandbox.stop();
    shop.remove();
  }
});
