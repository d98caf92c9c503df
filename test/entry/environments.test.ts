// The environments that programs start others in: no home folder, no variables at all, folders that nobody can write to. What needs none
// of it works, and what does says what to set; nothing is a fault of crm, and nothing lands in the working folder.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Crm, crmCommand, type SandboxServer, startSandbox } from '../support/crm.ts';
import { endsOf, inTurn } from '../support/in-turn.ts';

/** A user of whom the system knows nothing; only the administrator can start a process as one. */
const stranger = 54_321;
const [program, version] = crmCommand(['--version']);
const canBeStranger = process.getuid?.() === 0 && spawnSync(program, version, { uid: stranger, gid: stranger, env: {} }).status === 0;

let folder: string;
let server: SandboxServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crm-environments-'));
  chmodSync(folder, 0o755);
  server = await startSandbox(['--db', join(folder, 'service.sqlite')], { CRM_DATA_DIR: join(folder, 'server') });
  writeFileSync(join(folder, 'new.csv'), 'title,status,category\nTill,1,1\n');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What is run, and whether the environment says which service is meant. */
const commands = {
  list: { words: ['leads', 'list', '--limit', '1', '--json'], service: true },
  create: { words: ['leads', 'create', '--title', 'T', '--status', 'New', '--category', '1', '--json'], service: true },
  import: { words: ['leads', 'import', '../../new.csv', '--json'], service: true },
  doctor: { words: ['doctor', '--json'], service: true },
  'no service': { words: ['leads', 'list', '--json'], service: false },
  profiles: { words: ['profile', 'list', '--json'], service: false },
  'profile add': {
    words: ['profile', 'add', 'x', '--base-url', 'https://crm.example', '--key-command', 'true', '--no-verify', '--json'],
    service: false,
  },
  sandbox: { words: ['sandbox', 'init', '--json'], service: false },
} as const;
type Name = keyof typeof commands;

/** The variables of each environment; paths below `~` are made for it. */
const environments = {
  'nothing but a home folder': { HOME: '~/home' },
  'no variables, and a user whom the system does not know': 'stranger',
  'HOME without a value': { HOME: '' },
  'HOME that is no absolute path': { HOME: 'home' },
  'HOME that is not there, where nobody can make it': { HOME: '/proc/home' },
  'HOME that is no folder': { HOME: '/dev/null' },
  'HOME that can only be read': { HOME: '~/read-only' },
  'no home folder, but folders of crm': { HOME: '', CRM_CONFIG_DIR: '~/config', CRM_DATA_DIR: '~/data' },
  'no home folder, but a folder for data': { HOME: '', CRM_DATA_DIR: '~/data' },
  'folders of crm that can only be read': { HOME: '~/home', CRM_CONFIG_DIR: '~/read-only', CRM_DATA_DIR: '~/read-only' },
  'folders of crm that are closed to this user': { HOME: '~/home', CRM_CONFIG_DIR: '~/closed', CRM_DATA_DIR: '~/closed' },
  'a folder for temporary files that is not there': { HOME: '~/home', TMPDIR: '/nonexistent/tmp' },
} as const;

/** The statuses, in the order of the commands above; 11: doctor tells of the folders. */
const table: Readonly<Record<keyof typeof environments, readonly number[]>> = {
  'nothing but a home folder': [0, 0, 0, 0, 4, 0, 0, 0],
  'no variables, and a user whom the system does not know': [0, 0, 4, 11, 4, 4, 4, 4],
  'HOME without a value': [0, 0, 4, 11, 4, 4, 4, 4],
  'HOME that is no absolute path': [0, 0, 4, 11, 4, 4, 4, 4],
  'HOME that is not there, where nobody can make it': [0, 0, 4, 11, 4, 0, 4, 4],
  'HOME that is no folder': [0, 0, 4, 11, 4, 4, 4, 4],
  'HOME that can only be read': [0, 0, 4, 11, 4, 0, 4, 4],
  'no home folder, but folders of crm': [0, 0, 0, 0, 4, 0, 0, 0],
  'no home folder, but a folder for data': [0, 0, 0, 11, 4, 4, 4, 4],
  'folders of crm that can only be read': [0, 0, 4, 11, 4, 0, 4, 4],
  'folders of crm that are closed to this user': [0, 0, 4, 11, 4, 4, 4, 4],
  'a folder for temporary files that is not there': [0, 0, 0, 0, 4, 0, 0, 0],
};

describe.each(Object.keys(environments) as (keyof typeof environments)[])('%s', (name) => {
  const variables = environments[name];
  const isStranger = variables === 'stranger';
  const isBarred = Object.values(variables).some((one) => ['~/read-only', '~/closed', '/proc/home'].includes(one));
  // The system lets the administrator write everywhere, so such folders need another user, too.
  const skip = isStranger || (isBarred && process.getuid?.() === 0) ? !canBeStranger : process.platform === 'win32';

  it.skipIf(skip)('ends as the table says', async () => {
    const place = mkdtempSync(join(folder, 'place-'));
    const working = join(place, 'working');
    for (const path of [place, working, join(place, 'home'), join(place, 'config'), join(place, 'data')]) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, 0o777);
    }
    for (const path of ['config', 'data', 'home']) rmSync(join(place, path), { recursive: true });
    mkdirSync(join(place, 'read-only'), { mode: 0o555 });
    mkdirSync(join(place, 'closed'), { mode: 0o000 });
    const env = isStranger ? {} : Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, value.replace('~', place)]));
    const ends: [Name, number | null][] = [];
    for (const { name: one, status, stdout, stderr } of await runAll(env, working)) {
      ends.push([one, status]);
      expect([one, stderr]).not.toEqual([one, expect.stringMatching(/a fault|ERR_|\n {4}at /)]);
      if (status === 0) expect([one, stdout]).not.toEqual([one, '']);
      else expect(JSON.parse(stderr).error).toMatchObject({ message: expect.stringMatching(/\.$/) });
      if (status === 2 || status === 4 || status === 7)
        expect([one, JSON.parse(stderr).error.hint]).toEqual([one, expect.stringMatching(/\S/)]);
    }
    const wanted = (Object.keys(commands) as Name[]).map((one, index) => [one, table[name][index]]);
    expect(ends).toEqual(wanted);
    expect(readdirSync(working)).toEqual([]);
  });
});

interface End extends Crm {
  readonly name: Name;
}

/** Runs the list as a command; then all others, one after the other, in one process with the same variables. */
async function runAll(variables: Record<string, string>, cwd: string): Promise<End[]> {
  const service = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key };
  const list = await run(crmCommand(commands.list.words), { ...variables, ...service }, cwd);
  const others = (Object.keys(commands) as Name[]).slice(1);
  const turns = others.map((name) => ({ words: commands[name].words, more: commands[name].service ? service : {} }));
  const ends = endsOf(turns, await run(inTurn(turns), variables, cwd));
  return [{ name: 'list', ...list }, ...ends.map((end, index) => ({ name: others[index] as Name, ...end }))];
}

async function run([command, args]: [string, string[]], env: Record<string, string>, cwd: string): Promise<Crm> {
  const user = canBeStranger ? { uid: stranger, gid: stranger } : {};
  const child = spawn(command, args, { env, cwd, ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'close')]);
  return { status: status as number | null, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
