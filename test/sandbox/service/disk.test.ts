// A disk that is full under the embedded CRM: the service fails as a service does, a command ends with 7 and says what is
// there, and nothing is half written. A file-size limit of the shell stands in for the disk.

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Crm, runCrm, shellCommand } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';
import { describeWith } from '../../support/tools.ts';
import { sandbox } from './support.ts';

const big = { lead_title: 'Big', lead_status: 1, lead_categoryid: 1, lead_description: 'x'.repeat(500_000) };

describe('SQLite without room', () => {
  it('is 507 in the service form, and nothing of the request stays', async () => {
    const { store, send } = sandbox();
    const pages = store.get<{ page_count: number }>('PRAGMA page_count')?.page_count;
    store.execute(`PRAGMA max_page_count = ${Number(pages) + 2}`);
    expect(await send('POST', '/api/leads', big)).toEqual({ status: 507, body: { message: 'The disk under the embedded CRM is full.' } });
    expect((await send('GET', '/api/leads')).body.meta.total).toBe(0);
    expect((await send('POST', '/api/leads', { ...big, lead_description: 'x' })).status).toBe(201);
  });
});

describeWith(['bash'], 'a command without room', {}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-disk-'));
  const env = { CRM_DATA_DIR: folder, CRM_CONFIG_DIR: join(folder, 'config'), NODE_DISABLE_COMPILE_CACHE: '1' };
  beforeAll(async () => {
    expect((await runCrm(['sandbox', 'init', '-q'], { env })).status).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs `crm` where no file grows beyond so many KiB. */
  const limited = (kib: number, args: string, more: Record<string, string> = {}): Promise<Crm> =>
    new Promise((resolve) => {
      const script = `ulimit -f ${kib}; exec ${shellCommand()} ${args} </dev/null`;
      execFile('bash', ['--norc', '-c', script], { env: cleanEnv({ ...env, ...more }) }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const total = async (): Promise<number> =>
    JSON.parse((await runCrm(['leads', 'list', '--limit', '1', '--json', '--envelope'], { env })).stdout).meta.total;

  it.each([
    ['leads list --json', 0, 'Nothing was written.'],
    ['leads create --title One --status 1 --category 1', 0, 'Nothing was written.'],
    ['sandbox reset --yes', 64, 'It holds either all of its old records or all of the new records.'],
    ['sandbox init --force --yes', 64, 'It holds either all of its old records or all of the new records.'],
  ])('%s with %i KiB is 7', async (args, kib, outcome) => {
    const before = await total();
    const { status, stdout, stderr } = await limited(kib, args);
    expect([status, stdout]).toEqual([7, '']);
    expect(stderr).toContain(`The sandbox at ${join(folder, 'sandbox.sqlite')} can't be used: the disk failed or has no room. ${outcome}`);
    expect(await total()).toBe(before);
  });

  it('a write is 7 and may have been done', async () => {
    const before = await total();
    const description = 'x'.repeat(100_000);
    const { status, stderr } = await limited(64, `leads create --title Big --status 1 --category 1 --description ${description}`);
    expect(status).toBe(7);
    expect(stderr).toContain(
      'The service failed (500): The disk under the embedded CRM failed or has no room. The outcome of POST /api/leads is unknown',
    );
    expect(await total()).toBe(before);
  });

  it.each([
    ['sandbox init', 'sandbox.sqlite'],
    ['sandbox serve --port 0 --db DB/served.sqlite', 'served.sqlite'],
  ])('%s makes nothing', async (args, name) => {
    const there = mkdtempSync(join(folder, 'new-'));
    const { status, stderr } = await limited(64, args.replace('DB', there), { CRM_DATA_DIR: there });
    expect(status).toBe(7);
    expect(stderr).toContain(`The sandbox at ${join(there, name)} can't be used: the disk failed or has no room. Nothing was made.`);
    expect(readdirSync(there)).toEqual([]);
  });
});
