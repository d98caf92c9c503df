// Rows whose answer was lost, where their records are hard to tell apart or late: each row has its own record in the end.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCrm, type SandboxServer, startSandbox } from '../support/crm.ts';
import { type Faults, startFaultyProxy } from '../support/faulty-proxy.ts';
import { startCrm } from '../support/start-crm.ts';

let folder: string;
let server: SandboxServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-lost-'));
  server = await startSandbox(['--db', join(folder, 'service.sqlite'), '--empty']);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A file of leads behind a service with faults. */
async function place(name: string, faults: Faults, text: string) {
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, text);
  const proxy = await startFaultyProxy(server.baseUrl, faults);
  const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, name), CRM_CONFIG_DIR: folder };
  return {
    proxy,
    start: (...more: string[]) => startCrm(['leads', 'import', file, '--json', ...more], env),
    run: async (...more: string[]): Promise<unknown> => {
      const { status, stdout, stderr } = await runCrm(['leads', 'import', file, '--json', ...more], { env });
      expect(status, stderr).toBe(0);
      return JSON.parse(stdout);
    },
    ends: () => runCrm(['leads', 'import', file, '--json', '--mode', 'upsert', '--match', 'email'], { env }),
    /** Some fields of the leads that are found by the name, a text each. */
    leads: async (fields: string): Promise<string[]> => {
      const args = ['leads', 'list', '--search', name, '--all', '--csv', '--csv-raw', '--fields', fields];
      const { stdout } = await runCrm(args, { env: { ...env, CRM_BASE_URL: server.baseUrl } });
      return stdout.trimEnd().split('\r\n').slice(1).toSorted();
    },
  };
}

describe.concurrent('each row has its own record', () => {
  it('where one leaves out what the other has, and only the other arrived', async () => {
    const answered = new Set<string>();
    const answer: Faults['answer'] = ({ method, body }) => {
      if (method !== 'POST' || answered.has(body)) return undefined;
      answered.add(body);
      return body.includes('phone') ? 'cut' : 502;
    };
    const one = await place('Sparse', { answer }, 'title,status,category,phone\nSparse,1,1,\nSparse,1,1,0049\n');
    expect(await one.run()).toMatchObject({ total: 2, created: 2, unknown: 0 });
    expect(await one.leads('title,contact.phone')).toEqual(['Sparse,', 'Sparse,0049']);
    await one.proxy.close();
  });

  it('where an equal one was created and its answer told no id', async () => {
    const faults = { emptyEvery: 1, loseEvery: 2 };
    const one = await place('Nameless', faults, 'title,status,category\nNameless,1,1\nNameless,1,1\nNameless,1,1\n');
    expect(await one.run('--concurrency', '1')).toMatchObject({ total: 3, created: 3, unknown: 0 });
    expect(await one.leads('title')).toEqual(['Nameless', 'Nameless', 'Nameless']);
    await one.proxy.close();
  });

  it('where the service changed what was sent: nobody knows, though its key agrees', async () => {
    const faults: Faults = {
      answer: ({ method }) => (method === 'POST' ? 'cut' : undefined),
      rewrite: (body) => body.replace('Norm', 'NORM'),
    };
    const one = await place('norm', faults, 'title,status,category,email\nNorm,1,1,norm@example.com\n');
    const { status, stdout, stderr } = await one.ends();
    expect([status, JSON.parse(stdout), stderr]).toMatchObject([
      8,
      { total: 1, failed: 0, unknown: 1 },
      expect.stringMatching(/It may have made leads \d+/),
    ]);
    expect(await one.leads('contact.email')).toEqual(['norm@example.com']);
    await one.proxy.close();
  });

  it('where they were still on their way when the import was killed and resumed', async () => {
    const rows = Array.from({ length: 6 }, (_, index) => `Late ${index}`);
    const one = await place('Late', { lateBy: 3500 }, `title,status,category\n${rows.map((title) => `${title},1,1\n`).join('')}`);
    const killed = one.start();
    await one.proxy.write(4);
    killed.process.kill('SIGKILL');
    await once(killed.process, 'exit');
    expect(await one.run('--resume', '--timeout', '6')).toMatchObject({ total: 6, created: 6, unknown: 0 });
    expect(await one.leads('title')).toEqual(rows);
    await one.proxy.close();
  });
});
