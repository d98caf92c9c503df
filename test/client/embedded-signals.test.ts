// Ctrl-C and SIGTERM while a long command asks the embedded CRM, whose answers and output files keep the process busy. CRM_REPORT_LEADS
// says how many leads there are: in CI 100,000.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/sandbox/store/store.ts';
import { crmCommand } from '../support/crm.ts';
import { cleanEnv } from '../support/environment.ts';
import { fillLeads } from '../support/fill-leads.ts';
import { makeSandbox } from '../support/make-sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-embedded-signals-'));
const file = join(folder, 'leads.sqlite');
const env = { CRM_BASE_URL: `sandbox:${file}`, CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
const leads = Number(process.env.CRM_REPORT_LEADS ?? 40_000);
const ids = Array.from({ length: 10_000 }, (_, index) => String(index + 1));

beforeAll(() => {
  makeSandbox(file, { demo: false });
  const store = openStore(file, { mode: 'open' });
  fillLeads(store, leads);
  store.close();
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The command with its output in files, sent a signal once the first exchanges are told on standard error. */
async function signalled(argv: readonly string[], signal: NodeJS.Signals): Promise<{ status: number; exchanges: number; stderr: string }> {
  const errors = join(folder, `${Math.random()}.err`);
  const [out, err] = [openSync(join(folder, `${Math.random()}.out`), 'w'), openSync(errors, 'w')];
  const [command, all] = crmCommand([...argv, '--verbose']);
  const child = spawn(command, all, { env: cleanEnv(env), stdio: ['ignore', out, err] });
  while (statSync(errors).size === 0 && child.exitCode === null) await sleep(1);
  child.kill(signal);
  const [status] = await once(child, 'close');
  closeSync(out);
  closeSync(err);
  const stderr = readFileSync(errors, 'utf8');
  return { status, exchanges: stderr.match(/ 200 in /g)?.length ?? 0, stderr };
}

type Row = [name: string, signal: NodeJS.Signals, argv: string[], exit: number, most: number];

describe('a signal ends a long command of the embedded CRM', () => {
  const isSlow = process.env.CRM_SLOW === '1';
  it.each<Row>([
    ...(isSlow ? [['a list', 'SIGINT', ['leads', 'list', '--all', '-o', 'ids'], 130, leads / 100] satisfies Row] : []),
    ['a list', 'SIGTERM', ['leads', 'list', '--all', '-o', 'csv'], 143, leads / 100],
    ['api --paginate', 'SIGINT', ['api', 'GET', '/api/leads?limit=100', '--paginate'], 130, leads / 100],
    ['many ids', 'SIGTERM', ['leads', 'archive', ...ids, '-o', 'ids'], 143, 10_000],
  ])('%s, %s', async (_name, signal, argv, exit, most) => {
    const { status, exchanges, stderr } = await signalled(argv, signal);
    expect(status).toBe(exit);
    expect(stderr).toMatch(signal === 'SIGINT' ? /^error: Interrupted\.$/m : /^error: Terminated\.$/m);
    expect(exchanges).toBeLessThan(most / 2);
  });
});
