// A command ends when its work is done: a timer, a socket or a handle that is left behind would hold the process.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCrm, startSandbox } from '../support/crm.ts';
import { runHere } from '../support/run-here.ts';

const longTimers = new URL('../support/long-timers.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'crm-ends-'));
const server = await startSandbox(['--db', join(folder, 'crm.sqlite')]);
const data = join(folder, 'data');
const env = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_CONFIG_DIR: data, CRM_DATA_DIR: data };
writeFileSync(join(folder, 'new.csv'), 'title,status,category\nA lead,New,Default\n');

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** What holds this process now, with how often. */
const held = (): Map<string, number> =>
  new Map([...Map.groupBy(process.getActiveResourcesInfo(), (name) => name)].map(([name, all]) => [name, all.length]));

test.each([
  'leads get 1',
  'leads list --all',
  'leads update 1 --value 5',
  'leads update 1 2 3 --value 6 --yes',
  'leads comments add 1 Hello',
  `leads import ${join(folder, 'new.csv')} --yes`,
  'report leads',
  'search lead',
  'history',
  'doctor',
  'explain leads.create',
  'leads get 1 --jq .id',
  'leads get 999999',
])('%s leaves nothing behind', async (words) => {
  const before = held();
  await runHere(words.split(' '), { env });
  // What is being closed is gone after a few turns of the event loop; what is left behind stays.
  const left = (): string[] => [...held()].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
  for (let turn = 0; turn < 200 && left().length > 0; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(left(), 'a timer, a socket or a handle').toEqual([]);
});

// A process waits for each timer that holds it: none may go off.
test.each(['leads list --all', `leads import ${join(folder, 'new.csv')} --yes --again`, 'leads get 999999'])(
  'the process of %s ends with its work',
  async (words) => {
    const { stderr } = await runCrm(words.split(' '), { env: { ...env, NODE_OPTIONS: `--import ${longTimers}` } });
    expect(stderr).not.toMatch(/^a timer of/m);
  },
);

test('a timer that holds a process is told', async () => {
  const left = 'data:text/javascript,setTimeout(() => {}, 1000)';
  const { stderr } = await runCrm(['--version'], { env: { ...env, NODE_OPTIONS: `--import ${longTimers} --import "${left}"` } });
  expect(stderr).toBe('a timer of 1000 ms went off\n');
});
