// An import that is killed with -9 again and again, behind a service that fails in every way: whatever happens, every row is there once,
// with its owners, tags and state. CRM_CRASH_ROWS and CRM_CRASH_SEEDS make it the large test.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runCrm, startSandbox } from '../support/crm.ts';
import { failsInEveryWay } from '../support/fails-in-every-way.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { randomFrom } from '../support/random.ts';
import { startCrm } from '../support/start-crm.ts';

const rows = Number(process.env.CRM_CRASH_ROWS ?? 600);
const seeds = Array.from({ length: Number(process.env.CRM_CRASH_SEEDS ?? 1) }, (_, index) => index + 1);
const kills = 3;
/** Lost answers are waited for, and there are the more of them the more rows there are. */
const patience = Math.max(600_000, rows * 300);

/** Title, value, phone, company, owners, tags and state. Some rows are twins of others, or differ in what they leave out only. */
function leadOf(index: number): string {
  const isTwin = index % 10 < 6;
  const title = isTwin ? `Twin ${Math.floor(index / 50)}` : `Lead ${index}`;
  const extras = isTwin ? ['', '', 'active'] : [`${(index % 3) + 1}; 4`, `t${index}`, index % 7 === 0 ? 'archived' : 'active'];
  return [title, index % 2 ? '' : '12.50', index % 3 ? '' : '0049 555', index % 5 ? 'Acme' : '', ...extras].join(',');
}

it.concurrent.each(seeds)(
  'seed %i: killed three times and resumed, every row is there once',
  async (seed) => {
    const { next: random } = randomFrom(seed * 7919);
    const folder = mkdtempSync(join(tmpdir(), 'crm-crash-'));
    const server = await startSandbox(['--db', join(folder, 'service.sqlite'), '--empty']);
    const proxy = await startFaultyProxy(server.baseUrl, { answer: failsInEveryWay });
    try {
      const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_DATA_DIR: join(folder, 'data'), CRM_CONFIG_DIR: folder };
      const leads = Array.from({ length: rows }, (_, index) => leadOf(index));
      const fields = 'title,value,contact.phone,contact.company_name,assigned.id,tags,active_state';
      const header = fields.replace('contact.company_name', 'company-name').replace('assigned.id', 'assigned');
      const file = join(folder, 'f.csv');
      writeFileSync(file, `${header},status,category\n${leads.map((lead) => `${lead},1,1\n`).join('')}`);
      const command = ['leads', 'import', file, '--json', '--concurrency', '8', '--timeout', '5'];
      for (let kill = 0; kill < kills; kill += 1) {
        const moment = proxy.write(Math.ceil((random() * rows) / kills)).then(() => sleep(random() * 8));
        const run = startCrm(kill === 0 ? command : [...command, '--resume'], env);
        await Promise.race([moment, once(run.process, 'exit')]);
        run.process.kill('SIGKILL');
        await run.ended;
      }
      const end = await runCrm([...command, '--resume'], { env });
      expect(end.status, end.stderr).toBe(0);
      expect(JSON.parse(end.stdout)).toMatchObject({ total: rows, created: rows, failed: 0, unknown: 0 });
      const list = ['leads', 'list', '--all', '--csv', '--fields', fields];
      const { stdout } = await runCrm(list, { env: { ...env, CRM_BASE_URL: server.baseUrl } });
      expect(stdout.trimEnd().split('\r\n').slice(1).toSorted()).toEqual(leads.toSorted());
    } finally {
      await proxy.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  },
  patience,
);
