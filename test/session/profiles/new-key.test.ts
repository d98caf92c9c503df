// A key that was replaced at the service: whatever meets the refusal names the command that saves the new key.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { eachWorkplace } from '../../seed/support.ts';

const place = eachWorkplace();
const none = { CRM_BASE_URL: '', CRM_API_KEY: '' };
const advice = 'If there is a new key, save it: crm profile set acme --key-stdin';

beforeEach(async () => {
  const { baseUrl, key } = place.server;
  await place.crm(['profile', 'add', 'acme', '--base-url', baseUrl, '--key-stdin'], { env: none, stdin: key });
  const path = join(place.folder, 'config', 'config.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(key, 'crm_test_the_old_key'));
  place.write('f.csv', 'title,status,category\nA,1,1\n');
});

it.each([[['leads', 'list']], [['leads', 'import', 'f.csv']], [['leads', 'update', '12', '--value', '5']], [['doctor']]])(
  '%s',
  async (argv) => {
    const { status, stdout, stderr } = await place.crm(argv, { env: none });
    expect(status).toBe(argv[0] === 'doctor' ? 11 : 4);
    expect(argv[0] === 'doctor' ? stdout : stderr).toContain(advice);
  },
);

it('the advice works', async () => {
  await place.crm(['profile', 'set', 'acme', '--key-stdin'], { env: none, stdin: place.server.key });
  expect(await place.crm(['leads', 'list', '--limit', '1'], { env: none })).toMatchObject({ status: 0 });
});

it('a key of the environment, and one that is not saved yet, have another place', async () => {
  const env = { ...none, CRM_BASE_URL: place.server.baseUrl, CRM_API_KEY: 'crm_test_wrong' };
  expect((await place.crm(['leads', 'list'], { env })).stderr).not.toContain('new key');
  const added = await place.crm(['profile', 'set', 'acme', '--key-stdin'], { env: none, stdin: 'crm_test_wrong' });
  expect([added.status, added.stderr]).toEqual([4, expect.not.stringContaining('new key')]);
});
