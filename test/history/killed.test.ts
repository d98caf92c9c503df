// An import that was killed before it could read what it made, and what colleagues did to its records since: undone, the records are kept
// that somebody changed, also where the service's stamps tell nothing of it.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Crm } from '../support/crm.ts';
import { startCrm } from '../support/start-crm.ts';
import { eachBehindProxy } from './support.ts';

const at = eachBehindProxy();

const env = (): Record<string, string> => ({ CRM_BASE_URL: at.proxy.baseUrl, CRM_TEST_WAITS: '0.01' });
const crm = (...args: string[]): Promise<Crm> => at.place.crm(args, { env: env() });

interface Run {
  readonly run: string;
  readonly did: string;
}

const history = async (): Promise<Run[]> => JSON.parse((await crm('history', '--json')).stdout) as Run[];

const files: Readonly<Record<string, string>> = {
  leads: 'title,status,category\nNew 1,1,1\nNew 2,1,1\n',
  contacts: 'first-name,last-name,email,client\nAda,One,one@new.example,1\nAda,Two,two@new.example,1\n',
};

/** Imports two records; the process dies once both are made, and before a list told of them. Gives the run, and their ids. */
async function killed(family: string): Promise<{ run: string; ids: number[] }> {
  at.place.write('new.csv', files[family] ?? '');
  const before = new Set((await at.place.everything())[family]?.map(({ id }) => id));
  let isMade = false;
  at.proxy.change({
    answer: ({ method, path }) => {
      isMade ||= method === 'POST';
      return isMade && method === 'GET' && path.startsWith(`/api/${family}?`) ? 'hold' : undefined;
    },
  });
  const argv = [family, 'import', join(at.place.folder, 'new.csv'), '--yes', '-q'];
  const running = startCrm(argv, { ...at.place.env, ...env() });
  while (!(await history()).some(({ did }) => /^2 \w+ created/.test(did))) await sleep(50);
  running.process.kill('SIGKILL');
  await running.ended;
  at.proxy.change();
  const ids = ((await at.place.everything())[family] ?? []).flatMap(({ id }) => (before.has(id) ? [] : [Number(id)]));
  return { run: (await history())[0]?.run ?? '', ids };
}

/** The stamps say that nobody changed anything. */
function unstamped(family: string): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(join(at.place.folder, 'service.sqlite'));
  database.exec(`UPDATE ${family} SET doc = json_set(doc, '$.dates.updated', json_extract(doc, '$.dates.created'))
    WHERE json_extract(doc, '$.dates.updated') IS NOT NULL`);
  database.close();
}

/** The undo of a run keeps one record, and deletes the other. */
async function expectKept(run: string, kept: number, deleted: number | undefined): Promise<void> {
  const { status, stdout } = await crm('undo', run, '--yes', '--json');
  const rows = JSON.parse(stdout) as { outcome: string; ids: number[] }[];
  expect([status, Object.fromEntries(rows.map(({ outcome, ids }) => [outcome, ids]))]).toEqual([8, { kept: [kept], deleted: [deleted] }]);
}

describe('an import that was killed', () => {
  it.each(Object.keys(files))('of %s is undone as a whole where nobody did anything', async (family) => {
    const { run, ids } = await killed(family);
    const { status, stdout } = await crm('undo', run, '--yes', '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, [{ outcome: 'deleted', ids }]]);
  });

  it.each([
    [
      'leads',
      'was converted',
      (id: number) => ['leads', 'convert', String(id), '--email', 'new@client.example', '--first-name', 'N', '--last-name', 'C'],
    ],
    ['leads', 'was archived', (id: number) => ['leads', 'archive', String(id)]],
    ['leads', 'got another status', (id: number) => ['leads', 'status', String(id), '2']],
    ['contacts', 'is account owner', (id: number) => ['contacts', 'account-owner', String(id)]],
  ] as const)('of %s keeps and names the one that %s', async (family, _what, argv) => {
    const { run, ids } = await killed(family);
    const [first = 0, second] = ids;
    const done = await crm(...argv(first));
    expect(done.status, done.stderr).toBe(0);
    unstamped(family);
    await expectKept(run, first, second);
  });

  it('keeps and names the one of which somebody filled a field that was not sent', async () => {
    const { run, ids } = await killed('leads');
    const [first = 0, second] = ids;
    expect((await crm('leads', 'update', String(first), '--source', 'Theirs')).status).toBe(0);
    await expectKept(run, first, second);
  });
});
