// A service that restarts while many records are read or written: commands that know it wait for it, others end as ever.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { eachWorkshop } from '../import/support.ts';

const shop = eachWorkshop();

/** A CRM of invoices' people, unlike the embedded one: bare records, no `meta`, ids from 7000. It is away for a while after some answers. */
class Restarting {
  readonly records: { id: number; title: string }[] = [];
  port = 0;
  answers = 0;
  #server: Server | undefined;
  /** The answers after which it goes away. */
  readonly #goesAfter: number;

  constructor(goesAfter: number, records: number) {
    this.#goesAfter = goesAfter;
    for (let id = 7000; id < 7000 + records; id += 1) this.records.push({ id, title: `No. ${id}` });
  }

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      this.answers += 1;
      const last = this.answers === this.#goesAfter;
      response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(this.#answer(request.method, new URL(request.url ?? '', 'http://x').searchParams, body)), () => {
        if (last) void this.#restart();
      });
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  #answer(method: string | undefined, query: URLSearchParams, body: string): unknown {
    if (method === 'POST') {
      const made = { id: 7000 + this.records.length, title: new URLSearchParams(body).get('lead_title') ?? '' };
      this.records.push(made);
      return { data: made };
    }
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 25)];
    const newest = query.get('order') === 'desc' ? this.records.toReversed() : this.records;
    const total = this.records.length;
    const meta = { current_page: page, per_page: limit, total, last_page: Math.ceil(total / limit) };
    return { data: newest.slice((page - 1) * limit, page * limit), meta };
  }

  async #restart(): Promise<void> {
    this.#server?.close();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await this.start();
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

let service: Restarting;
afterEach(() => service.stop());

const begun = async (goesAfter: number, records: number) => {
  service = new Restarting(goesAfter, records);
  await service.start();
  return { CRM_BASE_URL: `http://127.0.0.1:${service.port}`, CRM_API_KEY: 'crm_key_0123456789' };
};

it('a list that is read whole goes on where it was', async () => {
  const env = await begun(1, 350);
  const { status, json } = await shop.crm(['leads', 'list', '--json', '--retries', '1'], { env });
  expect(status).toBe(0);
  expect((json() as unknown[]).length).toBe(350);
});

it('with --retries 0 the list ends at once', async () => {
  const env = await begun(1, 350);
  const { status, stderr } = await shop.crm(['leads', 'list', '--csv', '--retries', '0'], { env });
  expect([status, stderr]).toEqual([7, expect.stringContaining('Nothing listens at 127.0.0.1')]);
});

it('an import goes on, and creates each row once', async () => {
  const env = await begun(4, 0);
  shop.write('f.csv', `title,status,category\n${Array.from({ length: 9 }, (_, n) => `Row ${n},1,1\n`).join('')}`);
  const { status, stderr } = await shop.crm(['leads', 'import', 'f.csv', '--yes', '--concurrency', '1', '--retries', '1'], { env });
  expect(status, stderr).toBe(0);
  expect(service.records.map(({ title }) => title)).toEqual(Array.from({ length: 9 }, (_, n) => `Row ${n}`));
});
