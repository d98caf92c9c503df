// The files of the embedded CRM: names from the start, a file without a profile, one history for a served file, and what killed ones left.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Crm, crmCommand, startSandbox } from '../../support/crm.ts';
import { cleanEnv } from '../../support/environment.ts';
import { runHere } from '../../support/run-here.ts';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crm-files-'));
  env = { CRM_CONFIG_DIR: join(folder, 'config'), CRM_DATA_DIR: join(folder, 'data') };
});
afterEach(() => rmSync(folder, { recursive: true }));

const crm = (args: readonly string[], more: Record<string, string> = {}): Promise<Crm> =>
  runHere(args, { env: { ...env, ...more }, cwd: folder });
async function ok(args: readonly string[], more?: Record<string, string>): Promise<string> {
  const { status, stdout, stderr } = await crm(args, more);
  expect(status, stderr).toBe(0);
  return stdout;
}

it('an empty one knows its names, for commands and on Tab', async () => {
  await ok(['sandbox', 'init', '--empty']);
  expect(await ok(['names', 'statuses', '--csv'])).toMatch(/New\r\n.*Contacted\r\n.*Qualified\r\n/);
  await ok(['leads', 'create', '--title', 'x', '--status', 'New', '--category', 'Inbound']);
  const known = JSON.parse(readFileSync(join(folder, 'data/names/sandbox.json'), 'utf8'));
  expect(Object.keys(known.names)).toEqual(expect.arrayContaining(['lead-status', 'unit', 'tax-rate', 'lead-category']));
});

it('the hint for a missing file names the command that makes it, and no profile', async () => {
  const path = join(folder, 'my crm.sqlite');
  const at = { CRM_BASE_URL: `sandbox:${path}` };
  const { status, stderr } = await crm(['leads', 'list'], at);
  expect(status).toBe(4);
  const [, hinted = ''] = /Make one: crm (.*)/.exec(stderr) ?? [];
  expect(hinted).toBe(`sandbox init --db '${path}'`);
  expect(JSON.parse(await ok(['sandbox', 'init', '--db', path, '--json']))).toMatchObject({ profile: null, file: path, current: false });
  expect(await ok(['leads', 'list', '--count'], at)).toBe('44\n');
  expect(existsSync(join(folder, 'config/config.json'))).toBe(false);
  expect((await crm(['sandbox', 'init', '--db', path])).status).toBe(10);
  expect((await crm(['sandbox', 'init', '--db', path, '--profile', 'x'])).status).toBe(2);
});

it('three processes that open one new file at once each get it', async () => {
  const path = join(folder, 'new.sqlite');
  const servers = await Promise.all([1, 2, 3].map(() => startSandbox(['--db', path], env)));
  for (const server of servers) await server.stop();
  expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([]);
});

it('crm has one journal for a file, served and not', async () => {
  await ok(['sandbox', 'init']);
  const server = await startSandbox([], env);
  const at = { CRM_BASE_URL: server.baseUrl, CRM_API_KEY: server.key };
  try {
    await ok(['leads', 'tags', '11,12', '--add', 'hot', '--yes'], at);
    expect(await ok(['leads', 'list', '--status', 'Negotiation', '--count', '-q'], at)).toMatch(/^[1-9]/);
  } finally {
    await server.stop();
  }
  expect(JSON.parse(await ok(['history', '--json']))).toHaveLength(1);
  expect(readdirSync(join(folder, 'data/journals')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
  expect(readdirSync(join(folder, 'data/served'))).toEqual([]);
});

it('the note of a killed server counts no longer, and the next server clears it', async () => {
  await ok(['sandbox', 'init']);
  const killed = await startSandbox([], env);
  killed.process.kill('SIGKILL');
  await once(killed.process, 'exit');
  expect(readdirSync(join(folder, 'data/served'))).not.toEqual([]);
  const at = { CRM_BASE_URL: killed.baseUrl, CRM_API_KEY: killed.key };
  expect(JSON.parse(await ok(['history', '--json'], at))).toEqual([]);
  const next = await startSandbox([], env);
  const names = readdirSync(join(folder, 'data/served'));
  await next.stop();
  expect(names.filter((name) => name.endsWith('.txt'))).toHaveLength(1);
});

it('what a killed process left beside a new file is cleaned by the next', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const mine = join(folder, `x.sqlite.${process.pid}-abc.draft`);
  const left = ['', '-wal', '-shm'].map((ending) => join(folder, `x.sqlite.${child.pid}-abc.draft${ending}`));
  for (const path of [mine, ...left, join(folder, 'x.sqlite-wal')]) writeFileSync(path, 'left');
  await ok(['sandbox', 'init', '--db', join(folder, 'x.sqlite')]);
  expect(readdirSync(folder).sort()).toEqual(
    ['x.sqlite', `x.sqlite.${process.pid}-abc.draft`].concat(existsSync(join(folder, 'data')) ? ['data'] : []).sort(),
  );
});

it('profile remove takes the file along, if asked to', async () => {
  await ok(['sandbox', 'init', '--profile', 'one']);
  await ok(['sandbox', 'init', '--profile', 'two']);
  const file = (name: string): string => join(folder, `data/sandbox-${name}.sqlite`);
  expect((await crm(['profile', 'remove', 'one', '--yes'])).stderr).toContain(file('one'));
  expect(existsSync(file('one'))).toBe(true);
  expect((await crm(['profile', 'remove', 'two'])).stderr).toContain('--with-data removes it, too.');
  await ok(['profile', 'remove', 'two', '--with-data', '--yes']);
  expect(existsSync(file('two'))).toBe(false);
  await ok(['profile', 'add', 'acme', '--base-url', 'sandbox:/nowhere/x.sqlite', '--no-verify']);
  expect((await crm(['profile', 'remove', 'acme', '--with-data', '--yes'])).status).toBe(2);
});

it('doctor tells of another crm that comes first on the PATH', async () => {
  await ok(['sandbox', 'init', '--empty']);
  const row = async (text: string): Promise<string | undefined> => {
    writeFileSync(join(folder, 'crm'), text, { mode: 0o755 });
    const { stdout } = await crm(['doctor', '--json'], { PATH: `${folder}:${cleanEnv().PATH}` });
    return (JSON.parse(stdout) as { check: string; found: string }[]).find(({ check }) => check === 'crm on the PATH')?.found;
  };
  expect(await row('#!/bin/sh\necho the cluster resource manager\n')).toContain(`${join(folder, 'crm')} comes first`);
  expect(await row(`#!/bin/sh\nexec ${crmCommand([]).flat().join(' ')} "$@"\n`)).toBeUndefined();
});

it('a data folder whose name is a file is told, with what to name', async () => {
  writeFileSync(join(folder, 'taken'), '');
  for (const data of ['taken', 'taken/below']) {
    const { status, stderr } = await crm(['sandbox', 'init'], { CRM_DATA_DIR: join(folder, data) });
    expect([status, stderr]).toEqual([4, expect.stringContaining('A folder of its path is a file. CRM_DATA_DIR names the data folder')]);
  }
  const asked = await crm(['sandbox', 'init', '--db', 'taken/crm.sqlite']);
  expect([asked.status, asked.stderr]).toEqual([2, expect.stringContaining('A folder of its path is a file.')]);
});
