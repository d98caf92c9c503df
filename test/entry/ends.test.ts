// A command ends when its work is done: a timer or a socket that is left behind would hold the process. Times are compared with those of
// `crm --version` between them, on the same machine in the same minute.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCrm, startSandbox } from '../support/crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-ends-'));
const server = await startSandbox(['--db', join(folder, 'crm.sqlite')]);
const data = join(folder, 'data');
const env = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key, CRM_CONFIG_DIR: data, CRM_DATA_DIR: data };
writeFileSync(join(folder, 'new.csv'), 'title,status,category\nA lead,New,Default\n');

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** How many times as long as `crm --version` a command may take: the longest of these takes six times as long. */
const mostTimes = 25;

const commands = [
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
];

test('the process of a command ends with its work', { timeout: 600_000 }, async () => {
  const timed = async (words: string): Promise<number> => {
    const began = performance.now();
    await runCrm(words.split(' '), { env });
    return performance.now() - began;
  };
  const times: [command: string, milliseconds: number][] = [];
  let longestOfNothing = 0;
  for (const command of commands) {
    longestOfNothing = Math.max(longestOfNothing, await timed('--version'));
    times.push([command, await timed(command)]);
  }
  const held = times.filter(([, milliseconds]) => milliseconds > longestOfNothing * mostTimes).map(([command]) => command);
  expect(held, 'commands whose process goes on after their work: a timer, a socket or a handle is left behind').toEqual([]);
});
