// Rows that were sent again: named with the command that shows whether they are there twice, and only where that can be.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { serveHere } from '../support/serve-here.ts';
import { eachWorkshop } from './support.ts';

const shop = eachWorkshop();

/** Imports a file; the first write of each path that matches is lost before it reaches the service. */
async function losing(matches: RegExp, file: string, ...argv: string[]) {
  shop.write('f.csv', file);
  const server = await serveHere(join(shop.folder, 'served.sqlite'));
  const lost = new Set<string>();
  const proxy = await startFaultyProxy(server.baseUrl, {
    answer: ({ method, path, body }) => {
      if (method === 'GET' || !matches.test(path) || lost.has(`${path} ${body}`)) return undefined;
      lost.add(`${path} ${body}`);
      return { carried: 'never', answer: 'cut' };
    },
  });
  const env = { CRM_BASE_URL: proxy.baseUrl, CRM_API_KEY: server.key, CRM_TEST_WAITS: '0.01' };
  const ended = await shop.crm(argv, { env });
  await proxy.close();
  return { ...ended, env: { ...env, CRM_BASE_URL: server.baseUrl }, stop: () => server.stop() };
}

it('a new lead, by its title; the command finds it', async () => {
  const { status, stderr, env, stop } = await losing(/leads$/, "title,status,category\nJo's roof,1,1\n", 'leads', 'import', 'f.csv');
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

it('three commands at most', async () => {
  const rows = [1, 2, 3, 4].map((n) => `Roof ${n},1,1\n`).join('');
  const { stderr, stop } = await losing(/leads$/, `title,status,category\n${rows}`, 'leads', 'import', 'f.csv');
  expect(stderr).toMatch(/Look whether they are there twice:\n( {2}crm leads list --where 'title=Roof \d'\n){3} {2}and 1 more\n/);
  await stop();
});

it.each([
  ['email', 'title,status,category,email,phone\n', []],
  ['phone', 'title,status,category,email,phone\n', ['--mode', 'upsert', '--match', 'phone']],
])('many leads with a key have one command: by %s', async (key, header, mode) => {
  const rows = [1, 2, 3, 4].map((n) => `Roof ${n},1,1,a${n}@x.example,+49 30 123456${n}\n`).join('');
  const { stderr, env, stop } = await losing(/leads$/, header + rows, 'leads', 'import', 'f.csv', '--yes', ...mode);
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
  const { status, stderr, stop } = await losing(path, file, ...argv);
  expect(status, stderr).toBe(0);
  expect(stderr).not.toContain('sent again');
  await stop();
});
