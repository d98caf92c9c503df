// Rows that were sent again: named with the command that shows whether they are there twice, and only where that can be.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { serveHere } from '../support/serve-here.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

interface Losing {
  /** Of these rows the lost request arrives, too, behind the second one. */
  readonly late?: RegExp;
  /** The list is refused once all rows are there. */
  readonly unread?: boolean;
  readonly tty?: boolean;
}

/** Imports a file; the first write of each path that matches is lost before it reaches the service. */
async function losing(matches: RegExp, file: string, argv: readonly string[], { late, unread = false, tty = false }: Losing = {}) {
  shop.write('f.csv', file);
  const server = await serveHere(join(shop.folder, 'served.sqlite'));
  const lost = new Set<string>();
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/x-www-form-urlencoded' };
  const arrive = async (path: string, body: string) => {
    const made = await fetch(`${server.baseUrl}${path}`, { method: 'POST', body, headers });
    const { data } = (await made.json()) as { data: { id: number; notes: string | null } };
    // A colleague writes into what came late.
    const edited = new URLSearchParams(body);
    edited.set('item_notes', 'ours');
    await fetch(`${server.baseUrl}${path}/${data.id}`, { method: 'PATCH', body: edited, headers });
  };
  const proxy = await startFaultyProxy(server.baseUrl, {
    answer: ({ method, path, body, id, write }) => {
      if (unread && method === 'GET' && id === undefined && lost.size > 0 && write > 2 * lost.size) return 400;
      if (method === 'GET' || !matches.test(path)) return undefined;
      if (lost.has(`${path} ${body}`)) return late?.test(body) ? { meanwhile: () => arrive(path, body) } : undefined;
      lost.add(`${path} ${body}`);
      return { carried: 'never', answer: 'cut' };
    },
  });
  const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_TEST_WAITS: '0.01' };
  const ended = await shop.crm(argv, { env, tty });
  await proxy.close();
  return { ...ended, env: { ...env, CRM_BASE_URL: server.baseUrl }, stop: () => server.stop() };
}

it('a new lead, by its title; the command finds it', async () => {
  const { status, stderr, env, stop } = await losing(/leads$/, "title,status,category\nJo's roof,1,1\n", ['leads', 'import', 'f.csv']);
  expect(status, stderr).toBe(0);
  expect(stderr).toContain(
    `1 row was sent again because its answer was lost: line 2. Look whether it is there twice:\n  crm leads list --where 'title=Jo'\\''s roof'\n`,
  );
  const command = /^ {2}crm (.*)$/m.exec(stderr)?.[1] ?? '';
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect((await shop.crm([...words, '--json'], { env })).json()).toMatchObject([{ title: "Jo's roof" }]);
  await stop();
});

const fourItems = (kind: string): string =>
  `description,rate,category,default-tax,unit\n${[1, 2, 3, 4].map((n) => `${kind} ${n},${n}.00,7,1,1\n`).join('')}`;

it('many records without a key are compared, and those that look like twins have one command', async () => {
  const ended = await losing(/items$/, fourItems('Cable'), ['items', 'import', 'f.csv'], { late: /Cable[ +%20]*[24]/ });
  const { status, stderr, env, stop } = ended;
  expect(status, stderr).toBe(0);
  const told =
    /^4 rows were sent again because their answers were lost: .*line 5\.\nItems that look like twins: (\d+) = (\d+) and (\d+) = (\d+)\. Look at them:\n {2}crm items get ([\d,]+)\n/m;
  const [, ...ids] = told.exec(stderr) ?? expect.fail(stderr);
  expect(ids[4]).toBe(ids.slice(0, 4).join(','));
  const shown = (await shop.crm(['items', 'get', ids[4] ?? '', '--json'], { env })).json() as { description: string }[];
  expect(shown.map(({ description }) => description).toSorted()).toEqual(['Cable 2', 'Cable 2', 'Cable 4', 'Cable 4']);
  await stop();
});

it('records that nobody doubled look like no twins, nor do equal rows of the file', async () => {
  const file = `${fourItems('Pipe')}Pipe 1,1.00,7,1,1\n`;
  const { status, stderr, stop } = await losing(/items$/, file, ['items', 'import', 'f.csv']);
  expect(status, stderr).toBe(0);
  expect(stderr).toMatch(/^\d rows were sent again because .*\. No two records look like twins now\.$/m);
  expect(stderr).not.toContain('crm items get');
  await stop();
});

it('three commands at most, and a list that can not be read is not compared', async () => {
  const rows = [1, 2, 3, 4].map((n) => `Roof ${n},1,1\n`).join('');
  const { stderr, stop } = await losing(/leads$/, `title,status,category\n${rows}`, ['leads', 'import', 'f.csv'], { unread: true });
  expect(stderr).toMatch(/Look whether they are there twice:\n( {2}crm leads list --where 'title=Roof \d'\n){3} {2}and 1 more\n/);
  await stop();
});

it('a terminal gets the sentence and its commands in one write', async () => {
  const rows = [1, 2, 3].map((n) => `Roof ${n},1,1\n`).join('');
  const file = `title,status,category\n${rows}`;
  const { writes, stop } = await losing(/leads$/, file, ['leads', 'import', 'f.csv', '--yes'], { tty: true });
  const told = writes.filter((text) => /sent again|title=Roof/.test(text));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^3 rows were sent again[\s\S]*twice:\n( {2}crm leads list --where 'title=Roof \d'\n){3}$/);
  await stop();
});

it.each([
  ['email', 'title,status,category,email,phone\n', []],
  ['phone', 'title,status,category,email,phone\n', ['--mode', 'upsert', '--match', 'phone']],
])('many leads with a key have one command: by %s', async (key, header, mode) => {
  const rows = [1, 2, 3, 4].map((n) => `Roof ${n},1,1,a${n}@x.example,+49 30 123456${n}\n`).join('');
  const { stderr, env, stop } = await losing(/leads$/, header + rows, ['leads', 'import', 'f.csv', '--yes', ...mode]);
  expect(stderr).toContain(`Look whether they are there twice:\n  crm leads duplicates --by ${key}\n`);
  expect(stderr).not.toContain('--where');
  expect((await shop.crm(['leads', 'duplicates', '--by', key, '--json'], { env })).status).toBe(0);
  await stop();
});

it.each([
  [
    'a changed lead, whose values are set and not added',
    /leads\/12/,
    'id,source\n12,Fair\n',
    ['leads', 'import', 'f.csv', '--mode', 'update'],
  ],
  [
    'a new contact, whose email is unique',
    /contacts$/,
    'first-name,last-name,email,client\nA,B,a@x.example,1\n',
    ['contacts', 'import', 'f.csv'],
  ],
])('not %s', async (_name, path, file, argv) => {
  const { status, stderr, stop } = await losing(path, file, argv);
  expect(status, stderr).toBe(0);
  expect(stderr).not.toContain('sent again');
  await stop();
});
