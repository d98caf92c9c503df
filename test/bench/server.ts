// The embedded CRM as a server: requests per second, against a node:http "hello" and against itself at another size.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { type SandboxServer, startSandbox } from '../support/crm.ts';
import { median, type Row } from './measure.ts';

const connections = 16;
const rounds = 7;

/** GET by id against "hello", of one lead again and again and of any lead, and POST at `count` leads against few. The files are copied before they are written to. */
export async function serverRows(large: string, count: number, small: string): Promise<Row[]> {
  const dispatcher = new Agent({ connections });
  const ends = [() => dispatcher.destroy()];
  try {
    const hello = await startHello();
    ends.push(async () => void hello.process.kill());
    const many = await startSandbox(['--db', copyOf(large)]);
    ends.push(many.stop);
    const few = await startSandbox(['--db', copyOf(small)]);
    ends.push(few.stop);
    return await measured(dispatcher, hello.url, many, count, few);
  } finally {
    for (const end of ends) await end();
  }
}

async function measured(dispatcher: Agent, hello: string, many: SandboxServer, count: number, few: SandboxServer): Promise<Row[]> {
  const rates = { hello: [] as number[], one: [] as number[], any: [] as number[], postMany: [] as number[], postFew: [] as number[] };
  const lead = (id: number): string => `${many.baseUrl}/api/leads/${id}`;
  const anyId = (): number => 1 + Math.floor(Math.random() * count);
  for (let round = 0; round < rounds; round += 1) {
    rates.hello.push(await rate(4000, () => get(dispatcher, hello, {})));
    rates.one.push(await rate(4000, () => get(dispatcher, lead(77), authorization(many))));
    rates.any.push(await rate(4000, () => get(dispatcher, lead(anyId()), authorization(many))));
  }
  for (let round = 0; round < rounds; round += 1) {
    rates.postMany.push(await rate(500, () => post(dispatcher, many)));
    rates.postFew.push(await rate(500, () => post(dispatcher, few)));
  }
  return [
    row('GET of one lead / node:http hello, requests per second', rates.one, rates.hello, 0.5),
    row('GET of any of 100,000 / node:http hello', rates.any, rates.hello, 0.5),
    row('POST at 100,000 leads / at 100', rates.postMany, rates.postFew, 0.8),
  ];
}

function row(what: string, one: readonly number[], other: readonly number[], bound: number): Row {
  const [first, second] = [median(one), median(other)];
  return { what, ratio: first / second, bound, atLeast: true, detail: `${Math.round(first)} / ${Math.round(second)} a second` };
}

/** Requests per second: `count` of them, a few at a time. */
async function rate(count: number, send: () => Promise<void>): Promise<number> {
  const start = performance.now();
  let left = count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return count / ((performance.now() - start) / 1000);
}

const authorization = ({ key }: SandboxServer): Record<string, string> => ({ authorization: `Bearer ${key}` });

async function get(dispatcher: Agent, url: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`GET ${url}: ${statusCode}`);
}

async function post(dispatcher: Agent, server: SandboxServer): Promise<void> {
  const { statusCode, body } = await request(`${server.baseUrl}/api/leads`, {
    dispatcher,
    method: 'POST',
    headers: { ...authorization(server), 'content-type': 'application/x-www-form-urlencoded' },
    body: 'lead_title=Bench&lead_status=1&lead_categoryid=1&lead_value=12.50',
  });
  await body.dump();
  if (statusCode !== 201) throw new Error(`POST: ${statusCode}`);
}

function copyOf(path: string): string {
  const copy = path.replace(/\.sqlite$/, '-copy.sqlite');
  copyFileSync(path, copy);
  return copy;
}

async function startHello(): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'peers/hello.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), process: child };
}
