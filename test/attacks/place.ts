// An embedded CRM behind a faulty proxy, in a folder of its own, and the program as a process before the two.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHandler } from '../../src/sandbox/http/answer.ts';
import type { Crm } from '../support/crm.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { runHere } from '../support/run-here.ts';
import { serveHere } from '../support/serve-here.ts';
import { type RunningCrm, startCrm } from '../support/start-crm.ts';

export interface Place {
  readonly folder: string;
  readonly key: string;
  readonly proxy: FaultyProxy;
  readonly env: Record<string, string>;
  /** Writes a file into the folder; its path. */
  write(name: string, content: string): string;
  /** Runs the program to its end in this process. */
  here(...args: string[]): Promise<Crm>;
  /** Runs the program to its end. */
  crm(args: readonly string[], env?: Record<string, string>): Promise<Crm>;
  start(args: readonly string[], env?: Record<string, string>): RunningCrm;
  /** What a request straight to the embedded CRM is answered with. */
  ask(method: string, path: string, body?: object): Promise<unknown>;
}

/** Milliseconds that the longest attack may take. */
const longest = 300_000;

/** An attack that must come to nothing, on a service with reference data only. */
export function attack(name: string, work: (place: Place) => Promise<void>): void {
  it.concurrent(name, () => inPlace(work), longest);
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-attack-'));
  const file = join(folder, 'service.sqlite');
  const server = await serveHere(file, { empty: true });
  const proxy = await startFaultyProxy(server.baseUrl);
  const handler = openHandler(file);
  const env = {
    ...{ CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key },
    ...{ CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: join(folder, 'config') },
  };
  const started: RunningCrm[] = [];
  const start: Place['start'] = (args, more = {}) => {
    const run = startCrm(args, { ...env, ...more });
    started.push(run);
    return run;
  };
  const place: Place = {
    ...{ folder, key: server.key, proxy, env, start },
    write: (name, content) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    here: (...args) => runHere(args, { env, cwd: folder }),
    crm: (args, more) => start(args, more).ended,
    ask: async (method, path, body) => {
      const headers = { 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { headers, body: Buffer.from(JSON.stringify(body)) };
      const answer = JSON.parse((await handler.answer({ method, path, ...sent })).body) as { data: unknown; errors?: unknown };
      expect(answer.errors).toBeUndefined();
      return answer.data;
    },
  };
  try {
    await work(place);
  } finally {
    for (const { process } of started) process.kill('SIGKILL');
    handler.close();
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file of so many leads; everything follows from their numbers. */
export const leadsFile = (count: number): string =>
  `title,email,status,category\n${Array.from({ length: count }, (_, index) => `Lead ${index + 1},jo${index + 1}@rows.example,1,1\n`).join('')}`;

/** The titles of the leads that are there, sorted: one twice where it was made twice. */
export const titlesOf = async ({ ask }: Place): Promise<string[]> =>
  ((await ask('GET', '/api/leads?limit=100')) as { title: string }[]).map(({ title }) => title).toSorted();

/** Leads that were there before; archived where `isArchived` says so. */
export async function makeLeads({ ask }: Place, count: number, isArchived = (_number: number): boolean => false): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const body = { lead_title: `Lead ${number}`, lead_status: 1, lead_categoryid: 1, lead_value: `${number}.10`, lead_source: 'Fair' };
    const { id } = (await ask('POST', '/api/leads', body)) as { id: number };
    if (isArchived(number)) await ask('PUT', `/api/leads/${id}/archive`, {});
  }
}
