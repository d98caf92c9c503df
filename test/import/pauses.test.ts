// A row's further writes beside a pause that another row brought about: what a colleague does in it stays.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { serveHere } from '../support/serve-here.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

it('the tags of a lead that was just made are added to what a colleague gave it during a pause', async () => {
  const server = await serveHere(join(shop.folder, 'served.sqlite'), { empty: true });
  const direct = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key };
  const isRefused = Promise.withResolvers<void>();
  const colleague: Promise<unknown>[] = [];
  const proxy = await startFaultyProxy(server.baseUrl, {
    answer: ({ method, path, body }) => {
      if (method !== 'POST' || path !== '/api/leads') return undefined;
      if (body.includes('Second') && colleague.length === 0)
        return {
          carried: 'never',
          answer: { status: 429, headers: { 'retry-after': '1' }, body: {} },
          meanwhile: () => isRefused.resolve(),
        };
      if (!body.includes('First')) return undefined;
      // Its answer comes when the pause has begun.
      return {
        meanwhile: async () => {
          await isRefused.promise;
          setTimeout(() => colleague.push(shop.crm(['leads', 'tags', '1', 'vip'], { env: direct })), 200);
        },
      };
    },
  });
  shop.write('f.csv', 'title,status,category,tags\nFirst,1,1,hot\nSecond,1,1,\n');
  const env = { ...direct, CRM_BASE_URL: proxy.baseUrl };
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '2'], { env });
  expect(status, stderr).toBe(0);
  expect(colleague).toHaveLength(1);
  await Promise.all(colleague);
  const { tags } = (await shop.crm(['leads', 'get', '1', '--json'], { env: direct })).json() as { tags: string[] };
  expect(tags.toSorted()).toEqual(['hot', 'vip']);
  await proxy.close();
  await server.stop();
});
